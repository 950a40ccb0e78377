//! Shared rules for texts: white space, control characters, and small helpers.

use regex::Regex;
use serde::{Deserialize, Deserializer};

// Contents of a character class. The patterns are published (`openapi.json`) and therefore written in the common syntax of Rust,
// ECMAScript and Python.

/// Control characters, including those that change the text direction.
pub const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069";

/// White space other than control characters.
pub const BLANK: &str = r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/// Whether a character is Unicode `White_Space` or the byte order mark, with which pasted text often begins.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// The text without white space at both ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether a character is white space or an invisible mark, as address books and web pages put around copied text.
pub fn is_unseen(c: char) -> bool {
    is_space(c) || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// The text without invisible characters at both ends.
pub fn trim_unseen(text: &str) -> &str {
    text.trim_matches(is_unseen)
}

/// Whether the text has more than `limit` characters (Unicode scalar values).
pub fn is_longer_than(text: &str, limit: usize) -> bool {
    // The byte length is an upper bound, so most texts need no counting.
    text.len() > limit && text.chars().count() > limit
}

/// Compiles a pattern built from these character classes.
#[expect(
    clippy::expect_used,
    reason = "the patterns are constants, and a test uses each of them"
)]
pub fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
}

/// Deserializes a field that is present. It must be a string: `null` is not the same as a missing field.
pub fn json_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::text::mail_address::is_unprintable;

    #[test]
    fn trims_white_space_and_byte_order_mark_only() {
        assert_eq!(trim("\u{feff}\u{85}\u{a0} a b \u{3000}\t\r\n"), "a b");
        assert_eq!(trim("\u{200b}a\0"), "\u{200b}a\0");
    }

    #[test]
    fn the_classes_of_patterns_are_the_notions_of_the_code() {
        let space_or_control = pattern(&format!("^[{CONTROL}{BLANK}]$"));
        let control = pattern(&format!("^[{CONTROL}]$"));
        for c in '\0'..='\u{ffff}' {
            let text = String::from(c);
            assert_eq!(control.is_match(&text), is_unprintable(c), "{c:?}");
            assert_eq!(
                space_or_control.is_match(&text),
                is_space(c) || is_unprintable(c),
                "{c:?}"
            );
        }
    }

    #[test]
    fn counts_characters_and_not_bytes() {
        assert!(!is_longer_than("üü", 2));
        assert!(is_longer_than("üüü", 2));
    }
}
