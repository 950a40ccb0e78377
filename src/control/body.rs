//! What the server sends to a command, in constant memory however much it is.

use std::convert::Infallible;
use std::io::{self, BufWriter, Write};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::try_unfold;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::timeout;

use crate::store::Unavailable;

/// Bytes sent at once: some 250 inquiries.
const CHUNK: usize = 64 << 10;

/// Chunks written ahead of the reader, so that reading the store and sending overlap.
const AHEAD: usize = 2;

/// How long a command may read nothing before it is cut off: while a reader pauses, the store's file keeps inquiries that are
/// erased meanwhile.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// The body of a response. An error in the middle breaks the connection, so that nobody can mistake it for the end.
pub type ControlBody = UnsyncBoxBody<Bytes, Unavailable>;

/// Some bytes, or `None` at the end.
type Part = Option<Bytes>;

/// Sends bytes that are there.
pub fn whole(bytes: impl Into<Bytes>) -> ControlBody {
    let never = |never: Infallible| match never {};
    Full::new(bytes.into()).map_err(never).boxed_unsync()
}

/// Sends what `write` writes from a thread of its own, which waits for the reader and ends when that is gone or stands still. Must run
/// inside the runtime.
pub fn stream(write: impl FnOnce(&mut BufWriter<Chunks>) -> io::Result<()> + Send + 'static) -> ControlBody {
    let (sender, parts) = channel(AHEAD);
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || {
        let mut out = BufWriter::with_capacity(CHUNK, Chunks { sender, runtime });
        let written = write(&mut out).and_then(|()| out.flush());
        if let (Ok(()), Ok(chunks)) = (written, out.into_inner()) {
            // A reader that is gone does not miss the end.
            let _ = chunks.send(None);
        }
    });
    let frames = try_unfold(parts, async |mut parts| {
        // A thread that stopped before the end, such as by a bug, has not sent everything.
        let part = parts.recv().await.ok_or(Unavailable)?;
        Ok(part.map(|bytes| (Frame::data(bytes), parts)))
    });
    BodyExt::boxed_unsync(StreamBody::new(frames))
}

/// Sends each write to the reader as a chunk.
pub struct Chunks {
    sender: Sender<Part>,
    runtime: Handle,
}

impl Chunks {
    fn send(&self, part: Part) -> io::Result<()> {
        let sent = self
            .runtime
            .block_on(timeout(READ_TIMEOUT, self.sender.send(part)));
        sent?.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(Some(Bytes::copy_from_slice(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_stands_still_holds_no_writer() {
        let (end, mut ended) = tokio::sync::oneshot::channel();
        let body = stream(move |out| {
            let written = (0..8).try_for_each(|_| out.write_all(&vec![0; CHUNK]));
            let _ = end.send(written.as_ref().map_err(io::Error::kind).copied());
            written
        });
        let written = loop {
            match ended.try_recv() {
                Ok(written) => break written,
                Err(_) => tokio::time::advance(Duration::from_secs(1)).await,
            }
        };
        assert_eq!(written, Err(io::ErrorKind::TimedOut));
        assert!(body.collect().await.is_err());
    }

    #[tokio::test]
    async fn only_what_was_written_to_its_end_is_complete() {
        let body = stream(|out| out.write_all(b"1\n"));
        assert_eq!(body.collect().await.unwrap().to_bytes(), "1\n");
        let failed = stream(|out| {
            out.write_all(b"1\n")?;
            Err(io::ErrorKind::Other.into())
        });
        assert!(failed.collect().await.is_err());
        let panicked = stream(|out| {
            out.write_all(b"1\n")?;
            panic!("a bug");
        });
        assert!(panicked.collect().await.is_err());
        let one = whole("one").collect().await.unwrap();
        assert_eq!(one.to_bytes(), Bytes::from("one"));
    }
}
