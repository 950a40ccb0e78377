//! A stream on which nothing can be smuggled into TLS, and no answer is endless.

use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The command after which TLS begins, as lettre writes it.
const COMMAND: &[u8] = b"STARTTLS\r\n";

/// How many bytes an answer may have: lettre reads a line to its end, however long it is, and reads all lines again with each
/// new one. The longest answers, lists of what a server can, have a few kibibytes.
const LONGEST_ANSWER: usize = 16 * 1024;

/// The same for what follows the change to TLS: handshakes hold chains of certificates.
const LONGEST_BY_TLS: usize = 64 * 1024;

/// A connection to a mail server that bounds what is read between two commands.
///
/// One that begins in the clear: lettre keeps what it has read beyond the answer to `STARTTLS` and would take it for an
/// answer that came through TLS; whoever can write into the connection could so forge answers. Therefore, this stream gives
/// that answer byte by byte, and what follows it is left for the handshake, which fails on it.
#[derive(Debug)]
pub(super) struct GuardedStream<S> {
    stream: S,
    peer: SocketAddr,
    tls_follows: bool,
    /// How many bytes were read since the last command.
    answered: usize,
    /// How many may be.
    limit: usize,
}

impl<S> GuardedStream<S> {
    pub(super) fn new(stream: S, peer: SocketAddr) -> Self {
        Self {
            stream,
            peer,
            tls_follows: false,
            answered: 0,
            limit: LONGEST_ANSWER,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin + Debug> AsyncTokioStream for GuardedStream<S> {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for GuardedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.answered > self.limit {
            return Poll::Ready(Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "its answer is too long",
            )));
        }
        let before = buffer.filled().len();
        if self.tls_follows {
            let mut byte = [0];
            let mut one = ReadBuf::new(&mut byte);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut one))?;
            buffer.put_slice(one.filled());
        } else {
            ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        }
        self.answered += buffer.filled().len() - before;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for GuardedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.tls_follows {
            self.limit = LONGEST_BY_TLS;
        }
        self.tls_follows = bytes == COMMAND;
        self.answered = 0;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
