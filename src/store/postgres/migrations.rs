//! The schema of the database, and how an older one becomes today's.
//!
//! Instances migrate in a transaction that only one of them has at a time. One release older may run beside a newer one: a
//! migration that it cannot live with says so by `compatible_from`.

use std::collections::HashMap;

use tokio_postgres::Client;
use tokio_postgres::types::Type;

use super::error::Error;
use super::ledger;
use super::open_error::OpenError;
use crate::referral::Secret;
use crate::store::error::Damaged;

/// One entry for each schema: the first makes schema 1 of an empty one.
const MIGRATIONS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
];

/// Today's schema.
pub const CURRENT: i64 = 4;

/// The oldest schema whose programs can live with today's.
const COMPATIBLE_FROM: i64 = 4;

/// The first schema with a ledger.
const LEDGER: i64 = 3;

/// In `secrets`: what tokens of private pages follow from.
const TOKENS: &str = "tokens";

/// In `meta`: that a copy into the database is not finished.
pub const COPYING: &str = "copying";

/// Brings the database to today's schema; creates it in an empty one.
///
/// # Errors
/// When the database cannot be used by this program.
pub async fn migrate(client: &Client) -> Result<(), Error> {
    if schema(client).await? >= CURRENT {
        return Ok(());
    }
    client.batch_execute("BEGIN").await?;
    let migrated = in_turn(client).await;
    let end = if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = client.batch_execute(end).await;
    migrated?;
    Ok(ended?)
}

/// Migrates unless another instance was first.
async fn in_turn(client: &Client) -> Result<(), Error> {
    let lock = "SELECT pg_advisory_xact_lock(hashtext('taubenabwehr migration'), hashtext(current_schema()))";
    client.query_typed(lock, &[]).await?;
    let found = schema(client).await?;
    if found >= CURRENT {
        return Ok(());
    }
    for step in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or_default()) {
        client.batch_execute(step).await?;
    }
    if (1..LEDGER).contains(&found) {
        ledger::bring(client).await?;
    }
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(std::io::Error::from)?;
    let create = "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    let secret = secret.as_slice();
    client
        .query_typed(create, &[(&TOKENS, Type::TEXT), (&secret, Type::BYTEA)])
        .await?;
    let note = "INSERT INTO meta (name, value) VALUES ('schema', $1), ('compatible_from', $2) \
                ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    client
        .query_typed(note, &[(&CURRENT, Type::INT8), (&COMPATIBLE_FROM, Type::INT8)])
        .await?;
    Ok(())
}

/// Returns the schema that the database has; 0 if it has none of ours.
///
/// # Errors
/// When this program cannot use it, or a copy into it is not finished.
pub async fn schema(client: &Client) -> Result<i64, Error> {
    let find =
        // Not by to_regclass: it would go on saying what it said before another instance migrated.
        "SELECT current_schema()::text, EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'meta')";
    let rows = client.query_typed(find, &[]).await?;
    let row = rows.first().ok_or(Damaged("the schema cannot be read"))?;
    if row.try_get::<_, Option<String>>(0)?.is_none() {
        return Err(Box::new(OpenError::NoSchema).into());
    }
    if row.try_get::<_, Option<bool>>(1)? != Some(true) {
        return Ok(0);
    }
    let rows = client.query_typed("SELECT name, value FROM meta", &[]).await?;
    let mut facts = HashMap::new();
    for row in rows {
        facts.insert(row.try_get::<_, String>(0)?, row.try_get::<_, i64>(1)?);
    }
    let found = facts.get("schema").copied().unwrap_or_default();
    let needed = facts.get("compatible_from").copied().unwrap_or(found);
    if needed > CURRENT {
        let newer = OpenError::Newer {
            found,
            known: CURRENT,
        };
        return Err(Box::new(newer).into());
    }
    if facts.contains_key(COPYING) {
        return Err(Box::new(OpenError::Copying).into());
    }
    Ok(found)
}

/// Reads the secret from which tokens follow.
///
/// # Errors
/// Also when it is missing.
pub async fn secret(client: &Client) -> Result<Secret, Error> {
    let find = "SELECT value FROM secrets WHERE name = $1";
    let rows = client.query_typed(find, &[(&TOKENS, Type::TEXT)]).await?;
    let value = rows.first().map(|row| row.try_get::<_, Vec<u8>>(0)).transpose()?;
    let secret = value.and_then(|value| value.try_into().ok());
    let missing = Damaged("the secret of private pages is missing");
    Ok(secret.map(Secret::new).ok_or(missing)?)
}
