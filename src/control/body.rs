//! Response bodies that use constant memory whatever their size.

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

/// Bytes per chunk: some 250 inquiries.
const CHUNK: usize = 64 << 10;

/// Chunks buffered ahead of the reader, so that reading the store and sending overlap.
const AHEAD: usize = 2;

/// How long a command may read nothing before it is cut off: an open read keeps erased inquiries in the store's file.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// The body of a response. An error midway breaks the connection, so that a truncated body never looks complete.
pub type ControlBody = UnsyncBoxBody<Bytes, Unavailable>;

/// A chunk, or `None` at the end.
type Part = Option<Bytes>;

/// A body of bytes that are already in memory.
pub fn whole(bytes: impl Into<Bytes>) -> ControlBody {
    let never = |never: Infallible| match never {};
    Full::new(bytes.into()).map_err(never).boxed_unsync()
}

/// Streams what `write` writes on a blocking thread, which waits for the reader and ends when the reader is gone or stalls. Must be
/// called within the runtime.
pub fn stream(write: impl FnOnce(&mut BufWriter<Chunks>) -> io::Result<()> + Send + 'static) -> ControlBody {
    let (sender, parts) = channel(AHEAD);
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || {
        let mut out = BufWriter::with_capacity(CHUNK, Chunks { sender, runtime });
        let written = write(&mut out).and_then(|()| out.flush());
        if let (Ok(()), Ok(chunks)) = (written, out.into_inner()) {
            // If the reader is gone, it does not need the end.
            let _ = chunks.send(None);
        }
    });
    let frames = try_unfold(parts, async |mut parts| {
        // A writer that stopped before the end, for example in a panic, has not sent everything.
        let part = parts.recv().await.ok_or(Unavailable)?;
        Ok(part.map(|bytes| (Frame::data(bytes), parts)))
    });
    BodyExt::boxed_unsync(StreamBody::new(frames))
}

/// A writer that sends each write as a chunk.
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
