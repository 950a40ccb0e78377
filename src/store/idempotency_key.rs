//! The client's name for a request, by which a repeated one is recognised.

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
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
