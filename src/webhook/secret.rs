//! The key that proves to the receiver who calls.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What a secret begins with.
const PREFIX: &str = "whsec_";

/// The bytes that a key may have, as Standard Webhooks advises: fewer could be guessed, more bring nothing.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;

/// A key that receiver and sender share.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

/// Why a text is not a secret. The text itself is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be `whsec_` and the base64 of 24 to 64 random bytes")]
pub struct WrongSecret;

impl Secret {
    /// Parses `whsec_` and base64.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn parse(text: &str) -> Result<Self, WrongSecret> {
        let encoded = text.trim().strip_prefix(PREFIX).ok_or(WrongSecret)?;
        let key = STANDARD.decode(encoded).map_err(|_| WrongSecret)?;
        if LENGTHS.contains(&key.len()) {
            Ok(Self(key))
        } else {
            Err(WrongSecret)
        }
    }

    /// Returns the value of `webhook-signature` for a call.
    pub(super) fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        // HMAC takes a key of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            return String::new();
        };
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl fmt::Debug for Secret {
    /// Leaves the key out, so that it cannot reach a log.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    #[test]
    fn a_signature_is_that_of_the_specification() {
        let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature = secret.sign(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn secrets_are_long_and_encoded() {
        for wrong in [
            "",
            "whsec_",
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_c2hvcnQ=",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa w",
        ] {
            assert_eq!(Secret::parse(wrong), Err(WrongSecret), "{wrong}");
        }
        let secret = Secret::parse(" whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n").unwrap();
        assert_eq!(format!("{secret:?}"), "Secret");
    }
}
