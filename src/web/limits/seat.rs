//! A connection as seen by those who need room: since when it is idle, and a way to ask it to end.

use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::time::Instant;

/// The connection may stay.
const STAYS: u8 = 0;
/// It should end if it has no request under way.
const LEAVES_IF_IDLE: u8 = 1;
/// It should end, whatever is under way.
const LEAVES: u8 = 2;

/// The place of one connection among all.
#[derive(Debug)]
pub struct Seat {
    /// Since when the connection has waited for the client to send a whole head; `None` while a request is under way.
    idle_since: Mutex<Option<Instant>>,
    asked: AtomicU8,
    connection: AtomicWaker,
    is_proxy: bool,
}

impl Seat {
    /// Creates the seat of a trusted proxy. Its connection may carry requests of many visitors, or be about to carry one that the
    /// proxy must not send twice: it is not asked to leave.
    pub fn of_proxy() -> Self {
        Self {
            is_proxy: true,
            ..Self::default()
        }
    }

    /// Returns whether the connection may be asked to leave.
    pub fn may_leave(&self) -> bool {
        !self.is_proxy
    }

    /// Notes that a request is under way.
    pub fn busy(&self) {
        *self.idle_since.lock() = None;
    }

    /// Notes that no request is under way any more.
    pub fn idle(&self, since: Instant) {
        *self.idle_since.lock() = Some(since);
    }

    /// Returns since when the connection is idle, unless it has been asked to leave.
    pub fn idle_since(&self) -> Option<Instant> {
        if self.asked.load(Ordering::Acquire) != STAYS {
            return None;
        }
        *self.idle_since.lock()
    }

    /// Asks the connection to leave unless a request is under way.
    pub fn leave_if_idle(&self) {
        self.ask(LEAVES_IF_IDLE);
    }

    /// Asks the connection to leave.
    pub fn leave(&self) {
        self.ask(LEAVES);
    }

    fn ask(&self, how: u8) {
        self.asked.fetch_max(how, Ordering::AcqRel);
        self.connection.wake();
    }

    /// Completes when the connection is to end. Only the connection waits for it. One that was asked when its client had
    /// just sent a request may stay.
    pub fn poll_left(&self, context: &Context<'_>) -> Poll<()> {
        self.connection.register(context.waker());
        match self.asked.load(Ordering::Acquire) {
            STAYS => Poll::Pending,
            LEAVES_IF_IDLE if self.idle_since.lock().is_none() => {
                // Unless it is asked for more in this moment.
                let _ =
                    self.asked
                        .compare_exchange(LEAVES_IF_IDLE, STAYS, Ordering::AcqRel, Ordering::Acquire);
                Poll::Pending
            }
            _ => Poll::Ready(()),
        }
    }
}

impl Default for Seat {
    /// A client opens a connection because it has a request. Until that has come, the connection is idle.
    fn default() -> Self {
        Self {
            idle_since: Mutex::new(Some(Instant::now())),
            asked: AtomicU8::new(STAYS),
            connection: AtomicWaker::new(),
            is_proxy: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn has_left(seat: &Seat) -> bool {
        seat.poll_left(&Context::from_waker(Waker::noop())).is_ready()
    }

    #[test]
    fn only_an_idle_connection_makes_room() {
        let seat = Seat::default();
        assert!(seat.idle_since().is_some());
        assert!(!has_left(&seat));
        seat.busy();
        seat.leave_if_idle();
        assert!(!has_left(&seat));
        // It has answered that it stays, so it can be asked again.
        let since = Instant::now();
        seat.idle(since);
        assert!(!has_left(&seat));
        assert_eq!(seat.idle_since(), Some(since));
        seat.leave_if_idle();
        assert_eq!(seat.idle_since(), None);
        assert!(has_left(&seat));
    }

    #[test]
    fn one_that_is_in_the_way_leaves_at_once() {
        let seat = Seat::default();
        seat.busy();
        seat.leave();
        assert!(has_left(&seat));
    }
}
