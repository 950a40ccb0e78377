//! What the questionnaire sends beside the inquiry's fields: in headers, since the record has no others.

use hyper::HeaderMap;
use percent_encoding::percent_decode;

use super::api_error::ApiError;
use crate::base::text::mail_address::plain_lines;
use crate::domain::referral::{MAX_ADDITION, NewReferral};

/// Request header: what was typed under Sonstiges and the kind of building, percent-encoded.
pub const ADDITIONS_HEADER: &str = "form-additions";

/// Request header: the number of the sentence above the form's button.
pub const CONSENT_HEADER: &str = "form-consent";

/// Reads what comes with an inquiry.
///
/// # Errors
/// When a header is not what the questionnaire writes.
pub fn read(headers: &HeaderMap) -> Result<NewReferral, ApiError> {
    let consent = match headers.get(CONSENT_HEADER) {
        None => None,
        Some(value) => {
            let number = value.to_str().ok().and_then(|text| text.parse().ok());
            Some(number.ok_or_else(ApiError::bad_form_header)?)
        }
    };
    let addition = match headers.get(ADDITIONS_HEADER) {
        None => String::new(),
        Some(value) => addition(value.as_bytes()).ok_or_else(ApiError::bad_form_header)?,
    };
    Ok(NewReferral {
        consent,
        addition,
        is_held_told: false,
    })
}

fn addition(encoded: &[u8]) -> Option<String> {
    let text = percent_decode(encoded).decode_utf8().ok()?;
    clean(&text)
}

/// Returns a text as it is kept: trimmed, with plain line breaks and no other control characters; `None` if it is too
/// long.
pub fn clean(text: &str) -> Option<String> {
    let text = plain_lines(text);
    (text.chars().count() <= MAX_ADDITION).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_are_decoded_and_cleaned() {
        let read = |text: &str| addition(text.as_bytes());
        assert_eq!(
            read("T%C3%BCr%0D%0A%20offen%00%1b ").as_deref(),
            Some("Tür\n offen")
        );
        assert_eq!(read("").as_deref(), Some(""));
        assert_eq!(read("%ff"), None);
        assert_eq!(
            read(&"%C3%BC".repeat(2000)).map(|text| text.chars().count()),
            Some(2000)
        );
        assert_eq!(read(&"a".repeat(2001)), None);
    }
}
