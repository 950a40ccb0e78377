//! Texts for a single line of output.

/// Whether a character changes the direction of the text around it, which could make a text look like another, even like one
/// of its surroundings. None of them is visible.
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character is not shown as text, but controls the program that shows it.
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || turns_direction(c)
}

/// Whether a character takes no room and shows nothing (Unicode's `Default_Ignorable_Code_Point`), so that a text of them looks empty.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Replaces line breaks and all other control characters by spaces.
pub fn one_line(text: &str) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || is_unprintable(c));
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the stored form of a text of several lines: trimmed, with plain line breaks and no other control characters.
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
