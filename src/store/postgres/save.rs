//! Writing what a batch has changed, and committing it, in one round trip: all statements leave at once, each with the
//! rows of the whole batch.

mod notes;
mod records;
mod statements;

use jiff::Timestamp;
use tokio_postgres::Client;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::error::Error;
use super::session::BEGIN;
use crate::matching::{FirmId, FirmRotation};
use crate::store::core::{Changes, Prefetched};
use notes::{add_asks, add_confirmations, add_ledger, add_notes};
use records::{add_batch, add_inquiries, add_subscriptions};
use statements::{ERASED, FORGET_CONFIRMATIONS, FORGET_KEYS, FORGET_WRITERS, REPLACED_KEYS, Steps, boxed};

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
    let mut steps = Steps::new(client);
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
    if is_begun || steps.len() > 1 {
        if !is_begun {
            steps.begin(BEGIN);
        }
        steps.simple("COMMIT");
    }
    Ok(steps.send().await?)
}
