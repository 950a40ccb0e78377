//! Queue of mails kept in memory only: a withdrawal is confirmed to an address that the store has just erased, so no delivery can
//! hold it. These mails are lost when the process ends; the visitor's page also confirms the withdrawal.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::base::logging::LogThrottle;
use crate::domain::referral::DeliveryId;

/// The mail that confirms a withdrawal, which is not in the store.
pub(super) const FAREWELL: &str = "visitor-withdrawn";

/// How many mails may wait, so that memory does not grow while a mail server hangs.
const LIMIT: usize = 256;

/// How long a mail may wait. The privacy notice promises that the address is kept in memory for an hour at most, and an attempt
/// takes minutes.
const LONGEST_WAIT: Duration = Duration::from_mins(55);

/// A mail that tells a visitor that the inquiry was withdrawn.
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

/// Queue of farewells for the outbox.
#[derive(Default)]
pub struct Farewells {
    waiting: Mutex<VecDeque<(Instant, Farewell)>>,
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
    pub fn take(&self, farewell: Farewell) {
        let mut waiting = self.waiting.lock();
        if waiting.len() < LIMIT {
            waiting.push_back((Instant::now(), farewell));
            self.has_more.notify_one();
        } else {
            self.log_dropped();
        }
    }

    /// Waits until a mail is queued. Only one task may wait.
    pub(super) async fn has_more(&self) {
        self.has_more.notified().await;
    }

    /// The mail that has waited longest.
    pub(super) fn next(&self) -> Option<Farewell> {
        self.waiting.lock().pop_front().map(|(_, farewell)| farewell)
    }

    /// Drops the mails that have waited for too long.
    pub(super) fn drop_old(&self) {
        let mut waiting = self.waiting.lock();
        let count = waiting.len();
        waiting.retain(|(since, _)| since.elapsed() < LONGEST_WAIT);
        if waiting.len() < count {
            self.log_dropped();
        }
    }

    fn log_dropped(&self) {
        if let Some(others) = self.dropped.admit() {
            tracing::warn!(
                others,
                "withdrawals are not confirmed by mail, since confirmations wait too long for the mail server"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_wait_while_a_mail_server_is_away() {
        let farewells = Farewells::default();
        for _ in 0..2 * LIMIT {
            farewells.take(Farewell {
                inquiry: Uuid::nil(),
                created_at: Timestamp::UNIX_EPOCH,
                address: "anna@example.de".to_owned(),
                asked_count: 3,
            });
        }
        assert_eq!(farewells.waiting.lock().len(), LIMIT);
    }
}
