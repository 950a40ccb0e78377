//! The client's name for a request, by which a repeated one is known.

/// Longest key taken, in bytes; the store keeps keys as they are.
const LONGEST: usize = 255;

/// The value of an `Idempotency-Key` header: 1 to 255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Box<[u8]>);

impl IdempotencyKey {
    /// Reads the header's value; `None` if it is no key.
    pub fn parse(value: &[u8]) -> Option<Self> {
        let valid = (1..=LONGEST).contains(&value.len()) && value.iter().all(u8::is_ascii_graphic);
        valid.then(|| Self(value.into()))
    }

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
}
