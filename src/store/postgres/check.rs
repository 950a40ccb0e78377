//! Reading every record. What the pages of the database's files say of themselves, its own tools check (`pg_amcheck`,
//! `pg_checksums`).

use std::pin::pin;

use futures_util::TryStreamExt;
use jiff::Timestamp;
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use super::error::Error;
use super::migrations;
use super::session::Sessions;
use super::transfer;
use crate::store::core::Leases;
use crate::store::findings::Findings;
use crate::store::transfer::Rows;

/// What is leased, which no other store is told, with the name of its record.
const LEASES: &str = "SELECT 'referrals ' || id, leases FROM referrals WHERE leases IS NOT NULL \
                      UNION ALL SELECT 'subscriptions ' || key, leases FROM subscriptions WHERE leases IS NOT NULL";

/// Addresses that do not have the three times which are read of each.
const TIMES: &str = "SELECT count(*) FROM confirmations WHERE cardinality(times) <> 3";

/// Reads every record as it is now.
pub async fn check(sessions: &Sessions) -> Result<Findings, Error> {
    let connection = sessions.open().await?;
    let client = &connection.client;
    client.batch_execute(transfer::BEGIN).await?;
    let mut rows = Rows::checking(Timestamp::now());
    transfer::all(client, &mut rows, None).await?;
    let mut findings = rows.into_findings();
    check_leases(client, &mut findings).await?;
    if let Some(row) = client.query_typed(TIMES, &[]).await?.first()
        && row.try_get::<_, i64>(0)? > 0
    {
        findings.note(|| "confirmations: what was sent to addresses cannot be read".to_owned());
    }
    if let Err(error) = migrations::secret(client).await {
        findings.note(|| format!("secrets: {error}"));
    }
    Ok(findings)
}

async fn check_leases(client: &Client, findings: &mut Findings) -> Result<(), Error> {
    let none: [(&(dyn ToSql + Sync), Type); 0] = [];
    let mut rows = pin!(client.query_typed_raw(LEASES, none).await?);
    while let Some(row) = rows.try_next().await? {
        if let Err(error) = Leases::decode(row.try_get(1)?) {
            let name: String = row.try_get(0)?;
            findings.note(|| format!("{name}: {error}"));
        }
    }
    Ok(())
}
