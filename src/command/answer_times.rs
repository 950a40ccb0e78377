//! The median of a firm's times to answer, in memory that does not grow with their number.

/// Times up to this many minutes are counted exactly.
const EXACT: u64 = 128;

/// Beyond that, each doubling is divided into so many classes: a time is then known to within 1 %.
const CLASSES: u64 = 64;

/// How often a firm took how long to answer: a histogram with at most about 1,200 classes in 30 years.
#[derive(Debug, Default)]
pub struct AnswerTimes {
    /// How many times lie in each class; as long as the longest time needs.
    counts: Vec<u64>,
    total: u64,
}

impl AnswerTimes {
    /// Adds a time.
    pub fn add(&mut self, minutes: u64) {
        let Ok(class) = usize::try_from(class(minutes)) else {
            return;
        };
        if self.counts.len() <= class {
            self.counts.resize(class + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(class) {
            *count += 1;
            self.total += 1;
        }
    }

    /// Returns the median in hours; `None` if there is no time. Of an even number it is the mean of the two in the middle.
    pub fn median_hours(&self) -> Option<f64> {
        let last = self.total.checked_sub(1)?;
        let sum = self.at(last / 2)? + self.at(last.div_ceil(2))?;
        Some(sum / 2.0 / 60.0)
    }

    /// Returns the minutes of the time with a place in the order of the times.
    fn at(&self, place: u64) -> Option<f64> {
        let mut before = 0;
        for (class, count) in (0..).zip(&self.counts) {
            before += count;
            if place < before {
                return Some(middle(class));
            }
        }
        None
    }
}

/// Returns the class of a time.
fn class(minutes: u64) -> u64 {
    if minutes < EXACT {
        return minutes;
    }
    // 0 for times below 256 minutes, one more for each doubling.
    let doubling = u64::from(minutes.ilog2() - EXACT.ilog2());
    let step = (EXACT / CLASSES) << doubling;
    EXACT + doubling * CLASSES + (minutes - (EXACT << doubling)) / step
}

/// Returns the time in the middle of a class, in minutes.
#[expect(
    clippy::cast_precision_loss,
    reason = "a class is below 2^53 minutes for any time that occurs"
)]
fn middle(class: u64) -> f64 {
    let Some(behind) = class.checked_sub(EXACT) else {
        return class as f64;
    };
    let doubling = behind / CLASSES;
    let step = (EXACT / CLASSES) << doubling;
    let first = (EXACT << doubling) + behind % CLASSES * step;
    first as f64 + (step - 1) as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn median(minutes: &[u64]) -> Option<f64> {
        let mut times = AnswerTimes::default();
        for &time in minutes {
            times.add(time);
        }
        times.median_hours()
    }

    #[test]
    fn short_times_are_exact() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[30]), Some(0.5));
        assert_eq!(median(&[90, 30, 60]), Some(1.0));
        assert_eq!(median(&[30, 60]), Some(0.75));
        assert_eq!(median(&[0, 0, 120, 120]), Some(1.0));
    }

    #[test]
    fn long_times_are_known_to_within_a_hundredth() {
        for minutes in (128..100_000).step_by(7).chain([43_200, 525_600]) {
            let hours = minutes as f64 / 60.0;
            let found = median(&[minutes]).unwrap();
            assert!((found - hours).abs() <= hours * 0.01, "{minutes}: {found}");
        }
    }

    #[test]
    fn classes_follow_each_other_without_gaps() {
        let mut before = 0;
        for minutes in 0..100_000 {
            let class = class(minutes);
            assert!(class == before || class == before + 1, "{minutes}");
            before = class;
        }
    }
}
