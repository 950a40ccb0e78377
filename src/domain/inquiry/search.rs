//! Searching for an inquiry by what a caller knows.

use std::collections::BTreeSet;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use uuid::Uuid;

use super::answer::Answer;
use super::contact::PhoneNumber;
use super::fields::Answers;
use super::name::reference;
use super::postal_code::PostalCode;
use super::text::trim_unseen;
use crate::base::text::Malformed;
use crate::base::text::mail_address::{self, Address};
use crate::base::text::phone::national;

/// The minimum length of an id's prefix in a search: shorter ones match too many inquiries.
const ID_START: usize = 4;

/// The minimum number of phone digits in a search, for the same reason.
const DIGITS: usize = 3;

/// Search text: parts of names, as written or as they sound, of a mail address, a postal code with its place, or the visitor's
/// own words; digits of a phone number; a reference, or the beginning of an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The text, normalized for letter case and spaces.
    text: String,
    /// The text by its sound.
    sound: String,
    /// The numbers of the postal codes that match with their place: found once, since they need not be written for each inquiry.
    codes: BTreeSet<u16>,
    /// The digits of a possible phone number, without `+49` or `0`.
    digits: Option<String>,
}

impl Search {
    /// Whether an inquiry with this addition matches; `answers` is `None` once it is withdrawn or erased.
    pub fn finds(&self, id: Uuid, answers: Option<&Answers>, addition: &str) -> bool {
        self.names(id) || answers.is_some_and(|answers| self.is_of(answers, addition))
    }

    fn names(&self, id: Uuid) -> bool {
        let is_start = self.text.len() >= ID_START && id.to_string().starts_with(&self.text);
        is_start || self.text == reference(id)
    }

    fn is_of(&self, answers: &Answers, addition: &str) -> bool {
        let (first, last) = (answers.first_name.as_str(), answers.last_name.as_str());
        let email = answers.email_address.as_str();
        // Searching one text takes a fraction of the time of several. Nobody types its separators.
        let names = folded(&format!("{first} {last} {first}\0{last}, {first}"));
        self.codes.contains(&answers.postal_code.number())
            || names.contains(&self.text)
            || sound(&names).contains(&self.sound)
            || folded(&format!("{email}\0{addition}")).contains(&self.text)
            || self.digits.as_ref().is_some_and(|digits| {
                let number = answers.phone_number.to_text();
                national(&number).contains(digits)
            })
    }
}

impl FromStr for Search {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let text = trim_unseen(text);
        let folded = folded(text);
        if folded.is_empty() {
            return Err(Malformed(
                "expected a part of a name, of a mail address or of a phone number, a reference or an id",
            ));
        }
        let is_number = text
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_whitespace() || "+-/().".contains(c));
        let digits = is_number.then(|| national(text));
        let codes = (0..=u16::MAX).filter_map(PostalCode::from_number);
        let codes = codes.filter(|code| self::folded(&code.with_place()).contains(&folded));
        Ok(Self {
            codes: codes.map(PostalCode::number).collect(),
            sound: sound(&folded),
            text: folded,
            digits: digits.filter(|digits| digits.len() >= DIGITS),
        })
    }
}

/// The text in lower case, with single spaces between words. Umlauts are composed to one character, and ß becomes ss, as in
/// capitals.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    if folded.is_ascii() {
        folded.make_ascii_lowercase();
        return folded;
    }
    let lower = folded.to_lowercase();
    let is_composed = is_nfc_quick(lower.chars()) == IsNormalized::Yes;
    let text = if is_composed { lower } else { lower.nfc().collect() };
    text.replace('ß', "ss")
}

/// A folded name by its sound: Maier, Mayer and Meyer are the same, and so are Müller, Mueller and Muller.
fn sound(folded: &str) -> String {
    let (mut sound, mut letters) = (String::with_capacity(folded.len()), folded.chars().peekable());
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let (heard, takes_next) = match (letter, next) {
            ('a' | 'e', Some('i' | 'y')) => ("ai", true),
            ('a', Some('e')) => ("a", true),
            ('o', Some('e')) => ("o", true),
            ('u', Some('e')) => ("u", true),
            ('ä', _) => ("a", false),
            ('ö', _) => ("o", false),
            ('ü', _) => ("u", false),
            ('y', _) => ("i", false),
            (other, _) => {
                sound.push(other);
                continue;
            }
        };
        sound.push_str(heard);
        if takes_next {
            letters.next();
        }
    }
    sound
}

/// A person identified by their mail address or phone number, independent of its spelling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Person {
    /// The key shared by all spellings of a mail address.
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

    /// Whether an inquiry was sent by this person.
    pub fn has_given(&self, answers: &Answers) -> bool {
        match self {
            Self::Mail(_) => self.has_address(answers.email_address.as_str()),
            Self::Phone(digits) => *digits == national(answers.phone_number.as_str()),
        }
    }

    /// Whether this is the person's mail address.
    pub fn has_address(&self, email: &str) -> bool {
        matches!(self, Self::Mail(key) if *key == mail_address::key(email))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::domain::inquiry::NewInquiry;

    #[test]
    fn an_inquiry_is_found_by_what_a_caller_says() {
        let body = serde_json::json!({
            "postal_code": "20095", "property_type": "residential", "first_name": "J\u{f6}rg", "last_name": "Wei\u{df}-M\u{fc}ller",
            "email_address": "Joerg.M@Example.de", "phone_number": "+49 40 123-45 67",
        });
        let now: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
        let inquiry = NewInquiry::parse(body.to_string().as_bytes(), now).unwrap();
        let id: Uuid = "019a3c5e-7b1c-7def-8000-0123456789ab".parse().unwrap();
        let addition = "Balkon im 3. Stock";
        let finds = |text: &str| {
            text.parse::<Search>()
                .unwrap()
                .finds(id, Some(&inquiry.answers), addition)
        };
        for text in [
            "J\u{d6}RG",
            "jo\u{308}rg",
            "m\u{fc}ll",
            "wei\u{df}-M\u{dc}LLER",
            " j\u{f6}rg   wei\u{df} ",
            "WEISS-M",
            "weiss",
            "WEI\u{1e9e}",
            "M\u{fc}ller, J\u{f6}",
            "joerg.m@",
            "EXAMPLE.DE",
            "040 1234567",
            "+49 40 1234567",
            "0049 40 123",
            "401234567",
            "1234567",
            "0123456789AB",
            "019A3C5E",
            "019a3c5e-7b1c-7d",
            "20095",
            "hamburg-alt",
            "BALKON",
            "Muller",
            "Joerg Wais",
        ] {
            assert!(finds(text), "{text}");
        }
        for text in [
            "Meier",
            "weis-m",
            "0123456789a",
            "40 999",
            "01",
            "12",
            "@@",
            "7def-8000",
            "56789ab",
            ".",
        ] {
            assert_eq!(finds(text), text == ".", "{text}");
        }
        assert!("0123456789ab".parse::<Search>().unwrap().finds(id, None, ""));
        assert!(!"jo".parse::<Search>().unwrap().finds(id, None, ""));
        for (sought, name) in [
            ("maier", "meier"),
            ("Meyer", "mayer"),
            ("Bäcker", "baecker"),
            ("Muller", "müller"),
        ] {
            assert_eq!(sought.parse::<Search>().unwrap().sound, sound(name), "{sought}");
        }
        for empty in ["", " ", "\t"] {
            assert!(empty.parse::<Search>().is_err());
        }
    }

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
