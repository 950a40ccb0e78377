//! Which inquiries a reader asks for.

use jiff::Timestamp;

use super::keys;
use super::schema::Id;
use crate::inquiry::Inquiry;

/// What an export holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Selection {
    /// From when until when the inquiries were made.
    pub range: TimeRange,
    /// What is done with suspected ones among them.
    pub suspected: Suspected,
}

/// From when until when inquiries were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// The first moment that counts; `None` from the beginning.
    pub since: Option<Timestamp>,
    /// The first moment that no longer counts; `None` to the end.
    pub until: Option<Timestamp>,
}

impl TimeRange {
    pub(super) fn contains(&self, time: Timestamp) -> bool {
        self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time < until)
    }

    /// The smallest id that an inquiry of the range can have: an id's time is never before `created_at`. There
    /// is no greatest, since an inquiry may be stored days after it was made.
    pub(super) fn first_id(&self) -> Id {
        let millis = self.since.map_or(0, keys::millis);
        (u128::from(millis) << 80).to_be_bytes()
    }
}

/// What an export does with suspected inquiries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Suspected {
    /// It leaves them out.
    #[default]
    LeftOut,
    /// It holds them like all others.
    Included,
    /// It holds nothing else.
    Only,
}

impl Suspected {
    /// Whether the inquiry belongs into the export.
    pub fn takes(self, inquiry: &Inquiry) -> bool {
        match self {
            Self::LeftOut => !inquiry.suspected,
            Self::Included => true,
            Self::Only => inquiry.suspected,
        }
    }
}
