//! Why a request is not an inquiry, in the words of spec section 5. Never contains what the visitor typed.

use std::borrow::Cow;

use super::choices::{Choice, Location, Problem};
use super::fields::SENT_NAMES;
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

    pub(super) fn property_type() -> Self {
        Self::new("invalid_property_type", "Bitte wählen Sie einen Gebäudetyp aus")
            .hint("property_type is residential, commercial or industrial")
    }

    pub(super) fn postal_code() -> Self {
        Self::new(
            "invalid_postal_code",
            "Bitte geben Sie eine gültige Hamburger Postleitzahl ein",
        )
        .details("Gültige Postleitzahlen für Hamburg und Umgebung beginnen mit 20, 21, 22")
    }

    pub(super) fn problems() -> Self {
        Self::new(
            "invalid_types_of_problems",
            "Die Auswahl der Probleme ist ungültig",
        )
        .hint(list_hint::<Problem>("types_of_problems"))
    }

    pub(super) fn locations() -> Self {
        Self::new(
            "invalid_problem_locations",
            "Die Auswahl der betroffenen Stellen ist ungültig",
        )
        .hint(list_hint::<Location>("problem_locations"))
    }

    pub(super) fn required(field: &'static str) -> Self {
        Self::new("missing_field", "Bitte füllen Sie alle Pflichtfelder aus")
            .hint(format!("{field} is missing or empty"))
    }

    pub(super) fn name(field: &'static str) -> Self {
        let (code, message) = match field {
            "first_name" => ("invalid_first_name", "Ungültiger Vorname"),
            _ => ("invalid_last_name", "Ungültiger Nachname"),
        };
        Self::new(code, message)
            .details("Bitte geben Sie höchstens 100 Zeichen ein, ohne Steuerzeichen")
            .hint(format!("{field} is too long or holds a control character"))
    }

    /// Returns the error of a text that is not an e-mail address.
    pub fn email() -> Self {
        Self::new(
            "invalid_email_address",
            "Bitte geben Sie eine gültige E-Mail-Adresse ein",
        )
    }

    pub(super) fn phone() -> Self {
        Self::new("invalid_phone_number", "Ungültige Telefonnummer").details(
            "Bitte geben Sie eine gültige deutsche Telefonnummer ein (z.B. +49 123 456789 oder 0123 456789)",
        )
    }
}

fn list_hint<C: Choice>(field: &str) -> String {
    let ids: Vec<_> = C::ALL.iter().map(|choice| choice.id()).collect();
    format!(
        "{field} holds {}, each at most once, joined by a comma",
        ids.join(", ")
    )
}
