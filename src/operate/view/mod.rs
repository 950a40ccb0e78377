//! What commands show, as JSON for programs and as text for people: an inquiry with its firms, a delivery, a time.

mod delivery;
mod firm;
mod inquiry;
mod list;
mod review;

pub use delivery::{DeliveryView, confirmation, deliveries};
pub use firm::{ListedFirm, PauseView, firms, is_paused_in_file};
pub use inquiry::{FirmView, InquiryView, text};
pub use list::{InquiryFilter, ListedInquiry};
pub use review::ListedReview;

use std::fmt;

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use crate::base::text::berlin::in_berlin;
use crate::base::text::mail_address::is_unprintable;
use crate::domain::inquiry::rfc3339_millis;
use crate::domain::referral::{Answer, DeliveryState, ReviewState, State};

/// What has a name in the output of commands.
pub trait HasId: Copy {
    /// Returns it.
    fn id(self) -> &'static str;
}

macro_rules! has_id {
    ($($name:ident),*) => { $(impl HasId for $name {
        fn id(self) -> &'static str {
            $name::id(self)
        }
    })* };
}

has_id!(Answer, DeliveryState, ReviewState, State);

/// Writes a value as its name.
///
/// # Errors
/// Those of writing.
pub fn by_id<S: Serializer>(value: &impl HasId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.id())
}

/// A time: for people that of Hamburg, as JSON in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time(pub Timestamp);

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&in_berlin(self.0))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&rfc3339_millis(self.0))
    }
}

/// Replaces what could change a terminal: visitors write additions freely.
pub fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect()
}
