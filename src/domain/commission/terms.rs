//! The price of an acceptance.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use strum::IntoStaticStr;

use super::euro::{Euro, scaled};
use crate::base::text::{Malformed, serde_as_text};

/// What a firm pays for an accepted inquiry; values missing in the configuration are zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// The price per acceptance.
    #[serde(deserialize_with = "price")]
    pub per_acceptance: Euro,
    /// The additional price per order.
    #[serde(deserialize_with = "price")]
    pub per_order: Euro,
    /// The additional share of the net sum of an order.
    pub share: Percent,
}

/// Reads an amount that is not negative.
fn price<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Euro, D::Error> {
    let text = String::deserialize(deserializer)?;
    Euro::parse(&text).map_err(D::Error::custom)
}

impl Terms {
    /// Whether the firm never owes anything.
    pub fn is_free(&self) -> bool {
        *self == Self::default()
    }

    /// The amount owed, rounded to cents, half a cent away from zero.
    pub fn commission(&self, outcome: Outcome) -> Euro {
        match outcome.net_sum() {
            None => self.per_acceptance,
            Some(sum) => self.per_acceptance.plus(self.per_order).plus(self.share.of(sum)),
        }
    }
}

/// The maximum number of decimal places of a percentage.
const PLACES: usize = 4;

/// 100 %.
const WHOLE: u32 = 1_000_000;

/// A percentage from 0 to 100, in ten-thousandths of a percent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Percent(u32);

serde_as_text!(Percent, Percent::parse);

/// The error for text that is not a percentage.
const NOT_A_PERCENTAGE: Malformed = Malformed(
    "must be a percentage from \"0\" to \"100\" with a point and at most four places, such as \"7.5\"",
);

impl Percent {
    /// 0 %.
    pub const ZERO: Self = Self(0);

    /// The standard rate of German VAT (§ 12 Abs. 1 `UStG`).
    pub const USUAL_VAT: Self = Self(190_000);

    /// Parses a percentage: `8`, `7.5`.
    ///
    /// # Errors
    /// If it is malformed or more than 100.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let parts = scaled(whole, places, PLACES).and_then(|parts| u32::try_from(parts).ok());
        let percent = parts.filter(|parts| *parts <= WHOLE).map(Self);
        percent.ok_or(NOT_A_PERCENTAGE)
    }

    /// This percentage of an amount, rounded to cents, half a cent away from zero.
    pub fn of(self, amount: Euro) -> Euro {
        let whole = i128::from(WHOLE);
        let exact = i128::from(amount.cents()) * i128::from(self.0);
        // A division of integers rounds towards zero.
        let part = (exact + exact.signum() * whole / 2) / whole;
        Euro::from_cents(i64::try_from(part).unwrap_or(i64::MAX))
    }

    /// The percentage in German notation, without the sign: `7,5`.
    pub fn german(self) -> String {
        self.to_string().replace('.', ",")
    }
}

/// Formats the percentage so that it can be parsed again.
impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (percent, places) = (self.0 / 10_000, self.0 % 10_000);
        let text = format!("{percent}.{places:04}");
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The outcome of an inquiry as reported by the firm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Outcome {
    /// Not reported yet.
    #[default]
    Open,
    /// An order with this net sum.
    Order(Euro),
    /// No order.
    None,
}

impl Outcome {
    /// The name used in the output of commands and in the form on the firm's page.
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// The net sum of an order; `None` without an order.
    pub fn net_sum(self) -> Option<Euro> {
        match self {
            Self::Order(sum) => Some(sum),
            Self::Open | Self::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 % in ten-thousandths of a percent.
    const ONE: u128 = 1_000_000;

    /// The amount owed, computed with integers only.
    fn naive(per_acceptance: i64, per_order: i64, share: u32, sum: Option<i64>) -> i64 {
        let Some(sum) = sum else { return per_acceptance };
        let product = u128::try_from(sum).unwrap() * u128::from(share);
        let (mut cents, rest) = (product / ONE, product % ONE);
        if rest * 2 >= ONE {
            cents += 1;
        }
        per_acceptance + per_order + i64::try_from(cents).unwrap()
    }

    #[test]
    fn commission_is_exact_to_the_cent() {
        // Price per acceptance, price per order, share in percent, net sum, amount owed.
        for (per_acceptance, per_order, share, sum, owed) in [
            ("25.00", "0", "0", None, "25.00"),
            ("25.00", "50.00", "8", None, "25.00"),
            ("25.00", "50.00", "8", Some("1.234,50"), "173.76"),
            ("0", "0", "8", Some("0,06"), "0.00"),
            ("0", "0", "8", Some("0,07"), "0.01"),
            // Half a cent rounds away from zero, which binary floats do not ensure: 0.125, 0.005, 1.005 and 2.675.
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
                terms.share.0,
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
                    share: Percent(share),
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

    #[test]
    fn percentages_are_read_and_written() {
        for (text, written, parts) in [
            ("0", "0", 0),
            ("8", "8", 80_000),
            ("7.50", "7.5", 75_000),
            ("100", "100", 1_000_000),
            ("0.0001", "0.0001", 1),
        ] {
            let percent = Percent::parse(text).unwrap();
            assert_eq!((percent.to_string().as_str(), percent.0), (written, parts));
            assert_eq!(Percent(parts), percent);
        }
        for wrong in ["", "8%", "8,5", "-1", "100.01", "1.00001", ".5", "5.", "1e1"] {
            assert_eq!(Percent::parse(wrong), Err(NOT_A_PERCENTAGE), "{wrong}");
        }
        assert_eq!(Percent::USUAL_VAT.to_string(), "19");
    }
}
