//! What the server counts and measures for its operator. Nothing in it identifies a visitor.

mod counters;
mod labels;
mod text;

pub use counters::{Distribution, Metrics};
pub use labels::{InquiryResult, Refusal, RequestKind};
pub use text::{CONTENT_TYPE, DeliveryCounts, Measured, write};
