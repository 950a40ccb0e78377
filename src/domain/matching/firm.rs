//! Firms that take inquiries.

use jiff::civil::Date;
use std::fmt;
use std::sync::Arc;

use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder, decode};
use serde::Deserialize;

use crate::base::text::{Malformed, serde_as_text};
use crate::domain::commission::Terms;
use crate::domain::inquiry::{Answers, PostalCode, Problem, PropertyType};

/// A firm from the configuration file, validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Firm {
    /// Unique and permanent, even if the name changes.
    pub id: FirmId,
    /// The name shown to visitors.
    pub name: String,
    /// The address to which inquiries are sent.
    pub email: String,
    /// The phone number, shown to the visitor once the firm has accepted.
    pub phone: Option<String>,
    /// The website, also shown to the visitor once the firm has accepted.
    pub website: Option<String>,
    /// The area in which it works.
    pub postal_codes: Vec<PostalPrefix>,
    /// The types of buildings that it takes; `None` for all types.
    pub property_types: Option<Vec<PropertyType>>,
    /// The problems that it takes; `None` for all problems.
    pub problems: Option<Vec<Problem>>,
    /// The maximum number of requests within seven days; `None` for no limit.
    pub per_week: Option<u32>,
    /// Whether the file excludes it from being asked. Pauses by the operator are in the store.
    pub paused: bool,
    /// What it pays for accepted inquiries; `None` if not configured.
    pub commission: Option<Terms>,
    /// The latest check of the firm.
    pub checked: Option<Check>,
}

impl Firm {
    /// The firm with this id; `None` if it does not exist.
    pub fn find<'a>(firms: &'a [Self], id: &FirmId) -> Option<&'a Self> {
        firms.iter().find(|firm| firm.id == *id)
    }

    /// Whether it takes an inquiry, regardless of earlier requests.
    pub fn takes(&self, answers: &Answers) -> bool {
        self.why_not(answers).is_none()
    }

    /// Why it does not take an inquiry, regardless of earlier requests; `None` if it does.
    pub fn why_not(&self, answers: &Answers) -> Option<&'static str> {
        let code = answers.postal_code.to_string();
        let (types, problems) = (&self.property_types, &self.problems);
        // Visitors may choose no problem.
        let chosen = &answers.types_of_problems;
        let takes_any = |taken: &Vec<Problem>| chosen.iter().any(|problem| taken.contains(problem));
        if self.paused || self.per_week == Some(0) {
            Some("paused")
        } else if !self
            .postal_codes
            .iter()
            .any(|prefix| code.starts_with(prefix.as_str()))
        {
            Some("works elsewhere")
        } else if types
            .as_ref()
            .is_some_and(|types| !types.contains(&answers.property_type))
        {
            Some("takes other buildings")
        } else if !chosen.is_empty() && !problems.as_ref().is_none_or(takes_any) {
            Some("takes other problems")
        } else {
            None
        }
    }
}

/// The id of a firm: lower-case letters, digits and hyphens. It stays when the firm's name changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FirmId(Arc<str>);

serde_as_text!(FirmId, FirmId::parse);

/// The maximum length of an id in bytes: each inquiry stores the ids of the firms that were asked.
const MAX_LENGTH: usize = 64;

/// The error for text that is not a firm id.
const NOT_A_FIRM_ID: Malformed =
    Malformed("must be 1 to 64 lower-case letters, digits and hyphens, such as \"nordnetz\"");

impl FirmId {
    /// Parses an id.
    ///
    /// # Errors
    /// If it is empty, too long or contains other characters.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let is_valid = !text.is_empty()
            && text.len() <= MAX_LENGTH
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if is_valid {
            Ok(Self(text.into()))
        } else {
            Err(NOT_A_FIRM_ID)
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FirmId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<C> minicbor::Encode<C> for FirmId {
    fn encode<W: Write>(&self, encoder: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
        encoder.str(self.as_str())?;
        Ok(())
    }
}

impl<'b, C> minicbor::Decode<'b, C> for FirmId {
    fn decode(decoder: &mut Decoder<'b>, _: &mut C) -> Result<Self, decode::Error> {
        Self::parse(decoder.str()?).map_err(|_| decode::Error::message("not the id of a firm"))
    }
}

/// The first one to five digits of postal codes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PostalPrefix(Box<str>);

/// The error for text that is not a prefix.
const NOT_A_PREFIX: Malformed =
    Malformed("must be the first 1 to 5 digits of postal codes, in quotation marks, such as \"221\"");

impl PostalPrefix {
    /// Parses a prefix.
    ///
    /// # Errors
    /// If it is not one to five digits.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let is_valid = (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_valid.then(|| Self(text.into())).ok_or(NOT_A_PREFIX)
    }

    /// The digits of the prefix.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether any postal code of the service area has this prefix.
    pub fn is_within_area(&self) -> bool {
        // The area begins at 20000, so if it contains any code with the prefix, it contains the lowest.
        PostalCode::parse(&format!("{:0<5}", self.0)).is_some()
    }
}

impl TryFrom<String> for PostalPrefix {
    type Error = Malformed;

    fn try_from(text: String) -> Result<Self, Malformed> {
        Self::parse(&text)
    }
}

/// A check of a firm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The person who checked the firm.
    pub by: String,
    /// The day in Hamburg; never in the future.
    pub on: Date,
    /// What was checked, such as an insurance.
    pub what: Vec<String>,
}

impl Check {
    /// The last day on which the check is valid: one day before its date a year later. One year after 29 February is 28 February (§
    /// 188 BGB).
    pub fn last_day(&self) -> Date {
        let year = self.on.year().saturating_add(1);
        let same = Date::new(year, self.on.month(), self.on.day());
        let last = same.and_then(Date::yesterday);
        last.or_else(|_| Date::new(year, 2, 28)).unwrap_or(self.on)
    }

    /// Whether the check is valid on a day.
    pub fn counts(&self, today: Date) -> bool {
        self.on <= today && today <= self.last_day()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain() {
        for id in ["a", "nordnetz", "firma-24", "0"] {
            assert_eq!(FirmId::parse(id).unwrap().as_str(), id);
        }
        for wrong in ["", "Nordnetz", "nord netz", "nörd", "a_b", "a.b", &"a".repeat(65)] {
            assert_eq!(FirmId::parse(wrong), Err(NOT_A_FIRM_ID), "{wrong}");
        }
    }

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
            assert_eq!(PostalPrefix::parse(wrong), Err(NOT_A_PREFIX), "{wrong}");
        }
    }
}
