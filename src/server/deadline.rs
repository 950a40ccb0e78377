//! Deadlines for each phase of a connection: waiting for a request, reading its head, answering it.
//!
//! hyper has a timeout for heads only. It would run while a slow client still reads the last response, could not tell an
//! idle connection from a slow one, and would wait for ever for a client that does not read at all.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::base::metrics::Refusal;
use crate::web::limits::seat::Seat;
use crate::web::upload::WHOLE;

/// How long each phase of a connection may last.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Between a response and the first byte of the next request.
    pub idle: Duration,
    /// For the head.
    pub head: Duration,
    /// From the end of the head until the response has left.
    pub request: Duration,
    /// For a client that still sends after the last response.
    pub linger: Duration,
}

/// The phase that a connection is in, and when it must be over.
#[derive(Debug)]
pub struct Deadline {
    timeouts: Timeouts,
    seat: Arc<Seat>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    at: Instant,
    /// Whether the client may still be sending when the connection is closed.
    lingers: bool,
    /// When a request with photos must be complete, however steadily they come.
    upload_until: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    Head,
    Request,
    /// A request with photos, which may go on for as long as something comes.
    Upload,
    /// The response is complete and on its way.
    Response,
    Linger,
}

impl Deadline {
    /// Starts the deadline of a new connection. A client opens one because it has a request, so the first head is due.
    pub fn start(timeouts: Timeouts, seat: Arc<Seat>) -> Arc<Self> {
        let state = State {
            phase: Phase::Head,
            at: Instant::now() + timeouts.head,
            lingers: false,
            upload_until: Instant::now(),
        };
        Arc::new(Self {
            timeouts,
            seat,
            state: Mutex::new(state),
        })
    }

    /// Notes that the head of a request is complete.
    pub fn request(&self) {
        self.enter(Phase::Request, self.timeouts.request);
    }

    /// Notes that the head of a request with photos is complete. The handler ends one that stands still or takes too long, and has the
    /// time to say so.
    pub fn upload(&self) {
        self.enter(Phase::Upload, self.timeouts.request + self.timeouts.linger);
        self.state.lock().upload_until = Instant::now() + WHOLE + self.timeouts.request;
    }

    /// Notes that the response to it is complete.
    pub fn response(&self) {
        self.state.lock().phase = Phase::Response;
    }

    /// Notes that the client may still be sending a body when the connection is closed.
    pub fn linger(&self) {
        self.state.lock().lingers = true;
    }

    /// Starts the time in which a client may finish sending, and returns `true`, if [`Self::linger`] was called.
    pub(super) fn begin_linger(&self) -> bool {
        let State { phase, lingers, .. } = *self.state.lock();
        if lingers && phase != Phase::Linger {
            self.enter(Phase::Linger, self.timeouts.linger);
        }
        lingers
    }

    /// Notes that bytes have come.
    pub(super) fn received(&self) {
        let mut state = self.state.lock();
        match state.phase {
            Phase::Idle => {
                drop(state);
                self.enter(Phase::Head, self.timeouts.head);
            }
            Phase::Upload => {
                let at = Instant::now() + self.timeouts.request + self.timeouts.linger;
                state.at = at.min(state.upload_until);
            }
            Phase::Head | Phase::Request | Phase::Response | Phase::Linger => {}
        }
    }

    /// Notes that everything written so far has been sent.
    pub(super) fn flushed(&self) {
        if self.state.lock().phase == Phase::Response {
            self.enter(Phase::Idle, self.timeouts.idle);
        }
    }

    /// Returns why a connection that missed its deadline was refused something; `None` if it was merely idle.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        match self.state.lock().phase {
            Phase::Head => Some(Refusal::HeadTooSlow),
            Phase::Request | Phase::Upload | Phase::Response => Some(Refusal::ResponseTooSlow),
            // What the client still sends was refused by the response.
            Phase::Idle | Phase::Linger => None,
        }
    }

    fn enter(&self, phase: Phase, time: Duration) {
        let now = Instant::now();
        match phase {
            Phase::Request | Phase::Upload => self.seat.busy(),
            Phase::Idle | Phase::Linger => self.seat.idle(now),
            // The connection waits for a request as long as it was idle before.
            Phase::Head | Phase::Response => {}
        }
        let mut state = self.state.lock();
        state.phase = phase;
        state.at = now + time;
    }

    /// Drives the connection to its end. Returns `None` when it misses a deadline, or makes room for others.
    ///
    /// The timer is set anew only for an earlier deadline: mostly, the deadline has moved on long before the timer fires,
    /// and moving both with each request would cost more than one look when it does.
    pub async fn enforce<C: Future>(&self, connection: C) -> Option<C::Output> {
        let mut connection = pin!(connection);
        let mut timer = pin!(sleep_until(self.state.lock().at));
        poll_fn(|context| {
            if let Poll::Ready(end) = connection.as_mut().poll(context) {
                return Poll::Ready(Some(end));
            }
            if self.seat.poll_left(context).is_ready() {
                return Poll::Ready(None);
            }
            // Only the connection's own progress moves the deadline, so this sees every change.
            let at = self.state.lock().at;
            if at < timer.deadline() {
                timer.as_mut().reset(at);
            }
            while timer.as_mut().poll(context).is_ready() {
                if at <= timer.deadline() {
                    return Poll::Ready(None);
                }
                timer.as_mut().reset(at);
            }
            Poll::Pending
        })
        .await
    }
}
