//! Wrong answers: all that a form has to say at once, of which the API tells the gravest.

use serde_json::error::Category;

use super::error_body::ErrorBody;
use super::fields::{ANSWERS, CONTACT, Field, SENT_NAMES};
use super::message::{self, Message};
use super::text::trim;

/// One wrong answer.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    field: &'static str,
    step: u8,
    message: Message,
    is_missing: bool,
}

impl Fault {
    /// Returns that of an answer which only the form without JavaScript has.
    pub(super) fn of_form(field: &'static str, step: u8, message: Message) -> Self {
        Self {
            field,
            step,
            message,
            is_missing: false,
        }
    }

    /// Returns the name of the field, as requests have it.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// Returns what the questionnaire's toasts say first.
    pub fn title(&self) -> &'static str {
        if self.is_missing {
            message::REQUIRED.title
        } else {
            self.message.title
        }
    }

    /// Returns the most helpful message, for the field.
    pub fn text(&self) -> &'static str {
        let Message {
            title,
            description,
            missing,
        } = self.message;
        let best = if self.is_missing { missing } else { description };
        // Of the steps before the last, the title says it, as their toasts do first.
        best.filter(|_| self.step == CONTACT).unwrap_or(title)
    }

    /// Returns what the questionnaire's toasts say in addition, where the field does not say it.
    pub fn explanation(&self) -> Option<&'static str> {
        let description = self.message.description;
        description.filter(|description| !self.is_missing && self.text() != *description)
    }

    /// Returns the error of the API.
    fn error(&self) -> ErrorBody {
        match ANSWERS.iter().find(|field| field.name == self.field) {
            Some(field) if self.is_missing => ErrorBody {
                hint: Some(format!("{} is missing or empty", field.name).into()),
                ..body("missing_field", &message::REQUIRED)
            },
            Some(field) => wrong(field),
            None => body("invalid_free_text", &self.message),
        }
    }
}

/// Returns the error of the API about a wrong answer.
pub fn wrong(field: &Field) -> ErrorBody {
    ErrorBody {
        hint: (field.hint)().map(|hint| format!("{} {hint}", field.name).into()),
        ..body(field.code, &field.message)
    }
}

/// Returns the error of an inquiry with which something is wrong that no field is.
pub fn unspecific() -> ErrorBody {
    ErrorBody::new("invalid_record", "Die Anfrage hat nicht die erwartete Form")
}

/// Composes an error. The form ends its explanation with a full stop, the API does not.
fn body(code: &'static str, message: &Message) -> ErrorBody {
    ErrorBody {
        details: message.description.map(|text| text.trim_end_matches('.').into()),
        ..ErrorBody::new(code, message.title)
    }
}

/// The wrong answers, in the order of the questionnaire's steps.
#[derive(Debug, Clone, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Returns all of them.
    pub fn all(&self) -> &[Fault] {
        &self.0
    }

    /// Returns the error about the one that the form names in its toast: that of the first step; of the last step, what is missing.
    pub fn gravest(&self) -> Option<ErrorBody> {
        let earlier = self.0.iter().find(|fault| fault.step != CONTACT);
        let missing = || self.0.iter().find(|fault| fault.is_missing);
        let fault = earlier.or_else(missing).or_else(|| self.0.first());
        fault.map(Fault::error)
    }

    /// Parses an answer, and notes if it is wrong. In the contact step, one that is only white space is missing.
    pub(super) fn check<T>(
        &mut self,
        field: &'static Field,
        text: Option<&str>,
        parse: fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = text.unwrap_or_default();
        let answer = parse(text);
        if answer.is_none() {
            self.add(Fault {
                field: field.name,
                step: field.step,
                message: field.message,
                is_missing: field.step == CONTACT && trim(text).is_empty(),
            });
        }
        answer
    }

    /// Says something else about a field that is wrong.
    pub(super) fn say_instead(&mut self, field: &str, message: Message) {
        for fault in self.0.iter_mut().filter(|fault| fault.field == field) {
            fault.message = message;
        }
    }

    pub(super) fn add(&mut self, fault: Fault) {
        let place = self.0.partition_point(|other| other.step <= fault.step);
        self.0.insert(place, fault);
    }
}

/// Returns the error of a body that is no record. The error's own text may quote the visitor's data; only its position is safe to
/// report.
pub fn malformed(error: &serde_json::Error) -> ErrorBody {
    let place = format!("line {}, column {}", error.line(), error.column());
    let (code, message, hint) = match error.classify() {
        Category::Data => (
            "invalid_record",
            "Die Anfrage hat nicht die erwartete Form",
            format!(
                "{place}: expected an array of exactly one object, or one object, with the text fields {}, \
                 each at most once and no other",
                SENT_NAMES.join(", ")
            ),
        ),
        _ => (
            "invalid_json",
            "Die Anfrage konnte nicht gelesen werden",
            format!("{place}: this is not JSON in UTF-8"),
        ),
    };
    ErrorBody {
        hint: Some(hint.into()),
        ..ErrorBody::new(code, message)
    }
}
