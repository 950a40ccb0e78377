//! Strong validators (RFC 9110, section 8.8.3): different bytes have different ones. What a text says has one hash, and
//! behind it stands how it was encoded.

use std::fmt;

use hyper::HeaderMap;
use hyper::header::{self, HeaderValue};

use crate::site::embedded::encoding::{Effort, Encoding};

/// The validator of one representation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validator {
    /// Of the text before it was encoded.
    pub hash: u64,
    /// How it was encoded; `None` means not at all.
    pub coding: Option<(Encoding, Effort)>,
}

impl fmt::Display for Validator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{:016x}", self.hash)?;
        if let Some((encoding, effort)) = self.coding {
            write!(formatter, "-{}", encoding.token())?;
            if effort == Effort::Quick {
                formatter.write_str("-quick")?;
            }
        }
        formatter.write_str("\"")
    }
}

impl Validator {
    /// Returns whether no smaller representation will take the place of this one.
    pub fn is_best(self) -> bool {
        self.coding.is_none_or(|(_, effort)| effort == Effort::Best)
    }

    /// Returns the value of `ETag`.
    pub fn to_header(self) -> HeaderValue {
        // It holds letters, digits, hyphens and quotes.
        HeaderValue::try_from(self.to_string()).unwrap_or(HeaderValue::from_static("\"\""))
    }

    /// Returns the validator of the client's copy if that is still current. A copy that was compressed quickly stays
    /// current when a better compressed one is there: it says the same.
    pub fn matching(self, request: &HeaderMap) -> Option<Self> {
        let quick = Self {
            coding: self.coding.map(|(encoding, _)| (encoding, Effort::Quick)),
            ..self
        };
        let conditions = request.get_all(header::IF_NONE_MATCH).iter();
        let mut conditions = conditions.filter_map(|value| value.to_str().ok()).peekable();
        conditions.peek()?;
        let (own, quick_tag) = (self.to_string(), quick.to_string());
        conditions
            .flat_map(|value| value.split(',').map(str::trim))
            .find_map(|tag| match tag.strip_prefix("W/").unwrap_or(tag) {
                "*" => Some(self),
                tag if tag == own => Some(self),
                tag if tag == quick_tag => Some(quick),
                _ => None,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEST: Validator = Validator {
        hash: 10,
        coding: Some((Encoding::Brotli, Effort::Best)),
    };
    const QUICK: Validator = Validator {
        hash: 10,
        coding: Some((Encoding::Brotli, Effort::Quick)),
    };
    const PLAIN: Validator = Validator {
        hash: 10,
        coding: None,
    };

    fn matching(of: Validator, condition: &str) -> Option<Validator> {
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, condition.parse().unwrap());
        of.matching(&headers)
    }

    #[test]
    fn different_bytes_have_different_validators() {
        assert_eq!(BEST.to_string(), "\"000000000000000a-br\"");
        assert_eq!(QUICK.to_string(), "\"000000000000000a-br-quick\"");
        assert_eq!(PLAIN.to_string(), "\"000000000000000a\"");
    }

    #[test]
    fn a_current_copy_is_recognised_in_lists_and_weakened() {
        assert_eq!(matching(BEST, "\"000000000000000a-br\""), Some(BEST));
        assert_eq!(matching(BEST, "\"x\", W/\"000000000000000a-br\""), Some(BEST));
        assert_eq!(matching(BEST, "*"), Some(BEST));
        assert_eq!(matching(BEST, "\"000000000000000a\""), None);
        assert_eq!(matching(BEST, "000000000000000a-br"), None);
        assert_eq!(matching(PLAIN, "\"000000000000000a-br\""), None);
        assert_eq!(BEST.matching(&HeaderMap::new()), None);
    }

    #[test]
    fn a_copy_that_was_compressed_quickly_stays_current() {
        assert_eq!(matching(BEST, &QUICK.to_string()), Some(QUICK));
        assert_eq!(matching(QUICK, &QUICK.to_string()), Some(QUICK));
        assert_eq!(matching(QUICK, &BEST.to_string()), None);
    }
}
