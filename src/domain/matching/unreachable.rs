//! Firms whose mail server permanently refuses their address.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::firm::Firm;
use crate::base::text::mail_address;

/// Since when the address of a firm is refused. It concerns the firm for as long as that is its address in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreachable {
    /// When the first mail was refused.
    pub since: Timestamp,
    /// The digest of the address.
    pub address: u64,
}

impl Unreachable {
    /// Notes that an address is refused from now on.
    pub fn new(address: &str, since: Timestamp) -> Self {
        Self {
            since,
            address: digest(address),
        }
    }

    /// Returns since when a firm cannot be reached; `None` if its address has changed since.
    pub fn since(&self, firm: &Firm) -> Option<Timestamp> {
        (digest(&firm.email) == self.address).then_some(self.since)
    }
}

/// Returns the first eight bytes of the SHA-256 of an address, which all its spellings have in common.
fn digest(address: &str) -> u64 {
    let digest = Sha256::digest(mail_address::key(address));
    digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}
