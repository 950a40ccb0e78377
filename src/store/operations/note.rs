//! Counting, and noting facts.

use jiff::Timestamp;
use jiff::civil::Date;

use super::Operation;
use crate::store::facts::DayCounts;
use crate::store::map::{EngineError, Kind, View, Wanted};
use crate::store::reads;
use crate::store::reckoning::Reckoning;
use crate::store::time::millis;
use crate::store::tx::Tx;
use crate::store::values::fact::Fact;
use crate::store::values::{count_key, number};

/// Adds to the counts of a day.
pub struct Count {
    /// The day.
    pub day: Date,
    /// What to add, by name.
    pub counts: DayCounts,
}

impl Operation for Count {
    type Reply = ();

    fn wants(&self, wanted: &mut Wanted) {
        self.counts
            .keys()
            .for_each(|name| wanted.add(Kind::Counts, count_key(self.day, name)));
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        for (name, count) in &self.counts {
            let key = count_key(self.day, name);
            let before = tx
                .get(Kind::Counts, &key)?
                .map_or(Ok(0), |before| number(&before))?;
            tx.put(Kind::Counts, key, before.saturating_add(*count).to_be_bytes());
        }
        Ok(())
    }
}

/// Notes facts, or that they are no longer true.
pub struct Note(pub Vec<(Fact, Option<Timestamp>)>);

impl Operation for Note {
    type Reply = ();

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        for (fact, time) in &self.0 {
            tx.note(fact.name(), time.map(millis));
            tx.effects.has_due |= *fact != Fact::Health;
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

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        let Self { read, judged } = self;
        let is_as_read = |fact: Fact, time: Option<Timestamp>| -> Result<bool, EngineError> {
            Ok(reads::fact(tx, fact.name())? == time.map(millis))
        };
        if is_as_read(Fact::Clock, read.known)? && is_as_read(Fact::ClockDoubted, read.doubted_since)? {
            tx.note(Fact::Clock.name(), judged.known.map(millis));
            tx.note(Fact::ClockDoubted.name(), judged.doubted_since.map(millis));
            tx.effects.has_due = true;
        }
        Ok(())
    }
}
