//! What the server counts and measures for its operator. Nothing of it says who a visitor is.
//!
//! Counting takes a few operations on memory that threads share, without locks. All that takes time is done when somebody
//! asks for the numbers.

mod counters;
mod histogram;
mod labels;
mod text;

pub use counters::Metrics;
pub use histogram::{Distribution, Histogram};
pub use labels::{InquiryResult, Refusal, RequestKind};
pub use text::{CONTENT_TYPE, DeliveryCounts, Measured, write};
