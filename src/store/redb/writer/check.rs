//! Finding out whether the disk can be written.

use super::operation::Operation;
use crate::store::redb::schema::{HEALTH, millis};
use crate::store::redb::transaction::Transaction;

/// A small durable write.
pub struct Check;

impl Operation for Check {
    type Reply = ();

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<(), redb::Error> {
        transaction.meta.open()?.insert(HEALTH, millis(transaction.now))?;
        transaction.effects.is_changed = true;
        Ok(())
    }
}
