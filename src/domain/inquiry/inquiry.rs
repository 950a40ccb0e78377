//! An inquiry before and after it is stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::fields::{Answers, COLUMNS};
use super::suspicion::Suspicion;
use super::time::rfc3339_millis;

/// SHA-256 over fields. Each field is prefixed with its length, so that "ab" + "c" and "a" + "bc" differ.
#[derive(Default)]
pub struct FieldDigest(Sha256);

impl FieldDigest {
    /// Adds a field.
    pub fn add(&mut self, field: &[u8]) {
        self.0.update((field.len() as u64).to_be_bytes());
        self.0.update(field);
    }

    /// Adds all answers.
    pub fn add_answers(&mut self, answers: &Answers) {
        for answer in answers.to_bytes() {
            self.add(&answer);
        }
    }

    /// The digest.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// A valid inquiry that is not stored yet. Only [`NewInquiry::parse`] creates one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInquiry {
    /// When the inquiry was created, in whole milliseconds: the client's time if credible, otherwise the server's.
    pub created_at: Timestamp,
    /// The client's text for `created_at`, if any; the same in a repeated request.
    pub(super) sent_created_at: Option<String>,
    /// The visitor's answers.
    pub answers: Answers,
    /// Why the inquiry is suspected spam; `None` if it is not.
    pub suspicion: Option<Suspicion>,
}

impl NewInquiry {
    /// Sets the suspicion. It does not affect the fingerprint.
    #[must_use]
    pub fn marked(mut self, suspicion: Option<Suspicion>) -> Self {
        self.suspicion = suspicion;
        self
    }

    /// The fingerprint of the request: equal for two requests if and only if all their fields are. The time counts as the text
    /// sent, since the server's own time differs between requests.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut digest = FieldDigest::default();
        digest.add(&[u8::from(self.sent_created_at.is_some())]);
        digest.add(self.sent_created_at.as_deref().unwrap_or_default().as_bytes());
        digest.add_answers(&self.answers);
        digest.finish()
    }

    /// The stored inquiry, with the id assigned by the store.
    pub fn with_id(self, id: Uuid) -> Inquiry {
        Inquiry {
            id,
            created_at: self.created_at,
            answers: self.answers,
            suspected: self.suspicion.is_some(),
        }
    }
}

/// SHA-256 over the fields of a request: the same for a repeated request, whatever the white space and key order of its JSON.
pub type Fingerprint = [u8; 32];

/// A stored inquiry. Visitors, webhooks and exports receive it as a [`Row`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inquiry {
    /// The `UUIDv7` of the time at which the inquiry was stored.
    pub id: Uuid,
    /// When the inquiry was created, in whole milliseconds.
    pub created_at: Timestamp,
    /// The visitor's answers.
    pub answers: Answers,
    /// Whether it is suspected spam, which exports leave out.
    pub suspected: bool,
}

impl Inquiry {
    /// Id, time and answers as text, with [`COLUMNS`] as keys, in that order.
    pub fn row(&self) -> Map<String, Value> {
        let id = self.id.to_string().into();
        let created_at = rfc3339_millis(self.created_at).into();
        let cells = [id, created_at].into_iter().chain(self.answers.cells());
        let columns = COLUMNS.into_iter().map(str::to_owned);
        columns.zip(cells.map(Value::from)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_stay_as_they_are() {
        // Files contain fingerprints: if they changed, repeated requests would no longer be recognised.
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
