//! Percentages.

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::euro::Euro;

/// Decimal places that a percentage may have.
const PLACES: u32 = 4;

/// Decimal places between a percentage and its fraction of one.
const HUNDREDTH: u32 = 2;

/// A percentage from 0 to 100.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Percent(Decimal);

/// Why a text is not a percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a percentage from \"0\" to \"100\" with a point and at most four places, such as \"7.5\"")]
pub struct NotAPercentage;

impl Percent {
    /// None of it.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// The rate of value added tax that is usual in Germany (§ 12 Abs. 1 `UStG`).
    pub const USUAL_VAT: Self = Self(Decimal::from_parts(19, 0, 0, false, 0));

    /// Parses a percentage: `8`, `7.5`.
    ///
    /// # Errors
    /// When it is anything else, or more than everything.
    pub fn parse(text: &str) -> Result<Self, NotAPercentage> {
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(places) || places.len() > PLACES as usize {
            return Err(NotAPercentage);
        }
        let percent = Decimal::from_str_exact(text).map_err(|_| NotAPercentage)?;
        if percent > Decimal::ONE_HUNDRED {
            return Err(NotAPercentage);
        }
        Ok(Self(percent.normalize()))
    }

    /// Returns a number of ten-thousandths of a percent, of which 100 percent are a million.
    pub fn from_parts(parts: u32) -> Self {
        Self(Decimal::from_i128_with_scale(parts.into(), PLACES).normalize())
    }

    /// Returns how many ten-thousandths of a percent it is.
    pub fn parts(self) -> u32 {
        let mut percent = self.0;
        percent.rescale(PLACES);
        u32::try_from(percent.mantissa()).unwrap_or_default()
    }

    /// Returns so much of an amount, rounded to cents, half a cent away from zero.
    pub fn of(self, amount: Euro) -> Euro {
        let mut part = self.0;
        // Cannot fail: a percentage has at most four places.
        let _ = part.set_scale(self.0.scale() + HUNDREDTH);
        amount.part(part)
    }

    /// Writes it as people do in German, without the sign: `7,5`.
    pub fn german(self) -> String {
        self.to_string().replace('.', ",")
    }
}

/// Writes it as it is parsed.
impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Percent> for String {
    fn from(percent: Percent) -> Self {
        percent.to_string()
    }
}

impl TryFrom<String> for Percent {
    type Error = NotAPercentage;

    fn try_from(text: String) -> Result<Self, NotAPercentage> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!((percent.to_string().as_str(), percent.parts()), (written, parts));
            assert_eq!(Percent::from_parts(parts), percent);
        }
        for wrong in ["", "8%", "8,5", "-1", "100.01", "1.00001", ".5", "5.", "1e1"] {
            assert_eq!(Percent::parse(wrong), Err(NotAPercentage), "{wrong}");
        }
        assert_eq!(Percent::USUAL_VAT.to_string(), "19");
    }
}
