//! Wrong answers: all that a form has to say at once, of which the API tells the gravest.

use super::message::{self, Message};
use super::validation_error::ValidationError;

/// What is said of an answer that is wrong.
#[derive(Debug)]
pub struct Rule {
    field: &'static str,
    message: Message,
    error: fn() -> ValidationError,
    /// The step of the questionnaire, by which the wrong answers are ordered.
    step: u8,
}

/// The contact step, which names what is missing before what is wrong.
const CONTACT_STEP: u8 = 4;

impl Rule {
    fn is_contact(&self) -> bool {
        self.step == CONTACT_STEP
    }
}

macro_rules! rules {
    ($($rule:ident $field:literal $message:ident $error:expr, $step:expr;)*) => {
        $(pub static $rule: Rule = Rule {
            field: $field,
            message: message::$message,
            error: $error,
            step: $step,
        };)*
    };
}

rules! {
    PROPERTY_TYPE "property_type" PROPERTY_TYPE ValidationError::property_type, 0;
    POSTAL_CODE "postal_code" POSTAL_CODE ValidationError::postal_code, 1;
    TYPES_OF_PROBLEMS "types_of_problems" TYPES_OF_PROBLEMS ValidationError::problems, 2;
    PROBLEM_OTHER "problem_other" FREE_TEXT ValidationError::free_text, 2;
    PROBLEM_LOCATIONS "problem_locations" PROBLEM_LOCATIONS ValidationError::locations, 3;
    LOCATION_OTHER "location_other" FREE_TEXT ValidationError::free_text, 3;
    FIRST_NAME "first_name" FIRST_NAME || ValidationError::name("first_name"), CONTACT_STEP;
    LAST_NAME "last_name" LAST_NAME || ValidationError::name("last_name"), CONTACT_STEP;
    EMAIL_ADDRESS "email_address" EMAIL_ADDRESS ValidationError::email, CONTACT_STEP;
    PHONE_NUMBER "phone_number" PHONE_NUMBER ValidationError::phone, CONTACT_STEP;
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

    /// Returns what is said at the field: what helps most.
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

    /// Returns what the questionnaire's toasts say besides, where the field does not say it.
    pub fn explanation(&self) -> Option<&'static str> {
        let description = self.rule.message.description;
        description.filter(|description| !self.is_missing && self.text() != *description)
    }

    fn error(&self) -> ValidationError {
        if self.is_missing {
            ValidationError::required(self.rule.field)
        } else {
            (self.rule.error)()
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
