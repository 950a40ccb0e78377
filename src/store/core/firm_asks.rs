//! What is remembered of a firm's asks, as a row holds it.

use crate::matching::{FirmId, RequestHistory};
use crate::store::error::Damaged;

/// Reads a row: a firm's id, and the encoded history.
///
/// # Errors
/// When one of them cannot be read.
pub fn firm_asks(firm: &str, value: &[u8]) -> Result<(FirmId, RequestHistory), Damaged> {
    let asks = FirmId::parse(firm).ok().zip(RequestHistory::from_bytes(value));
    asks.ok_or(Damaged("what a firm was asked cannot be read"))
}
