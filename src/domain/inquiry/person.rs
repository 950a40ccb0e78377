//! How the operator finds all data stored for a person.

use super::contact::PhoneNumber;
use super::fields::Answers;
use super::text::trim_unseen;
use crate::base::text::mail_address::{self, Address};
use crate::base::text::phone::national;

/// A person, by what they have given of themselves. The spelling does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Person {
    /// What all spellings of a mail address have in common.
    Mail(String),
    /// The digits of a phone number after `+49` or `0`.
    Phone(String),
}

impl Person {
    /// Parses a mail address or a phone number; `None` if it is neither.
    pub fn parse(text: &str) -> Option<Self> {
        if text.contains('@') {
            return Some(Self::Mail(Address::parse(trim_unseen(text)).ok()?.key()));
        }
        PhoneNumber::parse(text).map(|number| Self::Phone(national(number.as_str())))
    }

    /// Whether an inquiry is this person's.
    pub fn has_given(&self, answers: &Answers) -> bool {
        match self {
            Self::Mail(_) => self.has_address(answers.email_address.as_str()),
            Self::Phone(digits) => *digits == national(answers.phone_number.as_str()),
        }
    }

    /// Whether a mail address is this person's.
    pub fn has_address(&self, email: &str) -> bool {
        matches!(self, Self::Mail(key) if *key == mail_address::key(email))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_one_person() {
        let phone = Person::parse("+49 40 123456-78");
        assert!(phone.is_some());
        for spelling in [
            "040 12345678",
            "0049 (0)40 / 123.456.78",
            " +4940-12345678 ",
            "4012345678",
            "040/12345678",
            "49 40 12345678",
            "\u{202a}+49 40 12345678\u{202c}",
        ] {
            assert_eq!(Person::parse(spelling), phone, "{spelling}");
        }
        let mail = Person::parse("anna@müller.de");
        assert!(mail.is_some());
        assert_eq!(Person::parse("\"Anna\"@XN--MLLER-KVA.de\u{200b}"), mail);
        assert_ne!(Person::parse("anna+x@müller.de"), mail);
        for nobody in [
            "",
            "anna",
            "anna@",
            "@",
            "anna@example..de",
            "0",
            "040",
            "+1 555 123 45",
            "Kranich 12",
        ] {
            assert_eq!(Person::parse(nobody), None, "{nobody}");
        }
    }
}
