//! How to reach the visitor: names, e-mail address and telephone number (spec section 5).

use std::sync::LazyLock;

use regex::Regex;

use super::text::{has_control, is_longer_than, is_space, pattern, trim};

/// Longest name, in characters (contract, "HTTP").
const NAME_LIMIT: usize = 100;
/// Longest e-mail address, in characters: what fits into an SMTP path (RFC 5321, erratum 1690).
const EMAIL_LIMIT: usize = 254;
/// Longest telephone number as typed, in characters: at most 16 count, the rest is for separators.
const PHONE_LIMIT: usize = 100;

/// A first or last name: 1 to 100 characters, trimmed, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonName(String);

impl PersonName {
    /// Reads the trimmed text; `None` if it is empty, too long or holds a control character.
    pub fn parse(text: &str) -> Option<Self> {
        let text = trim(text);
        let valid = !text.is_empty() && !is_longer_than(text, NAME_LIMIT) && !has_control(text);
        valid.then(|| Self(text.to_owned()))
    }
}

/// An e-mail address, trimmed: something, `@`, something, a dot, something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAddress(String);

/// For text that holds no white space, which is checked first.
static EMAIL: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[^@]+@[^@]+\.[^@]+$"));

impl EmailAddress {
    /// Reads the trimmed text; `None` if it is no address.
    pub fn parse(text: &str) -> Option<Self> {
        let text = trim(text);
        if is_longer_than(text, EMAIL_LIMIT) || has_control(text) || text.contains(is_space) {
            return None;
        }
        EMAIL.is_match(text).then(|| Self(text.to_owned()))
    }
}

/// A German telephone number, kept as it was typed (trimmed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhoneNumber(String);

/// For text without its separators.
static PHONE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:\+49|0)?[1-9][0-9]{8,12}$"));

impl PhoneNumber {
    /// Reads the trimmed text; spaces, hyphens and parentheses do not count. `None` if it is no number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = trim(text);
        if is_longer_than(text, PHONE_LIMIT) || has_control(text) {
            return None;
        }
        let counted: String = text
            .chars()
            .filter(|&c| !is_space(c) && !matches!(c, '-' | '(' | ')'))
            .collect();
        PHONE.is_match(&counted).then(|| Self(text.to_owned()))
    }
}

/// Access to the text of a checked value, and the way back from the store, which only holds checked ones.
macro_rules! text_of {
    ($($name:ident),*) => {$(
        impl $name {
            /// The text, trimmed and otherwise as it was typed.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text that [`Self::as_str`] gave, read back from the store. Not checked again: a rule
            /// that grows stricter must not make older inquiries unreadable.
            pub fn from_stored(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    )*};
}

text_of!(PersonName, EmailAddress, PhoneNumber);
