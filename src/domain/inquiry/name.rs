//! How operators name an inquiry: by its id, or by the reference shown in mails and pages.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use uuid::Uuid;

use crate::base::text::Malformed;

/// The digits of a reference: the end of the id, the last group of its random half.
const REFERENCE_DIGITS: usize = 12;

/// The reference, a readable form of the id.
pub fn reference(id: Uuid) -> String {
    let mut id = id.to_string();
    id.split_off(id.len().saturating_sub(REFERENCE_DIGITS))
}

/// When the inquiry with this id was received, to the millisecond.
pub fn received(id: Uuid) -> Option<Timestamp> {
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    Timestamp::new(i64::try_from(seconds).ok()?, i32::try_from(nanoseconds).ok()?).ok()
}

/// An inquiry's id or its end, the reference, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InquiryName(String);

/// The error for text that does not name an inquiry.
const NO_INQUIRY_NAME: Malformed =
    Malformed("expected the id of an inquiry, or its reference: the 12 hexadecimal digits that mails show");

impl InquiryName {
    /// The id; `None` for a reference.
    pub fn id(&self) -> Option<Uuid> {
        self.0.parse().ok()
    }

    /// Whether it names the inquiry with this id.
    pub fn is_of(&self, id: Uuid) -> bool {
        id.to_string().ends_with(&self.0)
    }
}

impl FromStr for InquiryName {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        if text.len() == REFERENCE_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Self(text.to_ascii_lowercase()));
        }
        let id: Uuid = text.parse().map_err(|_| NO_INQUIRY_NAME)?;
        Ok(Self(id.to_string()))
    }
}

impl fmt::Display for InquiryName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A part of an inquiry as operators name it: by the inquiry and a suffix, such as `0123456789ab-2`, or all parts of a kind by the
/// inquiry alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartName<P> {
    /// The inquiry.
    pub inquiry: InquiryName,
    /// The part; `None` for all parts.
    pub part: Option<P>,
}

impl<P> PartName<P> {
    /// Parses a name; `None` if it is malformed.
    pub fn parse(text: &str, parse: fn(&str) -> Option<P>) -> Option<Self> {
        if let Ok(inquiry) = text.parse() {
            return Some(Self { inquiry, part: None });
        }
        // Ids of inquiries and parts may themselves contain hyphens.
        let mut splits = text.match_indices('-').map(|(at, _)| text.split_at(at));
        splits.find_map(|(inquiry, part)| {
            let inquiry = inquiry.parse().ok()?;
            let part = Some(parse(part.strip_prefix('-')?)?);
            Some(Self { inquiry, part })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inquiry_is_named_by_its_id_or_by_its_reference() {
        let text = "019a3c5e-7b1c-7def-8000-0123456789ab";
        let id: Uuid = text.parse().unwrap();
        assert_eq!(reference(id), "0123456789ab");
        for named in [text, "0123456789ab", "0123456789AB", &text.to_uppercase()] {
            assert!(named.parse::<InquiryName>().unwrap().is_of(id), "{named}");
        }
        let other = "019a3c5e-7b1c-7def-8000-0123456789ac".parse().unwrap();
        assert!(!"0123456789ab".parse::<InquiryName>().unwrap().is_of(other));
        for wrong in [
            "",
            "Meier",
            "0123456789a",
            "+123456789ab",
            "0123456789abc",
            "0123456789äb",
        ] {
            assert_eq!(wrong.parse::<InquiryName>(), Err(NO_INQUIRY_NAME), "{wrong}");
        }
    }
}
