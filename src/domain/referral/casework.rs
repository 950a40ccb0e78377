//! What the operator has noted, done and corrected about an inquiry. Only the operator sees it, and it goes with the inquiry.

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::millis;
use crate::base::text::mail_address::plain_lines;

/// The maximum length of a note in characters.
const MAX_NOTE: usize = 2_000;

/// The operator's work on an inquiry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Casework {
    /// The notes, oldest first.
    #[n(0)]
    pub notes: Vec<Note>,
    /// Whether and when the inquiry was marked as done.
    #[n(1)]
    pub(super) done: Option<Done>,
    /// The latest corrections, oldest first.
    #[n(2)]
    pub corrected: Vec<Corrected>,
}

/// When an inquiry was marked as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub(super) struct Done(#[cbor(n(0), with = "millis")] pub(super) Timestamp);

/// A note about an inquiry.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Note {
    /// When it was written.
    #[cbor(n(0), with = "millis")]
    pub at: Timestamp,
    /// The text, from [`note_text`].
    #[n(1)]
    pub text: String,
}

/// An answer that was corrected. Its former value is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Corrected {
    /// When it was corrected.
    #[cbor(n(0), with = "millis")]
    pub at: Timestamp,
    /// The name of the field, as in exports.
    #[n(1)]
    pub field: String,
}

/// The text of a note: trimmed, with plain line breaks and no other control characters. `None` unless 1 to 2,000 characters remain.
pub fn note_text(typed: &str) -> Option<String> {
    let text = plain_lines(typed);
    (1..=MAX_NOTE).contains(&text.chars().count()).then_some(text)
}
