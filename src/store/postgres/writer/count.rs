//! Counting, and noting facts.

use jiff::civil::Date;

use super::needs::Needs;
use super::operation::Operation;
use super::transaction::Transaction;
use crate::referral::Plan;
use crate::store::counts::DayCounts;
use crate::store::postgres::error::Error;

/// Adds to the counts of a day.
pub struct Count {
    /// The day.
    pub day: Date,
    /// What to add, by name.
    pub counts: DayCounts,
}

impl Operation for Count {
    type Reply = ();

    fn gather(&self, _: &mut Needs, _: &Plan) {}

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<(), Error> {
        for (name, count) in &self.counts {
            let counted = transaction
                .changes
                .counts
                .entry((self.day, name.clone()))
                .or_default();
            *counted = counted.saturating_add(i64::try_from(*count).unwrap_or(i64::MAX));
        }
        Ok(())
    }
}

/// Notes a fact by its name, or that it is no longer one.
pub struct NoteFact {
    /// The name.
    pub name: &'static str,
    /// The value; `None` removes it.
    pub value: Option<i64>,
}

impl Operation for NoteFact {
    type Reply = ();

    fn gather(&self, _: &mut Needs, _: &Plan) {}

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<(), Error> {
        transaction.changes.facts.insert(self.name, self.value);
        transaction.effects.has_due = true;
        Ok(())
    }
}
