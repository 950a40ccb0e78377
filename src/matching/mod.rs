//! Which firms are asked about an inquiry (contract, "Matching"). No I/O happens here.

mod firm;
mod firm_id;
mod postal_prefix;

pub use firm::Firm;
pub use firm_id::FirmId;
pub use postal_prefix::PostalPrefix;
