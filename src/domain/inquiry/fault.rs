//! Wrong answers: all that a form has to say at once, of which the API tells the gravest.

use serde_json::error::Category;

use super::choices::{Choice, Location, Problem};
use super::error_body::ErrorBody;
use super::fields::SENT_NAMES;
use super::message::{self, Message};
use super::property::PropertyType;
use super::wire;

/// The messages about an invalid answer.
#[derive(Debug)]
pub struct Rule {
    field: &'static str,
    /// The step of the questionnaire, by which the wrong answers are ordered.
    step: u8,
    code: &'static str,
    message: Message,
    /// Tells the client's author what the field holds.
    hint: Option<fn(&str) -> String>,
}

/// The contact step, which names what is missing before what is wrong.
const CONTACT_STEP: u8 = 4;

impl Rule {
    fn is_contact(&self) -> bool {
        self.step == CONTACT_STEP
    }

    /// Returns the message of the API.
    pub(super) fn error(&self) -> ValidationError {
        ValidationError::new(self.code, &self.message, self.hint.map(|hint| hint(self.field)))
    }

    /// Returns the message of the API for a missing answer.
    fn missing(&self) -> ValidationError {
        let hint = format!("{} is missing or empty", self.field);
        ValidationError::new("missing_field", &message::REQUIRED, Some(hint))
    }
}

macro_rules! rules {
    ($($rule:ident $field:literal $step:expr, $code:literal $message:ident $hint:expr;)*) => {
        $(pub static $rule: Rule = Rule {
            field: $field,
            step: $step,
            code: $code,
            message: message::$message,
            hint: $hint,
        };)*
    };
}

// No record has the two free texts: only the form without JavaScript speaks of them, and of places outside the area.
rules! {
    PROPERTY_TYPE "property_type" 0, "invalid_property_type" PROPERTY_TYPE Some(is_a_type);
    POSTAL_CODE "postal_code" 1, "invalid_postal_code" POSTAL_CODE None;
    OUTSIDE_AREA "postal_code" 1, "invalid_postal_code" OUTSIDE_AREA None;
    TYPES_OF_PROBLEMS "types_of_problems" 2, "invalid_types_of_problems" TYPES_OF_PROBLEMS Some(holds::<Problem>);
    PROBLEM_OTHER "problem_other" 2, "invalid_free_text" FREE_TEXT None;
    PROBLEM_LOCATIONS "problem_locations" 3, "invalid_problem_locations" PROBLEM_LOCATIONS Some(holds::<Location>);
    LOCATION_OTHER "location_other" 3, "invalid_free_text" FREE_TEXT None;
    FIRST_NAME "first_name" CONTACT_STEP, "invalid_first_name" FIRST_NAME Some(is_no_name);
    LAST_NAME "last_name" CONTACT_STEP, "invalid_last_name" LAST_NAME Some(is_no_name);
    EMAIL_ADDRESS "email_address" CONTACT_STEP, "invalid_email_address" EMAIL_ADDRESS None;
    PHONE_NUMBER "phone_number" CONTACT_STEP, "invalid_phone_number" PHONE_NUMBER None;
}

fn is_a_type(field: &str) -> String {
    let ids = PropertyType::ALL.map(PropertyType::id).join(", ");
    match ids.rsplit_once(", ") {
        Some((most, last)) => format!("{field} is {most} or {last}"),
        None => format!("{field} is {ids}"),
    }
}

fn holds<C: Choice>(field: &str) -> String {
    let ids: Vec<_> = C::ALL.iter().map(|choice| choice.id()).collect();
    format!(
        "{field} holds {}, each at most once, joined by a comma",
        ids.join(", ")
    )
}

fn is_no_name(field: &str) -> String {
    format!("{field} is too long or holds a control character")
}

/// One wrong answer.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    rule: &'static Rule,
    is_missing: bool,
}

impl Fault {
    /// Returns the name of the field, as requests have it.
    pub fn field(&self) -> &'static str {
        self.rule.field
    }

    /// Returns what the questionnaire's toasts say first.
    pub fn title(&self) -> &'static str {
        if self.is_missing && self.rule.is_contact() {
            message::REQUIRED.title
        } else {
            self.rule.message.title
        }
    }

    /// Returns the most helpful message, for the field.
    pub fn text(&self) -> &'static str {
        let Message {
            title,
            description,
            missing,
        } = self.rule.message;
        let best = if self.is_missing { missing } else { description };
        // Of the steps before the last, the title says it, as their toasts do first.
        best.filter(|_| self.rule.is_contact()).unwrap_or(title)
    }

    /// Returns what the questionnaire's toasts say in addition, where the field does not say it.
    pub fn explanation(&self) -> Option<&'static str> {
        let description = self.rule.message.description;
        description.filter(|description| !self.is_missing && self.text() != *description)
    }

    fn error(&self) -> ValidationError {
        if self.is_missing {
            self.rule.missing()
        } else {
            self.rule.error()
        }
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

    /// Returns the one that the form names in its toast: that of the first step; of the last step, what is missing.
    pub fn gravest(&self) -> Option<ValidationError> {
        let earlier = self.0.iter().find(|fault| !fault.rule.is_contact());
        let missing = || self.0.iter().find(|fault| fault.is_missing);
        let fault = earlier.or_else(missing).or_else(|| self.0.first());
        fault.map(Fault::error)
    }

    /// Notes that an answer is wrong if there is none.
    pub(super) fn check<T>(&mut self, rule: &'static Rule, answer: Option<T>) -> Option<T> {
        if answer.is_none() {
            self.add(Fault {
                rule,
                is_missing: false,
            });
        }
        answer
    }

    /// Says something else about a field that is wrong.
    pub(super) fn say_instead(&mut self, rule: &'static Rule) {
        for fault in self.0.iter_mut().filter(|fault| fault.rule.field == rule.field) {
            fault.rule = rule;
        }
    }

    /// Notes that nothing was answered.
    pub(super) fn missing<T>(&mut self, rule: &'static Rule) -> Option<T> {
        self.add(Fault {
            rule,
            is_missing: true,
        });
        None
    }

    fn add(&mut self, fault: Fault) {
        let place = self.0.partition_point(|other| other.rule.step <= fault.rule.step);
        self.0.insert(place, fault);
    }
}

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
        each.push(FIRST_NAME.missing());
        let wrong = [
            &PROPERTY_TYPE,
            &POSTAL_CODE,
            &TYPES_OF_PROBLEMS,
            &PROBLEM_LOCATIONS,
            &FIRST_NAME,
            &LAST_NAME,
            &EMAIL_ADDRESS,
            &PHONE_NUMBER,
        ];
        each.extend(wrong.map(Rule::error));
        each
    }

    /// Composes a message. The form ends its explanation with a full stop, the API does not.
    fn new(code: &'static str, message: &Message, hint: Option<String>) -> Self {
        Self(ErrorBody {
            details: message.description.map(|text| text.trim_end_matches('.').into()),
            hint: hint.map(Into::into),
            ..ErrorBody::new(code, message.title)
        })
    }

    pub(super) fn malformed(error: &serde_json::Error) -> Self {
        // The error's own text may quote the visitor's data; only its position is safe to report.
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
        Self(ErrorBody::new(code, message).hint(hint))
    }

    /// Returns the error of a text that is not an e-mail address.
    pub fn email() -> Self {
        EMAIL_ADDRESS.error()
    }
}
