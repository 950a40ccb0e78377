//! Text of strangers on a terminal.

use crate::base::text::mail_address::is_unprintable;

/// Replaces what could change the terminal: visitors write additions freely.
pub fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect()
}
