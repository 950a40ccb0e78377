//! Reading every record. What the pages of the database's files say of themselves, its own tools check (`pg_amcheck`,
//! `pg_checksums`).

use futures_util::TryStreamExt;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::error::Error;
use super::ledger;
use super::migrations;
use super::session::Sessions;
use super::snapshot;
use crate::matching::{FirmId, RequestHistory};
use crate::store::core::Leases;
use crate::store::core::{acceptance_record, photo_record, record, referral_record, subscription_record};
use crate::store::error::Damaged;
use crate::store::findings::Findings;

type Check = fn(&Row) -> Result<(), Error>;

/// What is read of each table, and how a row of it is checked; its first column names it.
const TABLES: [(&str, &str, Check); 13] = [
    ("inquiries", "SELECT id::text, id, value FROM inquiries", |row| {
        let id: Uuid = row.try_get(1)?;
        let inquiry = record::decode(id.into_bytes(), row.try_get(2)?);
        Ok(inquiry.map(drop).ok_or(Damaged("an inquiry cannot be read"))?)
    }),
    (
        "referrals",
        "SELECT id::text, id, value, leases FROM referrals",
        |row| {
            let id: Uuid = row.try_get(1)?;
            referral_record::decode(id.as_bytes(), row.try_get(2)?)?;
            Ok(Leases::decode(row.try_get(3)?).map(drop)?)
        },
    ),
    (
        "keys",
        "SELECT 'key', length(name), length(tag) FROM keys",
        |row| {
            let lengths: (i32, i32) = (row.try_get(1)?, row.try_get(2)?);
            is(lengths == (16, 16), "an idempotency key cannot be read")
        },
    ),
    ("meta", "SELECT name FROM meta", |_| Ok(())),
    ("asks", "SELECT firm, value FROM asks", |row| {
        let is_known =
            FirmId::parse(row.try_get(0)?).is_ok() && RequestHistory::from_bytes(row.try_get(1)?).is_some();
        is(is_known, "what a firm was asked cannot be read")
    }),
    (
        "confirmations",
        "SELECT 'address', length(address), cardinality(times) FROM confirmations",
        |row| {
            let lengths: (i32, i32) = (row.try_get(1)?, row.try_get(2)?);
            is(lengths == (16, 3), "what was sent to addresses cannot be read")
        },
    ),
    ("counts", "SELECT 'of day ' || day FROM counts", |_| Ok(())),
    (
        "subscriptions",
        "SELECT key::text, value, leases FROM subscriptions",
        |row| {
            subscription_record::decode(row.try_get(1)?)?;
            Ok(Leases::decode(row.try_get(2)?).map(drop)?)
        },
    ),
    (
        "ledger",
        "SELECT inquiry || ' of ' || firm, inquiry, firm, value FROM ledger",
        |row| {
            let acceptance = acceptance_record::decode(row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
            Ok(acceptance.map(drop)?)
        },
    ),
    (
        "closings",
        "SELECT 'of month ' || month, month, closed_at, vat FROM closings",
        |row| ledger::closing(row, 1).map(drop),
    ),
    (
        "photos",
        "SELECT number || ' of ' || inquiry, number, size, jpeg FROM photos",
        |row| {
            let (number, size): (i32, i16) = (row.try_get(1)?, row.try_get(2)?);
            is(u16::try_from(number).is_ok(), "a photo has no number")?;
            let size = u8::try_from(size).unwrap_or(u8::MAX);
            Ok(photo_record::check(size, row.try_get(3)?)?)
        },
    ),
    ("secrets", "SELECT name FROM secrets", |_| Ok(())),
    ("erased", "SELECT id::text FROM erased", |_| Ok(())),
];

fn is(right: bool, wrong: &'static str) -> Result<(), Error> {
    if right { Ok(()) } else { Err(Damaged(wrong).into()) }
}

/// Reads every record as it is now.
pub async fn check(sessions: &Sessions) -> Result<Findings, Error> {
    let connection = snapshot::begin(sessions).await?;
    let mut findings = Findings::default();
    for (table, query, check) in TABLES {
        let count = read(&connection.client, (table, query, check), &mut findings).await?;
        findings.tables.push((table.to_owned(), count));
    }
    if let Err(error) = migrations::secret(&connection.client).await {
        findings.note(|| format!("secrets: {error}"));
    }
    Ok(findings)
}

async fn read(
    client: &Client,
    (table, query, check): (&str, &str, Check),
    findings: &mut Findings,
) -> Result<u64, Error> {
    let none: [(&(dyn ToSql + Sync), Type); 0] = [];
    let rows = client.query_typed_raw(query, none).await?;
    let mut rows = std::pin::pin!(rows);
    let mut count = 0;
    while let Some(row) = rows.try_next().await? {
        match check(&row) {
            Ok(()) => count += 1,
            Err(error) => {
                let name: String = row.try_get(0)?;
                findings.note(|| format!("{table} {name}: {error}"));
            }
        }
    }
    Ok(count)
}
