//! Writing what a batch has changed, and committing it, in one round trip: all statements leave at once, each with the
//! rows of the whole batch.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem;

use futures_util::future::{BoxFuture, join_all};
use jiff::Timestamp;
use jiff::civil::Date;
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::error::Error;
use super::session::BEGIN;
use super::writers;
use super::{ledger, photos};
use crate::matching::{FirmId, FirmRotation};
use crate::newsletter::Subscription;
use crate::referral::Due;
use crate::store::core::{Changes, LIMIT, Leases, Prefetched};
use crate::store::core::{record, referral_record, subscription_record};
use crate::store::error::Damaged;

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
    steps: Vec<BoxFuture<'c, Result<(), tokio_postgres::Error>>>,
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

/// What is saved.
pub struct Saving<'a> {
    /// What has changed.
    pub changes: Changes,
    /// What it has changed to.
    pub rows: &'a Prefetched,
    /// The firms that were asked.
    pub asked: Vec<FirmId>,
    /// What is remembered of them.
    pub rotation: &'a FirmRotation,
    /// The time of the transaction.
    pub now: Timestamp,
    /// Whether what no longer counts is forgotten, too.
    pub forgets: bool,
}

/// Writes what a batch has changed and commits it.
///
/// # Errors
/// When nothing was committed; or, if the connection was lost, when nobody knows.
pub async fn save(
    client: &Client,
    mut saving: Saving<'_>,
    attempt: Attempt,
    is_begun: bool,
) -> Result<(), Error> {
    let mut steps = Steps {
        client,
        steps: Vec::new(),
    };
    let now = saving.now;
    if !saving.changes.replaced_keys.is_empty() {
        let names = saving.changes.replaced_keys.iter();
        let names: Vec<Vec<u8>> = names.map(|name| name.to_vec()).collect();
        steps.add(
            REPLACED_KEYS,
            vec![boxed(names, Type::BYTEA_ARRAY), boxed(now, Type::TIMESTAMPTZ)],
        );
    }
    // Before what else it changes: another attempt at the same batch waits there for the end of this one, or else where it stores
    // the same.
    let referrals = add_batch(&mut steps, &mut saving, attempt)?;
    add_asks(&mut steps, &saving);
    add_confirmations(&mut steps, &saving);
    add_inquiries(&mut steps, &saving, referrals)?;
    add_subscriptions(&mut steps, &saving)?;
    add_ledger(&mut steps, &saving)?;
    let Changes {
        counts,
        facts,
        erased,
        ..
    } = saving.changes;
    add_notes(&mut steps, counts, facts);
    if !erased.is_empty() {
        let ids: Vec<Uuid> = erased.into_iter().collect();
        steps.add(
            ERASED,
            vec![boxed(ids, Type::UUID_ARRAY), boxed(now, Type::TIMESTAMPTZ)],
        );
    }
    if saving.forgets {
        for statement in [FORGET_KEYS, FORGET_CONFIRMATIONS, FORGET_WRITERS] {
            steps.add(statement, vec![boxed(now, Type::TIMESTAMPTZ)]);
        }
    }
    // A statement alone is a transaction by itself.
    if is_begun || steps.steps.len() > 1 {
        if !is_begun {
            steps.steps.insert(0, Box::pin(client.batch_execute(BEGIN)));
        }
        steps.simple("COMMIT");
    }
    // In order, so that the first error is the one that has ended the transaction.
    let saved: Result<(), tokio_postgres::Error> = join_all(steps.steps).await.into_iter().collect();
    Ok(saved?)
}

/// Notes the batch, and stores its new inquiries; returns their referrals.
fn add_batch(steps: &mut Steps<'_>, saving: &mut Saving<'_>, attempt: Attempt) -> Result<Columns, Damaged> {
    let mut parameters = vec![
        boxed(attempt.writer, Type::UUID),
        boxed(attempt.batch, Type::INT8),
        boxed(attempt.number, Type::INT4),
        boxed(saving.now, Type::TIMESTAMPTZ),
    ];
    if saving.changes.new.is_empty() {
        steps.add(writers::COMMITTED, parameters);
        return Ok(Columns::default());
    }
    let (mut names, mut tags) = (Vec::new(), Vec::new());
    let (mut of, mut expiries) = (Vec::new(), Vec::new());
    for name in &saving.changes.keys {
        if let Some(entry) = saving.rows.keys.get(name) {
            names.push(name.to_vec());
            tags.push(entry.tag.to_vec());
            of.push(entry.id);
            expiries.push(entry.expires_at);
        }
    }
    let (mut ids, mut times, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut referrals = Columns::default();
    for row in mem::take(&mut saving.changes.new) {
        ids.push(row.id);
        times.push(row.created_at);
        values.push(row.value);
        if let Some(referral) = row.referral {
            let value = referral_record::encode(row.id.as_bytes(), &referral)?;
            referrals.push(row.id, value, referral.due(), None);
        }
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
    Ok(referrals)
}

fn add_asks(steps: &mut Steps<'_>, saving: &Saving<'_>) {
    let mut firms: Vec<_> = saving.asked.iter().collect();
    firms.sort_unstable();
    firms.dedup();
    let (mut names, mut last, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for firm in firms {
        if let Some(asks) = saving.rotation.asks(firm) {
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

fn add_confirmations(steps: &mut Steps<'_>, saving: &Saving<'_>) {
    let mut addresses = Vec::new();
    let mut times: [Vec<i64>; LIMIT] = Default::default();
    for mailbox in saving.changes.confirmations.keys() {
        if let Some(sent) = saving.rows.confirmations.get(mailbox) {
            addresses.push(mailbox.to_vec());
            for (times, &sent) in times.iter_mut().zip(&sent.0) {
                times.push(i64::try_from(sent).unwrap_or(i64::MAX));
            }
        }
    }
    if addresses.is_empty() {
        return;
    }
    let last = vec![saving.now; addresses.len()];
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

/// Changes inquiries and referrals that were there, and adds new referrals.
fn add_inquiries(steps: &mut Steps<'_>, saving: &Saving<'_>, mut columns: Columns) -> Result<(), Damaged> {
    let (changes, entries) = (&saving.changes, &saving.rows.inquiries);
    let (mut ids, mut values) = (Vec::new(), Vec::new());
    for id in &changes.inquiries {
        if let Some(inquiry) = entries.get(id).and_then(|entry| entry.inquiry.as_ref()) {
            ids.push(*id);
            values.push(record::encode_stored(inquiry)?);
        }
    }
    if !ids.is_empty() {
        steps.add(
            CHANGED_INQUIRIES,
            vec![boxed(ids, Type::UUID_ARRAY), boxed(values, Type::BYTEA_ARRAY)],
        );
    }
    add_ids(steps, REMOVED_INQUIRIES, changes.removed.iter().copied());
    add_photos(steps, changes);
    let mut removed = Vec::new();
    for id in changes.referrals.union(&changes.leased) {
        let Some(entry) = entries.get(id) else { continue };
        match &entry.referral {
            None => removed.push(*id),
            Some(referral) => {
                let value = referral_record::encode(id.as_bytes(), referral)?;
                columns.push(*id, value, entry.leases.due(referral), entry.leases.encode());
            }
        }
    }
    columns.add(steps, REFERRALS, true);
    add_ids(steps, REMOVED_REFERRALS, removed);
    add_ids(steps, NOT_DUE, changes.not_due.iter().copied());
    Ok(())
}

/// Adds photos and takes them away, those of removed inquiries last.
fn add_photos(steps: &mut Steps<'_>, changes: &Changes) {
    if let Some(removed) = photos::removed(changes) {
        steps.add(photos::REMOVE, removed);
    }
    if let Some(added) = photos::added(changes) {
        steps.add(photos::ADD, added);
    }
    add_ids(steps, photos::REMOVE_ALL, changes.removed.iter().copied());
}

/// Adds to the ledger, and closes months.
fn add_ledger(steps: &mut Steps<'_>, saving: &Saving<'_>) -> Result<(), Damaged> {
    let (changes, rows) = (&saving.changes, saving.rows);
    let mut columns = ledger::Columns::default();
    for acceptance in changes
        .acceptances
        .iter()
        .filter_map(|key| rows.acceptances.get(key))
    {
        columns.push(acceptance)?;
    }
    if !changes.acceptances.is_empty() {
        steps.add(ledger::SAVE, columns.into_parameters());
    }
    let closings = changes
        .closings
        .iter()
        .filter_map(|month| rows.closings.get(month));
    let (mut months, mut times, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for closing in closings {
        months.push(i32::try_from(closing.month.number()).unwrap_or(i32::MAX));
        times.push(closing.at);
        rates.push(i32::try_from(closing.vat.parts()).unwrap_or(i32::MAX));
    }
    if !months.is_empty() {
        steps.add(
            ledger::CLOSE,
            vec![
                boxed(months, Type::INT4_ARRAY),
                boxed(times, Type::TIMESTAMPTZ_ARRAY),
                boxed(rates, Type::INT4_ARRAY),
            ],
        );
    }
    Ok(())
}

/// Changes subscriptions, and stores new ones.
fn add_subscriptions(steps: &mut Steps<'_>, saving: &Saving<'_>) -> Result<(), Damaged> {
    let (changes, entries) = (&saving.changes, &saving.rows.subscriptions);
    let (mut removed, mut columns) = (Vec::new(), Columns::default());
    for key in changes.subscriptions.union(&changes.leased_subscriptions) {
        let Some(entry) = entries.get(key) else { continue };
        match &entry.subscription {
            None => removed.push(*key),
            Some(subscription) => {
                let due = due(subscription, &entry.leases);
                columns.push(
                    *key,
                    subscription_record::encode(subscription)?,
                    due,
                    entry.leases.encode(),
                );
            }
        }
    }
    columns.add(steps, SUBSCRIPTIONS, false);
    add_ids(steps, REMOVED_SUBSCRIPTIONS, removed);
    Ok(())
}

/// Returns when somebody may do something for a subscription.
fn due(subscription: &Subscription, leases: &Leases) -> Due {
    let due = subscription.due();
    Due {
        mail: due.mail.map(|due| leases.free(0, due)),
        ..due
    }
}

fn add_notes(
    steps: &mut Steps<'_>,
    counts: BTreeMap<(Date, String), u64>,
    facts: BTreeMap<Cow<'static, str>, Option<u64>>,
) {
    if !counts.is_empty() {
        let (mut days, mut names, mut added) = (Vec::<Date>::new(), Vec::new(), Vec::new());
        for ((day, name), count) in counts {
            days.push(day);
            names.push(name);
            added.push(i64::try_from(count).unwrap_or(i64::MAX));
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
        let name = name.into_owned();
        match value {
            Some(value) => {
                names.push(name);
                values.push(i64::try_from(value).unwrap_or(i64::MAX));
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

/// Rows of referrals or subscriptions, by column.
#[derive(Default)]
struct Columns {
    keys: Vec<Uuid>,
    values: Vec<Vec<u8>>,
    clock: Vec<Option<Timestamp>>,
    mail: Vec<Option<Timestamp>>,
    webhook: Vec<Option<Timestamp>>,
    leases: Vec<Option<Vec<u8>>>,
}

impl Columns {
    fn push(&mut self, key: Uuid, value: Vec<u8>, due: Due, leases: Option<Vec<u8>>) {
        self.keys.push(key);
        self.values.push(value);
        self.clock.push(due.clock);
        self.mail.push(due.mail);
        self.webhook.push(due.webhook);
        self.leases.push(leases);
    }

    fn add(self, steps: &mut Steps<'_>, statement: &'static str, has_webhook: bool) {
        if self.keys.is_empty() {
            return;
        }
        let mut parameters = vec![
            boxed(self.keys, Type::UUID_ARRAY),
            boxed(self.values, Type::BYTEA_ARRAY),
            boxed(self.clock, Type::TIMESTAMPTZ_ARRAY),
            boxed(self.mail, Type::TIMESTAMPTZ_ARRAY),
        ];
        if has_webhook {
            parameters.push(boxed(self.webhook, Type::TIMESTAMPTZ_ARRAY));
        }
        parameters.push(boxed(self.leases, Type::BYTEA_ARRAY));
        steps.add(statement, parameters);
    }
}
