//! The questionnaire as submitted without JavaScript: `application/x-www-form-urlencoded`, all steps at once.

use std::borrow::Cow;

use jiff::Timestamp;
use percent_encoding::percent_decode;

use super::additions::{additions, is_free_text};
use super::choices::messages;
use super::choices::{Choice, Location, Problem, Property};
use super::correction::Correction;
use super::fault::{Faults, Field};
use super::fields::{Answers, Sent};
use super::inquiry::NewInquiry;
use super::preselection::Preselection;
use super::suspicion::Suspicion;

/// Fields of the form that are not part of the record.
static PROBLEM_OTHER: Field = free_text("problem_other", 2);
static LOCATION_OTHER: Field = free_text("location_other", 3);

const fn free_text(name: &'static str, step: u8) -> Field {
    Field {
        name,
        code: "invalid_free_text",
        step,
        message: messages::FREE_TEXT,
        hint: || None,
    }
}

/// The contents of the form, whether or not they are valid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form {
    /// The id of a [`Property`].
    pub property: String,
    /// As typed.
    pub postal_code: String,
    /// The ids of the ticked options.
    pub problems: Vec<String>,
    /// The free text under Sonstiges.
    pub problem_other: String,
    /// The ids of the ticked options.
    pub locations: Vec<String>,
    /// The free text under Sonstiges.
    pub location_other: String,
    /// As typed.
    pub first_name: String,
    /// As typed.
    pub last_name: String,
    /// As typed.
    pub email: String,
    /// As typed.
    pub phone: String,
    /// The number of the consent sentence shown on the page.
    pub consent: Option<u16>,
    is_trap_filled: bool,
}

impl Form {
    /// Parses the body of a request; `None` if it is not UTF-8. Unknown fields are ignored, since some browser extensions add their
    /// own.
    pub fn read(body: &[u8]) -> Option<Self> {
        percent_decode(body).decode_utf8().ok()?;
        Some(Self::of(form_urlencoded::parse(body)))
    }

    /// Takes the fields of a form, ignoring unknown ones.
    pub fn of<'a>(fields: impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Self {
        let mut form = Self::default();
        for (name, value) in fields {
            form.set(&name, value);
        }
        form
    }

    /// A form with the contact details and the postal code of an inquiry, to be corrected.
    pub fn correcting(answers: &Answers) -> Self {
        Self {
            postal_code: answers.postal_code.to_string(),
            first_name: answers.first_name.as_str().to_owned(),
            last_name: answers.last_name.as_str().to_owned(),
            email: answers.email_address.as_str().to_owned(),
            phone: answers.phone_number.as_str().to_owned(),
            ..Self::default()
        }
    }

    /// Validates the contact details and the postal code by the rules of the API, regardless of the other answers.
    ///
    /// # Errors
    /// All invalid answers.
    pub fn correction(&self) -> Result<Correction, Faults> {
        Correction::parse(|name| match name {
            "postal_code" => Some(&self.postal_code),
            "first_name" => Some(&self.first_name),
            "last_name" => Some(&self.last_name),
            "email_address" => Some(&self.email),
            "phone_number" => Some(&self.phone),
            _ => None,
        })
    }

    /// A form with only the preselection from a link.
    pub fn preselected(preselection: Preselection) -> Self {
        let id = preselection.property.map(|property| property.id.to_owned());
        let location = preselection.location.map(|location| location.id().to_owned());
        Self {
            property: id.unwrap_or_default(),
            locations: location.into_iter().collect(),
            ..Self::default()
        }
    }

    fn set(&mut self, name: &str, value: Cow<'_, str>) {
        let value = value.into_owned();
        match name {
            // The last value counts: a hidden field with the preselected type precedes the options.
            "propertyType" => self.property = value,
            "postalCode" => self.postal_code = value,
            "problems" => self.problems.push(value),
            "problemOther" => self.problem_other = value,
            "locations" => self.locations.push(value),
            "locationOther" => self.location_other = value,
            "firstName" => self.first_name = value,
            "lastName" => self.last_name = value,
            "email" => self.email = value,
            "phone" => self.phone = value,
            "consent" => self.consent = value.parse().ok(),
            "homepage" => self.is_trap_filled |= !value.is_empty(),
            _ => {}
        }
    }

    /// Validates every answer by the rules of the API. Returns the inquiry, and the other answers as text.
    ///
    /// # Errors
    /// All invalid answers.
    pub fn check(&self, now: Timestamp) -> Result<(NewInquiry, String), Faults> {
        let property = Property::find(&self.property);
        let record = Sent {
            created_at: None,
            postal_code: Some(self.postal_code.clone()),
            property_type: property.map(|property| property.kind.id().to_owned()),
            types_of_problems: Some(self.problems.join(",")),
            problem_locations: Some(self.locations.join(",")),
            first_name: Some(self.first_name.clone()),
            last_name: Some(self.last_name.clone()),
            email_address: Some(self.email.clone()),
            phone_number: Some(self.phone.clone()),
        };
        let problem = said(&self.problems, Problem::Other, &self.problem_other);
        let location = said(&self.locations, Location::Other, &self.location_other);
        let checked = NewInquiry::check(record, now);
        let mut faults = checked.as_ref().err().cloned().unwrap_or_default();
        for (field, text) in [(&PROBLEM_OTHER, problem), (&LOCATION_OTHER, location)] {
            if !is_free_text(text.unwrap_or_default()) {
                faults.add(field, false);
            }
        }
        faults.explain_place(&self.postal_code);
        match checked {
            Ok(inquiry) if faults.all().is_empty() => Ok((inquiry, additions(property, problem, location))),
            _ => Err(faults),
        }
    }

    /// The suspicion raised by the form itself.
    pub fn suspicion(&self) -> Option<Suspicion> {
        self.is_trap_filled.then_some(Suspicion::TrapFilled)
    }

    /// The chosen building, if any.
    pub fn property(&self) -> Option<&'static Property> {
        Property::find(&self.property)
    }
}

/// The free text under Sonstiges if that option is ticked.
fn said<'a, C: Choice>(ids: &[String], other: C, text: &'a str) -> Option<&'a str> {
    let chosen = C::parse_list(&ids.join(","))?;
    chosen.contains(&other).then_some(text)
}
