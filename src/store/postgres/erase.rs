//! Erasing inquiries.
//!
//! What is deleted no longer shows, but its bytes stay in the table's files until PostgreSQL uses their place again (`VACUUM
//! FULL` rewrites a table at once), and in the write-ahead log and its archives as long as these are kept.

use std::collections::BTreeSet;

use jiff::Timestamp;
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::Postgres;
use super::error::Error;
use crate::store::core::{Erase, first_since};
use crate::store::erasure::{Erasure, made_before};
use crate::store::error::{EraseError, Unavailable};
use crate::store::time::millis;
use crate::store::writer::Writer;

/// Inquiries that are erased in one transaction: others wait for those that it holds.
const AT_ONCE: i64 = 500;

const RECEIVED: &str =
    "SELECT id FROM inquiries WHERE (id < $1 OR created_at < $3) AND id > $4 ORDER BY id LIMIT $2";
const MADE: &str = "SELECT id FROM inquiries WHERE created_at < $1 AND id > $3 ORDER BY id LIMIT $2";

/// Erases inquiries; returns how many. Those that are named go together or not at all, others in parts.
///
/// # Errors
/// As for [`crate::store::Store::erase`].
pub async fn erase(engine: &Postgres, writer: &Writer, what: &Erasure) -> Result<u64, EraseError> {
    let mut erased = 0;
    if let Erasure::Ids(ids) = what {
        let ids = ids.clone();
        erased = erase_part(writer, ids, true)
            .await?
            .map_err(EraseError::Unknown)?;
    } else {
        let mut last = Uuid::nil();
        loop {
            let part = async {
                let what = what.clone();
                let ids = engine
                    .read(move |client| Box::pin(find(client, what.clone(), last)))
                    .await?;
                let Some(&newest) = ids.last() else {
                    return Ok(None);
                };
                let part = erase_part(writer, ids, false).await?;
                Ok(Some((newest, part.unwrap_or_default())))
            };
            match part.await {
                Ok(None) => break,
                Ok(Some((newest, part))) => {
                    last = newest;
                    erased += part;
                }
                Err(Unavailable) if erased == 0 => return Err(EraseError::Unavailable),
                Err(error) => {
                    let message = format!("{erased} inquiries were erased, others not: {error}; try again");
                    return Err(EraseError::Failed(message));
                }
            }
        }
    }
    if erased > 0 {
        tracing::info!(count = erased, "inquiries were erased");
    }
    Ok(erased)
}

async fn erase_part(
    writer: &Writer,
    ids: BTreeSet<Uuid>,
    must_exist: bool,
) -> Result<Result<u64, Uuid>, Unavailable> {
    writer.apply(Erase { ids, must_exist }).await
}

/// Finds what is erased next, after an inquiry that was erased before.
async fn find(client: &Client, what: Erasure, last: Uuid) -> Result<BTreeSet<Uuid>, Error> {
    let rows = match &what {
        Erasure::Ids(ids) => return Ok(ids.clone()),
        Erasure::ReceivedBefore(time) => {
            let end = Uuid::from_bytes(first_since(millis(*time)));
            let parameters: [(&(dyn ToSql + Sync), Type); 4] = [
                (&end, Type::UUID),
                (&AT_ONCE, Type::INT8),
                (&made_before(*time), Type::TIMESTAMPTZ),
                (&last, Type::UUID),
            ];
            client.query_typed(RECEIVED, &parameters).await?
        }
        Erasure::Until(until) => {
            let parameters: [(&(dyn ToSql + Sync), Type); 3] = [
                (&latest(*until), Type::TIMESTAMPTZ),
                (&AT_ONCE, Type::INT8),
                (&last, Type::UUID),
            ];
            client.query_typed(MADE, &parameters).await?
        }
    };
    let ids: Result<_, tokio_postgres::Error> = rows.iter().map(|row| row.try_get(0)).collect();
    Ok(ids?)
}

/// Returns a time that the database's calendar holds. Beyond that, everything is meant.
fn latest(time: Timestamp) -> Timestamp {
    Timestamp::from_second(253_000_000_000).map_or(time, |latest| latest.min(time))
}
