//! Where a firm works.

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};

use crate::inquiry::PostalCode;

/// The first one to five digits of postal codes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PostalPrefix(Box<str>);

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
        if is_valid {
            Ok(Self(text.into()))
        } else {
            Err(NotAPostalPrefix)
        }
    }

    /// Returns its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether inquiries can come from where it is.
    pub fn is_within_area(&self) -> bool {
        // The lowest code speaks for all others: the area begins at the lowest one with a 2.
        PostalCode::parse(&format!("{:0<5}", self.0)).is_some()
    }

    /// Returns whether a postal code begins with it.
    pub fn begins(&self, postal_code: &PostalCode) -> bool {
        postal_code.to_string().starts_with(self.as_str())
    }
}

impl TryFrom<String> for PostalPrefix {
    type Error = NotAPostalPrefix;

    fn try_from(text: String) -> Result<Self, NotAPostalPrefix> {
        Self::parse(&text)
    }
}

/// A map by prefixes is asked with the first digits of a code.
impl Borrow<str> for PostalPrefix {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl From<PostalPrefix> for String {
    fn from(prefix: PostalPrefix) -> Self {
        prefix.0.into()
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
