//! Texts for a single line of output.

/// Replaces line breaks, and everything else that a terminal would obey, by spaces.
pub fn one_line(text: &str) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || c.is_control());
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_nothing_that_a_terminal_obeys() {
        assert_eq!(one_line("\u{1b}[2Ja\r\n\0 b\u{2028}c\u{9b}"), "[2Ja b c");
    }
}
