//! Queue of mails kept in memory only: a withdrawal is confirmed to an address that the store has just erased, so no delivery can hold
//! it. These mails are lost when the process ends; the visitor's page confirms the withdrawal, too.

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::base::logging::LogThrottle;
use crate::domain::referral::{DeliveryId, Round};

/// How many mails may wait, so that memory does not grow while a mail server is down.
const LIMIT: usize = 256;

/// A mail that tells a visitor that the inquiry was withdrawn.
#[derive(Clone)]
pub struct Farewell {
    /// The id of the withdrawn inquiry.
    pub inquiry: Uuid,
    /// When the inquiry was made.
    pub created_at: Timestamp,
    /// The visitor's address.
    pub address: String,
    /// How many firms were asked.
    pub asked_count: usize,
}

/// A farewell with its retry state.
pub(super) struct WaitingFarewell {
    pub(super) farewell: Farewell,
    pub(super) round: Round,
    due: Timestamp,
}

/// Queue of farewells for the outbox.
#[derive(Default)]
pub struct Farewells {
    waiting: Mutex<Vec<WaitingFarewell>>,
    has_more: Notify,
    dropped: LogThrottle,
}

impl Farewell {
    /// The id of the mail. No delivery of the inquiry has this number.
    pub(super) fn id(&self) -> DeliveryId {
        DeliveryId {
            inquiry: self.inquiry,
            number: u16::MAX,
        }
    }
}

impl Farewells {
    /// Queues a mail; drops it if too many are waiting.
    pub fn take(&self, farewell: Farewell, now: Timestamp) {
        self.put(farewell, Round::begin(now), now);
    }

    /// Queues a mail until it is due.
    pub(super) fn put(&self, farewell: Farewell, round: Round, due: Timestamp) {
        let mut waiting = self.waiting.lock();
        if waiting.len() < LIMIT {
            waiting.push(WaitingFarewell { farewell, round, due });
            self.has_more.notify_one();
        } else if let Some(others) = self.dropped.admit() {
            tracing::warn!(
                others,
                "withdrawals are not confirmed by mail, since too many confirmations wait for the mail server"
            );
        }
    }

    /// Waits until a mail is queued. Only one task may wait.
    pub(super) async fn has_more(&self) {
        self.has_more.notified().await;
    }

    /// Takes up to `limit` mails that are due, oldest first; also returns when the next one is due.
    pub(super) fn due(&self, limit: usize, now: Timestamp) -> (Vec<WaitingFarewell>, Option<Timestamp>) {
        let mut waiting = self.waiting.lock();
        let due = waiting.extract_if(.., |one| one.due <= now).take(limit).collect();
        (due, waiting.iter().map(|one| one.due).min())
    }
}

/// Omits the addresses.
impl std::fmt::Debug for Farewells {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Farewells").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_wait_while_a_mail_server_is_away() {
        let farewells = Farewells::default();
        let now = Timestamp::UNIX_EPOCH;
        for _ in 0..2 * LIMIT {
            let farewell = Farewell {
                inquiry: Uuid::nil(),
                created_at: now,
                address: "anna@example.de".to_owned(),
                asked_count: 3,
            };
            farewells.take(farewell, now);
        }
        assert_eq!(farewells.due(usize::MAX, now).0.len(), LIMIT);
    }
}
