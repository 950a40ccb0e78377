//! How a subscription is kept: a version byte, then CBOR.

use super::damaged::Damaged;
use crate::newsletter::Subscription;
use crate::referral::millis::Since;

/// What times are kept relative to: a key tells no time.
const EPOCH: Since = Since(0);

/// The first byte of every value.
const VERSION: u8 = 1;

/// Returns the value that is stored for a subscription.
///
/// # Errors
/// Never: memory takes every byte.
pub fn encode(subscription: &Subscription) -> Result<Vec<u8>, Damaged> {
    let mut value = vec![VERSION];
    minicbor::encode_with(subscription, &mut value, &mut { EPOCH })
        .map_err(|_| Damaged("a subscription cannot be written"))?;
    Ok(value)
}

/// Returns the subscription that a value holds.
///
/// # Errors
/// When the value is damaged.
pub fn decode(value: &[u8]) -> Result<Subscription, Damaged> {
    let cbor = value.split_first().filter(|(version, _)| **version == VERSION);
    let subscription = cbor.and_then(|(_, cbor)| minicbor::decode_with(cbor, &mut { EPOCH }).ok());
    subscription.ok_or(Damaged("a subscription cannot be read"))
}
