//! What makes two requests the same one, whatever the white space and order of keys in their JSON.

use sha2::{Digest, Sha256};

use super::NewInquiry;
use super::choices::Choice;

/// SHA-256 over the fields of a request.
pub type Fingerprint = [u8; 32];

impl NewInquiry {
    /// The fingerprint of the request: equal for two requests exactly when all their fields are. The time
    /// counts as the text that was sent, since the server's own differs each time.
    pub fn fingerprint(&self) -> Fingerprint {
        let answers = self.answers();
        let problems: Vec<u8> = answers.problems.iter().map(|problem| problem.number()).collect();
        let locations: Vec<u8> = answers
            .locations
            .iter()
            .map(|location| location.number())
            .collect();
        let fields: [&[u8]; 10] = [
            &[u8::from(self.sent_created_at.is_some())],
            self.sent_created_at.as_deref().unwrap_or_default().as_bytes(),
            &answers.postal_code.number().to_be_bytes(),
            &[answers.property_type.number()],
            &problems,
            &locations,
            answers.first_name.as_str().as_bytes(),
            answers.last_name.as_str().as_bytes(),
            answers.email.as_str().as_bytes(),
            answers.phone.as_str().as_bytes(),
        ];
        let mut hash = Sha256::new();
        for field in fields {
            // The length in front keeps "ab" + "c" apart from "a" + "bc".
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field);
        }
        hash.finalize().into()
    }
}
