//! What commands print for programs, as JSON: an inquiry with its firms, a delivery, a firm, a review. Tables and the desk show parts of
//! it. Times are in UTC.

mod delivery;
mod firm;
mod inquiry;

pub use delivery::{confirmation, deliveries};
pub use firm::{firms, listed_review};
pub use inquiry::{InquiryFilter, asked_firms, inquiry, listed};

use serde_json::Value;

use crate::base::text::mail_address::is_unprintable;

/// Adds the entries of an object to another one.
pub fn extended(mut view: Value, more: Value) -> Value {
    if let (Value::Object(view), Value::Object(more)) = (&mut view, more) {
        view.extend(more);
    }
    view
}

/// Replaces what could change a terminal: visitors write additions freely.
pub fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect()
}
