//! Counting.

use jiff::civil::Date;

use super::operation::Operation;
use crate::store::counts::DayCounts;
use crate::store::redb::counts;
use crate::store::redb::transaction::Transaction;

/// Adds to the counts of a day.
pub struct Count {
    /// The day.
    pub day: Date,
    /// What to add, by name.
    pub counts: DayCounts,
}

impl Operation for Count {
    type Reply = ();

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<(), redb::Error> {
        counts::add(transaction.counts.open()?, self.day, &self.counts)?;
        transaction.effects.is_changed = true;
        Ok(())
    }
}
