//! Round numbers for axes.

/// Returns the smallest of 1, 2, 5, 10, 20, 50 … that divides an axis into at most so many steps.
pub fn step(range: u64, most: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if range <= step.saturating_mul(most) {
                return step;
            }
        }
        power = power.saturating_mul(10);
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
}
