//! Reading all rows that a transaction shows, in the order of the other engine.

use std::future::poll_fn;
use std::pin::{Pin, pin};

use futures_util::Stream;
use jiff::Timestamp;
use tokio::sync::mpsc::Sender;
use tokio_postgres::{Client, Row as Found, RowStream};
use uuid::Uuid;

use crate::store::error::Damaged;
use crate::store::postgres::error::Error;
use crate::store::time::millis;
use crate::store::transfer::{Batch, Row, Rows, Section};

/// Begins to read what is there at one moment, however long it takes, and however long the other store is waited for.
pub const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
                         SET LOCAL idle_in_transaction_session_timeout = 0";

/// How a row of a query becomes one of a store.
type Decode = fn(&Found) -> Result<Row, Error>;

/// What is read, in order. Text is compared byte by byte, as redb does.
const QUERIES: [(&str, Decode); 13] = [
    (
        r#"SELECT name, value FROM secrets ORDER BY name COLLATE "C""#,
        |row| {
            Ok(Row::Secret {
                name: row.try_get(0)?,
                value: row.try_get(1)?,
            })
        },
    ),
    (
        r#"SELECT name, value FROM meta WHERE name IN ('backup', 'held', 'reviews', 'reviews_written') OR name LIKE 'paused:%' OR name LIKE 'unreachable:%' ORDER BY name COLLATE "C""#,
        |row| {
            Ok(Row::Fact {
                name: row.try_get(0)?,
                value: unsigned(row, 1)?,
            })
        },
    ),
    ("SELECT id, value FROM inquiries ORDER BY id", |row| {
        Ok(Row::Inquiry {
            id: id(row, 0)?,
            value: row.try_get(1)?,
        })
    }),
    ("SELECT id, value FROM referrals ORDER BY id", |row| {
        Ok(Row::Referral {
            id: id(row, 0)?,
            value: row.try_get(1)?,
        })
    }),
    (
        "SELECT name, tag, id, expires_at FROM keys ORDER BY name",
        |row| {
            Ok(Row::Key {
                name: bytes(row, 0)?,
                tag: bytes(row, 1)?,
                id: id(row, 2)?,
                expires_at: millis(row.try_get(3)?),
            })
        },
    ),
    (
        r#"SELECT firm, value FROM asks ORDER BY firm COLLATE "C""#,
        |row| {
            Ok(Row::RequestHistory {
                firm: row.try_get(0)?,
                value: row.try_get(1)?,
            })
        },
    ),
    (
        "SELECT at, address FROM confirmations, unnest(times) AS at WHERE at > 0 ORDER BY at, address",
        |row| {
            Ok(Row::Confirmation {
                at: unsigned(row, 0)?,
                address: bytes(row, 1)?,
            })
        },
    ),
    (
        r#"SELECT day - DATE '1970-01-01', name, count FROM counts ORDER BY day, name COLLATE "C""#,
        |row| {
            Ok(Row::Count {
                day: u32::try_from(row.try_get::<_, i32>(0)?).map_err(|_| Damaged("a day is before 1970"))?,
                name: row.try_get(1)?,
                count: unsigned(row, 2)?,
            })
        },
    ),
    ("SELECT key, value FROM subscriptions ORDER BY key", |row| {
        Ok(Row::Subscription {
            key: id(row, 0)?,
            value: row.try_get(1)?,
        })
    }),
    (
        r#"SELECT inquiry, firm, value FROM ledger ORDER BY inquiry, firm COLLATE "C""#,
        |row| {
            Ok(Row::Acceptance {
                id: id(row, 0)?,
                firm: row.try_get(1)?,
                value: row.try_get(2)?,
            })
        },
    ),
    (
        "SELECT month, closed_at, vat FROM closings ORDER BY month",
        |row| {
            let number = |column| -> Result<u32, Error> {
                let number = u32::try_from(row.try_get::<_, i32>(column)?);
                Ok(number.map_err(|_| Damaged("a closed month cannot be read"))?)
            };
            Ok(Row::Closing {
                month: number(0)?,
                at: millis(row.try_get(1)?),
                vat: number(2)?,
            })
        },
    ),
    (
        "SELECT inquiry, number, size, jpeg FROM photos ORDER BY inquiry, number, size",
        |row| {
            let damaged = |_| Damaged("a photo cannot be read");
            Ok(Row::Photo {
                id: id(row, 0)?,
                number: u16::try_from(row.try_get::<_, i32>(1)?).map_err(damaged)?,
                size: u8::try_from(row.try_get::<_, i16>(2)?).map_err(damaged)?,
                jpeg: row.try_get(3)?,
            })
        },
    ),
    ("SELECT id, erased_at FROM erased ORDER BY id", |row| {
        Ok(Row::Erased {
            id: id(row, 0)?,
            at: millis(row.try_get::<_, Timestamp>(1)?),
        })
    }),
];

/// Reads everything that the connection's transaction shows; `sender` hands it on, if anybody takes it. Returns whether all was taken.
pub async fn all(client: &Client, rows: &mut Rows, sender: Option<&Sender<Batch>>) -> Result<bool, Error> {
    for (section, query) in Section::ALL.into_iter().zip(QUERIES) {
        // After an error the transaction shows nothing more, unless it goes back.
        client.batch_execute("SAVEPOINT section").await?;
        match read(client, (section, query), rows, sender).await {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) => {
                rows.unreadable(section, error)?;
                client.batch_execute("ROLLBACK TO section").await?;
            }
        }
    }
    Ok(true)
}

/// Reads a section; returns whether it was taken.
async fn read(
    client: &Client,
    (section, (query, decode)): (Section, (&str, Decode)),
    rows: &mut Rows,
    sender: Option<&Sender<Batch>>,
) -> Result<bool, Error> {
    let found = client.query_typed_raw(query, NOTHING).await?;
    let mut found = pin!(found);
    while let Some(row) = next(&mut found).await? {
        let full = match decode(&row) {
            Ok(row) => rows.add(row)?,
            Err(error) => {
                rows.unreadable(section, error)?;
                None
            }
        };
        if let Some((batch, sender)) = full.zip(sender)
            && sender.send(batch).await.is_err()
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// No parameters.
const NOTHING: [(&str, tokio_postgres::types::Type); 0] = [];

/// Waits for the next row of a query.
async fn next(found: &mut Pin<&mut RowStream>) -> Result<Option<Found>, tokio_postgres::Error> {
    poll_fn(|context| found.as_mut().poll_next(context))
        .await
        .transpose()
}

fn id(row: &Found, column: usize) -> Result<[u8; 16], Error> {
    Ok(row.try_get::<_, Uuid>(column)?.into_bytes())
}

/// Reads 16 bytes; anything else is not ours.
fn bytes(row: &Found, column: usize) -> Result<[u8; 16], Error> {
    let bytes: &[u8] = row.try_get(column)?;
    Ok(bytes.try_into().map_err(|_| Damaged("a key cannot be read"))?)
}

fn unsigned(row: &Found, column: usize) -> Result<u64, Error> {
    let number: i64 = row.try_get(column)?;
    Ok(u64::try_from(number).map_err(|_| Damaged("a number is below zero"))?)
}
