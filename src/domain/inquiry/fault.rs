//! Wrong answers: all that a form has to say at once, of which the API tells the gravest in the shape that `PostgREST` clients
//! expect.

use std::borrow::Cow;

use serde::Serialize;

use super::message::{self, Message};
use super::text::trim;

/// The step in which the visitor says how to be reached. It names what is missing before what is wrong.
pub const CONTACT: u8 = 4;

/// One of a visitor's answers, for code that treats all of them alike.
#[derive(Debug)]
pub struct Field {
    /// Its name in requests, exports and messages.
    pub name: &'static str,
    /// The code of the error about one that is wrong.
    pub(super) code: &'static str,
    /// The step of the questionnaire, by which wrong answers are ordered.
    pub(super) step: u8,
    /// What is said of one that is wrong.
    pub(super) message: Message,
    /// What it holds, for the author of a client.
    pub(super) hint: fn() -> Option<String>,
}

/// One wrong answer.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    field: &'static Field,
    message: Message,
    is_missing: bool,
}

impl Fault {
    /// Returns the name of the field, as requests have it.
    pub fn field(&self) -> &'static str {
        self.field.name
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
        best.filter(|_| self.field.step == CONTACT).unwrap_or(title)
    }

    /// Returns what the questionnaire's toasts say in addition, where the field does not say it.
    pub fn explanation(&self) -> Option<&'static str> {
        let description = self.message.description;
        description.filter(|description| !self.is_missing && self.text() != *description)
    }

    /// Returns the error of the API.
    fn error(&self) -> ErrorBody {
        if self.is_missing {
            ErrorBody {
                hint: Some(format!("{} is missing or empty", self.field.name).into()),
                ..body("missing_field", &message::REQUIRED)
            }
        } else {
            wrong(self.field)
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
        let earlier = self.0.iter().find(|fault| fault.field.step != CONTACT);
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
            self.add(field, field.step == CONTACT && trim(text).is_empty());
        }
        answer
    }

    /// Says something else about a field that is wrong.
    pub(super) fn say_instead(&mut self, field: &str, message: Message) {
        for fault in self.0.iter_mut().filter(|fault| fault.field.name == field) {
            fault.message = message;
        }
    }

    /// Notes that an answer is wrong.
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

/// What a client learns about an error of the API. A page that renders an error shows the same message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorBody {
    /// A stable name for programs.
    pub code: &'static str,
    /// German, for the visitor.
    pub message: Cow<'static, str>,
    /// German, one more sentence for the visitor.
    pub details: Option<Cow<'static, str>>,
    /// English, for the client's author.
    pub hint: Option<Cow<'static, str>>,
}

impl ErrorBody {
    /// Creates an error with a message alone.
    pub fn new(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
            hint: None,
        }
    }
}
