//! Metrics of the server for its operator. They never identify a visitor.

mod counters;
mod labels;
mod text;

pub use counters::{Distribution, Metrics};
pub use labels::{InquiryResult, Refusal, RequestKind};
pub use text::{CONTENT_TYPE, DeliveryCounts, Exposition};
