//! What makes two requests the same one, whatever the white space and order of keys in their JSON.

use sha2::{Digest, Sha256};

use super::answer::Stored;
use super::inquiry::NewInquiry;

/// SHA-256 over the fields of a request.
pub type Fingerprint = [u8; 32];

impl NewInquiry {
    /// Computes the fingerprint of the request: equal for two requests exactly when all their fields are. The time
    /// counts as the text that was sent, since the server's own differs each time.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        let mut add = |field: &[u8]| {
            // The length in front keeps "ab" + "c" apart from "a" + "bc".
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field);
        };
        add(&[u8::from(self.sent_created_at.is_some())]);
        add(self.sent_created_at.as_deref().unwrap_or_default().as_bytes());
        for answer in self.answers.to_stored() {
            match answer {
                Stored::Number(number) => add(&number.to_be_bytes()),
                Stored::Choice(number) => add(&[number]),
                Stored::Choices(numbers) => add(&numbers),
                Stored::Text(text) => add(text.as_bytes()),
            }
        }
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_stay_as_they_are() {
        // Files hold what is computed from them: with other bytes no repeated request would be recognised.
        let body = r#"{"created_at":"2026-11-08T12:00:00Z","postal_code":"20095","property_type":"commercial",
            "types_of_problems":"nesting,other","problem_locations":"roof","first_name":"Anna","last_name":"Meier",
            "email_address":"anna@example.de","phone_number":"+49 40 1234567"}"#;
        let inquiry = NewInquiry::parse(body.as_bytes(), "2026-11-08T12:00:01Z".parse().unwrap()).unwrap();
        let fingerprint = inquiry.fingerprint();
        let (high, low) = fingerprint.split_at(16);
        let digits = [high, low].map(|half| u128::from_be_bytes(half.try_into().unwrap()));
        assert_eq!(
            format!("{:032x}{:032x}", digits[0], digits[1]),
            "e2958322c33c898c54804806f7bab11a071718012cc5e1139b36762065b79111"
        );
    }
}
