//! What the server counts and measures for its operator. Nothing in it identifies a visitor.
//!
//! Counting takes a few operations on memory that threads share, without locks. Everything slow happens when somebody
//! asks for the numbers.

mod counters;
mod labels;
mod text;

pub use counters::{Distribution, Histogram, Metrics};
pub use labels::{InquiryResult, Refusal, RequestKind};
pub use text::{CONTENT_TYPE, DeliveryCounts, Measured, write};
