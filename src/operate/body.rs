//! What is sent to a command, in constant memory however much it is.

use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::body::Frame;
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::store::Unavailable;

/// Bytes sent at once: some 250 inquiries.
const CHUNK: usize = 64 << 10;

/// Chunks written ahead of the reader, so that reading the store and sending overlap.
const AHEAD: usize = 2;

/// The body of a response, or what the command itself reads where there is no server. An error in the middle breaks the connection,
/// so that nobody can mistake it for the end.
pub struct Body {
    parts: Receiver<Part>,
    is_complete: bool,
    /// How many inquiries the store holds, in all, if the reader is told.
    pub total: Option<u64>,
}

/// Some bytes, trailers at the end, which may be empty, or an error, after which nothing follows.
type Part = Result<Frame<Bytes>, Unavailable>;

impl Body {
    /// Sends a text.
    pub fn text(text: impl Into<Bytes>) -> Self {
        let (sender, parts) = channel(2);
        // There is room for both.
        let _ = sender.try_send(Ok(Frame::data(text.into())));
        let _ = sender.try_send(Ok(Frame::trailers(HeaderMap::new())));
        Self::new(parts, None)
    }

    /// Sends one value as a line of JSON.
    pub fn value(value: &impl Serialize) -> Self {
        let mut line = Vec::new();
        // Memory takes every byte, so that no step fails.
        let _ = write_line(&mut line, value);
        Self::text(line)
    }

    /// Sends what `write` writes, and the trailers that it returns, from a thread of its own, which waits for the reader and ends
    /// when that is gone. Must run inside the runtime.
    pub fn stream(
        total: Option<u64>,
        write: impl FnOnce(&mut BufWriter<Chunks>) -> io::Result<HeaderMap> + Send + 'static,
    ) -> Self {
        let (sender, parts) = channel(AHEAD);
        tokio::task::spawn_blocking(move || {
            let mut out = BufWriter::with_capacity(CHUNK, Chunks(sender.clone()));
            let written = write(&mut out).and_then(|trailers| out.flush().map(|()| trailers));
            // A reader that is gone misses neither trailers nor an error.
            let _ = sender.blocking_send(written.map(Frame::trailers).map_err(|_| Unavailable));
        });
        Self::new(parts, total)
    }

    fn new(parts: Receiver<Part>, total: Option<u64>) -> Self {
        Self {
            parts,
            is_complete: false,
            total,
        }
    }
}

/// Writes a value as a line of JSON.
///
/// # Errors
/// Those of writing.
pub fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Sends each write to the reader as a chunk.
pub struct Chunks(Sender<Part>);

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let chunk = Frame::data(Bytes::copy_from_slice(bytes));
        let sent = self.0.blocking_send(Ok(chunk));
        sent.map(|()| bytes.len())
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Unavailable;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Part>> {
        if self.is_complete {
            return Poll::Ready(None);
        }
        // A thread that stopped without a word, such as by a bug, has not sent everything.
        let part = ready!(self.parts.poll_recv(context)).unwrap_or(Err(Unavailable));
        self.is_complete = part.as_ref().map_or(true, Frame::is_trailers);
        let is_end = |frame: &Frame<Bytes>| frame.trailers_ref().is_some_and(HeaderMap::is_empty);
        Poll::Ready((!part.as_ref().is_ok_and(is_end)).then_some(part))
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn only_what_was_written_to_its_end_is_complete() {
        let body = Body::stream(None, |out| {
            write_line(out, &1)?;
            Ok(HeaderMap::new())
        });
        assert_eq!(body.collect().await.unwrap().to_bytes(), "1\n");
        let failed = Body::stream(None, |out| {
            write_line(out, &1)?;
            Err(io::ErrorKind::Other.into())
        });
        assert!(failed.collect().await.is_err());
        let panicked = Body::stream(None, |out| {
            write_line(out, &1)?;
            panic!("a bug");
        });
        assert!(panicked.collect().await.is_err());
        assert_eq!(
            Body::text("one").collect().await.unwrap().to_bytes(),
            Bytes::from("one")
        );
    }
}
