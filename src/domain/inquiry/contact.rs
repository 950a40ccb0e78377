//! How to reach the visitor: names, e-mail address and telephone number.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Stored};
use super::limits;
use super::text::{BLANK, CONTROL, is_longer_than, pattern, trim, trim_unseen};
use crate::base::text::mail_address::Address;

// All are for trimmed text.

/// Neither white space at an end nor a control character anywhere.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        "^[^{CONTROL}{BLANK}](?:[^{CONTROL}]*[^{CONTROL}{BLANK}])?$"
    ))
});

/// A name, plain or in quotation marks that it does not need, `@`, and at least two labels of a host's name, of which the last does not begin with a
/// digit: then it would be an IP address, which can be written in many ways. No white space, no control character.
static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    // Of a name that needs no quotation marks: neither a dot nor what has a meaning of its own in addresses.
    let atom = format!(r#"[^{CONTROL}{BLANK}"(),.:;<>@\[\\\]]"#);
    // The same in quotation marks, where backslashes do not count.
    let quoted = format!(r"(?:{atom}|\\[0-9A-Za-z!#$%&'*+\-/=?^_`{{|}}~])+");
    // What a host's name may hold besides dots and hyphens: letters, digits and what is mapped to them.
    let letters = format!(r"{CONTROL}{BLANK}!-/:-@\[-`{{-~");
    let rest = format!("[^{letters}]*(?:-+[^{letters}]+)*");
    pattern(&format!(
        r#"^(?:{atom}+(?:\.{atom}+)*|"{quoted}(?:\\?\.{quoted})*")@(?:[^{letters}]{rest}\.)+[^{letters}0-9]{rest}$"#
    ))
});

/// Without its separators: `+49`, `0049`, `0` or nothing, then 9 to 13 digits, of which the first is not 0. Behind the country code
/// may come `(0)`, which is not dialled from abroad.
static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    // What does not count around the digits, and between them.
    let around = format!(r"[{BLANK}()\-]*");
    let between = format!(r"[{BLANK}()\-/.]*");
    let country = format!(r"(?:\+{around}|0{between}0{between})4{between}9{between}(?:\(0\){between})?");
    pattern(&format!(
        r"^(?:[()\-]{around})?(?:{country}|0{between})?[1-9](?:{between}[0-9]){{8,12}}(?:{around}[()\-])?$"
    ))
});

/// A first or last name: 1 to 100 characters, trimmed, without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonName(String);

impl PersonName {
    /// Parses the trimmed text; `None` if it is empty, too long or holds a control character.
    pub fn parse(text: &str) -> Option<Self> {
        checked(text, limits::NAME, &NAME).map(Self)
    }
}

/// An e-mail address to which mail can be sent, trimmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Parses the text without what cannot be seen at its ends; `None` if it is not an address.
    pub fn parse(text: &str) -> Option<Self> {
        let text = checked(trim_unseen(text), limits::EMAIL, &EMAIL)?;
        // What is encoded in a host's name, for example, is beyond a pattern.
        Address::parse(&text).is_ok().then_some(Self(text))
    }
}

/// A German telephone number, kept as it was typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhoneNumber(String);

impl PhoneNumber {
    /// Parses the text without what cannot be seen at its ends; separators do not count. `None` if it is not a number.
    pub fn parse(text: &str) -> Option<Self> {
        checked(trim_unseen(text), limits::PHONE, &PHONE).map(Self)
    }
}

/// Returns the trimmed text if it is not longer than `limit` and matches the pattern.
fn checked(text: &str, limit: usize, pattern: &Regex) -> Option<String> {
    let text = trim(text);
    (!is_longer_than(text, limit) && pattern.is_match(text)).then(|| text.to_owned())
}

/// Gives access to the text of a checked value.
macro_rules! text_of {
    ($($name:ident: $hint:expr;)*) => {$(
        impl $name {
            /// Returns the text, trimmed and otherwise as it was typed.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Answer for $name {
            fn to_stored(&self) -> Stored<'_> {
                Stored::Text(&self.0)
            }

            // Not checked again: a rule that grows stricter must not make older inquiries unreadable.
            fn from_stored(stored: Stored<'_>) -> Option<Self> {
                match stored {
                    Stored::Text(text) => Some(Self(text.to_owned())),
                    _ => None,
                }
            }

            fn to_text(&self) -> Cow<'_, str> {
                self.as_str().into()
            }

            fn hint() -> Option<String> {
                $hint.map(str::to_owned)
            }
        }
    )*};
}

text_of! {
    PersonName: Some("is too long or holds a control character");
    EmailAddress: None;
    PhoneNumber: None;
}
