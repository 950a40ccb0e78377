//! Counting, and noting facts.

use jiff::Timestamp;
use jiff::civil::Date;

use super::fact::Fact;
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::referral::HandlingPolicy;
use crate::store::facts::DayCounts;
use crate::store::reckoning::Reckoning;
use crate::store::time::millis;

/// Adds to the counts of a day.
pub struct Count {
    /// The day.
    pub day: Date,
    /// What to add, by name.
    pub counts: DayCounts,
}

impl Operation for Count {
    type Reply = ();

    fn read_set(&self, _: &mut ReadSet, _: &HandlingPolicy) {}

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<(), ApplyError> {
        for (name, count) in &self.counts {
            let counted = transaction.changes.counts.entry((self.day, name.clone()));
            let counted = counted.or_default();
            *counted = counted.saturating_add(*count);
        }
        Ok(())
    }
}

/// Notes facts, or that they are no longer true.
pub struct Note(pub Vec<(Fact, Option<Timestamp>)>);

impl Operation for Note {
    type Reply = ();

    fn read_set(&self, _: &mut ReadSet, _: &HandlingPolicy) {}

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<(), ApplyError> {
        for (fact, time) in &self.0 {
            transaction.note(fact.name(), time.map(millis));
            transaction.changes.has_due |= *fact != Fact::Health;
        }
        Ok(())
    }
}

/// Notes how the clock was judged, unless something else was noted since that was read: an operator's word must not be taken back by a
/// judgement that is older.
pub struct NoteJudgement {
    /// What was known of the time.
    pub read: Reckoning,
    /// What is known now.
    pub judged: Reckoning,
}

impl Operation for NoteJudgement {
    type Reply = ();

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        // Facts are read with them.
        reads.turns = true;
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<(), ApplyError> {
        let Self { read, judged } = self;
        let is_as_read = |fact: Fact, time: Option<Timestamp>| {
            transaction.rows.facts.get(fact.name()).copied() == time.map(millis)
        };
        if is_as_read(Fact::Clock, read.known) && is_as_read(Fact::ClockDoubted, read.doubted_since) {
            transaction.note(Fact::Clock.name(), judged.known.map(millis));
            transaction.note(Fact::ClockDoubted.name(), judged.doubted_since.map(millis));
            transaction.changes.has_due = true;
        }
        Ok(())
    }
}
