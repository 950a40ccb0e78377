//! How long a connection may take for what it is at: waiting for a request, its head, the request itself.
//!
//! hyper has a clock for heads only. It would run while a slow client still reads the last answer, could not tell an
//! idle connection from a slow one, and would wait for ever for a client that does not read at all.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, sleep_until};

/// The times of one connection.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// Between an answer and the first byte of the next request.
    pub idle: Duration,
    /// For the head.
    pub head: Duration,
    /// From the end of the head until the answer has left.
    pub request: Duration,
}

/// What the connection is at, and until when.
#[derive(Debug)]
pub struct Clock {
    times: Times,
    now: Mutex<State>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    phase: Phase,
    deadline: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    Head,
    Request,
    /// The answer is made and on its way.
    Answer,
}

impl Clock {
    /// For a connection that was opened now. Nobody opens one without a request in mind, so the first head is due.
    pub fn start(times: Times) -> Arc<Self> {
        let state = State {
            phase: Phase::Head,
            deadline: Instant::now() + times.head,
        };
        Arc::new(Self {
            times,
            now: Mutex::new(state),
        })
    }

    /// A request's head is complete.
    pub fn request(&self) {
        self.enter(Phase::Request, self.times.request);
    }

    /// Its answer is made.
    pub fn answer(&self) {
        self.lock().phase = Phase::Answer;
    }

    fn bytes_came(&self) {
        if self.lock().phase == Phase::Idle {
            self.enter(Phase::Head, self.times.head);
        }
    }

    fn all_sent(&self) {
        if self.lock().phase == Phase::Answer {
            self.enter(Phase::Idle, self.times.idle);
        }
    }

    fn enter(&self, phase: Phase, time: Duration) {
        let deadline = Instant::now() + time;
        *self.lock() = State { phase, deadline };
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drives the connection to its end; `None` when it takes longer than it may.
    pub async fn limit<C: Future>(&self, connection: C) -> Option<C::Output> {
        let mut connection = pin!(connection);
        let mut sleep = pin!(sleep_until(self.lock().deadline));
        poll_fn(|context| {
            if let Poll::Ready(end) = connection.as_mut().poll(context) {
                return Poll::Ready(Some(end));
            }
            // Only the connection's own progress moves the deadline, so that this sees every change of it.
            let deadline = self.lock().deadline;
            if sleep.deadline() != deadline {
                sleep.as_mut().reset(deadline);
            }
            sleep.as_mut().poll(context).map(|()| None)
        })
        .await
    }
}

/// A stream that tells the clock what passes.
#[derive(Debug)]
pub struct Timed<S> {
    stream: S,
    clock: Arc<Clock>,
}

impl<S> Timed<S> {
    /// The stream of the connection that the clock belongs to.
    pub fn new(stream: S, clock: Arc<Clock>) -> Self {
        Self { stream, clock }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Timed<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.clock.bytes_came();
        }
        result
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Timed<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// hyper flushes when nothing is left in its own buffer.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        if let Poll::Ready(Ok(())) = result {
            self.clock.all_sent();
        }
        result
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
