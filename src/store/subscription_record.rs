//! How a subscription is kept: by a keyed digest of its address, as a version byte, then CBOR. Each engine keeps it so, since a
//! copy from one to another takes keys and values along.

use super::damaged::Damaged;
use super::ids::Id;
use crate::newsletter::Subscription;
use crate::referral::Secret;
use crate::referral::millis::Since;

/// What the keyed digests of addresses are for. Another word would lose every subscription.
const PURPOSE: &[u8] = b"newsletter";

/// What times are kept relative to: a key tells no time.
const EPOCH: Since = Since(0);

/// The first byte of every value.
const VERSION: u8 = 1;

/// Returns the key of the subscription that an address has, or would have.
pub fn key(secret: &Secret, email: &str) -> Id {
    secret.address_key(PURPOSE, email)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_what_stores_in_use_have() {
        let key = key(&Secret::new([7; 32]), "anna@example.de");
        assert_eq!(
            u128::from_be_bytes(key),
            0xc5ee_32d0_bb30_8386_6be1_cf0e_977f_baea
        );
    }
}
