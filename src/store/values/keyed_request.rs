//! Idempotency keys: for seven days, a repeated request gets the inquiry of the first one. Neither the key nor a fingerprint of
//! the request is stored. One half of the key's digest names the key, the other half is mixed into the tag of its request. The
//! tag thus identifies the request, but only together with the key, which is random and known only to the visitor's browser:
//! after an erasure, the store does not reveal whose data it contained. A form without JavaScript derives its key from its
//! fields, the hour and the store's secret: given the store, guessing all fields at once could find it until it expires.

use sha2::{Digest, Sha256};

use crate::domain::inquiry::NewInquiry;

/// The value of an `Idempotency-Key` header: 1 to 255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Box<[u8]>);

impl IdempotencyKey {
    /// The longest key accepted, in bytes.
    pub const LONGEST: usize = 255;

    /// The characters of a key as a regular expression, equivalent to [`Self::parse`] apart from the length.
    pub const PATTERN: &str = "^[!-~]+$";

    /// Parses the header's value; `None` if it is not a key.
    pub fn parse(value: &[u8]) -> Option<Self> {
        let valid = (1..=Self::LONGEST).contains(&value.len()) && value.iter().all(u8::is_ascii_graphic);
        valid.then(|| Self(value.into()))
    }

    /// The key as sent by the client.
    fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Half of the digest of an idempotency key, which names it.
pub type KeyName = [u8; 16];

/// Identifies the request of a key.
pub type RequestTag = [u8; 16];

/// Lifetime of a key: seven days, in milliseconds.
pub const REMEMBERED: u64 = 7 * 24 * 60 * 60 * 1000;

/// A request with a key.
pub struct KeyedRequest {
    /// Names the key. 16 bytes: a collision takes 2^64 attempts, and harms only the attacker's own requests.
    pub name: KeyName,
    /// Identifies the request. 16 bytes: another request with the same key has the same tag with a probability of one in 2^128.
    /// Computed by the calling thread, to spare the single writer.
    pub tag: RequestTag,
}

impl KeyedRequest {
    /// Prepares a visitor's request: the inquiry with its free text. A different text makes a different request, so that a
    /// correction is not mistaken for a repetition.
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
