//! Corrections of the contact details and the postal code, by the rules of the questionnaire.

use serde::{Deserialize, Serialize};

use super::contact::{EmailAddress, PersonName, PhoneNumber};
use super::fault::{Fault, Faults};
use super::fields::{ANSWERS, Answers};
use super::postal_code::PostalCode;

/// Answers that replace wrong ones; `None` for those that stay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The postal code of the building.
    pub postal_code: Option<PostalCode>,
    /// The visitor's first name.
    pub first_name: Option<PersonName>,
    /// The visitor's last name.
    pub last_name: Option<PersonName>,
    /// The visitor's e-mail address.
    pub email_address: Option<EmailAddress>,
    /// The visitor's telephone number, as typed.
    pub phone_number: Option<PhoneNumber>,
}

impl Correction {
    /// Validates what was typed, by the names of the fields in requests. Answers without a text stay.
    ///
    /// # Errors
    /// All invalid answers.
    pub fn parse<'a>(typed: impl Fn(&str) -> Option<&'a str>) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let [code, _, _, _, first, last, email, phone] = &ANSWERS;
        let correction = Self {
            postal_code: typed(code.name).and_then(|text| faults.check(code, Some(text), PostalCode::parse)),
            first_name: typed(first.name).and_then(|text| faults.check(first, Some(text), PersonName::parse)),
            last_name: typed(last.name).and_then(|text| faults.check(last, Some(text), PersonName::parse)),
            email_address: typed(email.name)
                .and_then(|text| faults.check(email, Some(text), EmailAddress::parse)),
            phone_number: typed(phone.name)
                .and_then(|text| faults.check(phone, Some(text), PhoneNumber::parse)),
        };
        faults.explain_place(typed(code.name).unwrap_or_default());
        if faults.all().is_empty() {
            Ok(correction)
        } else {
            Err(faults)
        }
    }

    /// Validates a telephone number as the only correction.
    ///
    /// # Errors
    /// The message to show at the field.
    pub fn of_phone(typed: &str) -> Result<Self, &'static str> {
        let [.., phone] = &ANSWERS;
        let parsed = Self::parse(|name| (name == phone.name).then_some(typed));
        parsed.map_err(|faults| faults.all().first().map_or("", Fault::text))
    }

    /// Replaces answers; returns the names of those that have changed.
    pub fn apply(&self, answers: &mut Answers) -> Vec<&'static str> {
        let before = answers.clone();
        replace(&mut answers.postal_code, self.postal_code.as_ref());
        replace(&mut answers.first_name, self.first_name.as_ref());
        replace(&mut answers.last_name, self.last_name.as_ref());
        replace(&mut answers.email_address, self.email_address.as_ref());
        replace(&mut answers.phone_number, self.phone_number.as_ref());
        let pairs = before.to_bytes().into_iter().zip(answers.to_bytes());
        let fields = ANSWERS.iter().zip(pairs);
        let changed = fields.filter(|(_, (before, after))| before != after);
        changed.map(|(field, _)| field.name).collect()
    }
}

fn replace<T: Clone>(answer: &mut T, new: Option<&T>) {
    if let Some(new) = new {
        answer.clone_from(new);
    }
}
