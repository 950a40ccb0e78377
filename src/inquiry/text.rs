//! The two notions every text rule shares, white space and control characters, and small helpers.

use regex::Regex;

/// Unicode `White_Space` and the byte order mark, which pasted text often begins with.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// The text without white space at both ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether the text holds a control character (Unicode category Cc).
pub fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// Whether the text has more than `limit` characters (Unicode scalar values).
pub fn is_longer_than(text: &str, limit: usize) -> bool {
    // Bytes are never fewer than characters: most texts need no counting.
    text.len() > limit && text.chars().count() > limit
}

/// Compiles one of the patterns of this module.
#[expect(
    clippy::expect_used,
    reason = "the patterns are constants, and a test uses each of them"
)]
pub fn pattern(pattern: &'static str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trims_white_space_and_byte_order_mark_only() {
        assert_eq!(trim("\u{feff}\u{85}\u{a0} a b \u{3000}\t\r\n"), "a b");
        assert_eq!(trim("\u{200b}a\0"), "\u{200b}a\0");
    }

    #[test]
    fn counts_characters_and_not_bytes() {
        assert!(!is_longer_than("üü", 2));
        assert!(is_longer_than("üüü", 2));
    }
}
