//! A TCP stream that is registered with the runtime only once it has to wait.
//!
//! A connection's first request has mostly arrived when the connection is accepted, and the response fits into the
//! system's buffer. A client that asks for one page and leaves then costs neither of the two system calls that register
//! and deregister a stream, and no turn of the event loop.

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

use crate::site::http::body_file::FiledBody;

/// Bytes read at once before the stream is registered: what browsers send in the head of a request.
const CHUNK: usize = 4096;

/// A non-blocking connection.
#[derive(Debug)]
pub struct LazyTcpStream(State);

#[derive(Debug)]
enum State {
    /// Nothing had to be waited for so far.
    Unregistered(net::TcpStream),
    Registered(TcpStream),
    /// The system refused to register it.
    Broken,
}

impl LazyTcpStream {
    /// Wraps a connection, which must not block.
    pub fn new(stream: net::TcpStream) -> Self {
        Self(State::Unregistered(stream))
    }

    /// Returns the stream as one that can be waited for. Must run inside the runtime.
    fn registered(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        if let State::Unregistered(_) = self.0
            && let State::Unregistered(stream) = std::mem::replace(&mut self.0, State::Broken)
        {
            self.0 = State::Registered(TcpStream::from_std(stream)?);
        }
        match &mut self.0 {
            State::Registered(stream) => Ok(Pin::new(stream)),
            State::Unregistered(_) | State::Broken => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Tries a call on a stream that is not registered; `None` when the call would have to wait, or the stream is registered.
    fn try_now<T>(
        &mut self,
        call: impl FnOnce(&mut net::TcpStream) -> io::Result<T>,
    ) -> Option<io::Result<T>> {
        let State::Unregistered(stream) = &mut self.0 else {
            return None;
        };
        Some(call(stream)).filter(|done| !done.as_ref().is_err_and(would_wait))
    }
}

/// The stream of a connection.
pub trait ConnectionStream: AsyncRead + AsyncWrite + Unpin {
    /// Whether it is encrypted. Then its end has to be said, so that the client knows that nothing was cut off.
    const IS_ENCRYPTED: bool = false;

    /// Sends the last bytes together with the end of the connection: one packet instead of two.
    fn cork(&self);

    /// As [`AsyncWrite::poll_write_vectored`]; what is part of `filed` may be sent from its file.
    fn poll_send(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
        _filed: Option<&FiledBody>,
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, slices)
    }
}

impl ConnectionStream for LazyTcpStream {
    fn cork(&self) {
        // Without it, everything is sent as well.
        let _ = match &self.0 {
            State::Unregistered(stream) => set_tcp_cork(stream, true),
            State::Registered(stream) => set_tcp_cork(stream, true),
            State::Broken => Ok(()),
        };
    }

    fn poll_send(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
        filed: Option<&FiledBody>,
    ) -> Poll<io::Result<usize>> {
        if let Some(sent) = self.try_now(|stream| send(stream.as_fd(), slices, filed)) {
            return Poll::Ready(sent);
        }
        let stream = self.registered()?;
        loop {
            ready!(stream.poll_write_ready(context))?;
            match stream.try_io(Interest::WRITABLE, || send(stream.as_fd(), slices, filed)) {
                Err(error) if would_wait(&error) => {}
                sent => return Poll::Ready(sent),
            }
        }
    }
}

/// A connection in memory has no packets.
impl ConnectionStream for tokio::io::DuplexStream {
    fn cork(&self) {}
}

fn would_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

impl AsyncRead for LazyTcpStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut chunk = [MaybeUninit::uninit(); CHUNK];
        let room = buffer.remaining().min(CHUNK);
        let chunk = chunk.get_mut(..room).unwrap_or_default();
        if let Some(received) = self.try_now(|stream| Ok(recv(stream, chunk, RecvFlags::empty())?)) {
            let ((bytes, _), _) = received?;
            buffer.put_slice(bytes);
            return Poll::Ready(Ok(()));
        }
        self.registered()?.poll_read(context, buffer)
    }
}

impl AsyncWrite for LazyTcpStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_send(context, slices, None)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The system's buffer needs no flushing.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.try_now(|stream| stream.shutdown(net::Shutdown::Write)) {
            Some(done) => Poll::Ready(done),
            None => self.registered()?.poll_shutdown(context),
        }
    }
}

/// Sends as much as the system takes; what is in a file, from there.
fn send(socket: BorrowedFd<'_>, slices: &[IoSlice<'_>], filed: Option<&FiledBody>) -> io::Result<usize> {
    let place = |(number, slice): (usize, &IoSlice<'_>)| Some((number, slice.len(), filed?.place(slice)?));
    let Some((before, length, (file, mut offset))) = slices.iter().enumerate().find_map(place) else {
        return Ok(writev(socket, slices)?);
    };
    let head = slices.get(..before).unwrap_or_default();
    let mut sent = 0;
    if !head.is_empty() {
        // The packet waits for what follows from the file.
        sent = sendmsg(socket, head, &mut SendAncillaryBuffer::default(), SendFlags::MORE)?;
        if sent < head.iter().map(|slice| slice.len()).sum() {
            return Ok(sent);
        }
    }
    match sendfile(socket, file, Some(&mut offset), length) {
        Ok(length) => Ok(sent + length),
        // Found again by the next call, which has the body only.
        Err(_) if sent > 0 => Ok(sent),
        Err(error) => Err(error.into()),
    }
}
