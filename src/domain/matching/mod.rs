//! Which firms are asked about an inquiry. No I/O happens here.

mod check;
mod firm;
mod firm_id;
mod new_requests;
mod postal_prefix;
mod request_history;
mod rotation;
mod unreachable;
mod vetting;

pub use check::Check;
pub use firm::Firm;
pub use firm_id::FirmId;
pub use new_requests::NewRequests;
pub use postal_prefix::PostalPrefix;
pub use request_history::RequestHistory;
pub use rotation::FirmRotation;
pub use unreachable::Unreachable;
pub use vetting::{Gap, VETTED, Vetting};
