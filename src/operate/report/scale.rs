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

/// How many tones of a colour people can tell apart, besides none.
pub const TONES: u64 = 5;

/// Returns how many counts share a tone, so that there are enough of them for counts up to the largest.
pub fn tone_width(largest: u64) -> u64 {
    round_step(largest.max(1), TONES, &[1, 2, 3, 4, 5, 6, 8])
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
    fn every_count_has_a_tone() {
        assert_eq!([0, 1, 5, 6, 47, 50].map(tone_width), [1, 1, 1, 2, 10, 10]);
    }
}
