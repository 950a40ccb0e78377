//! Where the pigeons are: postal code and kind of building (spec sections 3 and 5).

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use super::text::{pattern, trim};

/// A postal code of Hamburg and its surroundings, 20000 to 22999.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostalCode(u16);

/// For trimmed text.
pub const POSTAL_CODE_PATTERN: &str = "^2[012][0-9]{3}$";

static POSTAL_CODE: LazyLock<Regex> = LazyLock::new(|| pattern(POSTAL_CODE_PATTERN));

impl PostalCode {
    /// Reads the trimmed text; `None` if it is no code of the area.
    pub fn parse(text: &str) -> Option<Self> {
        let text = trim(text);
        if !POSTAL_CODE.is_match(text) {
            return None;
        }
        text.parse().ok().map(Self)
    }

    /// The code as a number; all codes of the area have five digits without a leading zero.
    pub fn number(self) -> u16 {
        self.0
    }

    /// The code that [`Self::number`] gave, read back from the store.
    pub fn from_number(number: u16) -> Option<Self> {
        (20_000..=22_999).contains(&number).then_some(Self(number))
    }
}

impl fmt::Display for PostalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}", self.0)
    }
}

/// The kind of building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyType {
    /// A house or a flat
    Residential,
    /// An office, a shop or a restaurant
    Commercial,
    /// An industrial site
    Industrial,
}

impl PropertyType {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Residential, Self::Commercial, Self::Industrial];

    /// Reads the exact id.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == text)
    }

    /// The id used in requests and exports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Residential => "residential",
            Self::Commercial => "commercial",
            Self::Industrial => "industrial",
        }
    }

    /// The number it is stored as. Numbers are part of the file format: never give one a new meaning.
    pub fn number(self) -> u8 {
        match self {
            Self::Residential => 0,
            Self::Commercial => 1,
            Self::Industrial => 2,
        }
    }

    /// The kind that [`Self::number`] gave, read back from the store.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_what_they_came_from() {
        for number in 20_000..=22_999 {
            let code = PostalCode::from_number(number).unwrap();
            assert_eq!(PostalCode::parse(&code.to_string()), Some(code));
            assert_eq!(code.number(), number);
        }
        assert_eq!(PostalCode::from_number(19_999), None);
        assert_eq!(PostalCode::from_number(23_000), None);
        for kind in PropertyType::ALL {
            assert_eq!(PropertyType::from_number(kind.number()), Some(kind));
            assert_eq!(PropertyType::parse(kind.id()), Some(kind));
        }
        assert_eq!(PropertyType::from_number(3), None);
    }

    #[test]
    fn property_type_is_the_exact_id() {
        for wrong in [
            "",
            "Residential",
            " residential",
            "residential-house",
            "other",
            "multi",
        ] {
            assert_eq!(PropertyType::parse(wrong), None, "{wrong:?}");
        }
    }
}
