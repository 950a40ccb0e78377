//! Connection deadlines by state: waiting for a request, its response, or the client's next request.
//!
//! hyper only has a timeout for heads. It would run while a slow client still reads the last response, could not tell an idle
//! connection from a slow one, and would wait forever for a client that never reads. Over HTTP/2, a client could keep the
//! connection open with frames that are not requests, or hide a response that it never reads behind others.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hyper_util::server::graceful::GracefulConnection;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until};

use super::limits::{Limits, MAX_CANCELLED};
use super::tls::Protocol;
use crate::base::metrics::Refusal;

/// Time for the client to read the rest of the last response and close the connection after it was told to: less than the grace
/// period of a shutdown.
const LEAVE_TIME: Duration = Duration::from_secs(5);

/// The deadline of one connection. The oldest request in flight sets it; without one, the [`Phase`] does.
#[derive(Debug)]
pub struct Deadline {
    limits: Limits,
    protocol: Protocol,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    /// The requests in flight by number, each with the time by which its response must be sent.
    open: BTreeMap<u64, Instant>,
    next: u64,
    /// What the connection waits for when no request is in flight, and until when.
    phase: Phase,
    until: Instant,
    answered: usize,
    cancelled: usize,
    /// Whether the client may still be sending when the connection is closed.
    lingers: bool,
    /// Whether the client was told that no further requests are answered.
    leaves: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Head,
    /// The last response is complete and being sent.
    Response,
    Idle,
}

/// A request in flight, until its response has been handed over or the client cancels it.
#[derive(Debug)]
pub struct RequestGuard {
    deadline: Arc<Deadline>,
    number: u64,
    is_answered: bool,
}

impl Deadline {
    /// Starts the deadline of a new connection. Clients connect because they have a request, so the first head is due.
    pub fn start(limits: Limits, protocol: Protocol) -> Arc<Self> {
        Arc::new(Self {
            limits,
            protocol,
            progress: Mutex::new(Progress {
                open: BTreeMap::new(),
                next: 0,
                phase: Phase::Head,
                until: Instant::now() + limits.head_time,
                answered: 0,
                cancelled: 0,
                lingers: false,
                leaves: false,
            }),
        })
    }

    /// Records that the head of a request is complete.
    pub fn begin(self: &Arc<Self>) -> RequestGuard {
        let mut progress = self.progress.lock();
        let number = progress.next;
        progress.next += 1;
        let until = Instant::now() + self.limits.request_time;
        progress.open.insert(number, until);
        RequestGuard {
            deadline: Arc::clone(self),
            number,
            is_answered: false,
        }
    }

    /// Whether the client may still be sending ([`RequestGuard::linger`]).
    pub(super) fn lingers(&self) -> bool {
        self.progress.lock().lingers
    }

    /// Records that bytes have arrived. Over HTTP/2 they need not belong to a request.
    pub(super) fn received(&self) {
        let mut progress = self.progress.lock();
        if progress.phase == Phase::Idle && self.protocol == Protocol::Http1 {
            progress.enter(Phase::Head, self.limits.head_time);
        }
    }

    /// Records that everything written so far has been sent.
    pub(super) fn flushed(&self) {
        let mut progress = self.progress.lock();
        if progress.phase == Phase::Response && progress.open.is_empty() {
            let time = if progress.leaves {
                LEAVE_TIME
            } else {
                self.limits.idle_time
            };
            progress.enter(Phase::Idle, time);
        }
    }

    /// Drives the connection to its end. An HTTP/2 connection that is idle for too long is shut down gracefully, as is any
    /// connection once `shutdown` completes; responses in flight are still sent.
    ///
    /// # Errors
    /// If the connection misses its deadline or is abusive: the refusal to count, or `None` if it was merely idle.
    pub async fn enforce<C: GracefulConnection>(
        &self,
        mut connection: Pin<&mut C>,
        shutdown: impl Future<Output = ()>,
    ) -> Result<C::Output, Option<Refusal>> {
        let mut shutdown = pin!(shutdown);
        let mut timer = pin!(sleep_until(self.progress.lock().due()));
        poll_fn(|context| {
            loop {
                if let Poll::Ready(end) = connection.as_mut().poll(context) {
                    return Poll::Ready(Ok(end));
                }
                // Only polling the connection moves the deadline, so no change is missed.
                let mut progress = self.progress.lock();
                if progress.cancelled > MAX_CANCELLED.max(progress.answered) {
                    return Poll::Ready(Err(Some(Refusal::TooManyCancelled)));
                }
                timer.as_mut().reset(progress.due());
                let is_late = timer.as_mut().poll(context).is_ready();
                let is_idle = self.protocol == Protocol::Http2 && progress.open.is_empty();
                // `shutdown` must not be polled again after it completes.
                let must_leave =
                    !progress.leaves && (is_late && is_idle || shutdown.as_mut().poll(context).is_ready());
                if must_leave {
                    progress.leave();
                    drop(progress);
                    connection.as_mut().graceful_shutdown();
                } else if is_late {
                    return Poll::Ready(Err(progress.refusal()));
                } else {
                    return Poll::Pending;
                }
            }
        })
        .await
    }
}

impl Progress {
    fn enter(&mut self, phase: Phase, time: Duration) {
        self.phase = phase;
        self.until = Instant::now() + time;
    }

    fn leave(&mut self) {
        self.leaves = true;
        if self.open.is_empty() && matches!(self.phase, Phase::Idle | Phase::Head) {
            self.enter(self.phase, LEAVE_TIME);
        }
    }

    fn due(&self) -> Instant {
        self.open.values().min().copied().unwrap_or(self.until)
    }

    fn refusal(&self) -> Option<Refusal> {
        match self.phase {
            _ if !self.open.is_empty() => Some(Refusal::ResponseTooSlow),
            Phase::Response => Some(Refusal::ResponseTooSlow),
            Phase::Head => Some(Refusal::HeadTooSlow),
            Phase::Idle => None,
        }
    }
}

impl RequestGuard {
    /// Restarts the request's deadline with `more` time than other requests have.
    pub fn extend(&self, more: Duration) {
        let until = Instant::now() + self.deadline.limits.request_time + more;
        let mut progress = self.deadline.progress.lock();
        if let Some(at) = progress.open.get_mut(&self.number) {
            *at = until;
        }
    }

    /// Records that the client may still be sending a body when the connection is closed.
    pub fn linger(&self) {
        self.deadline.progress.lock().lingers = true;
    }

    /// Records that the whole response has been handed over.
    pub fn answered(&mut self) {
        self.is_answered = true;
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut progress = self.deadline.progress.lock();
        if let Some(until) = progress.open.remove(&self.number) {
            progress.until = until;
            progress.phase = Phase::Response;
        }
        if self.is_answered {
            progress.answered += 1;
        } else {
            progress.cancelled += 1;
        }
    }
}
