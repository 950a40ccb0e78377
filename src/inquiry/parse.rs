//! From the bytes of a request to a valid inquiry, or to the first reason why not (spec section 5).

use std::borrow::Cow;

use jiff::Timestamp;

use super::choices::{Choice, Location, Problem};
use super::contact::{EmailAddress, PersonName, PhoneNumber};
use super::fields::Answers;
use super::inquiry::NewInquiry;
use super::postal_code::PostalCode;
use super::property_type::PropertyType;
use super::text::trim;
use super::validation_error::ValidationError;
use super::{time, wire};

impl NewInquiry {
    /// Parses a request body: a JSON array of exactly one record, or the record alone. `now` is the time that
    /// counts when the client sent none that is credible.
    ///
    /// # Errors
    /// The first reason, in the order of the questionnaire's steps, why the body is not an inquiry.
    pub fn parse(body: &[u8], now: Timestamp) -> Result<Self, ValidationError> {
        let record = wire::read(body).map_err(|error| ValidationError::malformed(&error))?;

        let property_type = record.property_type.as_deref().and_then(PropertyType::parse);
        let property_type = property_type.ok_or_else(ValidationError::property_type)?;
        let postal_code = record.postal_code.as_deref().and_then(PostalCode::parse);
        let postal_code = postal_code.ok_or_else(ValidationError::postal_code)?;
        let problems = record.types_of_problems.as_deref().unwrap_or_default();
        let problems = Problem::parse_list(problems).ok_or_else(ValidationError::problems)?;
        let locations = record.problem_locations.as_deref().unwrap_or_default();
        let locations = Location::parse_list(locations).ok_or_else(ValidationError::locations)?;

        // As in the form: all four are there before the first of them is looked at.
        let first_name = filled(record.first_name.as_deref(), "first_name")?;
        let last_name = filled(record.last_name.as_deref(), "last_name")?;
        let email = filled(record.email_address.as_deref(), "email_address")?;
        let phone = filled(record.phone_number.as_deref(), "phone_number")?;

        let answers = Answers {
            postal_code,
            property_type,
            types_of_problems: problems,
            problem_locations: locations,
            first_name: PersonName::parse(first_name).ok_or_else(|| ValidationError::name("first_name"))?,
            last_name: PersonName::parse(last_name).ok_or_else(|| ValidationError::name("last_name"))?,
            email_address: EmailAddress::parse(email).ok_or_else(ValidationError::email)?,
            phone_number: PhoneNumber::parse(phone).ok_or_else(ValidationError::phone)?,
        };
        let created_at = time::credible(record.created_at.as_deref(), now);
        let sent_created_at = record.created_at.map(Cow::into_owned);
        Ok(Self {
            created_at,
            sent_created_at,
            answers,
            suspicion: None,
        })
    }
}

/// Returns the text of a required field; an error if it is missing or only white space.
fn filled<'a>(text: Option<&'a str>, field: &'static str) -> Result<&'a str, ValidationError> {
    text.filter(|text| !trim(text).is_empty())
        .ok_or_else(|| ValidationError::required(field))
}
