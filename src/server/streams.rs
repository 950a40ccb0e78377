//! The requests under way on one connection by HTTP/2, and when it must be over.
//!
//! The connection is bound by the first request that must be answered; without any, it is idle. A client can neither keep
//! it open by frames that are no requests, nor hide a response that it never takes behind others.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

use super::deadline::Timeouts;
use super::limits::{MAX_BODIES_AT_WORK, MAX_CANCELLED, MAX_STREAMS_AT_WORK, MAX_WAITING_HEADS};
use crate::base::metrics::Refusal;
use crate::web::limits::seat::Seat;
use crate::web::upload::WHOLE;

/// Time for the client to close the connection once it was told to, and to read the end of the last response: less than a
/// process that ends waits for its connections.
const LEAVE_TIME: Duration = Duration::from_secs(5);

/// What is under way on one connection.
#[derive(Debug)]
pub struct Streams {
    timeouts: Timeouts,
    seat: Arc<Seat>,
    at_work: Arc<Semaphore>,
    with_body: Arc<Semaphore>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The number of each request that is not answered, and when it must be.
    open: Vec<(u64, Instant)>,
    next: u64,
    /// Bytes of the heads of requests that wait for their turn.
    waiting_heads: usize,
    /// When the connection must have its next request.
    idle_until: Instant,
    answered: usize,
    cancelled: usize,
}

/// How a connection ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End<T> {
    /// By itself.
    Done(T),
    /// A request took too long, the client did not close in time, or others need the room.
    Overdue,
    /// The client cancels more requests than it lets finish.
    Abused,
}

/// One request under way, until its response has been handed over or the client cancels it.
#[derive(Debug)]
pub struct StreamGuard {
    streams: Arc<Streams>,
    number: u64,
    is_answered: bool,
    /// Bytes of its head, while it waits; `None` when there was no room for it.
    head: Option<usize>,
    permits: [Option<OwnedSemaphorePermit>; 2],
}

impl Streams {
    /// Starts the time of a new connection. A client opens one because it has a request, so the first is due.
    pub fn start(timeouts: Timeouts, seat: Arc<Seat>) -> Arc<Self> {
        Arc::new(Self {
            timeouts,
            seat,
            at_work: Arc::new(Semaphore::new(MAX_STREAMS_AT_WORK)),
            with_body: Arc::new(Semaphore::new(MAX_BODIES_AT_WORK)),
            state: Mutex::new(State {
                open: Vec::new(),
                next: 0,
                waiting_heads: 0,
                idle_until: Instant::now() + timeouts.head,
                answered: 0,
                cancelled: 0,
            }),
        })
    }

    /// Notes that the head of a request is complete, which takes this many bytes.
    pub fn begin(self: &Arc<Self>, head: usize) -> StreamGuard {
        self.seat.busy();
        let mut state = self.state.lock();
        let head = Some(head).filter(|head| state.waiting_heads + head <= MAX_WAITING_HEADS);
        let number = state.next;
        state.next += 1;
        state.waiting_heads += head.unwrap_or_default();
        state.open.push((number, Instant::now() + self.timeouts.request));
        StreamGuard {
            streams: Arc::clone(self),
            number,
            is_answered: false,
            head,
            permits: [None, None],
        }
    }

    /// Drives the connection to its end. Once nothing is asked for any more, or `shutdown` has completed, `leave` tells
    /// the client so, and responses under way are still sent.
    pub async fn enforce<C: Future>(
        &self,
        mut connection: Pin<&mut C>,
        shutdown: impl Future<Output = ()>,
        leave: impl Fn(Pin<&mut C>),
    ) -> End<C::Output> {
        let mut shutdown = pin!(shutdown);
        let mut is_leaving = false;
        let mut leaves_until = None;
        let mut timer = pin!(sleep_until(self.due()));
        poll_fn(|context| {
            loop {
                if let Poll::Ready(end) = connection.as_mut().poll(context) {
                    return Poll::Ready(End::Done(end));
                }
                if self.seat.poll_left(context).is_ready() {
                    return Poll::Ready(End::Overdue);
                }
                if !is_leaving && shutdown.as_mut().poll(context).is_ready() {
                    is_leaving = true;
                    leave(connection.as_mut());
                    continue;
                }
                if self.is_abused() {
                    return Poll::Ready(End::Abused);
                }
                let is_idle = self.is_idle();
                // Every change comes with progress of the connection, so it is seen here.
                let at = if is_leaving && is_idle {
                    *leaves_until.get_or_insert_with(|| Instant::now() + LEAVE_TIME)
                } else {
                    leaves_until = None;
                    self.due()
                };
                // Set anew only for an earlier time, as `Deadline` does.
                if at < timer.deadline() {
                    timer.as_mut().reset(at);
                }
                if timer.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
                if at > timer.deadline() {
                    timer.as_mut().reset(at);
                    continue;
                }
                if is_leaving || !is_idle {
                    return Poll::Ready(End::Overdue);
                }
                is_leaving = true;
                leave(connection.as_mut());
            }
        })
        .await
    }

    /// Returns why a connection that is overdue was refused something; `None` if it was merely idle.
    pub fn refusal(&self) -> Option<Refusal> {
        let state = self.state.lock();
        match (state.open.is_empty(), state.next) {
            (false, _) => Some(Refusal::ResponseTooSlow),
            (true, 0) => Some(Refusal::HeadTooSlow),
            (true, _) => None,
        }
    }

    fn due(&self) -> Instant {
        let state = self.state.lock();
        let first = state.open.iter().map(|&(_, until)| until).min();
        first.unwrap_or(state.idle_until)
    }

    fn is_idle(&self) -> bool {
        self.state.lock().open.is_empty()
    }

    fn is_abused(&self) -> bool {
        let state = self.state.lock();
        state.cancelled > MAX_CANCELLED && state.cancelled > state.answered
    }
}

impl StreamGuard {
    /// Returns whether its head may be kept. Asked before it waits.
    pub fn has_room(&self) -> bool {
        self.head.is_some()
    }

    /// Waits until the connection has few enough requests at work.
    pub async fn wait_for_turn(&mut self, has_body: bool) {
        // The semaphores are never closed. What waits for the first keeps no request without a body from the second.
        let take = |semaphore| Semaphore::acquire_owned(Arc::clone(semaphore));
        let with_body = if has_body {
            take(&self.streams.with_body).await.ok()
        } else {
            None
        };
        self.permits = [with_body, take(&self.streams.at_work).await.ok()];
        self.release_head();
    }

    /// Gives back the room of the head, which is no longer kept.
    fn release_head(&mut self) {
        let head = self.head.take().unwrap_or_default();
        self.streams.state.lock().waiting_heads -= head;
    }

    /// Gives the request the time for photos, which its handler ends if they stand still.
    pub fn upload(&self) {
        self.give(WHOLE + self.streams.timeouts.request);
    }

    /// Notes that the response is there; from now on it is the client's turn.
    pub fn respond(&self) {
        self.give(self.streams.timeouts.request);
    }

    fn give(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.streams.state.lock();
        let open = state.open.iter_mut().find(|(number, _)| *number == self.number);
        if let Some((_, at)) = open {
            *at = until;
        }
    }

    /// Notes that the whole response has been handed over.
    pub fn answered(&mut self) {
        self.is_answered = true;
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        self.release_head();
        let idle = self.streams.timeouts.idle;
        let now = Instant::now();
        let mut state = self.streams.state.lock();
        state.open.retain(|&(number, _)| number != self.number);
        state.idle_until = now + idle;
        if state.open.is_empty() {
            self.streams.seat.idle(now);
        }
        if self.is_answered {
            state.answered = state.answered.saturating_add(1);
        } else {
            state.cancelled = state.cancelled.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    const TIMEOUTS: Timeouts = Timeouts {
        idle: Duration::from_secs(15),
        head: Duration::from_secs(10),
        request: Duration::from_mins(1),
        linger: Duration::from_secs(9),
    };

    async fn end(streams: &Streams) -> (End<()>, u64) {
        let start = Instant::now();
        let connection = pin!(pending());
        let end = streams.enforce(connection, pending(), |_| {}).await;
        (end, start.elapsed().as_secs())
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_without_a_request_ends() {
        let streams = Streams::start(TIMEOUTS, Arc::default());
        // Ten seconds for the first request, and five to take leave.
        assert_eq!(end(&streams).await, (End::Overdue, 15));
    }

    #[tokio::test(start_paused = true)]
    async fn further_requests_do_not_hide_one_that_is_never_taken() {
        let streams = Streams::start(TIMEOUTS, Arc::default());
        let oldest = streams.begin(0);
        let task = tokio::spawn({
            let streams = Arc::clone(&streams);
            async move {
                loop {
                    streams.begin(0).answered();
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        });
        assert_eq!(end(&streams).await, (End::Overdue, 60));
        task.abort();
        drop(oldest);
        assert_eq!(end(&streams).await, (End::Overdue, 20));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_only_cancels_is_disconnected() {
        let streams = Streams::start(TIMEOUTS, Arc::default());
        for _ in 0..MAX_CANCELLED {
            drop(streams.begin(0));
        }
        assert!(!streams.is_abused());
        drop(streams.begin(0));
        assert_eq!(end(&streams).await, (End::Abused, 0));
        for _ in 0..=MAX_CANCELLED {
            streams.begin(0).answered();
        }
        assert!(!streams.is_abused());
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_much_waits() {
        let streams = Streams::start(TIMEOUTS, Arc::default());
        let half = || streams.begin(MAX_WAITING_HEADS / 2);
        let (mut first, second, third) = (half(), half(), half());
        assert!(first.has_room() && second.has_room() && !third.has_room());
        drop(third);
        assert!(!half().has_room());
        // What is looked at waits no longer.
        first.wait_for_turn(true).await;
        let mut others: Vec<_> = (1..MAX_BODIES_AT_WORK).map(|_| streams.begin(0)).collect();
        for other in &mut others {
            other.wait_for_turn(true).await;
        }
        let mut next = half();
        assert!(next.has_room());
        let waiting = tokio::time::timeout(Duration::from_secs(1), next.wait_for_turn(true));
        assert!(waiting.await.is_err(), "too many bodies");
        next.wait_for_turn(false).await;
        drop(first);
        streams.begin(0).wait_for_turn(true).await;
    }

    #[tokio::test(start_paused = true)]
    async fn the_shutdown_takes_leave_at_once() {
        let streams = Streams::start(TIMEOUTS, Arc::default());
        let (left, leaves) = tokio::sync::oneshot::channel();
        let left = std::cell::Cell::new(Some(left));
        let connection = pin!(leaves);
        let leave = |_: Pin<&mut tokio::sync::oneshot::Receiver<()>>| {
            left.take().unwrap().send(()).unwrap();
        };
        let end = streams.enforce(connection, std::future::ready(()), leave).await;
        assert_eq!(end, End::Done(Ok(())));
    }
}
