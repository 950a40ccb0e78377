//! `mailto:` links.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What must be encoded in such a link: `?`, `&` and `%` have a meaning there.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'@')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

/// Returns the `mailto:` URL of a mail address, with nothing but the recipient.
pub fn mail_link(address: &str) -> String {
    format!("mailto:{}", utf8_percent_encode(address, ENCODED))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
