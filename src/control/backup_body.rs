//! A backup as a response body, in constant memory.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::store::{Image, Unavailable};

/// Bytes sent at once.
const CHUNK: usize = 64 << 10;

/// Chunks written ahead of the client, so that compressing and sending overlap.
const AHEAD: usize = 2;

/// The body. An error in the middle breaks the connection, which the client cannot take for the end.
pub struct BackupBody(Receiver<Part>);

type Part = Result<Frame<Bytes>, Unavailable>;

impl BackupBody {
    /// Sends a backup with this image, from a thread of its own, which waits for the client and ends when that is gone.
    pub fn send(image: Image) -> Self {
        let (sender, receiver) = channel(AHEAD);
        tokio::task::spawn_blocking(move || {
            let chunks = Chunks(sender.clone());
            let sent = image.pack(io::BufWriter::with_capacity(CHUNK, chunks));
            if let Err(error) = sent {
                tracing::warn!(%error, "a backup broke off");
                // A client that is gone does not miss it.
                let _ = sender.blocking_send(Err(Unavailable));
            }
        });
        Self(receiver)
    }
}

struct Chunks(Sender<Part>);

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

impl Body for BackupBody {
    type Data = Bytes;
    type Error = Unavailable;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Part>> {
        self.0.poll_recv(context)
    }
}
