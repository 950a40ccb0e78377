//! Firms whose mail server permanently refuses their address.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::firm::Firm;
use crate::base::text::mail_address;

/// A refused address and the time of its first refusal. It applies to a firm as long as its configured address is this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreachable {
    /// When the first mail was refused.
    pub since: Timestamp,
    /// The digest of the address.
    pub address: u64,
}

impl Unreachable {
    /// Records that an address is refused from now on.
    pub fn new(address: &str, since: Timestamp) -> Self {
        Self {
            since,
            address: digest(address),
        }
    }

    /// Since when a firm has been unreachable; `None` if its address has changed since.
    pub fn since(&self, firm: &Firm) -> Option<Timestamp> {
        (digest(&firm.email) == self.address).then_some(self.since)
    }
}

/// The first eight bytes of the SHA-256 of an address, the same for all its spellings.
fn digest(address: &str) -> u64 {
    let digest = Sha256::digest(mail_address::key(address));
    digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}
