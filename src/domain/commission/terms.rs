//! What an acceptance costs.

use serde::{Deserialize, Serialize};

use super::euro::Euro;
use super::outcome::Outcome;
use super::percent::Percent;

/// What a firm pays for an inquiry that it has accepted; what is absent from the configuration is zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// For accepting it.
    pub per_acceptance: Euro,
    /// For an order, beside that.
    pub per_order: Euro,
    /// Of the net sum of an order, beside both.
    pub share: Percent,
}

impl Terms {
    /// Whether nothing is ever owed.
    pub fn is_free(&self) -> bool {
        *self == Self::default()
    }

    /// Returns what is owed, rounded to cents, half a cent away from zero.
    pub fn commission(&self, outcome: Outcome) -> Euro {
        match outcome.net_sum() {
            None => self.per_acceptance,
            Some(sum) => self.per_acceptance.plus(self.per_order).plus(self.share.of(sum)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Percentages are held in ten-thousandths of a percent.
    const ONE: u128 = 1_000_000;

    /// What is owed, by whole numbers alone.
    fn naive(per_acceptance: u64, per_order: u64, share: u32, sum: Option<u64>) -> u64 {
        let Some(sum) = sum else { return per_acceptance };
        let product = u128::from(sum) * u128::from(share);
        let (mut cents, rest) = (product / ONE, product % ONE);
        if rest * 2 >= ONE {
            cents += 1;
        }
        per_acceptance + per_order + u64::try_from(cents).unwrap()
    }

    #[test]
    fn commission_is_exact_to_the_cent() {
        // Per acceptance, per order, share in percent, net sum, and what is owed.
        for (per_acceptance, per_order, share, sum, owed) in [
            ("25.00", "0", "0", None, "25.00"),
            ("25.00", "50.00", "8", None, "25.00"),
            ("25.00", "50.00", "8", Some("1.234,50"), "173.76"),
            ("0", "0", "8", Some("0,06"), "0.00"),
            ("0", "0", "8", Some("0,07"), "0.01"),
            // Half a cent goes away from zero: 0.125, 0.005, 1.005 and 2.675 would be less in binary.
            ("0", "0", "12.5", Some("1"), "0.13"),
            ("0", "0", "50", Some("0,01"), "0.01"),
            ("0", "0", "0.5", Some("201"), "1.01"),
            ("0", "0", "2.675", Some("100"), "2.68"),
            ("0", "0", "0.0001", Some("4.999,99"), "0.00"),
            ("0", "0", "0.0001", Some("5.000"), "0.01"),
            ("0.01", "0.02", "100", Some("9.999.999,99"), "10000000.02"),
            ("0", "5", "0", Some("0"), "5.00"),
            ("0", "0", "0", Some("100"), "0.00"),
        ] {
            let terms = Terms {
                per_acceptance: Euro::parse(per_acceptance).unwrap(),
                per_order: Euro::parse(per_order).unwrap(),
                share: Percent::parse(share).unwrap(),
            };
            let outcome = match sum {
                Some(sum) => Outcome::Order(Euro::parse_german(sum).unwrap()),
                None => Outcome::Open,
            };
            let case = format!("{per_acceptance} {per_order} {share} {sum:?}");
            assert_eq!(terms.commission(outcome).to_string(), owed, "{case}");
            let sum = outcome.net_sum().map(Euro::cents);
            let expected = naive(
                terms.per_acceptance.cents(),
                terms.per_order.cents(),
                terms.share.parts(),
                sum,
            );
            assert_eq!(terms.commission(outcome).cents(), expected, "{case}");
        }
    }

    #[test]
    fn it_agrees_with_whole_numbers_everywhere() {
        for share in [1, 75_000, 80_000, 123_456, 333_333, 999_999, 1_000_000] {
            for sum in (0..2_000).chain((0..300).map(|step| step * 3_333_337)) {
                let terms = Terms {
                    per_acceptance: Euro::from_cents(2_500),
                    per_order: Euro::from_cents(1),
                    share: Percent::from_parts(share),
                };
                let commission = terms.commission(Outcome::Order(Euro::from_cents(sum)));
                assert_eq!(
                    commission.cents(),
                    naive(2_500, 1, share, Some(sum)),
                    "{share} of {sum}"
                );
            }
        }
    }
}
