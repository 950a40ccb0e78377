//! Round numbers for axes and legends.

/// Returns the smallest of 1, 2, 5, 10, 20, 50 … that divides an axis into at most so many steps.
pub fn step(range: u64, most: u64) -> u64 {
    round_step(range, most, &[1, 2, 5])
}

/// Returns the smallest of these factors, times 1, 10, 100 …, that divides a range into at most so many steps.
fn round_step(range: u64, most: u64, factors: &[u64]) -> u64 {
    let mut power: u64 = 1;
    loop {
        for factor in factors {
            let step = power.saturating_mul(*factor);
            if range <= step.saturating_mul(most) {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Classes of counts, as tones: 0 for none, then 1 to 5.
#[derive(Debug, Clone, Copy)]
pub struct Levels {
    step: u64,
}

/// How many tones people can tell apart.
const LEVELS: u64 = 5;

impl Levels {
    /// Returns classes of the same width up to the largest count.
    pub fn up_to(largest: u64) -> Self {
        Self {
            step: round_step(largest.max(1), LEVELS, &[1, 2, 3, 4, 5, 6, 8]),
        }
    }

    /// Returns the class of a count.
    pub fn of(self, count: u64) -> u64 {
        count.div_ceil(self.step).min(LEVELS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(
            [0, 1, 4, 5, 9, 37, 100, 412].map(|range| step(range, 4)),
            [1, 1, 1, 2, 5, 10, 50, 200]
        );
        assert!(step(u64::MAX, 4) > u64::MAX / 8);
    }

    #[test]
    fn every_count_has_a_class() {
        let levels = Levels::up_to(47);
        assert_eq!([0, 1, 10, 11, 47].map(|count| levels.of(count)), [0, 1, 1, 2, 5]);
    }
}
