//! Types of single values in files. Each accepts only valid values. Its error starts with `must be` or `is`, since the reader of
//! the file puts the key in front. Errors never quote the text, which may be a misplaced secret.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::LazyLock;

use regex::Regex;
use serde::de::value::{SeqAccessDeserializer, StrDeserializer};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::base::text::mail_address::Address;
use crate::base::text::origin::ascii_advice;
use crate::base::text::phone::dialled;

/// Deserializes an integer from `LOW` to `HIGH`.
pub fn within<'de, D, N, const LOW: i64, const HIGH: i64>(deserializer: D) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: TryFrom<i64>,
{
    let number = i64::deserialize(deserializer)?;
    let within = Some(number).filter(|number| (LOW..=HIGH).contains(number));
    let within = within.and_then(|number| N::try_from(number).ok());
    within.ok_or_else(|| D::Error::custom(format!("must lie between {LOW} and {HIGH}")))
}

/// Deserializes an angle in degrees from `-LIMIT` to `LIMIT`.
pub fn degrees<'de, D: Deserializer<'de>, const LIMIT: u8>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let degrees = f64::deserialize(deserializer)?;
    if degrees.abs() <= f64::from(LIMIT) {
        return Ok(Some(degrees));
    }
    Err(D::Error::custom(format!("must lie between -{LIMIT} and {LIMIT}")))
}

/// Creates a function that matches a text against a pattern, compiled on first use.
macro_rules! matching {
    ($pattern:expr) => {{
        static PATTERN: LazyLock<Regex> = LazyLock::new(|| pattern($pattern));
        |text: &str| PATTERN.is_match(text)
    }};
}

/// Compiles a constant pattern.
#[expect(
    clippy::expect_used,
    reason = "the patterns are constants, and a test uses each of them"
)]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
}

/// Defines a type for texts that a function accepts: trimmed, non-empty and without control characters.
macro_rules! text_value {
    ($(#[$documentation:meta])* $name:ident, $accepts:expr, $expected:literal) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                check(&text, $accepts, $expected).map(Self)
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

text_value!(
    /// Any single line of text.
    Line, |_| true, "be one line of text"
);
text_value!(
    /// `name@host.tld`
    Email, matching!(r#"^[^ @<>"]+@[^ @<>"]*\.[^ @<>"]*$"#), "be an e-mail address"
);
text_value!(
    /// An address to send mail to: in ASCII, without quoted parts.
    MailAddress, is_mail_address, "be an e-mail address in ASCII, such as \"anfrage@example.de\""
);
text_value!(
    /// A phone number in any usual spelling.
    Phone, matching!(r"^\+?(?:[ ()/.-]*[0-9]){4}[0-9 ()/.-]*$"), "be a phone number, such as \"+49 40 123456\""
);
text_value!(
    /// The URL of a web page.
    WebAddress,
    matching!(r#"^https?://[^/?#@ <>"'\\]+(?:[/?#][^ <>"'\\]*)?$"#),
    "be an https:// or http:// address"
);
text_value!(
    /// schema.org opening hours: `Mo-Fr 08:00-18:00`, `Mo,We 09:00-12:00`.
    OpeningHours,
    matching!(
        "(?x)^ (?:(?:Mo|Tu|We|Th|Fr|Sa|Su)[,-])* (?:Mo|Tu|We|Th|Fr|Sa|Su) \\x20 \
         (?:[01][0-9]:[0-5][0-9]|2[0-3]:[0-5][0-9]|24:00) - (?:[01][0-9]:[0-5][0-9]|2[0-3]:[0-5][0-9]|24:00) $"
    ),
    "look like \"Mo-Fr 08:00-18:00\""
);
text_value!(
    /// A Google tag id.
    TagId, matching!("^(?:GTM|AW|G)-[0-9A-Za-z_-]+$"), "look like \"GTM-ABC123\", \"AW-123456789\" or \"G-ABC123\""
);
text_value!(
    /// A Google Ads conversion.
    Conversion, matching!("^AW-[0-9A-Za-z_-]+/[0-9A-Za-z_-]+$"), "look like \"AW-123456789/label\""
);
text_value!(
    /// The id of an affiliate partner.
    PartnerId, matching!("^[0-9A-Za-z_-]+$"), "hold only letters, digits, hyphens and underscores"
);

fn check(text: &str, accepts: fn(&str) -> bool, expected: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("is empty; leave the key out instead".to_owned());
    }
    if text.chars().any(char::is_control) || !accepts(text) {
        return Err(format!("must {expected}{}", ascii_advice(text)));
    }
    Ok(text.to_owned())
}

impl Phone {
    /// The `tel:` URL.
    pub fn link(&self) -> String {
        format!("tel:{}", dialled(self))
    }
}

impl WebAddress {
    /// The host without `www.`, used as link text.
    pub fn label(&self) -> &str {
        let rest = self.split_once("://").map_or(&**self, |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        host.strip_prefix("www.").unwrap_or(host)
    }
}

impl Line {
    /// Wraps a text that comes from the program itself.
    pub(super) fn constant(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// Deserializes a list that may be written as a single string.
pub fn one_or_many<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct OneOrMany<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMany<T> {
        type Value = Vec<T>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a string or a list of strings")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Vec<T>, E> {
            Ok(vec![T::deserialize(StrDeserializer::new(text))?])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<T>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list))
        }
    }

    deserializer.deserialize_any(OneOrMany(PhantomData))
}

fn is_mail_address(text: &str) -> bool {
    let is_named =
        |(name, host): (&str, &str)| !name.contains('"') && host.contains('.') && is_host_name(host);
    // The maximum length according to RFC 5321.
    text.len() <= 254
        && text.is_ascii()
        && text.rsplit_once('@').is_some_and(is_named)
        && Address::parse(text).is_ok()
}

/// Whether a text is an ASCII host name.
pub fn is_host_name(text: &str) -> bool {
    matching!(
        "^(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?[.])*[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?$"
    )(text)
}
