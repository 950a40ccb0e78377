//! Erasing inquiries.
//!
//! What is deleted no longer shows, but its bytes stay in the table's files until PostgreSQL uses their place again (`VACUUM
//! FULL` rewrites a table at once), and in the write-ahead log and its archives as long as these are kept.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::connector::Connection;
use super::error::{Error, Remedy};
use super::leases::Leases;
use super::session::{BEGIN, Sessions, in_time};
use super::writers;
use crate::referral::Status;
use crate::store::erasure::{Erasure, made_before};
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
const RECEIVED: &str =
    "SELECT id FROM inquiries WHERE (id < $1 OR created_at < $3) AND id > $4 ORDER BY id LIMIT $2 FOR UPDATE";
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
    let mut parts = Parts {
        sessions,
        what,
        writer: Uuid::now_v7(),
        number: 0,
        last: Uuid::nil(),
        connection: None,
    };
    let mut erased = 0;
    loop {
        parts.number += 1;
        match parts.next().await {
            Ok(Ok(part)) => {
                erased += part.erased;
                if part.is_last {
                    parts.leave().await;
                    return Ok(erased);
                }
            }
            Ok(Err(unknown)) => return Err(EraseError::Unknown(unknown)),
            Err(error) => {
                tracing::error!(%error, "the database cannot be written");
                return Err(match (error.remedy(), erased) {
                    (Remedy::Reconnect, 0) => EraseError::Unavailable,
                    (_, 0) => EraseError::Failed(format!("nothing was erased: {error}; try again")),
                    _ => EraseError::Failed(format!(
                        "{erased} inquiries were erased, others not: {error}; try again"
                    )),
                });
            }
        }
    }
}

/// The parts of an erasure, each of which is a transaction.
struct Parts<'a> {
    sessions: &'a Sessions,
    what: &'a Erasure,
    /// Names this erasure in the table of writers.
    writer: Uuid,
    /// The number of the part.
    number: i64,
    /// The last inquiry that was erased, behind which the next part begins.
    last: Uuid,
    connection: Option<Connection>,
}

/// What became of a part.
struct Part {
    erased: u64,
    is_last: bool,
}

impl Parts<'_> {
    /// Erases the next part, or says which inquiry there is not.
    async fn next(&mut self) -> Result<Result<Part, Uuid>, Error> {
        let mut tries = 0;
        loop {
            match self.attempt().await {
                Err(error) if error.remedy() != Remedy::None && tries < TRIES => tries += 1,
                known => return known,
            }
        }
    }

    async fn attempt(&mut self) -> Result<Result<Part, Uuid>, Error> {
        // Where a part was not committed, closing its connection undoes it.
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        let now = self.sessions.time().now();
        let erased = timeout(STEP, self.in_transaction(&connection.client, now)).await;
        let erased = erased.unwrap_or(Err(Error::Silent))?;
        self.connection = Some(connection);
        Ok(erased)
    }

    async fn connect(&self) -> Result<Connection, Error> {
        let connection = self.sessions.open().await?;
        let client = &connection.client;
        in_time(async {
            Ok(client
                .query_typed(writers::KNOWN, &[(&self.writer, Type::UUID)])
                .await?)
        })
        .await?;
        Ok(connection)
    }

    async fn in_transaction(&mut self, client: &Client, now: Timestamp) -> Result<Result<Part, Uuid>, Error> {
        client.batch_execute(BEGIN).await?;
        if let Some(erased) = self.erased_before(client).await? {
            client.batch_execute("ROLLBACK").await?;
            let is_last = matches!(self.what, Erasure::Ids(_));
            return Ok(Ok(Part { erased, is_last }));
        }
        let found = self.find(client).await?;
        let meant: Vec<Uuid> = match self.what {
            Erasure::Ids(ids) => ids.iter().copied().collect(),
            _ => found.iter().copied().collect(),
        };
        if meant.is_empty() {
            client.batch_execute("ROLLBACK").await?;
            return Ok(Ok(Part {
                erased: 0,
                is_last: true,
            }));
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
        write(client, &meant, &remains, now).await?;
        let parameters: [(&(dyn ToSql + Sync), Type); 4] = [
            (&self.writer, Type::UUID),
            (&self.number, Type::INT8),
            (&i32::try_from(meant.len()).unwrap_or(i32::MAX), Type::INT4),
            (&now, Type::TIMESTAMPTZ),
        ];
        client.query_typed(writers::COMMITTED, &parameters).await?;
        client.batch_execute("COMMIT").await?;
        self.last = meant.last().copied().unwrap_or(self.last);
        Ok(Ok(Part {
            erased: u64::try_from(meant.len()).unwrap_or_default(),
            is_last: matches!(self.what, Erasure::Ids(_)),
        }))
    }

    /// Returns how many an attempt before has erased in this part: the connection may have been lost behind COMMIT. In the place
    /// of an attempt's number the table of writers has how many that were.
    async fn erased_before(&self, client: &Client) -> Result<Option<u64>, Error> {
        let rows = client
            .query_typed(writers::LAST, &[(&self.writer, Type::UUID)])
            .await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let (number, erased): (i64, i32) = (row.try_get(0)?, row.try_get(1)?);
        Ok((number == self.number).then(|| u64::try_from(erased).unwrap_or_default()))
    }

    /// Finds what belongs to the part, and keeps others from it.
    async fn find(&self, client: &Client) -> Result<BTreeSet<Uuid>, Error> {
        let rows = match self.what {
            Erasure::Ids(ids) => {
                let ids: Vec<Uuid> = ids.iter().copied().collect();
                client.query_typed(NAMED, &[(&ids, Type::UUID_ARRAY)]).await?
            }
            Erasure::ReceivedBefore(time) => {
                let end = Uuid::from_bytes(ids::first_since(millis(*time)));
                let parameters: [(&(dyn ToSql + Sync), Type); 4] = [
                    (&end, Type::UUID),
                    (&AT_ONCE, Type::INT8),
                    (&made_before(*time), Type::TIMESTAMPTZ),
                    (&self.last, Type::UUID),
                ];
                client.query_typed(RECEIVED, &parameters).await?
            }
            Erasure::Until(until) => {
                let parameters: [(&(dyn ToSql + Sync), Type); 3] = [
                    (&latest(*until), Type::TIMESTAMPTZ),
                    (&AT_ONCE, Type::INT8),
                    (&self.last, Type::UUID),
                ];
                client.query_typed(MADE, &parameters).await?
            }
        };
        let mut found = BTreeSet::new();
        for row in &rows {
            found.insert(row.try_get::<_, Uuid>(0)?);
        }
        Ok(found)
    }

    /// Forgets that this erasure was under way. Its row is forgotten later, too.
    async fn leave(&self) {
        if let Some(connection) = &self.connection {
            let client = &connection.client;
            let _ = in_time(async {
                Ok(client
                    .query_typed(writers::LEFT, &[(&self.writer, Type::UUID)])
                    .await?)
            })
            .await;
        }
    }
}

/// Deletes inquiries, lists them, and leaves of their referrals what remains.
async fn write(client: &Client, ids: &[Uuid], remains: &Remains, now: Timestamp) -> Result<(), Error> {
    client
        .query_typed(NOTE, &[(&ids, Type::UUID_ARRAY), (&now, Type::TIMESTAMPTZ)])
        .await?;
    client.query_typed(DELETE, &[(&ids, Type::UUID_ARRAY)]).await?;
    client
        .query_typed(DELETE_REFERRALS, &[(&remains.over, Type::UUID_ARRAY)])
        .await?;
    let parameters: [(&(dyn ToSql + Sync), Type); 6] = [
        (&remains.ids, Type::UUID_ARRAY),
        (&remains.values, Type::BYTEA_ARRAY),
        (&remains.clock, Type::TIMESTAMPTZ_ARRAY),
        (&remains.mail, Type::TIMESTAMPTZ_ARRAY),
        (&remains.webhook, Type::TIMESTAMPTZ_ARRAY),
        (&remains.leases, Type::BYTEA_ARRAY),
    ];
    client.query_typed(UPDATE_REFERRALS, &parameters).await?;
    Ok(())
}

/// Returns a time that the database's calendar holds. Beyond that, everything is meant.
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
