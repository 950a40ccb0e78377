//! From the bytes of a request to a valid inquiry, or to the reasons why not.

use std::borrow::Cow;

use jiff::Timestamp;

use super::choices::{Choice, Location, Problem};
use super::contact::{EmailAddress, PersonName, PhoneNumber};
use super::fault::{self, Faults, Rule, ValidationError};
use super::fields::{Answers, Sent};
use super::inquiry::NewInquiry;
use super::postal_code::PostalCode;
use super::property::PropertyType;
use super::text::trim;
use super::{time, wire};

impl NewInquiry {
    /// Parses a request body: a JSON array of exactly one record, or the record alone. `now` is the time that
    /// counts when the client sent none that is credible.
    ///
    /// # Errors
    /// The first reason, in the order of the questionnaire's steps, why the body is not an inquiry.
    pub fn parse(body: &[u8], now: Timestamp) -> Result<Self, ValidationError> {
        let record = wire::read(body).map_err(|error| ValidationError::malformed(&error))?;
        Self::check(record, now)
            .map_err(|faults| faults.gravest().unwrap_or_else(|| fault::PROPERTY_TYPE.error()))
    }

    /// Checks every answer of a record.
    ///
    /// # Errors
    /// All that is wrong.
    pub(super) fn check(record: Sent<'_>, now: Timestamp) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let kind = record.property_type.as_deref().and_then(PropertyType::parse);
        let kind = faults.check(&fault::PROPERTY_TYPE, kind);
        let postal_code = record.postal_code.as_deref().and_then(PostalCode::parse);
        let postal_code = faults.check(&fault::POSTAL_CODE, postal_code);
        let problems = Problem::parse_list(record.types_of_problems.as_deref().unwrap_or_default());
        let problems = faults.check(&fault::TYPES_OF_PROBLEMS, problems);
        let locations = Location::parse_list(record.problem_locations.as_deref().unwrap_or_default());
        let locations = faults.check(&fault::PROBLEM_LOCATIONS, locations);

        let first_name = contact(
            &mut faults,
            &fault::FIRST_NAME,
            record.first_name.as_deref(),
            PersonName::parse,
        );
        let last_name = contact(
            &mut faults,
            &fault::LAST_NAME,
            record.last_name.as_deref(),
            PersonName::parse,
        );
        let email = record.email_address.as_deref();
        let email = contact(&mut faults, &fault::EMAIL_ADDRESS, email, EmailAddress::parse);
        let phone = record.phone_number.as_deref();
        let phone = contact(&mut faults, &fault::PHONE_NUMBER, phone, PhoneNumber::parse);

        let (Some(property_type), Some(postal_code)) = (kind, postal_code) else {
            return Err(faults);
        };
        let (Some(types_of_problems), Some(problem_locations)) = (problems, locations) else {
            return Err(faults);
        };
        let (Some(first_name), Some(last_name), Some(email_address), Some(phone_number)) =
            (first_name, last_name, email, phone)
        else {
            return Err(faults);
        };
        Ok(Self {
            created_at: time::credible(record.created_at.as_deref(), now),
            sent_created_at: record.created_at.map(Cow::into_owned),
            answers: Answers {
                postal_code,
                property_type,
                types_of_problems,
                problem_locations,
                first_name,
                last_name,
                email_address,
                phone_number,
            },
            suspicion: None,
        })
    }
}

/// Parses an answer of the contact step, which must not be missing or only white space.
fn contact<T>(
    faults: &mut Faults,
    rule: &'static Rule,
    text: Option<&str>,
    parse: fn(&str) -> Option<T>,
) -> Option<T> {
    match text.filter(|text| !trim(text).is_empty()) {
        Some(text) => faults.check(rule, parse(text)),
        None => faults.missing(rule),
    }
}
