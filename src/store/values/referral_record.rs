//! How a referral is kept: a version byte, then CBOR.

use super::ids::Id;
use crate::domain::referral::Referral;
use crate::domain::referral::millis::Since;
use crate::store::error::Damaged;

/// The first byte of every value.
const VERSION: u8 = 1;

/// Room for a usual value, so that encoding one allocates once: three firms and six deliveries.
const USUAL_LENGTH: usize = 192;

/// Returns the value that is stored for the referral of an inquiry.
///
/// # Errors
/// Never: memory takes every byte.
pub fn encode(id: &Id, referral: &Referral) -> Result<Vec<u8>, Damaged> {
    let mut value = Vec::with_capacity(USUAL_LENGTH);
    value.push(VERSION);
    minicbor::encode_with(referral, &mut value, &mut epoch(id))
        .map_err(|_| Damaged("a referral cannot be written"))?;
    Ok(value)
}

/// Returns the referral that the value of an inquiry holds.
///
/// # Errors
/// When the value is damaged.
pub fn decode(id: &Id, value: &[u8]) -> Result<Referral, Damaged> {
    let cbor = value.split_first().filter(|(version, _)| **version == VERSION);
    let referral = cbor.and_then(|(_, cbor)| minicbor::decode_with(cbor, &mut epoch(id)).ok());
    referral.ok_or(Damaged("a referral cannot be read"))
}

/// Returns the time of an inquiry's id, which times are kept relative to.
fn epoch(id: &Id) -> Since {
    Since(i64::try_from(u128::from_be_bytes(*id) >> 80).unwrap_or(0))
}
