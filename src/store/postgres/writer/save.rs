//! Writing what a batch has changed, and committing it, in one round trip: all statements leave at once, each with the
//! rows of the whole batch.

use std::collections::BTreeMap;
use std::mem;

use futures_util::future::{BoxFuture, join_all};
use jiff::Timestamp;
use jiff::civil::Date;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error};
use uuid::Uuid;

use super::transaction::{Changes, ReferralRow, Transaction};
use crate::store::confirmation::LIMIT;
use crate::store::postgres::session::BEGIN;
use crate::store::postgres::writers;

/// Notes the batch and stores inquiries and their keys, all in one: what a single visitor waits for is mostly what each statement
/// costs, however little it does. A key that is there already is an error. `schema_2.sql` has what it does.
const INQUIRIES: &str = "SELECT store_inquiries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
const REPLACED_KEYS: &str = "DELETE FROM keys WHERE name = ANY($1) AND expires_at <= $2";
const CHANGED_INQUIRIES: &str = "UPDATE inquiries i SET value = n.value FROM unnest($1::uuid[], $2::bytea[]) n (id, value) \
                                 WHERE i.id = n.id";
const REMOVED_INQUIRIES: &str = "DELETE FROM inquiries WHERE id = ANY($1)";
const REFERRALS: &str = "INSERT INTO referrals (id, value, clock_due, mail_due, webhook_due, leases) \
                         SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::timestamptz[], \
                         $5::timestamptz[], $6::bytea[]) \
                         ON CONFLICT (id) DO UPDATE SET value = excluded.value, clock_due = excluded.clock_due, \
                         mail_due = excluded.mail_due, webhook_due = excluded.webhook_due, leases = excluded.leases";
const REMOVED_REFERRALS: &str = "DELETE FROM referrals WHERE id = ANY($1)";
const NOT_DUE: &str = "UPDATE referrals SET clock_due = NULL WHERE id = ANY($1)";
const SUBSCRIPTIONS: &str = "INSERT INTO subscriptions (key, value, clock_due, mail_due, leases) \
                             SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::timestamptz[], $5::bytea[]) \
                             ON CONFLICT (key) DO UPDATE SET value = excluded.value, clock_due = excluded.clock_due, \
                             mail_due = excluded.mail_due, leases = excluded.leases";
const REMOVED_SUBSCRIPTIONS: &str = "DELETE FROM subscriptions WHERE key = ANY($1)";
const ASKS: &str = "INSERT INTO asks (firm, last, value) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[]) \
                    ON CONFLICT (firm) DO UPDATE SET last = excluded.last, value = excluded.value";
const CONFIRMATIONS: &str = "INSERT INTO confirmations (address, times, last) \
                             SELECT address, ARRAY[first, second, third], last FROM unnest($1::bytea[], $2::bigint[], \
                             $3::bigint[], $4::bigint[], $5::timestamptz[]) n (address, first, second, third, last) \
                             ON CONFLICT (address) DO UPDATE SET times = excluded.times, last = excluded.last";
const COUNTS: &str = "INSERT INTO counts AS c (day, name, count) SELECT * FROM unnest($1::date[], $2::text[], $3::bigint[]) \
                      ON CONFLICT (day, name) DO UPDATE SET count = c.count + excluded.count";
const FACTS: &str = "INSERT INTO meta (name, value) SELECT * FROM unnest($1::text[], $2::bigint[]) \
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const REMOVED_FACTS: &str = "DELETE FROM meta WHERE name = ANY($1)";
const ERASED: &str = "INSERT INTO erased (id, erased_at) SELECT id, $2 FROM unnest($1::uuid[]) n (id) \
                      ON CONFLICT (id) DO UPDATE SET erased_at = excluded.erased_at";
const FORGET_KEYS: &str = "DELETE FROM keys WHERE name IN (SELECT name FROM keys WHERE expires_at <= $1 \
                           ORDER BY expires_at LIMIT 2000 FOR UPDATE SKIP LOCKED)";
const FORGET_CONFIRMATIONS: &str = "DELETE FROM confirmations WHERE address IN (SELECT address FROM confirmations \
                                    WHERE last <= $1 - interval '24 hours' ORDER BY last LIMIT 2000 \
                                    FOR UPDATE SKIP LOCKED)";
const FORGET_WRITERS: &str = "DELETE FROM writers WHERE id IN (SELECT id FROM writers \
                              WHERE seen_at <= $1 - interval '7 days' FOR UPDATE SKIP LOCKED)";

/// Names an attempt to commit a batch.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    /// The writer.
    pub writer: Uuid,
    /// The number of its batch.
    pub batch: i64,
    /// The number of the attempt.
    pub number: i32,
}

/// Statements that leave together, in order.
struct Steps<'c> {
    client: &'c Client,
    steps: Vec<BoxFuture<'c, Result<(), Error>>>,
}

type Parameter = (Box<dyn ToSql + Sync + Send>, Type);

impl Steps<'_> {
    fn simple(&mut self, statement: &'static str) {
        let client = self.client;
        self.steps.push(Box::pin(client.batch_execute(statement)));
    }

    fn add(&mut self, statement: &'static str, parameters: Vec<Parameter>) {
        let client = self.client;
        self.steps.push(Box::pin(async move {
            let parameters: Vec<(&(dyn ToSql + Sync), Type)> = parameters
                .iter()
                .map(|(value, of)| (&**value as &(dyn ToSql + Sync), of.clone()))
                .collect();
            client.query_typed(statement, &parameters).await.map(drop)
        }));
    }
}

fn boxed(value: impl ToSql + Sync + Send + 'static, of: Type) -> Parameter {
    (Box::new(value), of)
}

/// Writes what a transaction has changed and commits it.
///
/// # Errors
/// When nothing was committed; or, if the connection was lost, when nobody knows.
pub async fn save(
    client: &Client,
    mut transaction: Transaction<'_>,
    attempt: Attempt,
    is_begun: bool,
) -> Result<(), Error> {
    let mut steps = Steps {
        client,
        steps: Vec::new(),
    };
    let now = transaction.now;
    if !transaction.changes.replaced_keys.is_empty() {
        let names: Vec<Vec<u8>> = transaction
            .changes
            .replaced_keys
            .iter()
            .map(|name| name.to_vec())
            .collect();
        steps.add(
            REPLACED_KEYS,
            vec![boxed(names, Type::BYTEA_ARRAY), boxed(now, Type::TIMESTAMPTZ)],
        );
    }
    // Before what else it changes: another attempt at the same batch waits there for the end of this one, or else where it stores
    // the same.
    add_batch(&mut steps, &mut transaction, attempt);
    add_asks(&mut steps, &transaction);
    add_confirmations(&mut steps, &transaction);
    add_changes(&mut steps, transaction.changes, now);
    // A statement alone is a transaction by itself.
    if is_begun || steps.steps.len() > 1 {
        if !is_begun {
            steps.steps.insert(0, Box::pin(client.batch_execute(BEGIN)));
        }
        steps.simple("COMMIT");
    }
    // In order, so that the first error is the one that has ended the transaction.
    join_all(steps.steps).await.into_iter().collect()
}

/// Notes the batch, and stores its new inquiries.
fn add_batch(steps: &mut Steps<'_>, transaction: &mut Transaction<'_>, attempt: Attempt) {
    let mut parameters = vec![
        boxed(attempt.writer, Type::UUID),
        boxed(attempt.batch, Type::INT8),
        boxed(attempt.number, Type::INT4),
        boxed(transaction.now, Type::TIMESTAMPTZ),
    ];
    if transaction.changes.inquiries.is_empty() {
        steps.add(writers::COMMITTED, parameters);
        return;
    }
    let (mut names, mut tags) = (Vec::new(), Vec::new());
    let (mut of, mut expiries) = (Vec::new(), Vec::new());
    for name in &transaction.changes.keys {
        if let Some(entry) = transaction.keys.get(name) {
            names.push(name.to_vec());
            tags.push(entry.tag.to_vec());
            of.push(entry.id);
            expiries.push(entry.expires_at);
        }
    }
    let (mut ids, mut times, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for row in mem::take(&mut transaction.changes.inquiries) {
        ids.push(row.id);
        times.push(row.created_at);
        values.push(row.value);
    }
    parameters.extend([
        boxed(names, Type::BYTEA_ARRAY),
        boxed(tags, Type::BYTEA_ARRAY),
        boxed(of, Type::UUID_ARRAY),
        boxed(expiries, Type::TIMESTAMPTZ_ARRAY),
        boxed(ids, Type::UUID_ARRAY),
        boxed(times, Type::TIMESTAMPTZ_ARRAY),
        boxed(values, Type::BYTEA_ARRAY),
    ]);
    steps.add(INQUIRIES, parameters);
}

fn add_asks(steps: &mut Steps<'_>, transaction: &Transaction<'_>) {
    let roster = &transaction.memory.desk.roster;
    let mut firms: Vec<_> = transaction.asked.iter().collect();
    firms.sort_unstable();
    firms.dedup();
    let (mut names, mut last, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for firm in firms {
        if let Some(asks) = roster.asks(firm) {
            names.push(firm.as_str().to_owned());
            last.push(i64::try_from(asks.last()).unwrap_or(i64::MAX));
            values.push(asks.to_bytes());
        }
    }
    if !names.is_empty() {
        steps.add(
            ASKS,
            vec![
                boxed(names, Type::TEXT_ARRAY),
                boxed(last, Type::INT8_ARRAY),
                boxed(values, Type::BYTEA_ARRAY),
            ],
        );
    }
}

fn add_confirmations(steps: &mut Steps<'_>, transaction: &Transaction<'_>) {
    let mut addresses = Vec::new();
    let mut times: [Vec<i64>; LIMIT] = Default::default();
    for address in &transaction.changes.confirmations {
        if let Some(sent) = transaction.confirmations.get(address) {
            addresses.push(address.to_vec());
            for (times, &sent) in times.iter_mut().zip(&sent.0) {
                times.push(i64::try_from(sent).unwrap_or(i64::MAX));
            }
        }
    }
    if addresses.is_empty() {
        return;
    }
    let last = vec![transaction.now; addresses.len()];
    let [first, second, third] = times;
    steps.add(
        CONFIRMATIONS,
        vec![
            boxed(addresses, Type::BYTEA_ARRAY),
            boxed(first, Type::INT8_ARRAY),
            boxed(second, Type::INT8_ARRAY),
            boxed(third, Type::INT8_ARRAY),
            boxed(last, Type::TIMESTAMPTZ_ARRAY),
        ],
    );
}

fn add_changes(steps: &mut Steps<'_>, changes: Changes, now: Timestamp) {
    if !changes.changed_inquiries.is_empty() {
        let (ids, values): (Vec<Uuid>, Vec<Vec<u8>>) = changes.changed_inquiries.into_iter().unzip();
        steps.add(
            CHANGED_INQUIRIES,
            vec![boxed(ids, Type::UUID_ARRAY), boxed(values, Type::BYTEA_ARRAY)],
        );
    }
    add_ids(steps, REMOVED_INQUIRIES, changes.removed_inquiries);
    let (removed, columns) = split(changes.referrals);
    if !columns.keys.is_empty() {
        steps.add(
            REFERRALS,
            vec![
                boxed(columns.keys, Type::UUID_ARRAY),
                boxed(columns.values, Type::BYTEA_ARRAY),
                boxed(columns.clock, Type::TIMESTAMPTZ_ARRAY),
                boxed(columns.mail, Type::TIMESTAMPTZ_ARRAY),
                boxed(columns.webhook, Type::TIMESTAMPTZ_ARRAY),
                boxed(columns.leases, Type::BYTEA_ARRAY),
            ],
        );
    }
    add_ids(steps, REMOVED_REFERRALS, removed);
    add_ids(steps, NOT_DUE, changes.not_due);
    let (removed, columns) = split(changes.subscriptions);
    if !columns.keys.is_empty() {
        steps.add(
            SUBSCRIPTIONS,
            vec![
                boxed(columns.keys, Type::UUID_ARRAY),
                boxed(columns.values, Type::BYTEA_ARRAY),
                boxed(columns.clock, Type::TIMESTAMPTZ_ARRAY),
                boxed(columns.mail, Type::TIMESTAMPTZ_ARRAY),
                boxed(columns.leases, Type::BYTEA_ARRAY),
            ],
        );
    }
    add_ids(steps, REMOVED_SUBSCRIPTIONS, removed);
    add_notes(steps, changes.counts, changes.facts);
    if !changes.erased.is_empty() {
        let ids: Vec<Uuid> = changes.erased.into_iter().collect();
        steps.add(
            ERASED,
            vec![boxed(ids, Type::UUID_ARRAY), boxed(now, Type::TIMESTAMPTZ)],
        );
    }
    if changes.forgets {
        for statement in [FORGET_KEYS, FORGET_CONFIRMATIONS, FORGET_WRITERS] {
            steps.add(statement, vec![boxed(now, Type::TIMESTAMPTZ)]);
        }
    }
}

fn add_notes(
    steps: &mut Steps<'_>,
    counts: BTreeMap<(Date, String), i64>,
    facts: BTreeMap<&'static str, Option<i64>>,
) {
    if !counts.is_empty() {
        let (mut days, mut names, mut added) = (Vec::<Date>::new(), Vec::new(), Vec::new());
        for ((day, name), count) in counts {
            days.push(day);
            names.push(name);
            added.push(count);
        }
        steps.add(
            COUNTS,
            vec![
                boxed(days, Type::DATE_ARRAY),
                boxed(names, Type::TEXT_ARRAY),
                boxed(added, Type::INT8_ARRAY),
            ],
        );
    }
    let (mut names, mut values, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in facts {
        match value {
            Some(value) => {
                names.push(name);
                values.push(value);
            }
            None => removed.push(name),
        }
    }
    if !names.is_empty() {
        steps.add(
            FACTS,
            vec![boxed(names, Type::TEXT_ARRAY), boxed(values, Type::INT8_ARRAY)],
        );
    }
    if !removed.is_empty() {
        steps.add(REMOVED_FACTS, vec![boxed(removed, Type::TEXT_ARRAY)]);
    }
}

fn add_ids(steps: &mut Steps<'_>, statement: &'static str, ids: impl IntoIterator<Item = Uuid>) {
    let ids: Vec<Uuid> = ids.into_iter().collect();
    if !ids.is_empty() {
        steps.add(statement, vec![boxed(ids, Type::UUID_ARRAY)]);
    }
}

#[derive(Default)]
struct Columns {
    keys: Vec<Uuid>,
    values: Vec<Vec<u8>>,
    clock: Vec<Option<Timestamp>>,
    mail: Vec<Option<Timestamp>>,
    webhook: Vec<Option<Timestamp>>,
    leases: Vec<Option<Vec<u8>>>,
}

/// Splits rows into those that go and the columns of those that stay.
fn split(rows: impl IntoIterator<Item = (Uuid, Option<ReferralRow>)>) -> (Vec<Uuid>, Columns) {
    let (mut removed, mut columns) = (Vec::new(), Columns::default());
    for (key, row) in rows {
        let Some(row) = row else {
            removed.push(key);
            continue;
        };
        columns.keys.push(key);
        columns.values.push(row.value);
        columns.clock.push(row.due.clock);
        columns.mail.push(row.due.mail);
        columns.webhook.push(row.due.webhook);
        columns.leases.push(row.leases);
    }
    (removed, columns)
}
