//! What is remembered of idempotency keys: for seven days a repeated request gets the first one's inquiry.
//!
//! Neither the key nor a fingerprint of the request is in the file. One half of the key's digest names the key, the
//! other half is mixed into the tag of its request. So the tag recognises a request with certainty, but only together
//! with the key, which is random and which only the visitor's browser has: after an erasure nobody can find out from
//! the store whether some person's data was in it. The key of a form without JavaScript follows from its fields, the hour and
//! the store's secret: whoever has the store and guesses all of them together could, until the key is forgotten.

use sha2::{Digest, Sha256};

use crate::domain::inquiry::NewInquiry;

/// The value of an `Idempotency-Key` header: 1 to 255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Box<[u8]>);

impl IdempotencyKey {
    /// The longest key accepted, in bytes.
    pub const LONGEST: usize = 255;

    /// The characters of a key as a regular expression: what [`Self::parse`] accepts within that length.
    pub const PATTERN: &str = "^[!-~]+$";

    /// Parses the header's value; `None` if it is not a key.
    pub fn parse(value: &[u8]) -> Option<Self> {
        let valid = (1..=Self::LONGEST).contains(&value.len()) && value.iter().all(u8::is_ascii_graphic);
        valid.then(|| Self(value.into()))
    }

    /// Returns the key as the client sent it.
    fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Part of the digest of an idempotency key, which stands for it.
pub type KeyName = [u8; 16];

/// What recognises the request that came with a key.
pub type RequestTag = [u8; 16];

/// How long a key is remembered, in milliseconds: seven days.
pub const REMEMBERED: u64 = 7 * 24 * 60 * 60 * 1000;

/// A request with a key.
pub struct KeyedRequest {
    /// What stands for the key. 16 bytes: for two keys to have the same, somebody must try 2^64 of them, and then only harms their own
    /// requests.
    pub name: KeyName,
    /// What recognises the request. 16 bytes: the chance that another request with the same key has the same tag is one in 2^128.
    /// Computed when the request is prepared, by the calling thread, so that the one writer has less to do.
    pub tag: RequestTag,
}

impl KeyedRequest {
    /// Prepares a visitor's request: the inquiry, and what was added to it in words. With other words it is another
    /// request, so that nobody takes a correction for a repetition.
    pub fn new(key: &IdempotencyKey, inquiry: &NewInquiry, addition: &str) -> Self {
        let half = |bytes: &[u8]| bytes.try_into().unwrap_or_default();
        let digest = Sha256::digest(key.as_bytes());
        let (name, secret) = digest.split_at(size_of::<KeyName>());
        let request = Sha256::new()
            .chain_update(inquiry.fingerprint())
            .chain_update(addition)
            .finalize();
        let tag = Sha256::new()
            .chain_update(secret)
            .chain_update(request)
            .finalize();
        Self {
            name: half(name),
            tag: half(tag.split_at(size_of::<RequestTag>()).0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_request_is_taken_for_the_first_one() {
        let parse = |name: &str| {
            let body = format!(
                r#"{{"postal_code":"20095","property_type":"commercial","first_name":"{name}","last_name":"Meier",
                "email_address":"anna@example.de","phone_number":"+49 40 1234567"}}"#
            );
            NewInquiry::parse(body.as_bytes(), "2026-11-08T12:00:01Z".parse().unwrap()).unwrap()
        };
        let request = |key: &str, name: &str, addition: &str| {
            KeyedRequest::new(
                &IdempotencyKey::parse(key.as_bytes()).unwrap(),
                &parse(name),
                addition,
            )
        };
        let first = request("key", "Anna", "");
        assert!(request("key", "Anna", "").tag == first.tag);
        for (key, name, addition) in [
            ("key", "Bert", ""),
            ("key", "Anna", "Haus"),
            ("other", "Anna", ""),
        ] {
            assert!(
                request(key, name, addition).tag != first.tag,
                "{key} {name} {addition}"
            );
        }
    }

    #[test]
    fn keys_are_1_to_255_visible_characters() {
        for right in [
            b"a".as_slice(),
            b"!~",
            b"\"8e03978e-40d5-43dd-bc93-6894a57f9324\"",
            &[b'x'; 255],
        ] {
            assert!(IdempotencyKey::parse(right).is_some());
        }
        for wrong in [
            b"".as_slice(),
            b" ",
            b"a b",
            b"a\t",
            b"a\n",
            b"\x7f",
            "ä".as_bytes(),
            &[b'x'; 256],
        ] {
            assert!(IdempotencyKey::parse(wrong).is_none());
        }
    }

    #[test]
    fn the_pattern_says_the_same() {
        let pattern = regex::Regex::new(IdempotencyKey::PATTERN).unwrap();
        for byte in 0..=0x7f {
            let text = String::from(char::from(byte));
            assert_eq!(
                pattern.is_match(&text),
                IdempotencyKey::parse(&[byte]).is_some(),
                "{text:?}"
            );
        }
    }
}
