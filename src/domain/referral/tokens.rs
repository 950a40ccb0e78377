//! Addresses that only visitors and firms know: tokens, derived from a secret of the store.

use std::array;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sha2::Sha256;
use uuid::Uuid;

use crate::domain::matching::FirmId;

/// The secret of a store, from which all tokens follow. It leaves the store only in a backup or a copy.
#[derive(Clone)]
pub struct Secret([u8; 32]);

/// How many bytes of a token prove that it is genuine: 128 bits cannot be guessed.
const PROOF: usize = 16;

/// How many bytes name what the page is about.
const ID: usize = 16;

/// How many bytes of a confirmation's token tell when it was asked for, in milliseconds since 1970.
const TIME: usize = 8;

/// What proofs of confirmations are for.
const CONFIRMATION: &[u8] = b"newsletter-confirmation";

/// A token as text, as in an address.
pub type Token = String;

/// A token that a client sent. Whether it is genuine is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedToken {
    /// What it names: an inquiry, or a subscription.
    pub subject: Uuid,
    proof: [u8; PROOF],
}

impl Secret {
    /// Wraps the bytes of a secret.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the token of the visitor's page.
    pub fn visitor_token(&self, inquiry: Uuid) -> Token {
        self.token(b"visitor", inquiry, b"")
    }

    /// Returns the inquiry that a visitor's token is for; `None` if it is not genuine.
    pub fn visitor_inquiry(&self, token: &str) -> Option<Uuid> {
        let token = SignedToken::parse(token)?;
        self.is_genuine(b"visitor", &token, b"").then_some(token.subject)
    }

    /// Returns the token of a firm's page for an inquiry.
    pub fn firm_token(&self, inquiry: Uuid, firm: &FirmId) -> Token {
        self.token(b"firm", inquiry, firm.as_str().as_bytes())
    }

    /// Whether a token is that of a firm.
    pub fn is_firm(&self, token: &SignedToken, firm: &FirmId) -> bool {
        self.is_genuine(b"firm", token, firm.as_str().as_bytes())
    }

    /// Returns the idempotency key of a form, by a digest of what was sent and the period in which it came.
    pub fn form_key(&self, digest: &[u8], period: i64) -> String {
        let code = self.proof(b"form", &period.to_be_bytes(), digest);
        format!("form-{:032x}", u128::from_be_bytes(code))
    }

    /// Returns the keyed digest of an e-mail address, for tables that must not hold it; letter case does not matter.
    pub fn address_key(&self, purpose: &[u8], address: &str) -> [u8; PROOF] {
        self.proof(purpose, address.to_lowercase().as_bytes(), b"")
    }

    /// Returns the keyed digest of a text, for tables that must not hold it.
    pub fn digest(&self, purpose: &[u8], text: &str) -> [u8; PROOF] {
        self.proof(purpose, text.as_bytes(), b"")
    }

    /// Returns the token that ends a newsletter subscription, which is named by [`Self::address_key`].
    pub fn newsletter_token(&self, subscription: [u8; PROOF]) -> Token {
        self.token(b"newsletter", Uuid::from_bytes(subscription), b"")
    }

    /// Returns the subscription that a token is for; `None` if it is not genuine.
    pub fn newsletter_subscription(&self, token: &str) -> Option<[u8; PROOF]> {
        let token = SignedToken::parse(token)?;
        let is_genuine = self.is_genuine(b"newsletter", &token, b"");
        is_genuine.then_some(token.subject.into_bytes())
    }

    /// Returns the token that confirms a subscription to the newsletter, asked for at some time. It confirms none that the
    /// same address asks for later.
    pub fn confirmation_token(&self, subscription: [u8; PROOF], requested_at: Timestamp) -> Token {
        let time = requested_at.as_millisecond().to_be_bytes();
        let proof = self.proof(CONFIRMATION, &subscription, &time);
        URL_SAFE_NO_PAD.encode([&subscription[..], &time, &proof].concat())
    }

    /// Returns the subscription that a token confirms, and when it was asked for; `None` if the token is not genuine.
    pub fn confirmed_request(&self, token: &str) -> Option<([u8; PROOF], Timestamp)> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (subscription, rest) = bytes.split_first_chunk::<ID>()?;
        let (time, proof) = rest.split_first_chunk::<TIME>()?;
        let genuine = self.mac(CONFIRMATION, subscription, time);
        let is_genuine = proof.len() == PROOF && genuine.verify_truncated_left(proof).is_ok();
        let requested_at = Timestamp::from_millisecond(i64::from_be_bytes(*time)).ok()?;
        is_genuine.then_some((*subscription, requested_at))
    }

    /// Returns the HMAC of a purpose, an id and a name. The parts have fixed lengths or come last, so that no two inputs
    /// look alike.
    fn mac(&self, purpose: &[u8], id: &[u8], name: &[u8]) -> Hmac<Sha256> {
        // A key that is shorter than a block counts as filled up with zeros.
        let block: [u8; 64] = array::from_fn(|at| self.0.get(at).copied().unwrap_or_default());
        let mut mac = Hmac::<Sha256>::new(&block.into());
        for part in [purpose, b"\0", id, name] {
            mac.update(part);
        }
        mac
    }

    fn token(&self, purpose: &[u8], subject: Uuid, name: &[u8]) -> Token {
        let proof = self.proof(purpose, subject.as_bytes(), name);
        URL_SAFE_NO_PAD.encode([subject.into_bytes(), proof].concat())
    }

    fn is_genuine(&self, purpose: &[u8], token: &SignedToken, name: &[u8]) -> bool {
        let genuine = self.mac(purpose, token.subject.as_bytes(), name);
        genuine.verify_truncated_left(&token.proof).is_ok()
    }

    fn proof(&self, purpose: &[u8], id: &[u8], name: &[u8]) -> [u8; PROOF] {
        let mut proof = [0; PROOF];
        let code = self.mac(purpose, id, name).finalize().into_bytes();
        proof.iter_mut().zip(code).for_each(|(byte, from)| *byte = from);
        proof
    }
}

impl SignedToken {
    /// Parses a token; `None` if it is malformed.
    pub fn parse(token: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (id, proof) = bytes.split_first_chunk::<ID>()?;
        Some(Self {
            subject: Uuid::from_bytes(*id),
            proof: proof.try_into().ok()?,
        })
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_lead_back_and_cannot_be_changed() {
        let secret = Secret::new([7; 32]);
        let id = Uuid::from_u128(0x019a_3c5e_7b1c_7def_8000_0123_4567_89ab);
        let token = secret.visitor_token(id);
        assert_eq!(token.len(), 43);
        assert_eq!(secret.visitor_inquiry(&token), Some(id));
        assert_eq!(Secret::new([8; 32]).visitor_inquiry(&token), None);
        let (one, other) = (FirmId::parse("a").unwrap(), FirmId::parse("b").unwrap());
        let firm = secret.firm_token(id, &one);
        assert_eq!(secret.visitor_inquiry(&firm), None);
        let parsed = SignedToken::parse(&firm).unwrap();
        assert!(secret.is_firm(&parsed, &one) && !secret.is_firm(&parsed, &other));
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(
                secret.visitor_inquiry(std::str::from_utf8(&changed).unwrap()),
                None,
                "{at}"
            );
        }
        for wrong in [
            "",
            "a",
            token.strip_suffix(|_: char| true).unwrap(),
            &format!("{token}A"),
            &format!("{token}="),
            "ä",
        ] {
            assert_eq!(secret.visitor_inquiry(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_confirmation_is_for_one_request() {
        let secret = Secret::new([7; 32]);
        let key = secret.address_key(b"x", "anna@example.de");
        let (first, later) = ("2026-11-08T12:00:00Z", "2026-11-08T12:00:00.001Z");
        let [first, later] = [first, later].map(|time| time.parse::<Timestamp>().unwrap());
        let token = secret.confirmation_token(key, first);
        assert_eq!(secret.confirmed_request(&token), Some((key, first)));
        assert_ne!(secret.confirmation_token(key, later), token);
        assert_eq!(Secret::new([8; 32]).confirmed_request(&token), None);
        assert_eq!(secret.newsletter_subscription(&token), None);
        for wrong in [
            "",
            "a",
            &secret.newsletter_token(key),
            &format!("{token}AAAA"),
            token.strip_suffix(|_: char| true).unwrap(),
        ] {
            assert_eq!(secret.confirmed_request(wrong), None, "{wrong}");
        }
        for at in 0..token.len() - 1 {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(secret.confirmed_request(&changed), None, "{at}");
        }
    }

    #[test]
    fn letter_case_makes_no_other_address() {
        let secret = Secret::new([7; 32]);
        assert_eq!(
            secret.address_key(b"x", "Anna@Example.DE"),
            secret.address_key(b"x", "anna@example.de")
        );
        assert_ne!(
            secret.address_key(b"x", "anna@example.de"),
            secret.address_key(b"y", "anna@example.de")
        );
    }
}
