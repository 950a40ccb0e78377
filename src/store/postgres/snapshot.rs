//! Reading: what a database holds at one moment.

use std::fmt;

use futures_util::TryStreamExt;
use tokio::runtime::Handle;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::connector::Connection;
use super::error::Error;
use super::session::Sessions;
use crate::newsletter::Subscription;
use crate::referral::InquiryRecord;
use crate::store::core::subscription_record;
use crate::store::core::{self, InquiryEntry};
use crate::store::error::Damaged;
use crate::store::selection::TimeRange;
use crate::store::stream::{ChunkSender, InquiryRecords, Subscriptions};
use crate::store::time::millis;

/// Begins to read what is there at one moment. Without sorting, both tables are read side by side by their keys, so that
/// memory does not depend on how much there is.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_sort = off; \
                     SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL statement_timeout = 0; \
                     SET LOCAL idle_in_transaction_session_timeout = 0; \
                     SET LOCAL max_parallel_workers_per_gather = 0";

const RECORDS: &str = "SELECT id, false AS is_referral, value FROM inquiries WHERE id >= $1 \
                        UNION ALL SELECT id, true, value FROM referrals WHERE id >= $1 ORDER BY id";

/// The same backwards, of what came before an inquiry.
const NEWEST: &str = "SELECT id, false AS is_referral, value FROM inquiries WHERE id < $1 \
                       UNION ALL SELECT id, true, value FROM referrals WHERE id < $1 ORDER BY id DESC";

/// About how many inquiries there are: up to ten thousand are counted; more than that the database knows from when it last looked,
/// since counting them would read the whole table, also for a list of today's.
const ABOUT: &str = "SELECT CASE WHEN few.count <= 10000 THEN few.count ELSE greatest(c.reltuples::bigint, few.count) END \
                     FROM (SELECT count(*) AS count FROM (SELECT FROM inquiries LIMIT 10001) AS head) AS few, pg_class c \
                     WHERE c.oid = 'inquiries'::regclass";

/// The inquiries at one moment. The database keeps what it shows, for as long as it exists.
pub struct Snapshot {
    connection: Connection,
    runtime: Handle,
    about: u64,
}

impl Snapshot {
    /// Opens what is there now; must run on the runtime that is to read it.
    pub(super) async fn open(sessions: &Sessions) -> Result<Self, Error> {
        let connection = begin(sessions).await?;
        let rows = connection.client.query_typed(ABOUT, &[]).await?;
        let about: i64 = rows
            .first()
            .ok_or(Damaged("inquiries cannot be counted"))?
            .try_get(0)?;
        Ok(Self {
            connection,
            runtime: Handle::current(),
            about: u64::try_from(about).unwrap_or_default(),
        })
    }

    /// Returns about how many inquiries there are, in all.
    pub fn count(&self) -> u64 {
        self.about
    }

    /// Reads what is known of the inquiries of a range, at the pace of the reader.
    pub fn into_records(self, range: TimeRange) -> InquiryRecords {
        let first = Uuid::from_bytes(core::first_since(range.since.map_or(0, millis)));
        self.stream(RECORDS, first, range)
    }

    /// Reads what came before an inquiry likewise, the newest first.
    pub fn into_newest(self, before: Option<Uuid>) -> InquiryRecords {
        self.stream(NEWEST, before.unwrap_or(Uuid::max()), TimeRange::default())
    }

    fn stream(self, find: &'static str, from: Uuid, range: TimeRange) -> InquiryRecords {
        let (mut sender, stream) = InquiryRecords::channel();
        let runtime = self.runtime.clone();
        runtime.spawn(async move {
            let end = self.send((find, from), range, &mut sender).await;
            sender.end(end.map_err(|error| error.logged())).await;
        });
        stream
    }

    /// Sends all but the end. Returns early when the reader is gone.
    async fn send(
        &self,
        (find, from): (&str, Uuid),
        range: TimeRange,
        sender: &mut ChunkSender<InquiryRecord>,
    ) -> Result<(), Error> {
        let parameters = [(&from as &(dyn ToSql + Sync), Type::UUID)];
        let rows = self.connection.client.query_typed_raw(find, parameters).await?;
        let mut rows = std::pin::pin!(rows);
        let mut current = Current::default();
        loop {
            let row = rows.try_next().await?;
            let next = row.as_ref().map(|row| row.try_get::<_, Uuid>(0)).transpose()?;
            if (next != current.id || next.is_none())
                && let Some(record) = current.take()?
                && range.contains(record.created_at())
                && !sender.push(record).await
            {
                return Ok(());
            }
            let Some(row) = row else { return Ok(()) };
            current.id = next;
            let value = Some(row.try_get(2)?);
            if row.try_get(1)? {
                current.referral = value;
            } else {
                current.inquiry = value;
            }
        }
    }
}

/// What was read of one inquiry so far.
#[derive(Default)]
struct Current {
    id: Option<Uuid>,
    inquiry: Option<Vec<u8>>,
    referral: Option<Vec<u8>>,
}

impl Current {
    fn take(&mut self) -> Result<Option<InquiryRecord>, Damaged> {
        let Self {
            id,
            inquiry,
            referral,
        } = std::mem::take(self);
        match id {
            Some(id) => InquiryEntry::read(id, inquiry.as_deref(), referral.as_deref()).record(id),
            None => Ok(None),
        }
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

/// Opens a connection that shows one moment.
async fn begin(sessions: &Sessions) -> Result<Connection, Error> {
    let connection = sessions.open().await?;
    connection.client.batch_execute(BEGIN).await?;
    // From here on, what is there is fixed.
    connection.client.query_typed("SELECT 1", &[]).await?;
    Ok(connection)
}

/// Reads all subscriptions as they are now, at the pace of the reader; must run on the runtime that is to read them.
pub async fn subscriptions(sessions: &Sessions) -> Result<Subscriptions, Error> {
    let connection = begin(sessions).await?;
    let (mut sender, stream) = Subscriptions::channel();
    tokio::spawn(async move {
        let end = send_subscriptions(&connection, &mut sender).await;
        sender.end(end.map_err(|error| error.logged())).await;
    });
    Ok(stream)
}

async fn send_subscriptions(
    connection: &Connection,
    sender: &mut ChunkSender<Subscription>,
) -> Result<(), Error> {
    let none: [(&(dyn ToSql + Sync), Type); 0] = [];
    let rows = connection
        .client
        .query_typed_raw("SELECT value FROM subscriptions", none)
        .await?;
    let mut rows = std::pin::pin!(rows);
    while let Some(row) = rows.try_next().await? {
        if !sender.push(subscription_record::decode(row.try_get(0)?)?).await {
            break;
        }
    }
    Ok(())
}
