//! Tokens in the secret addresses of visitors and firms, derived from a secret of the store.

use std::array;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sha2::Sha256;
use uuid::Uuid;

use crate::domain::matching::FirmId;

/// The secret of a store, from which all tokens are derived. It leaves the store only in a backup or a copy.
#[derive(Clone)]
pub struct Secret([u8; 32]);

/// The length of a token's proof in bytes: 128 bits cannot be guessed.
const PROOF: usize = 16;

/// The length of a token's subject in bytes.
const ID: usize = 16;

/// The length in bytes of the request time in a confirmation token, in milliseconds since 1970.
const TIME: usize = 8;

/// The purpose of the proofs in confirmation tokens.
const CONFIRMATION: &[u8] = b"newsletter-confirmation";

/// A token in its text form, as used in addresses.
pub type Token = String;

/// A token sent by a client, not verified yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedToken {
    /// The id of the inquiry or subscription.
    pub subject: Uuid,
    proof: [u8; PROOF],
}

impl Secret {
    /// Creates a secret from its bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The token of the visitor's page.
    pub fn visitor_token(&self, inquiry: Uuid) -> Token {
        self.token(b"visitor", inquiry, b"")
    }

    /// The inquiry of a visitor's token; `None` if the token is not genuine.
    pub fn visitor_inquiry(&self, token: &str) -> Option<Uuid> {
        self.subject(b"visitor", token)
    }

    /// The token of a firm's page for an inquiry.
    pub fn firm_token(&self, inquiry: Uuid, firm: &FirmId) -> Token {
        self.token(b"firm", inquiry, firm.as_str().as_bytes())
    }

    /// Whether the token belongs to this firm.
    pub fn is_firm(&self, token: &SignedToken, firm: &FirmId) -> bool {
        self.is_genuine(b"firm", token, firm.as_str().as_bytes())
    }

    /// The idempotency key of a form, from a digest of its content and the period in which it was sent.
    pub fn form_key(&self, digest: &[u8], period: i64) -> String {
        let code = self.proof(b"form", &period.to_be_bytes(), digest);
        format!("form-{:032x}", u128::from_be_bytes(code))
    }

    /// The keyed digest of an e-mail address, for tables that must not hold the address; case-insensitive.
    pub fn address_key(&self, purpose: &[u8], address: &str) -> [u8; PROOF] {
        self.proof(purpose, address.to_lowercase().as_bytes(), b"")
    }

    /// The keyed digest of a text, for tables that must not hold the text.
    pub fn digest(&self, purpose: &[u8], text: &str) -> [u8; PROOF] {
        self.proof(purpose, text.as_bytes(), b"")
    }

    /// The token that ends a newsletter subscription; `subscription` is its [`Self::address_key`].
    pub fn newsletter_token(&self, subscription: [u8; PROOF]) -> Token {
        self.token(b"newsletter", Uuid::from_bytes(subscription), b"")
    }

    /// The subscription of a token; `None` if the token is not genuine.
    pub fn newsletter_subscription(&self, token: &str) -> Option<[u8; PROOF]> {
        self.subject(b"newsletter", token).map(Uuid::into_bytes)
    }

    /// The token that confirms a newsletter subscription requested at `requested_at`. It does not confirm later requests for the
    /// same address.
    pub fn confirmation_token(&self, subscription: [u8; PROOF], requested_at: Timestamp) -> Token {
        let time = requested_at.as_millisecond().to_be_bytes();
        let proof = self.proof(CONFIRMATION, &subscription, &time);
        URL_SAFE_NO_PAD.encode([&subscription[..], &time, &proof].concat())
    }

    /// The subscription that a token confirms and the time of its request; `None` if the token is not genuine.
    pub fn confirmed_request(&self, token: &str) -> Option<([u8; PROOF], Timestamp)> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (subscription, rest) = bytes.split_first_chunk::<ID>()?;
        let (time, proof) = rest.split_first_chunk::<TIME>()?;
        let genuine = self.mac(CONFIRMATION, subscription, time);
        let is_genuine = proof.len() == PROOF && genuine.verify_truncated_left(proof).is_ok();
        let requested_at = Timestamp::from_millisecond(i64::from_be_bytes(*time)).ok()?;
        is_genuine.then_some((*subscription, requested_at))
    }

    /// The HMAC of a purpose, an id and a name. Each part is terminated, of fixed length or the last, so that different inputs
    /// never have the same encoding.
    fn mac(&self, purpose: &[u8], id: &[u8], name: &[u8]) -> Hmac<Sha256> {
        // HMAC pads a key shorter than a block with zeros.
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

    /// The subject of a token for its holder alone; `None` if the token is not genuine.
    fn subject(&self, purpose: &[u8], token: &str) -> Option<Uuid> {
        let token = SignedToken::parse(token)?;
        self.is_genuine(purpose, &token, b"").then_some(token.subject)
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
