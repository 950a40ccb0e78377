//! A stream on which nothing can be smuggled into TLS.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The command after which TLS begins, as lettre writes it.
const COMMAND: &[u8] = b"STARTTLS\r\n";

/// A connection that begins in the clear. lettre keeps what it has read beyond the answer to `STARTTLS` and would take it for
/// an answer that came through TLS; whoever can write into the connection could so forge answers. Therefore, this stream
/// gives that answer byte by byte, and what follows it is left for the handshake, which fails on it.
#[derive(Debug)]
pub(super) struct GuardedStream {
    stream: TcpStream,
    tls_follows: bool,
}

impl GuardedStream {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            tls_follows: false,
        }
    }
}

impl AsyncTokioStream for GuardedStream {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.tls_follows {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let mut byte = [0];
        let mut one = ReadBuf::new(&mut byte);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut one))?;
        buffer.put_slice(one.filled());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.tls_follows = bytes == COMMAND;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
