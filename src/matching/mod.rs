//! Which firms are asked about an inquiry (contract, "Matching"). No I/O happens here.

mod asks;
mod firm;
mod firm_id;
mod index;
mod new_asks;
mod postal_prefix;
mod roster;

pub use asks::Asks;
pub use firm::Firm;
pub use firm_id::FirmId;
pub use new_asks::NewAsks;
pub use postal_prefix::PostalPrefix;
pub use roster::Roster;
