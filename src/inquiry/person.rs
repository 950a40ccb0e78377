//! How the operator finds all data stored for a person.

use super::fields::Answers;
use super::text::is_space;
use crate::text::mail_address::{self, Address};

/// How many digits a German number has after `+49` or `0`, as the form takes it.
const DIGITS: std::ops::RangeInclusive<usize> = 9..=13;

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
            return Some(Self::Mail(Address::parse(text).ok()?.key()));
        }
        let is_separator = |c: char| is_space(c) || matches!(c, '(' | ')' | '-' | '/' | '.');
        let dialled = text.replace(is_separator, "");
        let number = match dialled.strip_prefix('+') {
            Some(abroad) => abroad.strip_prefix("49")?,
            None => &dialled,
        };
        let digits = national(&dialled);
        let is_number = DIGITS.contains(&digits.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(Self::Phone(digits))
    }

    /// Returns whether an inquiry is this person's.
    pub fn has_given(&self, answers: &Answers) -> bool {
        match self {
            Self::Mail(_) => self.has_address(answers.email_address.as_str()),
            Self::Phone(digits) => *digits == national(answers.phone_number.as_str()),
        }
    }

    /// Returns whether a mail address is this person's.
    pub fn has_address(&self, email: &str) -> bool {
        matches!(self, Self::Mail(key) if *key == mail_address::key(email))
    }
}

/// Returns the digits of a phone number without the ways to write its beginning: `+49 40 1`, `0049 40 1`, `+49 (0)40 1` and
/// `040 1` are one.
pub fn national(number: &str) -> String {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let international = digits.strip_prefix("00").unwrap_or(&digits);
    let national = international.strip_prefix("49").unwrap_or(international);
    national.trim_start_matches('0').to_owned()
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
        ] {
            assert_eq!(Person::parse(spelling), phone, "{spelling}");
        }
        // Leer in East Frisia.
        for same in ["0491 123456", "+49 491 123456", "0049491 123456"] {
            assert_eq!(national(same), "491123456", "{same}");
        }
        let mail = Person::parse("anna@müller.de");
        assert!(mail.is_some());
        assert_eq!(Person::parse("\"Anna\"@XN--MLLER-KVA.de"), mail);
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
