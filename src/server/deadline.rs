//! When a connection must be over, by what it waits for: a request, its response, the client's next request.
//!
//! hyper has a timeout for heads only. It would run while a slow client still reads the last response, could not tell an
//! idle connection from a slow one, and would wait for ever for a client that does not read at all. By HTTP/2, a client could
//! keep the connection open by frames that are no requests, or hide a response that it never takes behind others.

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

/// Time for the client to close the connection once it was told to, and to read the end of the last response: less than a
/// process that ends waits for its connections.
const LEAVE_TIME: Duration = Duration::from_secs(5);

/// The deadline of one connection. The oldest request under way sets it; without any, the [`Phase`] does.
#[derive(Debug)]
pub struct Deadline {
    limits: Limits,
    protocol: Protocol,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    /// The number of each request under way, and when its response must have left.
    open: BTreeMap<u64, Instant>,
    next: u64,
    /// What the connection waits for without a request, and until when.
    phase: Phase,
    until: Instant,
    answered: usize,
    cancelled: usize,
    /// Whether the client may still be sending when the connection is closed.
    lingers: bool,
    /// Whether the client was told that no further request is answered.
    leaves: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Head,
    /// The last response is complete and on its way.
    Response,
    Idle,
}

/// One request under way, until its response has been handed over or the client cancels it.
#[derive(Debug)]
pub struct RequestGuard {
    deadline: Arc<Deadline>,
    number: u64,
    is_answered: bool,
}

impl Deadline {
    /// Starts the deadline of a new connection. A client opens one because it has a request, so the first head is due.
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

    /// Notes that the head of a request is complete.
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

    /// Notes that bytes have come. By HTTP/2 they need not belong to a request.
    pub(super) fn received(&self) {
        let mut progress = self.progress.lock();
        if progress.phase == Phase::Idle && self.protocol == Protocol::Http1 {
            progress.enter(Phase::Head, self.limits.head_time);
        }
    }

    /// Notes that everything written so far has been sent.
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

    /// Drives the connection to its end. A connection by HTTP/2 that is idle for too long is told so, as is any after
    /// `shutdown` has completed; responses under way are still sent.
    ///
    /// # Errors
    /// When the connection misses its deadline, or is abused: what it was refused, unless it was merely idle.
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
                // Only the connection's own progress moves the deadline, so this sees every change.
                let mut progress = self.progress.lock();
                if progress.cancelled > MAX_CANCELLED.max(progress.answered) {
                    return Poll::Ready(Err(Some(Refusal::TooManyCancelled)));
                }
                timer.as_mut().reset(progress.due());
                let is_late = timer.as_mut().poll(context).is_ready();
                let is_idle = self.protocol == Protocol::Http2 && progress.open.is_empty();
                // It is not polled again once it has completed.
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
    /// Gives the request so much longer than others, from now on.
    pub fn extend(&self, more: Duration) {
        let until = Instant::now() + self.deadline.limits.request_time + more;
        let mut progress = self.deadline.progress.lock();
        if let Some(at) = progress.open.get_mut(&self.number) {
            *at = until;
        }
    }

    /// Notes that the client may still be sending a body when the connection is closed.
    pub fn linger(&self) {
        self.deadline.progress.lock().lingers = true;
    }

    /// Notes that the whole response has been handed over.
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
