//! Texts for a single line of output.

/// Returns whether a character turns the direction of the text around it, with which a text could show as another, even as one
/// of its surroundings. None of them shows itself.
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character is not shown as text, but controls whatever shows it.
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || turns_direction(c)
}

/// Replaces line breaks, and everything else that a terminal would obey, by spaces.
pub fn one_line(text: &str) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || is_unprintable(c));
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns a text of several lines as it is kept: trimmed, with plain line breaks and no other control characters.
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
    fn a_line_holds_nothing_that_a_terminal_obeys() {
        assert_eq!(one_line("\u{1b}[2Ja\r\n\0 b\u{2028}c\u{9b}"), "[2Ja b c");
        assert_eq!(one_line("a\u{202e}b\u{61c}"), "a b");
    }
}
