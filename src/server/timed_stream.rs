//! A stream that tells the connection's deadline what passes, and that closes without losing the last response.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::deadline::Deadline;
use super::limits::LINGER_BYTES;

/// Bytes thrown away at once.
const CHUNK: usize = 4096;

/// The stream of one connection.
#[derive(Debug)]
pub struct TimedStream<S> {
    stream: S,
    deadline: Arc<Deadline>,
    /// Bytes thrown away since it was shut down for writing.
    thrown_away: Option<usize>,
}

impl<S> TimedStream<S> {
    /// Wraps the stream of the connection that the deadline belongs to.
    pub fn new(stream: S, deadline: Arc<Deadline>) -> Self {
        Self {
            stream,
            deadline,
            thrown_away: None,
        }
    }
}

impl<S: AsyncRead + Unpin> TimedStream<S> {
    /// Reads and throws away what the client still sends. If the socket were closed with bytes unread, the system would
    /// reset the connection, and a client that reads only when it has sent everything would never see the response.
    fn poll_throw_away(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let thrown_away = self.thrown_away.get_or_insert_default();
        let mut chunk = [MaybeUninit::uninit(); CHUNK];
        // The runtime gives other connections their turn.
        loop {
            let mut buffer = ReadBuf::uninit(&mut chunk);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            *thrown_away += buffer.filled().len();
            if read.is_err() || buffer.filled().is_empty() || *thrown_away > LINGER_BYTES {
                return Poll::Ready(());
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.deadline.received();
        }
        result
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
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
            self.deadline.flushed();
        }
        result
    }

    /// Where the client may still be sending, the stream is read to its end as well.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.thrown_away.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        }
        if self.deadline.begin_linger() {
            ready!(self.poll_throw_away(context));
        }
        Poll::Ready(Ok(()))
    }
}
