//! The middle of many durations, without keeping them.

use std::collections::BTreeMap;

use jiff::SignedDuration;

/// Durations, counted in steps of a tenth of an hour: as finely as the median is written. An answer takes at most some
/// weeks, so that there are few different ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hours {
    counts: BTreeMap<u32, u64>,
    total: u64,
}

/// The length of a step.
const STEP_SECONDS: i64 = 360;

/// The longest duration that is told from longer ones, in steps: ten weeks. It bounds the memory.
const MOST: u32 = 10 * 7 * 24 * 10;

impl Hours {
    /// Adds a duration.
    pub fn add(&mut self, duration: SignedDuration) {
        let steps = duration.as_secs().max(0).saturating_add(STEP_SECONDS / 2) / STEP_SECONDS;
        let steps = u32::try_from(steps).unwrap_or(MOST).min(MOST);
        *self.counts.entry(steps).or_default() += 1;
        self.total += 1;
    }

    /// Returns the median in hours, exact to a tenth; `None` if there is no duration. Of an even number, it is the lower one
    /// of the two in the middle.
    pub fn median(&self) -> Option<f64> {
        let mut below = 0;
        let (steps, _) = self.counts.iter().find(|&(_, count)| {
            below += count;
            below * 2 >= self.total
        })?;
        Some(f64::from(*steps) / 10.0)
    }

    /// Writes the median: tenths below ten hours, whole hours above, a dash where there is none.
    pub fn median_text(&self) -> String {
        match self.median() {
            Some(hours) if hours < 10.0 => format!("{hours:.1}").replace('.', ","),
            Some(hours) => format!("{hours:.0}"),
            None => "–".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(minutes: &[i64]) -> Hours {
        let mut hours = Hours::default();
        for &minutes in minutes {
            hours.add(SignedDuration::from_mins(minutes));
        }
        hours
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(hours(&[]).median(), None);
        assert_eq!(hours(&[90]).median(), Some(1.5));
        assert_eq!(hours(&[600, 30, 60]).median(), Some(1.0));
        assert_eq!(hours(&[600, 30, 60, 60_000]).median(), Some(1.0));
        assert_eq!(hours(&[-5]).median(), Some(0.0));
        assert_eq!(hours(&[i64::MAX / 60]).median(), Some(1680.0));
    }

    #[test]
    fn the_median_is_written_as_finely_as_matters() {
        assert_eq!(hours(&[]).median_text(), "–");
        assert_eq!(hours(&[93]).median_text(), "1,6");
        assert_eq!(hours(&[60 * 23 + 31]).median_text(), "24");
    }
}
