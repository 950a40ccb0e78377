//! Doing what is due by the clock.

use redb::ReadableTable;
use uuid::Uuid;

use super::operation::Operation;
use super::update::update;
use crate::referral::{Change, Due, Lane};
use crate::store::ids;
use crate::store::redb::schema::{HELD, Id, millis};
use crate::store::redb::transaction::Transaction;
use crate::store::redb::{referrals, subscriptions};

/// How many are done in one transaction, so that no inquiry waits long for it.
const AT_ONCE: usize = 64;

/// Does some of what is due by the clock: passes over firms, begins released inquiries, forgets what is over.
pub struct Tick;

impl Operation for Tick {
    /// How many were due; call again unless it is 0.
    type Reply = usize;

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<usize, redb::Error> {
        let overdue = overdue(transaction)?;
        for (time, key) in &overdue {
            let done = update(transaction, Uuid::from_bytes(*key), &Change::Tick)?;
            if done.is_err() {
                // Nothing belongs to it any more.
                transaction
                    .due
                    .remove(referrals::number(Lane::Clock), *time, key)?;
                transaction.effects.is_changed = true;
            }
        }
        let expired = due(transaction, subscriptions::number(Lane::Clock))?;
        for (_, key) in &expired {
            let found = subscriptions::read(transaction.subscriptions.open()?, key)?;
            let before = found.map_or_else(Due::default, |found| found.due());
            subscriptions::write(
                transaction.subscriptions.open()?,
                &mut transaction.due,
                key,
                None,
                before,
            )?;
            transaction.effects.is_changed = true;
            transaction.effects.leaves_traces = true;
        }
        Ok(overdue.len() + expired.len())
    }
}

/// Returns the inquiries for which something is due by the clock. In a store that was restored, those that were there before
/// wait for the operator: the lost one may have gone on with them.
fn overdue(transaction: &mut Transaction<'_>) -> Result<Vec<(u64, Id)>, redb::Error> {
    let held = transaction.meta.open()?.get(HELD)?.map(|held| held.value());
    let Some(restored_at) = held else {
        return due(transaction, referrals::number(Lane::Clock));
    };
    let lane = referrals::number(Lane::Clock);
    let mut overdue = transaction.due.until(lane, millis(transaction.now), usize::MAX)?;
    let first = ids::first_since(restored_at);
    overdue.retain(|(_, id)| *id >= first);
    overdue.truncate(AT_ONCE);
    Ok(overdue)
}

fn due(transaction: &mut Transaction<'_>, lane: u8) -> Result<Vec<(u64, Id)>, redb::Error> {
    transaction.due.until(lane, millis(transaction.now), AT_ONCE)
}
