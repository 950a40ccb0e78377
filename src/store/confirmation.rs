//! How many confirmations an address may get: whoever types somebody else's address must not fill that mailbox.
//!
//! Each engine keeps who got them in its own way, but all by this rule, since a copy from one engine to another takes the
//! digests and the times along.

use jiff::Timestamp;

use super::ids::Id;
use super::millis::millis;
use crate::referral::Secret;

/// How many an address gets within [`PERIOD`] (contract, "Deliveries").
pub const LIMIT: usize = 3;

/// How many addresses may get confirmations within [`PERIOD`]: more than two a second, all day. A site that gets so many is being
/// flooded, and further strangers are spared its mails. On redb they take 15 MB of memory.
pub const MAX_ADDRESSES: usize = 200_000;

/// 24 hours in milliseconds.
const PERIOD: u64 = 24 * 60 * 60 * 1000;

/// What the keyed digests of addresses are for. Another word would make every address new.
const PURPOSE: &[u8] = b"confirmation";

/// Returns the keyed digest that stands for an address: addresses themselves are not kept.
pub fn address_key(secret: &Secret, address: &str) -> Id {
    secret.address_key(PURPOSE, address)
}

/// Returns the first time that still counts, in milliseconds since 1970.
pub fn counts_since(now: Timestamp) -> u64 {
    (millis(now) + 1).saturating_sub(PERIOD)
}

/// When an address was sent its last confirmations, in milliseconds since 1970, in no particular order; 0 for never.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent(pub [u64; LIMIT]);

impl Sent {
    /// Returns whether one more may be sent.
    pub fn may_send(&self, now: Timestamp) -> bool {
        self.0.iter().any(|&time| time < counts_since(now))
    }

    /// Returns whether none of them counts any more.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.0.iter().all(|&time| time < counts_since(now))
    }

    /// Notes one more, in the place of the oldest.
    pub fn note(&mut self, time: u64) {
        if let Some(oldest) = self.0.iter_mut().min() {
            *oldest = time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_three_in_24_hours() {
        let at = |time: &str| time.parse::<Timestamp>().unwrap();
        let first = at("2026-05-01T10:00:00Z");
        let mut sent = Sent::default();
        for _ in 0..LIMIT {
            assert!(sent.may_send(first));
            sent.note(millis(first));
        }
        assert!(!sent.may_send(first));
        assert!(!sent.may_send(at("2026-05-02T09:59:59.999Z")));
        assert!(!sent.is_over(at("2026-05-02T09:59:59.999Z")));
        let next_day = at("2026-05-02T10:00:00Z");
        assert!(sent.may_send(next_day) && sent.is_over(next_day));
        sent.note(millis(next_day));
        assert!(sent.may_send(next_day) && !sent.is_over(next_day));
    }

    #[test]
    fn digests_stay_what_stores_in_use_have() {
        let key = address_key(&Secret::new([7; 32]), "anna@example.de");
        assert_eq!(
            u128::from_be_bytes(key),
            0xd018_3c5a_49b8_6c8e_ccf8_be42_30d3_fe41
        );
    }
}
