//! Mails that are written from memory alone: that an inquiry was withdrawn is told to an address that the store has just erased, so no
//! delivery can hold it. Such a mail is tried a few times and lost with the process; the visitor's page says the same.

use std::collections::VecDeque;

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::Notify;
use uuid::Uuid;

/// How many mails may wait, so that memory does not grow while a mail server is away.
const LIMIT: usize = 256;

/// Tells a visitor that the inquiry was withdrawn.
#[derive(Clone)]
pub struct Farewell {
    /// The id that the inquiry had.
    pub inquiry: Uuid,
    /// When it was made.
    pub created_at: Timestamp,
    /// The visitor's address.
    pub address: String,
    /// How many firms were asked.
    pub asked_count: usize,
}

/// Takes mails to the outbox.
#[derive(Default)]
pub struct Courier {
    waiting: Mutex<VecDeque<Farewell>>,
    has_more: Notify,
}

impl Courier {
    /// Hands over a mail; the newest is dropped when too many wait.
    pub fn take(&self, farewell: Farewell) {
        let mut waiting = self.waiting.lock();
        if waiting.len() < LIMIT {
            waiting.push_back(farewell);
            self.has_more.notify_one();
        }
    }

    /// Waits for the next mail. Only one task may wait.
    pub async fn next(&self) -> Farewell {
        loop {
            if let Some(farewell) = self.waiting.lock().pop_front() {
                return farewell;
            }
            self.has_more.notified().await;
        }
    }
}

/// Shows nobody's address.
impl std::fmt::Debug for Courier {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Courier").finish_non_exhaustive()
    }
}
