//! What became of an inquiry that was to be stored.

use crate::inquiry::Inquiry;

/// What became of an inquiry that was to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inserted {
    /// It was stored now.
    New(Inquiry),
    /// Its idempotency key was known: this is the inquiry that was stored for it before.
    Replayed(Inquiry),
}

impl Inserted {
    /// Returns the stored inquiry, whenever that was.
    pub fn into_inquiry(self) -> Inquiry {
        match self {
            Self::New(inquiry) | Self::Replayed(inquiry) => inquiry,
        }
    }
}
