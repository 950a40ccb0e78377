//! Why a request is not an inquiry, in the words of spec section 5. Never contains what the visitor typed.

use std::borrow::Cow;

use super::choices::{Choice, Location, Problem};
use super::fields::SENT_NAMES;
use super::message::{self, Message};
use super::property_type::PropertyType;
use super::wire;
use crate::error_body::ErrorBody;

/// Why a request was refused, as the body of the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationError(ErrorBody);

impl ValidationError {
    /// Returns what the client learns.
    pub fn body(&self) -> &ErrorBody {
        &self.0
    }

    /// Converts into what the client learns.
    pub fn into_body(self) -> ErrorBody {
        self.0
    }

    /// Returns one of each kind, which the test of the API's description compares with it.
    pub fn each() -> Vec<Self> {
        let malformed = ["{", "[]"]
            .into_iter()
            .filter_map(|body| wire::read(body.as_bytes()).err());
        let mut each: Vec<Self> = malformed.map(|error| Self::malformed(&error)).collect();
        each.extend([
            Self::property_type(),
            Self::postal_code(),
            Self::problems(),
            Self::locations(),
            Self::required("first_name"),
            Self::name("first_name"),
            Self::name("last_name"),
            Self::email(),
            Self::phone(),
        ]);
        each
    }

    fn new(code: &'static str, message: &'static str) -> Self {
        Self(ErrorBody::new(code, message))
    }

    fn details(self, details: &'static str) -> Self {
        Self(self.0.details(details))
    }

    fn hint(self, hint: impl Into<Cow<'static, str>>) -> Self {
        Self(self.0.hint(hint))
    }

    pub(super) fn malformed(error: &serde_json::Error) -> Self {
        // The error's own text may quote the visitor's data; only its position is safe to report.
        let place = format!("line {}, column {}", error.line(), error.column());
        if error.classify() == serde_json::error::Category::Data {
            return Self::new("invalid_record", "Die Anfrage hat nicht die erwartete Form").hint(format!(
                "{place}: expected an array of exactly one object, or one object, with the text fields {}, \
                 each at most once and no other",
                SENT_NAMES.join(", ")
            ));
        }
        Self::new("invalid_json", "Die Anfrage konnte nicht gelesen werden")
            .hint(format!("{place}: this is not JSON in UTF-8"))
    }

    /// Says what a message says. The form ends its explanation with a full stop, the API does not.
    fn of(code: &'static str, message: &Message) -> Self {
        let error = Self::new(code, message.title);
        match message.description {
            Some(description) => error.details(description.trim_end_matches('.')),
            None => error,
        }
    }

    pub(super) fn property_type() -> Self {
        let ids = PropertyType::ALL.map(PropertyType::id).join(", ");
        let ids = ids
            .rsplit_once(", ")
            .map_or(ids.clone(), |(most, last)| format!("{most} or {last}"));
        Self::of("invalid_property_type", &message::PROPERTY_TYPE).hint(format!("property_type is {ids}"))
    }

    pub(super) fn postal_code() -> Self {
        Self::of("invalid_postal_code", &message::POSTAL_CODE)
    }

    pub(super) fn problems() -> Self {
        Self::of("invalid_types_of_problems", &message::TYPES_OF_PROBLEMS)
            .hint(list_hint::<Problem>("types_of_problems"))
    }

    pub(super) fn locations() -> Self {
        Self::of("invalid_problem_locations", &message::PROBLEM_LOCATIONS)
            .hint(list_hint::<Location>("problem_locations"))
    }

    /// No record has such a text: only the form without JavaScript says this.
    pub(super) fn free_text() -> Self {
        Self::of("invalid_free_text", &message::FREE_TEXT)
    }

    pub(super) fn required(field: &'static str) -> Self {
        Self::of("missing_field", &message::REQUIRED).hint(format!("{field} is missing or empty"))
    }

    pub(super) fn name(field: &'static str) -> Self {
        let error = match field {
            "first_name" => Self::of("invalid_first_name", &message::FIRST_NAME),
            _ => Self::of("invalid_last_name", &message::LAST_NAME),
        };
        error.hint(format!("{field} is too long or holds a control character"))
    }

    /// Returns the error of a text that is not an e-mail address.
    pub fn email() -> Self {
        Self::of("invalid_email_address", &message::EMAIL_ADDRESS)
    }

    pub(super) fn phone() -> Self {
        Self::of("invalid_phone_number", &message::PHONE_NUMBER)
    }
}

fn list_hint<C: Choice>(field: &str) -> String {
    let ids: Vec<_> = C::ALL.iter().map(|choice| choice.id()).collect();
    format!(
        "{field} holds {}, each at most once, joined by a comma",
        ids.join(", ")
    )
}
