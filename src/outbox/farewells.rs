//! Mails that are kept in memory only: a withdrawal is confirmed to an address that the store has just erased, so no
//! delivery can hold it. Such a mail is lost with the process; the visitor's page says the same.

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use tokio::sync::Notify;
use uuid::Uuid;

use super::backoff;
use crate::domain::referral::{DeliveryId, Outcome, Round};
use crate::outbox::sending::SendError;

/// How many mails may wait, so that memory does not grow while a mail server is away.
const LIMIT: usize = 256;

/// How long one is tried: what was erased is not kept for days.
const PERIOD: SignedDuration = SignedDuration::from_hours(1);

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

/// A farewell, and when it is tried.
pub(super) struct WaitingFarewell {
    pub(super) farewell: Farewell,
    round: Round,
    due: Timestamp,
}

/// Takes farewells to the outbox.
#[derive(Default)]
pub struct Farewells {
    queue: Mutex<Queue>,
    has_more: Notify,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<WaitingFarewell>,
    dropped: u64,
}

impl Farewell {
    /// Returns what names its mail. No delivery of the inquiry has this number.
    pub(super) fn id(&self) -> DeliveryId {
        DeliveryId {
            inquiry: self.inquiry,
            number: u16::MAX,
        }
    }
}

impl WaitingFarewell {
    /// Returns what follows from an attempt that ended now.
    pub(super) fn outcome(&self, sent: Result<(), SendError>, now: Timestamp) -> Outcome {
        match sent {
            Ok(()) => Outcome::Delivered,
            Err(error) => backoff::outcome(error, self.round, PERIOD, now),
        }
    }

    /// Returns it as it waits for the next try.
    pub(super) fn until(self, due: Timestamp) -> Self {
        let attempts = self.round.attempts.saturating_add(1);
        Self {
            due,
            round: Round {
                attempts,
                ..self.round
            },
            ..self
        }
    }
}

impl Farewells {
    /// Hands over a mail; the newest is dropped when too many wait.
    pub fn take(&self, farewell: Farewell, now: Timestamp) {
        let round = Round {
            since: now,
            attempts: 0,
        };
        self.put(WaitingFarewell {
            farewell,
            round,
            due: now,
        });
        self.has_more.notify_one();
    }

    pub(super) fn put(&self, waiting: WaitingFarewell) {
        let mut queue = self.queue.lock();
        if queue.waiting.len() < LIMIT {
            queue.waiting.push(waiting);
        } else {
            queue.dropped += 1;
        }
    }

    /// Waits until one was handed over. Only one task may wait.
    pub(super) async fn has_more(&self) {
        self.has_more.notified().await;
    }

    /// Takes those that are due, oldest first and at most `limit`; also returns when the next one is due.
    pub(super) fn due(&self, limit: usize, now: Timestamp) -> (Vec<WaitingFarewell>, Option<Timestamp>) {
        let waiting = &mut self.queue.lock().waiting;
        let due = waiting.extract_if(.., |one| one.due <= now).take(limit).collect();
        (due, waiting.iter().map(|one| one.due).min())
    }

    /// Returns how many were dropped since the last call.
    pub(super) fn take_dropped(&self) -> u64 {
        std::mem::take(&mut self.queue.lock().dropped)
    }
}

/// Shows no address.
impl std::fmt::Debug for Farewells {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Farewells").finish_non_exhaustive()
    }
}
