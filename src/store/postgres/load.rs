//! Reading what a batch needs, in one round trip: all queries leave at once.

use std::collections::HashMap;

use futures_util::future::join_all;
use jiff::Timestamp;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::error::Error;
use super::ledger;
use super::queries;
use super::session::BEGIN;
use super::time::{self, Time};
use super::writers;
use crate::matching::{FirmId, RequestHistory};
use crate::referral::Lane;
use crate::store::core::{
    DueRows, Id, InquiryEntry, KeyEntry, KeyName, Leases, Prefetched, ReadSet, Sent, SubscriptionEntry,
    firm_asks,
};
use crate::store::core::{record, subscription_record};
use crate::store::error::Damaged;

/// How many more rows than deliveries are looked at: those that cannot be read stay due.
const SPARE: usize = 32;

const KEYS: &str = "SELECT k.name, k.tag, k.id, k.expires_at, i.value FROM keys k LEFT JOIN inquiries i ON i.id = k.id \
                        WHERE k.name = ANY($1)";
const INQUIRIES: &str = "SELECT id, value FROM inquiries WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const REFERRALS: &str = "SELECT id, value, leases FROM referrals WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const SUBSCRIPTIONS: &str =
    "SELECT key, value, leases FROM subscriptions WHERE key = ANY($1) ORDER BY key FOR UPDATE";
const TURNS: &str =
    "SELECT pg_advisory_xact_lock(hashtext('taubenabwehr turns'), hashtext(current_schema()))";
const ASKS: &str = "SELECT firm, value FROM asks WHERE last > $1";
const CONFIRMATIONS: &str = "SELECT address, times FROM confirmations WHERE address = ANY($1)";

/// What is read of a lane: inquiries and subscriptions that are due, and when the next one is.
struct DueQueries {
    inquiries: &'static str,
    subscriptions: Option<&'static str>,
    next: Option<&'static str>,
}

const MAIL: DueQueries = DueQueries {
    inquiries: "WITH due AS MATERIALIZED (SELECT id, value, leases, mail_due FROM referrals WHERE mail_due <= $1 \
                ORDER BY mail_due LIMIT $2 FOR UPDATE SKIP LOCKED) \
                SELECT d.id, i.value, d.value, d.leases FROM due d LEFT JOIN inquiries i ON i.id = d.id ORDER BY d.mail_due",
    subscriptions: Some(
        "SELECT key, value, leases FROM subscriptions WHERE mail_due <= $1 ORDER BY mail_due LIMIT $2 \
         FOR UPDATE SKIP LOCKED",
    ),
    next: Some(
        "SELECT least((SELECT min(mail_due) FROM referrals WHERE mail_due > $1), \
         (SELECT min(mail_due) FROM subscriptions WHERE mail_due > $1))",
    ),
};
const WEBHOOK: DueQueries = DueQueries {
    inquiries: "WITH due AS MATERIALIZED (SELECT id, value, leases, webhook_due FROM referrals \
                WHERE webhook_due <= $1 ORDER BY webhook_due LIMIT $2 FOR UPDATE SKIP LOCKED) \
                SELECT d.id, i.value, d.value, d.leases FROM due d LEFT JOIN inquiries i ON i.id = d.id \
                ORDER BY d.webhook_due",
    subscriptions: None,
    next: Some("SELECT min(webhook_due) FROM referrals WHERE webhook_due > $1"),
};
const CLOCK: DueQueries = DueQueries {
    // In a store that was restored, what was there before waits for the operator: the lost one may have gone on with it.
    inquiries: "WITH due AS MATERIALIZED (SELECT id, value, leases, clock_due FROM referrals WHERE clock_due <= $1 \
                AND id >= coalesce((SELECT (lpad(to_hex(value), 12, '0') || repeat('0', 20))::uuid FROM meta \
                WHERE name = 'held'), '00000000-0000-0000-0000-000000000000'::uuid) \
                ORDER BY clock_due LIMIT $2 FOR UPDATE SKIP LOCKED) \
                SELECT d.id, i.value, d.value, d.leases FROM due d LEFT JOIN inquiries i ON i.id = d.id ORDER BY d.clock_due",
    subscriptions: Some(
        "SELECT key, value, leases FROM subscriptions WHERE clock_due <= $1 ORDER BY clock_due LIMIT $2 \
         FOR UPDATE SKIP LOCKED",
    ),
    next: None,
};

/// What was read.
#[derive(Default)]
pub struct Loaded {
    /// The batch and the attempt that this writer has committed last, if that was asked for.
    pub committed: Option<(i64, i32)>,
    /// What operations work on.
    pub rows: Prefetched,
    /// What other instances have asked.
    pub asks: Vec<(FirmId, RequestHistory)>,
}

/// What a batch is read for.
pub struct Reading<'a> {
    /// The writer, if it must find out what became of its last batch.
    pub doubtful: Option<Uuid>,
    /// What is needed.
    pub reads: &'a ReadSet,
    /// The number of the last ask that is known.
    pub last_ask: i64,
    /// Tells the time of the database.
    pub time: &'a Time,
}

type Found = Result<Vec<Row>, tokio_postgres::Error>;

/// Begins a transaction and reads what a batch needs.
pub async fn load(client: &Client, reading: &Reading<'_>) -> Result<Loaded, Error> {
    let mut loaded = load_named(client, reading).await?;
    load_due(client, reading.reads, reading.time.now(), &mut loaded.rows).await?;
    Ok(loaded)
}

/// Begins a transaction and reads what a batch names.
async fn load_named(client: &Client, reading: &Reading<'_>) -> Result<Loaded, Error> {
    let reads = reading.reads;
    let names: Vec<&[u8]> = reads.keys.iter().map(KeyName::as_slice).collect();
    let ids: Vec<Uuid> = reads.inquiries.iter().copied().collect();
    let keys: Vec<Uuid> = reads.subscriptions.iter().copied().collect();
    let mailboxes: Vec<&[u8]> = reads.mailboxes.iter().map(Id::as_slice).collect();
    let accepted: Vec<Uuid> = reads.acceptances.iter().copied().collect();
    let (
        begun,
        committed,
        locked,
        asks,
        facts,
        ledger_locked,
        closings,
        mailboxes,
        keys,
        inquiries,
        referrals,
        subscriptions,
        acceptances,
        time,
    ) = async {
        tokio::join!(
            biased;
            client.batch_execute(BEGIN),
            find(client, writers::LAST, reading.doubtful.is_some(), &reading.doubtful, Type::UUID),
            if_wanted(client, TURNS, reads.turns),
            find(client, ASKS, reads.turns, &reading.last_ask, Type::INT8),
            if_wanted(client, queries::FACTS, reads.turns),
            // Always behind the lock of turns.
            if_wanted(client, ledger::LOCK, reads.closings),
            if_wanted(client, ledger::CLOSINGS, reads.closings),
            find(client, CONFIRMATIONS, !mailboxes.is_empty(), &mailboxes, Type::BYTEA_ARRAY),
            find(client, KEYS, !names.is_empty(), &names, Type::BYTEA_ARRAY),
            find(client, INQUIRIES, !ids.is_empty(), &ids, Type::UUID_ARRAY),
            find(client, REFERRALS, !ids.is_empty(), &ids, Type::UUID_ARRAY),
            find(client, SUBSCRIPTIONS, !keys.is_empty(), &keys, Type::UUID_ARRAY),
            find(client, ledger::OF, !accepted.is_empty(), &accepted, Type::UUID_ARRAY),
            // Once no lock is waited for any more.
            if_wanted(client, time::NOW, reads.time),
        )
    }
    .await;
    let mut loaded = Loaded::default();
    begun?;
    locked?;
    ledger_locked?;
    if let Some(row) = committed?.first() {
        loaded.committed = Some((row.try_get(0)?, row.try_get(1)?));
    }
    for row in &asks? {
        loaded.asks.push(firm_asks(row.try_get(0)?, row.try_get(1)?)?);
    }
    let rows = &mut loaded.rows;
    rows.facts = queries::noted(&facts?)?;
    take_confirmations(rows, &mailboxes?)?;
    for row in &keys? {
        let (name, entry) = key(row)?;
        rows.keys.insert(name, entry);
    }
    take_inquiries(rows, &inquiries?, &referrals?)?;
    take_subscriptions(rows, &subscriptions?)?;
    rows.closings = ledger::taken_closings(&closings?)?;
    for acceptance in ledger::taken(&acceptances?)? {
        let key = (acceptance.inquiry, acceptance.firm.clone());
        rows.acceptances.insert(key, acceptance);
    }
    if let Some(row) = time?.first() {
        reading.time.note(row.try_get(0)?);
    }
    Ok(loaded)
}

/// Reads what is due.
async fn load_due(
    client: &Client,
    reads: &ReadSet,
    now: Timestamp,
    rows: &mut Prefetched,
) -> Result<(), Error> {
    let lanes = reads.due.iter().map(|(lane, wanted)| async move {
        let (queries, limit) = match lane {
            Lane::Clock => (CLOCK, *wanted),
            Lane::Mail => (MAIL, wanted.saturating_add(SPARE)),
            Lane::Webhook => (WEBHOOK, wanted.saturating_add(SPARE)),
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let due = |query: Option<&'static str>| async move {
            let parameters: [(&(dyn ToSql + Sync), Type); 2] =
                [(&now, Type::TIMESTAMPTZ), (&limit, Type::INT8)];
            match query {
                Some(query) => client.query_typed(query, &parameters).await,
                None => Ok(Vec::new()),
            }
        };
        let next = queries.next.unwrap_or_default();
        let found = tokio::join!(
            biased;
            due(Some(queries.inquiries)),
            due(queries.subscriptions),
            find(client, next, queries.next.is_some(), &now, Type::TIMESTAMPTZ),
        );
        (*lane, found)
    });
    for (lane, (inquiries, subscriptions, next)) in join_all(lanes).await {
        let due = DueRows {
            inquiries: take_due(rows, &inquiries?)?,
            subscriptions: take_subscriptions(rows, &subscriptions?)?,
            next: match next?.first() {
                Some(row) => row.try_get(0)?,
                None => None,
            },
        };
        rows.due.insert(lane, due);
    }
    Ok(())
}

/// Reads what mailboxes were sent that became known only once inquiries were read.
pub async fn load_confirmations(
    client: &Client,
    mailboxes: &[Id],
    rows: &mut Prefetched,
) -> Result<(), Error> {
    let mailboxes: Vec<&[u8]> = mailboxes.iter().map(Id::as_slice).collect();
    let found = find(client, CONFIRMATIONS, true, &mailboxes, Type::BYTEA_ARRAY).await;
    take_confirmations(rows, &found?)
}

async fn if_wanted(client: &Client, query: &str, is_wanted: bool) -> Found {
    if is_wanted {
        client.query_typed(query, &[]).await
    } else {
        Ok(Vec::new())
    }
}

async fn find(
    client: &Client,
    query: &str,
    is_wanted: bool,
    parameter: &(dyn ToSql + Sync),
    of: Type,
) -> Found {
    if is_wanted {
        client.query_typed(query, &[(parameter, of)]).await
    } else {
        Ok(Vec::new())
    }
}

/// Reads what is known of a key alone; `None` if that is nothing.
pub async fn find_key(client: &Client, name: KeyName) -> Result<Option<KeyEntry>, Error> {
    let rows = find(client, KEYS, true, &vec![name.as_slice()], Type::BYTEA_ARRAY).await?;
    Ok(rows.first().map(key).transpose()?.map(|(_, entry)| entry))
}

/// Returns what a row of [`KEYS`] says.
fn key(row: &Row) -> Result<(KeyName, KeyEntry), Error> {
    let damaged = Damaged("an idempotency key cannot be read");
    let (name, tag): (&[u8], &[u8]) = (row.try_get(0)?, row.try_get(1)?);
    let id: Uuid = row.try_get(2)?;
    let value: Option<&[u8]> = row.try_get(4)?;
    let read = |value| record::decode(id.into_bytes(), value).ok_or(Damaged("an inquiry cannot be read"));
    let entry = KeyEntry {
        tag: tag.try_into().map_err(|_| damaged)?,
        id,
        expires_at: row.try_get(3)?,
        inquiry: value.map(read),
    };
    Ok((name.try_into().map_err(|_| damaged)?, entry))
}

fn take_confirmations(rows: &mut Prefetched, found: &[Row]) -> Result<(), Error> {
    let damaged = Damaged("what was sent to addresses cannot be read");
    for row in found {
        let mailbox: &[u8] = row.try_get(0)?;
        let times: Vec<i64> = row.try_get(1)?;
        let mailbox = mailbox.try_into().map_err(|_| damaged)?;
        let times = times
            .into_iter()
            .map(u64::try_from)
            .collect::<Result<Vec<_>, _>>();
        let times = times.ok().and_then(|times| times.try_into().ok());
        rows.confirmations.insert(mailbox, Sent(times.ok_or(damaged)?));
    }
    Ok(())
}

/// Returns what is known of an inquiry, with its leases.
fn entry(id: Uuid, inquiry: Option<&[u8]>, referral: Option<&[u8]>, leases: Option<&[u8]>) -> InquiryEntry {
    let mut entry = InquiryEntry::read(id, inquiry, referral);
    match Leases::decode(leases) {
        Ok(leases) => entry.leases = leases,
        Err(damaged) => entry.damaged = Some(damaged),
    }
    entry
}

fn take_inquiries(rows: &mut Prefetched, inquiries: &[Row], referrals: &[Row]) -> Result<(), Error> {
    let mut values: HashMap<Uuid, &[u8]> = HashMap::new();
    for row in inquiries {
        values.insert(row.try_get(0)?, row.try_get(1)?);
    }
    for row in referrals {
        let id: Uuid = row.try_get(0)?;
        let entry = entry(id, values.remove(&id), Some(row.try_get(1)?), row.try_get(2)?);
        rows.inquiries.insert(id, entry);
    }
    for (id, value) in values {
        rows.inquiries.insert(id, entry(id, Some(value), None, None));
    }
    Ok(())
}

/// Takes what is due, and what is known of it; returns the ids in order.
fn take_due(rows: &mut Prefetched, found: &[Row]) -> Result<Vec<Uuid>, Error> {
    let mut ids = Vec::with_capacity(found.len());
    for row in found {
        let id: Uuid = row.try_get(0)?;
        let entry = entry(id, row.try_get(1)?, Some(row.try_get(2)?), row.try_get(3)?);
        // What the batch names was read and locked before.
        rows.inquiries.entry(id).or_insert(entry);
        ids.push(id);
    }
    Ok(ids)
}

fn take_subscriptions(rows: &mut Prefetched, found: &[Row]) -> Result<Vec<Uuid>, Error> {
    let mut keys = Vec::with_capacity(found.len());
    for row in found {
        let key: Uuid = row.try_get(0)?;
        let entry = SubscriptionEntry {
            subscription: Some(subscription_record::decode(row.try_get(1)?)?),
            leases: Leases::decode(row.try_get(2)?)?,
        };
        rows.subscriptions.entry(key).or_insert(entry);
        keys.push(key);
    }
    Ok(keys)
}
