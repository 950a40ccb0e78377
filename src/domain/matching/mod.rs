//! Selection of the firms to ask about an inquiry. No I/O happens here.

mod firm;
mod request_history;
mod rotation;
mod unreachable;
mod vetting;

pub use firm::{Check, Firm, FirmId, PostalPrefix};
pub use request_history::RequestHistory;
pub use rotation::{FirmRotation, Pause};
pub use unreachable::Unreachable;
pub use vetting::{Gap, VETTED, vetting_gaps, vetting_summary};
