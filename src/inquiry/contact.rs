//! How to reach the visitor: names, e-mail address and telephone number (spec section 5).

use std::sync::LazyLock;

use regex::Regex;

use super::text::{blank, control, is_longer_than, pattern, trim};

/// Longest name, in characters (contract, "HTTP").
pub const NAME_LIMIT: usize = 100;
/// Longest e-mail address, in characters: what fits into an SMTP path (RFC 5321, erratum 1690).
pub const EMAIL_LIMIT: usize = 254;
/// Longest telephone number as typed, in characters: at most 16 count, the rest is for separators.
pub const PHONE_LIMIT: usize = 100;

/// One character of a text with an `@` in it.
macro_rules! address_part {
    () => {
        concat!("[^@", control!(), blank!(), "]")
    };
}

/// What may stand in a telephone number and does not count.
macro_rules! separators {
    () => {
        concat!("[", blank!(), r"()\-]*")
    };
}

/// Neither white space at an end nor a control character anywhere. All patterns are for trimmed text.
pub const NAME_PATTERN: &str = concat!(
    "^[^",
    control!(),
    blank!(),
    "](?:[^",
    control!(),
    "]*[^",
    control!(),
    blank!(),
    "])?$"
);
/// Something, `@`, something, a dot, something; no white space, no control character.
pub const EMAIL_PATTERN: &str = concat!(
    "^",
    address_part!(),
    "+@",
    address_part!(),
    r"+\.",
    address_part!(),
    "+$"
);
/// Without its separators: `+49`, `0` or nothing, then 9 to 13 digits, of which the first is not 0.
pub const PHONE_PATTERN: &str = concat!(
    r"^(?:[()\-]",
    separators!(),
    ")?",
    r"(?:\+",
    separators!(),
    "4",
    separators!(),
    "9",
    separators!(),
    "|0",
    separators!(),
    ")?",
    "[1-9](?:",
    separators!(),
    "[0-9]){8,12}",
    "(?:",
    separators!(),
    r"[()\-])?$"
);

static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(NAME_PATTERN));
static EMAIL: LazyLock<Regex> = LazyLock::new(|| pattern(EMAIL_PATTERN));
static PHONE: LazyLock<Regex> = LazyLock::new(|| pattern(PHONE_PATTERN));

/// A first or last name: 1 to 100 characters, trimmed, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonName(String);

impl PersonName {
    /// Reads the trimmed text; `None` if it is empty, too long or holds a control character.
    pub fn parse(text: &str) -> Option<Self> {
        checked(text, NAME_LIMIT, &NAME).map(Self)
    }
}

/// An e-mail address, trimmed: something, `@`, something, a dot, something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Reads the trimmed text; `None` if it is no address.
    pub fn parse(text: &str) -> Option<Self> {
        checked(text, EMAIL_LIMIT, &EMAIL).map(Self)
    }
}

/// A German telephone number, kept as it was typed (trimmed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhoneNumber(String);

impl PhoneNumber {
    /// Reads the trimmed text; spaces, hyphens and parentheses do not count. `None` if it is no number.
    pub fn parse(text: &str) -> Option<Self> {
        checked(text, PHONE_LIMIT, &PHONE).map(Self)
    }
}

/// The trimmed text, if it is not longer than `limit` and fits the pattern.
fn checked(text: &str, limit: usize, pattern: &Regex) -> Option<String> {
    let text = trim(text);
    (!is_longer_than(text, limit) && pattern.is_match(text)).then(|| text.to_owned())
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
