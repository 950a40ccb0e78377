//! Counting, and noting facts.

use jiff::Timestamp;
use jiff::civil::Date;

use super::PAUSE_PREFIX;
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::referral::HandlingPolicy;
use crate::store::facts::DayCounts;
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

/// A fact about the store, kept by its name as a time in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// When a health check has written last.
    Health,
    /// When the last backup was made.
    Backup,
    /// When the store was restored from a backup, as long as what was due then is held.
    Suspended,
    /// The last time that was believed.
    Clock,
    /// Since when the clock has not been believed, by its own time.
    ClockDoubted,
    /// The morning of the operator's last digest.
    Digest,
    /// When the operator was told last, or is told next, that inquiries wait since they may be robots'.
    SuspectedTold,
    /// When a review was written, changed, judged or removed last; absent as long as none was.
    Reviews,
}

/// Returns whether a fact is kept when a store is copied or restored: what it says is true of the copy, too.
pub fn is_copied(name: &str) -> bool {
    name.starts_with(PAUSE_PREFIX) || name == Fact::Reviews.name()
}

impl Fact {
    /// Returns the name by which it is kept.
    pub fn name(self) -> &'static str {
        match self {
            Self::Health => "health",
            Self::Backup => "backup",
            Self::Suspended => "held",
            Self::Clock => "clock",
            Self::ClockDoubted => "clock_doubted",
            Self::Digest => "digest",
            Self::SuspectedTold => "suspected_told",
            Self::Reviews => "reviews",
        }
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
