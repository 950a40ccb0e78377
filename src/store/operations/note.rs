//! Counting, and noting facts.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::store::facts::{DayCounts, Reckoning};
use crate::store::map::{EngineError, Kind, View};
use crate::store::reads;
use crate::store::time::millis;
use crate::store::tx::Tx;
use crate::store::values::fact::Fact;
use crate::store::values::{count_key, number};

impl Tx<'_> {
    /// Adds to the counts of a day.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn count_up(&mut self, day: Date, counts: &DayCounts) -> Result<(), EngineError> {
        for (name, count) in counts {
            let key = count_key(day, name);
            let before = self.get(Kind::Counts, &key)?;
            let before = before.map_or(Ok(0), |before| number(&before))?;
            self.put(Kind::Counts, key, before.saturating_add(*count).to_be_bytes());
        }
        Ok(())
    }

    /// Notes facts, or that they are no longer true.
    pub fn note_facts(&mut self, facts: &[(Fact, Option<Timestamp>)]) {
        for (fact, time) in facts {
            self.note(fact.name(), time.map(millis));
            self.effects.has_due |= *fact != Fact::Health;
        }
    }

    /// Notes how the clock was judged by what was read of the time, unless something else was noted since: an operator's word must not be
    /// taken back by a judgement that is older.
    ///
    /// # Errors
    /// When what is noted cannot be read.
    pub fn note_judgement(&mut self, read: Reckoning, judged: Reckoning) -> Result<(), EngineError> {
        let in_millis = |time: Option<Timestamp>| time.map(millis);
        let known = in_millis(reads::fact_time(self, Fact::Clock.name())?);
        let doubted_since = in_millis(reads::fact_time(self, Fact::ClockDoubted.name())?);
        if (known, doubted_since) == (in_millis(read.known), in_millis(read.doubted_since)) {
            self.note_facts(&judged.facts());
        }
        Ok(())
    }
}
