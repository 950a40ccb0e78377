//! The visitor's contact details: names, e-mail address and telephone number.

use std::borrow::Cow;
use std::sync::LazyLock;

use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::choices::limits;
use super::text::{BLANK, CONTROL, is_longer_than, pattern, trim, trim_unseen};
use crate::base::text::mail_address::Address;

// All patterns expect trimmed text.

/// No white space at either end, no control characters.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        "^[^{CONTROL}{BLANK}](?:[^{CONTROL}]*[^{CONTROL}{BLANK}])?$"
    ))
});

/// A local part, plain or in redundant quotation marks, `@`, and at least two host labels. The last label must not begin with a
/// digit: the host would be an IP address, which has many spellings. No white space, no control characters.
static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    // Characters of a local part that need no quotation marks: neither dots nor special characters.
    let atom = format!(r#"[^{CONTROL}{BLANK}"(),.:;<>@\[\\\]]"#);
    // The same inside quotation marks, where backslashes are ignored.
    let quoted = format!(r"(?:{atom}|\\[0-9A-Za-z!#$%&'*+\-/=?^_`{{|}}~])+");
    // The characters excluded from host labels; what remains are letters, digits and characters mapped to them, besides dots and
    // hyphens.
    let letters = format!(r"{CONTROL}{BLANK}!-/:-@\[-`{{-~");
    let rest = format!("[^{letters}]*(?:-+[^{letters}]+)*");
    pattern(&format!(
        r#"^(?:{atom}+(?:\.{atom}+)*|"{quoted}(?:\\?\.{quoted})*")@(?:[^{letters}]{rest}\.)+[^{letters}0-9]{rest}$"#
    ))
});

/// Ignoring separators: `+49`, `0049`, `0` or nothing, then 9 to 13 digits not starting with 0. The country code may be followed by
/// `(0)`, which is not dialled from abroad.
static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    // Separators ignored around the digits, and between them.
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
    /// Parses trimmed text; `None` if it is empty, too long or contains a control character.
    pub fn parse(text: &str) -> Option<Self> {
        checked(text, limits::NAME, &NAME).map(Self)
    }
}

/// A deliverable e-mail address, trimmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Parses the text, ignoring invisible characters at both ends; `None` if it is not an address.
    pub fn parse(text: &str) -> Option<Self> {
        let text = checked(trim_unseen(text), limits::EMAIL, &EMAIL)?;
        // Some rules are beyond a pattern, such as those for encoded host names.
        Address::parse(&text).is_ok().then_some(Self(text))
    }
}

/// A German telephone number, kept as typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhoneNumber(String);

impl PhoneNumber {
    /// Parses the text, ignoring invisible characters at both ends and separators. `None` if it is not a number.
    pub fn parse(text: &str) -> Option<Self> {
        checked(trim_unseen(text), limits::PHONE, &PHONE).map(Self)
    }
}

/// The trimmed text if it is within `limit` and matches the pattern.
fn checked(text: &str, limit: usize, pattern: &Regex) -> Option<String> {
    let text = trim(text);
    (!is_longer_than(text, limit) && pattern.is_match(text)).then(|| text.to_owned())
}

/// Implements access to the text of a validated value.
macro_rules! text_of {
    ($($name:ident: $hint:expr;)*) => {$(
        impl $name {
            /// The text, trimmed but otherwise as typed.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Answer for $name {
            fn encode<W: Write>(&self, encoder: &mut Encoder<W>) -> Result<(), encode::Error<W::Error>> {
                encoder.str(&self.0)?;
                Ok(())
            }

            // Not validated again: stricter rules must not make older inquiries unreadable.
            fn decode(decoder: &mut Decoder<'_>) -> Option<Self> {
                decoder.str().ok().map(|text| Self(text.to_owned()))
            }

            fn to_bytes(&self) -> Cow<'_, [u8]> {
                self.0.as_bytes().into()
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
