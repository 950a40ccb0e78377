//! Erasing inquiries.
//!
//! What is deleted no longer shows, but its bytes stay in the table's files until PostgreSQL uses their place again (`VACUUM
//! FULL` rewrites a table at once), and in the write-ahead log and its archives as long as these are kept.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::connector::Connection;
use super::error::{Error, Remedy};
use super::leases::Leases;
use super::session::Sessions;
use crate::referral::Status;
use crate::store::erasure::Erasure;
use crate::store::error::EraseError;
use crate::store::ids;
use crate::store::millis::millis;
use crate::store::referral_record;

/// Inquiries that are erased in one transaction: others wait for those that it holds.
const AT_ONCE: i64 = 500;

/// How long one of these transactions may take.
const STEP: Duration = Duration::from_secs(30);

/// How often one is tried again that others were in the way of, or whose connection was lost.
const TRIES: usize = 5;

const NAMED: &str = "SELECT id FROM inquiries WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const RECEIVED: &str = "SELECT id FROM inquiries WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE";
const MADE: &str =
    "SELECT id FROM inquiries WHERE created_at < $1 AND id > $3 ORDER BY id LIMIT $2 FOR UPDATE";
const REFERRALS: &str = "SELECT id, value, leases FROM referrals WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const DELETE: &str = "DELETE FROM inquiries WHERE id = ANY($1)";
const DELETE_REFERRALS: &str = "DELETE FROM referrals WHERE id = ANY($1)";
const UPDATE_REFERRALS: &str = "UPDATE referrals r SET value = n.value, clock_due = n.clock_due, mail_due = n.mail_due, webhook_due = n.webhook_due, \
     leases = n.leases FROM unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], \
     $6::bytea[]) n (id, value, clock_due, mail_due, webhook_due, leases) WHERE r.id = n.id";
const NOTE: &str = "INSERT INTO erased (id, erased_at) SELECT id, $2 FROM unnest($1::uuid[]) n (id) \
                    ON CONFLICT (id) DO UPDATE SET erased_at = excluded.erased_at";

/// Erases inquiries; returns how many. Those that are named go together or not at all, others in parts.
///
/// # Errors
/// As for [`crate::store::Store::erase`].
pub async fn erase(sessions: &Sessions, what: &Erasure) -> Result<u64, EraseError> {
    let mut erased = 0;
    let mut tries = 0;
    let mut last = Uuid::nil();
    let mut connection = None;
    loop {
        match part(sessions, &mut connection, what, last).await {
            Ok(Ok(part)) => {
                erased += u64::try_from(part.len()).unwrap_or_default();
                tries = 0;
                match (what, part.last()) {
                    (Erasure::Ids(_), _) | (_, None) => return Ok(erased),
                    (_, Some(id)) => last = *id,
                }
            }
            Ok(Err(unknown)) => return Err(EraseError::Unknown(unknown)),
            Err(error) if error.remedy() == Remedy::None || tries == TRIES => {
                tracing::error!(%error, "the database cannot be written");
                return Err(match (error.remedy(), erased) {
                    (Remedy::Reconnect, 0) => EraseError::Unavailable,
                    (_, 0) => EraseError::Failed(format!("nothing was erased: {error}; try again")),
                    _ => EraseError::Failed(format!(
                        "{erased} inquiries were erased, others not: {error}; try again"
                    )),
                });
            }
            Err(_) => tries += 1,
        }
    }
}

async fn part(
    sessions: &Sessions,
    open: &mut Option<Connection>,
    what: &Erasure,
    last: Uuid,
) -> Result<Result<Vec<Uuid>, Uuid>, Error> {
    // Where a part was not committed, closing its connection undoes it.
    let connection = match open.take() {
        Some(connection) => connection,
        None => sessions.open().await?,
    };
    let now = sessions.time().now();
    let erased = timeout(STEP, in_transaction(&connection.client, what, last, now)).await;
    let erased = erased.unwrap_or(Err(Error::Silent))?;
    *open = Some(connection);
    Ok(erased)
}

async fn in_transaction(
    client: &Client,
    what: &Erasure,
    last: Uuid,
    now: Timestamp,
) -> Result<Result<Vec<Uuid>, Uuid>, Error> {
    client.batch_execute("BEGIN").await?;
    let ids = match what {
        Erasure::Ids(ids) => {
            let ids: Vec<Uuid> = ids.iter().copied().collect();
            client.query_typed(NAMED, &[(&ids, Type::UUID_ARRAY)]).await?
        }
        Erasure::ReceivedBefore(time) => {
            let end = Uuid::from_bytes(ids::first_since(millis(*time)));
            client
                .query_typed(RECEIVED, &[(&end, Type::UUID), (&AT_ONCE, Type::INT8)])
                .await?
        }
        Erasure::Until(until) => {
            // As values keep it; beyond what the database's calendar holds, everything is meant.
            let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 3] = [
                (&latest(*until), Type::TIMESTAMPTZ),
                (&AT_ONCE, Type::INT8),
                (&last, Type::UUID),
            ];
            client.query_typed(MADE, &parameters).await?
        }
    };
    let mut found = BTreeSet::new();
    for row in &ids {
        found.insert(row.try_get::<_, Uuid>(0)?);
    }
    let meant: Vec<Uuid> = match what {
        Erasure::Ids(ids) => ids.iter().copied().collect(),
        _ => found.iter().copied().collect(),
    };
    if meant.is_empty() {
        client.batch_execute("ROLLBACK").await?;
        return Ok(Ok(meant));
    }
    let referrals = client
        .query_typed(REFERRALS, &[(&meant, Type::UUID_ARRAY)])
        .await?;
    let remains = Remains::of(&referrals, now)?;
    let is_known = |id: &&Uuid| found.contains(id) || remains.withdrawn.contains(id);
    if let Some(unknown) = meant.iter().find(|id| !is_known(id)) {
        client.batch_execute("ROLLBACK").await?;
        return Ok(Err(*unknown));
    }
    client
        .query_typed(NOTE, &[(&meant, Type::UUID_ARRAY), (&now, Type::TIMESTAMPTZ)])
        .await?;
    client.query_typed(DELETE, &[(&meant, Type::UUID_ARRAY)]).await?;
    client
        .query_typed(DELETE_REFERRALS, &[(&remains.over, Type::UUID_ARRAY)])
        .await?;
    let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 6] = [
        (&remains.ids, Type::UUID_ARRAY),
        (&remains.values, Type::BYTEA_ARRAY),
        (&remains.clock, Type::TIMESTAMPTZ_ARRAY),
        (&remains.mail, Type::TIMESTAMPTZ_ARRAY),
        (&remains.webhook, Type::TIMESTAMPTZ_ARRAY),
        (&remains.leases, Type::BYTEA_ARRAY),
    ];
    client.query_typed(UPDATE_REFERRALS, &parameters).await?;
    client.batch_execute("COMMIT").await?;
    Ok(Ok(meant))
}

/// Returns a time that the database's calendar holds.
fn latest(time: Timestamp) -> Timestamp {
    Timestamp::from_second(253_000_000_000).map_or(time, |latest| latest.min(time))
}

/// What remains of referrals: notices to firms.
#[derive(Default)]
struct Remains {
    /// Those that were withdrawn before.
    withdrawn: BTreeSet<Uuid>,
    /// Those of which nothing remains.
    over: Vec<Uuid>,
    ids: Vec<Uuid>,
    values: Vec<Vec<u8>>,
    clock: Vec<Option<Timestamp>>,
    mail: Vec<Option<Timestamp>>,
    webhook: Vec<Option<Timestamp>>,
    leases: Vec<Option<Vec<u8>>>,
}

impl Remains {
    fn of(rows: &[Row], now: Timestamp) -> Result<Self, Error> {
        let mut remains = Self::default();
        for row in rows {
            let id: Uuid = row.try_get(0)?;
            let referral = referral_record::decode(id.as_bytes(), row.try_get(1)?)?;
            let leases = Leases::decode(row.try_get(2)?)?;
            if matches!(referral.status, Status::Withdrawn(_)) {
                remains.withdrawn.insert(id);
            }
            let Some(referral) = referral.erased(now) else {
                remains.over.push(id);
                continue;
            };
            let due = leases.due(&referral);
            remains.ids.push(id);
            remains
                .values
                .push(referral_record::encode(id.as_bytes(), &referral)?);
            remains.clock.push(due.clock);
            remains.mail.push(due.mail);
            remains.webhook.push(due.webhook);
            remains.leases.push(leases.encode());
        }
        Ok(remains)
    }
}
