//! An inquiry before and after it is stored.

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use uuid::Uuid;

use super::fields::{Answers, Row};
use super::suspicion::Suspicion;
use super::time::rfc3339_millis;

/// An inquiry that is valid and not stored yet. Only [`NewInquiry::parse`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInquiry {
    pub(super) created_at: Timestamp,
    /// The text that the client sent for `created_at`, if any; a repeated request has the same.
    pub(super) sent_created_at: Option<String>,
    pub(super) answers: Answers,
    pub(super) suspicion: Option<Suspicion>,
}

impl NewInquiry {
    /// Returns when it was made, in whole milliseconds: the client's time if that is credible, else the server's.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// Returns what the visitor answered.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Returns why it may be a robot's; `None` if nothing suggests that.
    pub fn suspicion(&self) -> Option<Suspicion> {
        self.suspicion
    }

    /// Marks the inquiry with a suspicion. The mark does not change what request it is.
    #[must_use]
    pub fn marked(mut self, suspicion: Option<Suspicion>) -> Self {
        self.suspicion = suspicion;
        self
    }

    /// Returns the inquiry as it is kept, under the id that the store gave it.
    pub fn with_id(self, id: Uuid) -> Inquiry {
        Inquiry {
            id,
            created_at: self.created_at,
            answers: self.answers,
            suspected: self.suspicion.is_some(),
        }
    }
}

/// A stored inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inquiry {
    /// `UUIDv7` of the time at which the inquiry was stored.
    pub id: Uuid,
    /// When it was made, in whole milliseconds.
    pub created_at: Timestamp,
    /// What the visitor answered.
    pub answers: Answers,
    /// Whether it may be a robot's; exports leave it out then.
    pub suspected: bool,
}

impl<'a> From<&'a Inquiry> for Row<'a> {
    fn from(inquiry: &'a Inquiry) -> Self {
        Self::new(
            inquiry.id.to_string(),
            rfc3339_millis(inquiry.created_at),
            &inquiry.answers,
        )
    }
}

impl Serialize for Inquiry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Row::from(self).serialize(serializer)
    }
}
