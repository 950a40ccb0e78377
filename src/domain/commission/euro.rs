//! Amounts of money.

use std::fmt;

use crate::base::text::{Malformed, grouped, serde_as_text};

/// The largest valid amount in cents: 9.999.999,99 euros, more than protecting any building costs.
const LARGEST: i64 = 999_999_999;

/// The decimal places of an amount.
const PLACES: usize = 2;

/// The digits per group of the integer part.
const GROUP: usize = 3;

/// Parses `whole.places` as a multiple of `10^-digits`; `None` for other characters or more decimal places.
pub(super) fn scaled(whole: &str, places: &str, digits: usize) -> Option<u64> {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_one = is_number(whole) && is_number(places) && places.len() <= digits;
    format!("{whole}{places:0<digits$}")
        .parse()
        .ok()
        .filter(|_| is_one)
}

/// An amount in euros, stored in cents. Prices and sums are never negative; what is billed for a month can be, after a credit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Euro(i64);

serde_as_text!(Euro, Euro::parse_signed);

/// The error for text that is not an amount.
const NOT_AN_AMOUNT: Malformed = Malformed(
    "must be an amount from \"0\" to \"9999999.99\" with a point and at most two places, such as \"25.00\"",
);

impl Euro {
    /// Zero euros.
    pub const ZERO: Self = Self(0);

    /// Parses an amount as written in files: `25`, `25.5`, `25.00`.
    ///
    /// # Errors
    /// If it is malformed or too large.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let amount = Self::parse_signed(text)?;
        let is_price = (0..=LARGEST).contains(&amount.0);
        is_price.then_some(amount).ok_or(NOT_AN_AMOUNT)
    }

    /// Parses an amount as it is displayed, of either sign and any size.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_signed(text: &str) -> Result<Self, Malformed> {
        let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let cents = scaled(whole, places, PLACES).and_then(|cents| i64::try_from(cents).ok());
        cents.map(|cents| Self(sign * cents)).ok_or(NOT_AN_AMOUNT)
    }

    /// Parses an amount in German notation: `1234,5`, `1.234,50`. Points are only allowed between groups of three digits.
    ///
    /// # Errors
    /// Like [`Self::parse`].
    pub fn parse_german(text: &str) -> Result<Self, Malformed> {
        let (whole, places) = text.split_once(',').unwrap_or((text, "0"));
        let mut groups = whole.split('.');
        let first = groups.next().unwrap_or_default();
        // `0.123` must not become 123 euros.
        let is_grouped = (1..=GROUP).contains(&first.len()) && !first.starts_with('0');
        let mut rest = groups.clone();
        if whole.contains('.') && !(is_grouped && rest.all(|group| group.len() == GROUP)) {
            return Err(NOT_AN_AMOUNT);
        }
        Self::parse(&format!("{first}{}.{places}", groups.collect::<String>()))
    }

    /// Creates an amount from cents.
    pub fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    /// The amount in cents.
    pub fn cents(self) -> i64 {
        self.0
    }

    /// The sum of both amounts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference of both amounts.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The amount in German notation, without the currency: `1.234,50`, `−25,00`.
    pub fn german(self) -> String {
        let sign = if self.0 < 0 { "\u{2212}" } else { "" };
        let cents = self.0.unsigned_abs();
        format!("{sign}{},{:02}", grouped(cents / 100), cents % 100)
    }
}

/// Formats the amount for programs: `1234.50`, `-25.00`.
impl fmt::Display for Euro {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn german_amounts_are_read_as_they_are_meant_or_not_at_all() {
        for (text, cents) in [
            ("0", 0),
            ("0,5", 50),
            ("12", 1_200),
            ("1234,5", 123_450),
            ("1.234", 123_400),
            ("1.234,50", 123_450),
            ("12.345,00", 1_234_500),
            ("123.456", 12_345_600),
            ("9.999.999,99", 999_999_999),
            ("9999999,99", 999_999_999),
            ("007", 700),
        ] {
            assert_eq!(Euro::parse_german(text).map(Euro::cents), Ok(cents), "{text}");
        }
        for wrong in [
            "",
            " ",
            ",",
            ".",
            "-1",
            "+1",
            "1,",
            ",5",
            "1,234",
            "1,2,3",
            "1.23",
            "12.34",
            "1234.50",
            "1234.567",
            "1.2345",
            "1..234",
            ".234",
            "1.234.",
            "0.123",
            "01.234",
            "1.234.56",
            "1 234",
            "1e3",
            "12 €",
            "zwölf",
            "١٢",
            "10.000.000",
            "10000000,00",
            "9.999.999,991",
            "99999999999999999999999999999999999",
            "1,23,",
            "1.234,5,6",
            "1,2.345",
        ] {
            assert_eq!(Euro::parse_german(wrong), Err(NOT_AN_AMOUNT), "{wrong}");
        }
    }

    #[test]
    fn amounts_of_files_have_a_point() {
        for (text, cents) in [
            ("25.00", 2_500),
            ("25", 2_500),
            ("0.5", 50),
            ("9999999.99", 999_999_999),
        ] {
            assert_eq!(Euro::parse(text).map(Euro::cents), Ok(cents), "{text}");
        }
        for wrong in [
            "", "25,00", "1.234.5", "25.001", "-1", "1e2", "10000000", ".5", "5.",
        ] {
            assert_eq!(Euro::parse(wrong), Err(NOT_AN_AMOUNT), "{wrong}");
        }
    }

    #[test]
    fn amounts_are_written_for_programs_and_for_people() {
        for (cents, plain, german) in [
            (0, "0.00", "0,00"),
            (5, "0.05", "0,05"),
            (-5, "-0.05", "\u{2212}0,05"),
            (-123_450, "-1234.50", "\u{2212}1.234,50"),
            (123_450, "1234.50", "1.234,50"),
            (99_900, "999.00", "999,00"),
            (12_345_678_900, "123456789.00", "123.456.789,00"),
        ] {
            let amount = Euro::from_cents(cents);
            assert_eq!(
                (amount.to_string(), amount.german()),
                (plain.to_owned(), german.to_owned())
            );
            assert_eq!((amount.cents(), Euro::parse_signed(plain)), (cents, Ok(amount)));
        }
    }
}
