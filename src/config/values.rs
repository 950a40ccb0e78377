//! Types of single values in files: each accepts only what is valid, and its error says what was expected, in words that continue
//! after the key, which only the reader of the file knows: `must be …` or `is …`. None repeats the text, which may hold a secret in the
//! wrong place.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::value::{SeqAccessDeserializer, StrDeserializer};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::base::text::ascii_host;
use crate::base::text::mail_address::Address;
use crate::base::text::phone::dialled;

/// Deserializes a whole number from `LOW` to `HIGH`.
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

/// Deserializes degrees between `-LIMIT` and `LIMIT`.
pub fn degrees<'de, D: Deserializer<'de>, const LIMIT: u8>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let degrees = f64::deserialize(deserializer)?;
    if degrees.abs() <= f64::from(LIMIT) {
        return Ok(Some(degrees));
    }
    Err(D::Error::custom(format!("must lie between -{LIMIT} and {LIMIT}")))
}

/// Defines a type for trimmed, non-empty texts without control characters that a function accepts. Plain functions rather
/// than patterns: they run once at every start, which compiling patterns would slow down.
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
    /// Any text on one line.
    Line, |_| true, "be one line of text"
);
text_value!(
    /// `name@host.tld`
    Email, is_email, "be an e-mail address"
);
text_value!(
    /// An address that mail can be sent to, without quoted parts and in ASCII.
    MailAddress, is_mail_address, "be an e-mail address in ASCII, such as \"anfrage@example.de\""
);
text_value!(
    /// A phone number as people write it.
    Phone, is_phone, "be a phone number, such as \"+49 40 123456\""
);
text_value!(
    /// The address of a web page.
    WebAddress, is_web_address, "be an https:// or http:// address"
);
text_value!(
    /// schema.org opening hours.
    OpeningHours, is_opening_hours, "look like \"Mo-Fr 08:00-18:00\""
);
text_value!(
    /// A Google tag id.
    TagId, is_tag, "look like \"GTM-ABC123\", \"AW-123456789\" or \"G-ABC123\""
);
text_value!(
    /// A Google Ads conversion.
    Conversion, is_conversion, "look like \"AW-123456789/label\""
);
text_value!(
    /// The id of an affiliate partner.
    PartnerId, is_identifier, "hold only letters, digits, hyphens and underscores"
);

fn check(text: &str, accepts: fn(&str) -> bool, expected: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("is empty; leave the key out instead".to_owned());
    }
    if text.chars().any(char::is_control) || !accepts(text) {
        return Err(format!("must {expected}{}", ascii_host::advice(text)));
    }
    Ok(text.to_owned())
}

impl Phone {
    /// Returns the `tel:` address.
    pub fn link(&self) -> String {
        format!("tel:{}", dialled(self))
    }
}

impl WebAddress {
    /// Returns the host without `www.`, as the text of a link.
    pub fn label(&self) -> &str {
        let rest = self.split_once("://").map_or(&**self, |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        host.strip_prefix("www.").unwrap_or(host)
    }
}

impl Line {
    /// Wraps a text from the code.
    pub(super) fn constant(text: &'static str) -> Self {
        Self(text.to_owned())
    }
}

/// Deserializes a list that may be written as a single text.
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

fn is_email(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains([' ', '@', '<', '>', '"']);
    text.split_once('@')
        .is_some_and(|(name, host)| is_part(name) && is_part(host) && host.contains('.'))
}

fn is_mail_address(text: &str) -> bool {
    let is_named =
        |(name, host): (&str, &str)| !name.contains('"') && host.contains('.') && is_host_name(host);
    // The length is that of RFC 5321.
    text.len() <= 254
        && text.is_ascii()
        && text.rsplit_once('@').is_some_and(is_named)
        && Address::parse(text).is_ok()
}

/// Whether a text is a host name in ASCII.
pub fn is_host_name(text: &str) -> bool {
    text.split('.').all(|label| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let rest = text.strip_prefix('+').unwrap_or(text);
    digits >= 4 && rest.chars().all(|c| c.is_ascii_digit() || " ()/.-".contains(c))
}

fn is_web_address(text: &str) -> bool {
    let Some(rest) = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
    else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    !host.is_empty() && !host.contains('@') && !rest.contains([' ', '<', '>', '"', '\'', '\\'])
}

/// Days and times of schema.org: `Mo-Fr 08:00-18:00`, `Mo,We 09:00-12:00`.
fn is_opening_hours(text: &str) -> bool {
    const DAYS: [&str; 7] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
    let number = |text: &str| {
        // A number may have a sign, a time may not.
        let is_plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u8>().ok().filter(|_| is_plain)
    };
    let is_time = |time: &str| {
        let parts = time.split_once(':');
        let time = parts.and_then(|(hour, minute)| Some((number(hour)?, number(minute)?)));
        time.is_some_and(|(hour, minute)| minute < 60 && (hour, minute) <= (24, 0))
    };
    text.split_once(' ').is_some_and(|(days, times)| {
        days.split([',', '-']).all(|day| DAYS.contains(&day))
            && times
                .split_once('-')
                .is_some_and(|(from, to)| is_time(from) && is_time(to))
    })
}

fn is_tag(text: &str) -> bool {
    ["GTM-", "AW-", "G-"]
        .iter()
        .filter_map(|prefix| text.strip_prefix(prefix))
        .any(is_identifier)
}

fn is_conversion(text: &str) -> bool {
    let parts = text.strip_prefix("AW-").and_then(|rest| rest.split_once('/'));
    parts.is_some_and(|(account, label)| is_identifier(account) && is_identifier(label))
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}
