//! Noting facts about the file.

use super::operation::Operation;
use crate::store::redb::transaction::Transaction;

/// Notes a fact by its name, or that it is no longer one.
pub struct NoteFact {
    /// The name.
    pub name: &'static str,
    /// The value; `None` removes it.
    pub value: Option<u64>,
}

impl Operation for NoteFact {
    type Reply = ();

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<(), redb::Error> {
        let facts = transaction.meta.open()?;
        match self.value {
            Some(value) => facts.insert(self.name, value)?,
            None => facts.remove(self.name)?,
        };
        transaction.effects.is_changed = true;
        transaction.effects.has_due = true;
        Ok(())
    }
}
