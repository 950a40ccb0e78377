//! What is remembered of idempotency keys: for seven days a repeated request gets the first one's inquiry.
//!
//! Neither the key nor a fingerprint of the request is in the file. One half of the key's digest names the key, the
//! other half is mixed into the tag of its request. So the tag recognises a request with certainty, but only together
//! with the key, which is random and which only the visitor's browser has: after an erasure nobody can find out from
//! the store whether some person's data was in it. The key of a form without JavaScript follows from its fields, the hour and
//! the store's secret: whoever has the store and guesses all of them together could, until the key is forgotten.

use sha2::{Digest, Sha256};

use crate::inquiry::{Fingerprint, NewInquiry};
use crate::store::idempotency_key::IdempotencyKey;

/// Part of the digest of an idempotency key, which stands for it.
pub type KeyName = [u8; 16];

/// What recognises the request that came with a key.
pub type RequestTag = [u8; 16];

/// How long a key is remembered, in milliseconds: seven days.
pub const REMEMBERED: u64 = 7 * 24 * 60 * 60 * 1000;

/// How many bytes of a fingerprint schema 1 kept of an erased inquiry's request. Those entries were migrated as they
/// were.
const KEPT_BY_SCHEMA_1: usize = 2;

/// A request with a key.
pub struct KeyedRequest {
    name: KeyName,
    secret: [u8; 16],
    fingerprint: Fingerprint,
    /// Computed when the request is prepared, by the calling thread, so that the one writer has less to do.
    tag: RequestTag,
}

impl KeyedRequest {
    /// Prepares a visitor's request: the inquiry, and what was added to it in words. With other words it is another
    /// request, so that nobody takes a correction for a repetition.
    pub fn new(key: &IdempotencyKey, inquiry: &NewInquiry, addition: &str) -> Self {
        let mut request = Self::of_fingerprint(key.as_bytes(), inquiry.fingerprint());
        let whole = Sha256::new()
            .chain_update(request.fingerprint)
            .chain_update(addition)
            .finalize();
        request.tag = request.tag_of(&whole.into());
        request
    }

    /// Prepares a request of which only the fingerprint is known, as all were kept before they had additions.
    pub fn of_fingerprint(key: &[u8], fingerprint: Fingerprint) -> Self {
        let (mut name, mut secret) = (KeyName::default(), [0; 16]);
        let digest = Sha256::digest(key);
        let (first, second) = digest.split_at(name.len());
        name.copy_from_slice(first);
        secret.copy_from_slice(second);
        let mut request = Self {
            name,
            secret,
            fingerprint,
            tag: RequestTag::default(),
        };
        request.tag = request.tag_of(&fingerprint);
        request
    }

    /// Returns what stands for the key. 16 bytes: for two keys to have the same, somebody must try 2^64 of them, and
    /// then only harms their own requests.
    pub fn name(&self) -> &KeyName {
        &self.name
    }

    /// Returns what recognises the request. 16 bytes: the chance that another request with the same key has the same
    /// tag is one in 2^128.
    pub fn tag(&self) -> RequestTag {
        self.tag
    }

    fn tag_of(&self, fingerprint: &Fingerprint) -> RequestTag {
        let digest = Sha256::new()
            .chain_update(self.secret)
            .chain_update(fingerprint)
            .finalize();
        let mut tag = RequestTag::default();
        tag.iter_mut().zip(digest).for_each(|(byte, from)| *byte = from);
        tag
    }

    /// Returns whether a tag is that of this request, or was when additions were no part of it. Such tags are no longer
    /// made, and forgotten with their keys.
    pub fn has(&self, tag: &RequestTag) -> bool {
        *tag == self.tag || *tag == self.tag_of(&self.fingerprint)
    }

    /// As [`Self::has`], for an erased inquiry: it may have been erased under schema 1.
    pub fn has_erased(&self, tag: &RequestTag) -> bool {
        let mut kept = self.fingerprint;
        kept.iter_mut().skip(KEPT_BY_SCHEMA_1).for_each(|byte| *byte = 0);
        self.has(tag) || *tag == self.tag_of(&kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_request_is_taken_for_the_first_one() {
        let fingerprint = [7; 32];
        let request = KeyedRequest::of_fingerprint(b"key", fingerprint);
        let tag = request.tag();
        assert!(request.has(&tag) && request.has_erased(&tag));
        // Two bytes in common were enough once.
        for byte in 0..fingerprint.len() {
            let mut other = fingerprint;
            other[byte] ^= 1;
            let other = KeyedRequest::of_fingerprint(b"key", other);
            assert!(!other.has(&tag) && !other.has_erased(&tag), "{byte}");
        }
        assert!(!KeyedRequest::of_fingerprint(b"other", fingerprint).has_erased(&tag));
    }

    #[test]
    fn other_additions_are_another_request_except_to_a_tag_that_knew_none() {
        let body = r#"{"postal_code":"20095","property_type":"commercial","types_of_problems":"","problem_locations":"",
            "first_name":"Anna","last_name":"Meier","email_address":"anna@example.de","phone_number":"+49 40 1234567"}"#;
        let inquiry = NewInquiry::parse(body.as_bytes(), "2026-11-08T12:00:01Z".parse().unwrap()).unwrap();
        let key = IdempotencyKey::parse(b"key").unwrap();
        let with = |addition| KeyedRequest::new(&key, &inquiry, addition);
        for addition in ["", "Gebäude: Haus"] {
            let tag = with(addition).tag();
            assert!(with(addition).has(&tag) && with(addition).has_erased(&tag));
            assert!(!with("Gebäude: Wohnung").has(&tag) && !with("Gebäude: Wohnung").has_erased(&tag));
        }
        let former = KeyedRequest::of_fingerprint(b"key", inquiry.fingerprint()).tag();
        for addition in ["", "Gebäude: Haus"] {
            assert!(with(addition).has(&former) && with(addition).has_erased(&former));
        }
    }

    #[test]
    fn an_erasure_of_schema_1_is_still_recognised() {
        let mut cut = [0; 32];
        cut[..KEPT_BY_SCHEMA_1].copy_from_slice(&[7; KEPT_BY_SCHEMA_1]);
        let tag = KeyedRequest::of_fingerprint(b"key", cut).tag();
        let request = KeyedRequest::of_fingerprint(b"key", [7; 32]);
        assert!(request.has_erased(&tag) && !request.has(&tag));
        assert!(!KeyedRequest::of_fingerprint(b"key", [8; 32]).has_erased(&tag));
    }
}
