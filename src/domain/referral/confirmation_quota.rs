//! Limits the confirmation mails per mailbox: typing a stranger's address must not fill their mailbox, however the address is
//! spelt.

use jiff::Timestamp;

use crate::base::text::mail_address::mailbox_key;
use crate::domain::referral::tokens::Secret;

/// The number of times kept per mailbox, which is the larger quota.
pub const LIMIT: usize = 3;

/// The maximum number of mailboxes that get confirmations within [`PERIOD`]: more than two a second, all day. A site with that many
/// is being flooded, and further strangers are spared its mails. In redb they take 15 MB of memory.
pub const MAX_MAILBOXES: usize = 200_000;

/// 24 hours in milliseconds.
const PERIOD: u64 = 24 * 60 * 60 * 1000;

/// A mailbox's quota of one kind of mail within [`PERIOD`]. Kinds are counted separately, so that none blocks another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfirmationQuota {
    /// The keyed digest of the mailbox; the address itself is not stored.
    pub key: [u8; 16],
    limit: usize,
}

impl ConfirmationQuota {
    /// The quota of inquiry confirmations: three.
    pub fn inquiries(secret: &Secret, address: &str) -> Self {
        Self::of(secret, b"confirmation", address, LIMIT)
    }

    /// The quota of newsletter confirmations: one, since every other would have the same content.
    pub fn newsletter(secret: &Secret, address: &str) -> Self {
        Self::of(secret, b"newsletter mail", address, 1)
    }

    /// Changing a purpose would reset the counts of all mailboxes.
    fn of(secret: &Secret, purpose: &[u8], address: &str, limit: usize) -> Self {
        Self {
            key: secret.address_key(purpose, &mailbox_key(address)),
            limit,
        }
    }
}

fn millis(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or(0)
}

/// The earliest time that still counts, in milliseconds since 1970.
pub fn counts_since(now: Timestamp) -> u64 {
    (millis(now) + 1).saturating_sub(PERIOD)
}

/// When a mailbox was last sent confirmations, in milliseconds since 1970, in no particular order; 0 for never.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SentTimes(pub [u64; LIMIT]);

impl SentTimes {
    /// Whether another mail may be sent.
    pub fn may_send(&self, quota: &ConfirmationQuota, now: Timestamp) -> bool {
        let counted = self.0.iter().filter(|&&time| time >= counts_since(now));
        counted.count() < quota.limit
    }

    /// Whether none of the times counts any more.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.0.iter().all(|&time| time < counts_since(now))
    }

    /// Records another mail, replacing the oldest.
    pub fn note(&mut self, time: u64) {
        if let Some(oldest) = self.0.iter_mut().min() {
            *oldest = time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> Secret {
        Secret::new([7; 32])
    }

    #[test]
    fn a_mailbox_gets_three_in_24_hours() {
        let at = |time: &str| time.parse::<Timestamp>().unwrap();
        let quota = ConfirmationQuota::inquiries(&secret(), "anna@example.de");
        let first = at("2026-05-01T10:00:00Z");
        let mut sent = SentTimes::default();
        for _ in 0..LIMIT {
            assert!(sent.may_send(&quota, first));
            sent.note(millis(first));
        }
        assert!(!sent.may_send(&quota, first));
        assert!(!sent.may_send(&quota, at("2026-05-02T09:59:59.999Z")));
        assert!(!sent.is_over(at("2026-05-02T09:59:59.999Z")));
        let next_day = at("2026-05-02T10:00:00Z");
        assert!(sent.may_send(&quota, next_day) && sent.is_over(next_day));
        sent.note(millis(next_day));
        assert!(sent.may_send(&quota, next_day) && !sent.is_over(next_day));
    }

    #[test]
    fn a_mailbox_gets_the_newsletter_once_in_24_hours() {
        let at = |time: &str| time.parse::<Timestamp>().unwrap();
        let quota = ConfirmationQuota::newsletter(&secret(), "anna@example.de");
        let mut sent = SentTimes::default();
        assert!(sent.may_send(&quota, at("2026-05-01T10:00:00Z")));
        sent.note(millis(at("2026-05-01T10:00:00Z")));
        assert!(!sent.may_send(&quota, at("2026-05-02T09:59:59.999Z")));
        assert!(sent.may_send(&quota, at("2026-05-02T10:00:00Z")));
    }

    #[test]
    fn digests_stay_what_stores_in_use_have() {
        for spelling in ["anna@example.de", "\"anna+x\"@EXAMPLE.de"] {
            let quota = ConfirmationQuota::inquiries(&secret(), spelling);
            assert_eq!(
                u128::from_be_bytes(quota.key),
                0xd018_3c5a_49b8_6c8e_ccf8_be42_30d3_fe41
            );
        }
    }
}
