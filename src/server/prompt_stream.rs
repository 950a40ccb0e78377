//! A connection that the runtime watches only once it has to wait for it.
//!
//! A connection's first request has mostly arrived when the connection is accepted, and the response fits into the
//! system's buffer. A client that asks for one page and leaves then costs neither of the two system calls that begin and
//! end watching, and no turn of the event loop.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::net;
use std::os::fd::{AsFd, BorrowedFd};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use rustix::fs::sendfile;
use rustix::io::writev;
use rustix::net::sockopt::set_tcp_cork;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags, recv, sendmsg};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;

use crate::kept_bodies;

/// Bytes read at once before the connection is watched: what browsers send in the head of a request.
const CHUNK: usize = 4096;

/// A non-blocking connection.
#[derive(Debug)]
pub struct PromptStream(State);

#[derive(Debug)]
enum State {
    /// Nothing had to be waited for so far.
    Unwatched(net::TcpStream),
    Watched(TcpStream),
    /// The system refused to watch it.
    Broken,
}

impl PromptStream {
    /// Wraps a connection, which must not block.
    pub fn new(stream: net::TcpStream) -> Self {
        Self(State::Unwatched(stream))
    }

    /// Returns the stream as one that can be waited for. Must run inside the runtime.
    fn watched(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        if let State::Unwatched(_) = self.0
            && let State::Unwatched(stream) = std::mem::replace(&mut self.0, State::Broken)
        {
            self.0 = State::Watched(TcpStream::from_std(stream)?);
        }
        match &mut self.0 {
            State::Watched(stream) => Ok(Pin::new(stream)),
            State::Unwatched(_) | State::Broken => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Tries a call on a stream that is not watched; `None` when it would have to wait, or is watched already.
    fn prompt<T>(
        &mut self,
        call: impl FnOnce(&mut net::TcpStream) -> io::Result<T>,
    ) -> Option<io::Result<T>> {
        let State::Unwatched(stream) = &mut self.0 else {
            return None;
        };
        Some(call(stream)).filter(|done| !done.as_ref().is_err_and(would_wait))
    }
}

/// How a stream ends.
pub trait Ending {
    /// Whether it is encrypted. Then its end has to be said, so that the client knows that nothing was cut off.
    const IS_ENCRYPTED: bool = false;

    /// Sends the last bytes together with the end of the connection: one packet instead of two.
    fn cork(&self);
}

impl Ending for PromptStream {
    fn cork(&self) {
        // Without it, everything is sent as well.
        let _ = match &self.0 {
            State::Unwatched(stream) => set_tcp_cork(stream, true),
            State::Watched(stream) => set_tcp_cork(stream, true),
            State::Broken => Ok(()),
        };
    }
}

/// A connection in memory has no packets.
impl Ending for tokio::io::DuplexStream {
    fn cork(&self) {}
}

fn would_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

impl AsyncRead for PromptStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut chunk = [MaybeUninit::uninit(); CHUNK];
        let room = buffer.remaining().min(CHUNK);
        let chunk = chunk.get_mut(..room).unwrap_or_default();
        if let Some(received) = self.prompt(|stream| Ok(recv(stream, chunk, RecvFlags::empty())?)) {
            let ((bytes, _), _) = received?;
            buffer.put_slice(bytes);
            return Poll::Ready(Ok(()));
        }
        self.watched()?.poll_read(context, buffer)
    }
}

impl AsyncWrite for PromptStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let Some(sent) = self.prompt(|stream| send(stream.as_fd(), slices)) {
            return Poll::Ready(sent);
        }
        let stream = self.watched()?;
        loop {
            ready!(stream.poll_write_ready(context))?;
            match stream.try_io(Interest::WRITABLE, || send(stream.as_fd(), slices)) {
                Err(error) if would_wait(&error) => {}
                sent => return Poll::Ready(sent),
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The system's buffer needs no flushing.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.prompt(|stream| stream.shutdown(net::Shutdown::Write)) {
            Some(done) => Poll::Ready(done),
            None => self.watched()?.poll_shutdown(context),
        }
    }
}

/// Sends as much as the system takes; what is in a file, from there.
fn send(socket: BorrowedFd<'_>, slices: &[IoSlice<'_>]) -> io::Result<usize> {
    let mut places = slices.iter().map(|slice| kept_bodies::place(slice));
    let Some(before) = places.position(|place| place.is_some()) else {
        return Ok(writev(socket, slices)?);
    };
    let (head, rest) = slices.split_at(before);
    let mut sent = 0;
    if !head.is_empty() {
        // The packet waits for what follows from the file.
        sent = sendmsg(socket, head, &mut SendAncillaryBuffer::default(), SendFlags::MORE)?;
        if sent < head.iter().map(|slice| slice.len()).sum() {
            return Ok(sent);
        }
    }
    let Some((body, (file, mut offset))) = rest
        .first()
        .and_then(|body| Some((body, kept_bodies::place(body)?)))
    else {
        return Ok(sent);
    };
    match sendfile(socket, file, Some(&mut offset), body.len()) {
        Ok(length) => Ok(sent + length),
        // Found again by the next call, which has the body only.
        Err(_) if sent > 0 => Ok(sent),
        Err(error) => Err(error.into()),
    }
}
