//! Mail addresses and their normalization, and the character rules for other short texts.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use unicode_normalization::UnicodeNormalization;

/// A validated mail address as sent by SMTP, normalized so that spellings of one recipient differ at most in letter case: no
/// control characters, the local part in NFC and without quotation marks, the domain in ASCII and lower case. Local parts that need
/// quotation marks are refused: hardly any server accepts them, and lettre cannot parse its own output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(lettre::Address);

/// Why an address is refused. The error does not quote the address, which may be a visitor's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongAddress {
    /// Not of the form `name@host`, or with invalid characters.
    #[error("must be an e-mail address, such as \"Taubenabwehr <anfrage@example.de>\"")]
    Malformed,
    /// The domain contains invalid characters.
    #[error("the domain of the e-mail address cannot exist")]
    Domain,
}

impl Address {
    /// Parses `name@host`. An internationalized domain is converted to ASCII.
    ///
    /// # Errors
    /// When no mail server could accept the address.
    pub fn parse(text: &str) -> Result<Self, WrongAddress> {
        // Normalize first, since composition can produce special characters.
        let text: String = text.trim().nfc().collect();
        if text.chars().any(is_unprintable) {
            return Err(WrongAddress::Malformed);
        }
        let (user, domain) = text.rsplit_once('@').ok_or(WrongAddress::Malformed)?;
        // Also for ASCII domains: this lower-cases them and validates their Punycode labels.
        let domain = idna::domain_to_ascii(domain).map_err(|_| WrongAddress::Domain)?;
        // A full-width at sign becomes a second `@`.
        if domain.contains('@') {
            return Err(WrongAddress::Domain);
        }
        let quoted = user.strip_prefix('"').and_then(|user| user.strip_suffix('"'));
        let address = match quoted {
            None => lettre::Address::new(user, &domain),
            Some(quoted) => {
                let user = unescaped(quoted).ok_or(WrongAddress::Malformed)?;
                // The local part may be unquoted only if it contains no quotation mark itself.
                let plain = Some(user).filter(|user| !user.contains('"'));
                lettre::Address::new(plain.ok_or(WrongAddress::Malformed)?, &domain)
            }
        };
        address.map(Self).map_err(|_| WrongAddress::Malformed)
    }

    /// Whether every server can accept the address, not only those with `SMTPUTF8`.
    pub fn is_ascii(&self) -> bool {
        self.0.user().is_ascii()
    }

    /// A key that is the same for all spellings of the address.
    pub fn key(&self) -> String {
        self.0.to_string().to_lowercase()
    }

    /// A key that is the same for all addresses of a mailbox, as far as the address reveals it: text after a `+` is a tag, and
    /// Google ignores dots and has two domains. Use it only for counting mails: a tagged address may belong to another person.
    pub fn mailbox_key(&self) -> String {
        let (user, domain) = (self.0.user().to_lowercase(), self.0.domain());
        let user = match user.split_once('+') {
            Some((user, _)) if !user.is_empty() => user,
            _ => &user,
        };
        match domain {
            "gmail.com" | "googlemail.com" => format!("{}@gmail.com", user.replace('.', "")),
            _ => format!("{user}@{domain}"),
        }
    }

    pub(crate) fn to_lettre(&self) -> lettre::Address {
        self.0.clone()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// [`Address::key`] of a text, or the text in lower case if it is not an address.
pub fn key(text: &str) -> String {
    Address::parse(text).map_or_else(|_| text.trim().to_lowercase(), |address| address.key())
}

/// [`Address::mailbox_key`] of a text, or the text in lower case if it is not an address.
pub fn mailbox_key(text: &str) -> String {
    Address::parse(text).map_or_else(|_| text.trim().to_lowercase(), |address| address.mailbox_key())
}

/// Removes the escapes from a quoted local part; `None` for a quotation mark without a backslash.
fn unescaped(quoted: &str) -> Option<String> {
    let mut text = String::with_capacity(quoted.len());
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => characters.next()?,
            '"' => return None,
            other => other,
        });
    }
    Some(text)
}

/// The characters to encode in a `mailto:` URL, where `?`, `&` and `%` have a meaning.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'@')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

/// The `mailto:` URL of an address, without any header fields.
pub fn mail_link(address: &str) -> String {
    format!("mailto:{}", utf8_percent_encode(address, ENCODED))
}

/// Whether a character changes the text direction, which could disguise a text or its surroundings. All of them are invisible.
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character controls the output instead of being displayed.
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || turns_direction(c)
}

/// Whether a character is invisible and has no width (Unicode's `Default_Ignorable_Code_Point`), so that a text of them looks
/// empty.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Joins a text into one line: replaces white space and control characters by single spaces.
pub fn one_line(text: &str) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || is_unprintable(c));
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Normalizes a multi-line text for storage: trimmed, with `\n` as line break and without other control characters.
pub fn plain_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text: String = text
        .chars()
        .filter(|&character| character == '\n' || !is_unprintable(character))
        .collect();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_recipient_are_one_address() {
        for (spelling, wire) in [
            ("anna@example.de", "anna@example.de"),
            (" anna@EXAMPLE.de\n", "anna@example.de"),
            ("\"anna\"@example.de", "anna@example.de"),
            ("\"an\\na\"@example.de", "anna@example.de"),
            ("anna@ex\u{ad}ample.de", "anna@example.de"),
            ("anna@ｅｘａｍｐｌｅ。ｄｅ", "anna@example.de"),
            ("anna@ⓔxample.de", "anna@example.de"),
            ("anna@müller.de", "anna@xn--mller-kva.de"),
            ("anna@mu\u{308}ller.de", "anna@xn--mller-kva.de"),
            ("anna@XN--MLLER-KVA.de", "anna@xn--mller-kva.de"),
            ("ju\u{308}rgen@example.de", "jürgen@example.de"),
            ("root@[127.0.0.1]", "root@[127.0.0.1]"),
        ] {
            let address = Address::parse(spelling).map(|address| address.to_string());
            assert_eq!(address.as_deref(), Ok(wire), "{spelling}");
        }
        for wrong in [
            "",
            "anna",
            "@example.de",
            "an\\na@example.de",
            "anna@example.de.",
            "anna@example..de",
            "a..b@example.de",
            "\"@example.de",
            "\"\"@example.de",
            "\"a\"b\"@example.de",
            "\"a\\\"@example.de",
            "a,b@example.de",
            "\"a,b\"@example.de",
            "\"a>b\"@example.de",
            "\"a\\\\\\\"b\"@example.de",
            "\"a..b\"@example.de",
            "an\u{202e}na@example.de",
            "anna@xn--a.de",
            "anna@xn--example-.de",
            "🕊@example.de",
        ] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tags_count_to_the_mailbox_and_name_another_address() {
        assert_eq!(key("Anna+X@Example.de"), "anna+x@example.de");
        assert_eq!(key(" .@..B "), ".@..b");
        for (address, mailbox) in [
            ("Anna+x@Example.de", "anna@example.de"),
            ("\"anna+x+y\"@example.de", "anna@example.de"),
            ("+x@example.de", "+x@example.de"),
            ("an.na+x@googlemail.com", "anna@gmail.com"),
            ("an.na@example.de", "an.na@example.de"),
        ] {
            assert_eq!(mailbox_key(address), mailbox);
        }
    }

    #[test]
    fn an_address_adds_no_recipient_and_no_text() {
        for (address, link) in [
            ("anna.m-1_2@example.de", "mailto:anna.m-1_2@example.de"),
            (
                "x?bcc=y&body=z@example.de",
                "mailto:x%3Fbcc%3Dy%26body%3Dz@example.de",
            ),
            ("x%3Fcc=y@example.de", "mailto:x%253Fcc%3Dy@example.de"),
            ("anna+tauben@example.de", "mailto:anna%2Btauben@example.de"),
        ] {
            assert_eq!(mail_link(address), link);
        }
    }

    #[test]
    fn a_line_holds_nothing_that_a_terminal_obeys() {
        assert_eq!(one_line("\u{1b}[2Ja\r\n\0 b\u{2028}c\u{9b}"), "[2Ja b c");
        assert_eq!(one_line("a\u{202e}b\u{61c}"), "a b");
    }
}
