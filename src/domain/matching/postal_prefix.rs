//! Where a firm works.

use std::ops::RangeInclusive;

use crate::domain::inquiry::PostalCode;

/// The first one to five digits of postal codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostalPrefix {
    text: Box<str>,
    /// The codes that begin with it.
    codes: RangeInclusive<u32>,
}

/// Why a text is not a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the first 1 to 5 digits of postal codes, in quotation marks, such as \"221\"")]
pub struct NotAPostalPrefix;

impl PostalPrefix {
    /// Parses a prefix.
    ///
    /// # Errors
    /// When it is not one to five digits.
    pub fn parse(text: &str) -> Result<Self, NotAPostalPrefix> {
        let is_valid = (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_valid {
            return Err(NotAPostalPrefix);
        }
        let code = |digits: String| digits.parse().map_err(|_| NotAPostalPrefix);
        Ok(Self {
            text: text.into(),
            codes: code(format!("{text:0<5}"))?..=code(format!("{text:9<5}"))?,
        })
    }

    /// Returns its digits.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the service area has postal codes with it.
    pub fn is_within_area(&self) -> bool {
        // If any code of the prefix is in the area, the lowest is: the area begins at 20000.
        let lowest = u16::try_from(*self.codes.start());
        lowest.is_ok_and(|lowest| PostalCode::from_number(lowest).is_some())
    }

    /// Whether a postal code begins with it.
    pub fn begins(&self, postal_code: PostalCode) -> bool {
        self.codes.contains(&u32::from(postal_code.number()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_lies_within_the_area_if_a_code_of_the_area_begins_with_it() {
        let area: Vec<_> = (20_000..=22_999).map(|code| code.to_string()).collect();
        for prefix in (0..=99_999).map(|number: u32| number.to_string()) {
            let expected = area.iter().any(|code| code.starts_with(&prefix));
            assert_eq!(
                PostalPrefix::parse(&prefix).unwrap().is_within_area(),
                expected,
                "{prefix}"
            );
        }
    }

    #[test]
    fn prefixes_are_one_to_five_digits() {
        for prefix in ["2", "20", "221", "22087"] {
            assert_eq!(PostalPrefix::parse(prefix).unwrap().as_str(), prefix);
        }
        for wrong in ["", "220871", "2 0", "2o", "-1", "２"] {
            assert_eq!(PostalPrefix::parse(wrong), Err(NotAPostalPrefix), "{wrong}");
        }
    }
}
