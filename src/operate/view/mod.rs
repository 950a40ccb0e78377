//! JSON views for programs: inquiries with their firms, deliveries, firms and reviews. Tables and the desk show parts of them.
//! Times are in UTC.

mod delivery;
mod firm;
mod inquiry;

pub use delivery::{confirmation, deliveries};
pub use firm::{firms, listed_review};
pub use inquiry::{InquiryFilter, asked_firms, credit_view, inquiry, listed};

use serde_json::Value;

use crate::base::text::mail_address::is_unprintable;

/// Adds the entries of an object to another one.
pub fn extended(mut view: Value, more: Value) -> Value {
    if let (Value::Object(view), Value::Object(more)) = (&mut view, more) {
        view.extend(more);
    }
    view
}

/// Replaces characters that could manipulate a terminal, since visitors can write anything into additions.
pub fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect()
}
