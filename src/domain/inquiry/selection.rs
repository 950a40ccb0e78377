//! Which inquiries are meant: by when they were made, and by whether they are suspected.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::inquiry::Inquiry;

/// Which inquiries an export holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    /// When the inquiries were made.
    pub range: TimeRange,
    /// What is done with suspected ones among them.
    pub suspected: Suspected,
}

/// A range of times at which inquiries were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeRange {
    /// The first moment that counts; `None` from the beginning.
    pub since: Option<Timestamp>,
    /// The first moment that no longer counts; `None` to the end.
    pub until: Option<Timestamp>,
}

impl TimeRange {
    /// Returns whether a time lies in the range.
    pub fn contains(&self, time: Timestamp) -> bool {
        self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time < until)
    }
}

/// What an export does with suspected inquiries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// Returns whether the inquiry belongs in the export.
    pub fn takes(self, inquiry: &Inquiry) -> bool {
        match self {
            Self::LeftOut => !inquiry.suspected,
            Self::Included => true,
            Self::Only => inquiry.suspected,
        }
    }
}
