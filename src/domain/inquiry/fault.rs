//! Invalid answers. Forms show all of them at once; the API reports the most important one in the shape that `PostgREST` clients
//! expect.

use std::borrow::Cow;

use serde::Serialize;

use super::choices::messages;
use super::postal_code::PostalCode;
use super::text::trim;

/// The step for the contact details. It reports missing answers before invalid ones.
pub const CONTACT: u8 = 4;

/// The message to the visitor about an invalid answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The problem in a few words.
    pub title: &'static str,
    /// The expected answer, as a sentence.
    pub description: Option<&'static str>,
    /// The message for a missing answer.
    pub missing: Option<&'static str>,
}

/// One of the visitor's answers, described independently of its type.
#[derive(Debug)]
pub struct Field {
    /// The name in requests, exports and messages.
    pub name: &'static str,
    /// The error code for an invalid answer.
    pub(super) code: &'static str,
    /// The step of the questionnaire, by which faults are sorted.
    pub(super) step: u8,
    /// The message for an invalid answer.
    pub(super) message: Message,
    /// The expected value, for the author of a client.
    pub(super) hint: fn() -> Option<String>,
}

/// An invalid answer.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    field: &'static Field,
    message: Message,
    /// Whether there is no answer.
    pub is_missing: bool,
}

impl Fault {
    /// The name of the field in requests.
    pub fn field(&self) -> &'static str {
        self.field.name
    }

    /// The title of the questionnaire's toast.
    pub fn title(&self) -> &'static str {
        if self.is_missing {
            messages::REQUIRED.title
        } else {
            self.message.title
        }
    }

    /// The most helpful message to show at the field.
    pub fn text(&self) -> &'static str {
        let Message {
            title,
            description,
            missing,
        } = self.message;
        let best = if self.is_missing { missing } else { description };
        // Before the contact step, toasts show the title first, so the field shows it too.
        best.filter(|_| self.field.step == CONTACT).unwrap_or(title)
    }

    /// The further text of the questionnaire's toast, unless the field already shows it.
    pub fn explanation(&self) -> Option<&'static str> {
        let description = self.message.description;
        description.filter(|description| !self.is_missing && self.text() != *description)
    }

    /// The API's error for this fault.
    fn error(&self) -> ErrorBody {
        if self.is_missing {
            ErrorBody {
                hint: Some(format!("{} is missing or empty", self.field.name).into()),
                ..body("missing_field", &messages::REQUIRED)
            }
        } else {
            wrong(self.field)
        }
    }
}

/// The API's error for an invalid answer.
pub fn wrong(field: &Field) -> ErrorBody {
    ErrorBody {
        hint: (field.hint)().map(|hint| format!("{} {hint}", field.name).into()),
        ..body(field.code, &field.message)
    }
}

/// Builds an error. Explanations end with a full stop in the form but not in the API.
fn body(code: &'static str, message: &Message) -> ErrorBody {
    ErrorBody {
        details: message.description.map(|text| text.trim_end_matches('.').into()),
        ..ErrorBody::new(code, message.title)
    }
}

/// The invalid answers, in the order of the questionnaire's steps.
#[derive(Debug, Clone, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// All faults.
    pub fn all(&self) -> &[Fault] {
        &self.0
    }

    /// The error for the fault that the form names in its toast: the earliest step first; in the contact step, missing answers
    /// first.
    pub fn gravest(&self) -> Option<ErrorBody> {
        let earlier = self.0.iter().find(|fault| fault.field.step != CONTACT);
        let missing = || self.0.iter().find(|fault| fault.is_missing);
        let fault = earlier.or_else(missing).or_else(|| self.0.first());
        fault.map(Fault::error)
    }

    /// Parses an answer and records a fault if it is invalid. In the contact step, an answer of only white space counts as missing.
    pub(super) fn check<T>(
        &mut self,
        field: &'static Field,
        text: Option<&str>,
        parse: fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = text.unwrap_or_default();
        let answer = parse(text);
        if answer.is_none() {
            self.add(field, field.step == CONTACT && trim(text).is_empty());
        }
        answer
    }

    /// Explains a postal code that is invalid only because its place is not served yet.
    pub(super) fn explain_place(&mut self, typed: &str) {
        if PostalCode::is_elsewhere(typed) {
            for fault in &mut self.0 {
                if fault.field.name == "postal_code" {
                    fault.message = messages::OUTSIDE_AREA;
                }
            }
        }
    }

    /// Records an invalid answer.
    pub(super) fn add(&mut self, field: &'static Field, is_missing: bool) {
        let place = self.0.partition_point(|other| other.field.step <= field.step);
        let fault = Fault {
            field,
            message: field.message,
            is_missing,
        };
        self.0.insert(place, fault);
    }
}

/// An error of the API as sent to the client. Pages show the same message for an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorBody {
    /// A stable code for programs.
    pub code: &'static str,
    /// The message for the visitor, in German.
    pub message: Cow<'static, str>,
    /// A further sentence for the visitor, in German.
    pub details: Option<Cow<'static, str>>,
    /// A hint for the client's author, in English.
    pub hint: Option<Cow<'static, str>>,
}

impl ErrorBody {
    /// Creates an error with only a message.
    pub fn new(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
            hint: None,
        }
    }
}
