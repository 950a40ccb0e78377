//! How a subscription is kept: by a keyed digest of its address, as a version byte, then CBOR. Each engine keeps it so, since a
//! copy from one to another takes keys and values along.

use super::confirmation::ConfirmationQuota;
use super::ids::Id;
use crate::base::text::mail_address::Address;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::Secret;
use crate::domain::referral::millis::Since;
use crate::store::error::Damaged;

/// What the keyed digests of addresses are for. Another word would lose every subscription.
const PURPOSE: &[u8] = b"newsletter";

/// What times are kept relative to: a key tells no time.
const EPOCH: Since = Since(0);

/// The first byte of every value.
const VERSION: u8 = 1;

/// Returns the key of a subscription by the address that is kept in it.
pub fn key(secret: &Secret, email: &str) -> Id {
    secret.address_key(PURPOSE, email)
}

/// Somebody's wish to subscribe.
pub struct Wish {
    /// The address as it goes on the wire, so that all its spellings are one subscription.
    pub email: String,
    /// The key of the subscription that it has, or would have.
    pub key: Id,
    /// How many mails its address may get.
    pub quota: ConfirmationQuota,
}

impl Wish {
    /// Prepares everything that needs no engine.
    pub fn new(typed: &str, secret: &Secret) -> Self {
        let email = Address::parse(typed).map_or_else(|_| typed.to_owned(), |address| address.to_string());
        Self {
            key: key(secret, &email),
            quota: ConfirmationQuota::newsletter(secret, typed),
            email,
        }
    }
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

    #[test]
    fn spellings_of_an_address_are_one_subscription() {
        let secret = Secret::new([7; 32]);
        let wish = Wish::new("\"Anna\"@ex\u{ad}ample.de", &secret);
        assert_eq!(wish.email, "Anna@example.de");
        assert_eq!(wish.key, key(&secret, "anna@example.de"));
        let tagged = Wish::new("anna+x@example.de", &secret);
        assert_ne!(tagged.key, wish.key);
        assert_eq!(tagged.quota, wish.quota);
    }
}
