//! Inquiries as a response body: one JSON object a line, in constant memory, however many there are.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::store::{Snapshot, TimeRange, Unavailable};

/// Bytes sent at once: some 250 inquiries.
const CHUNK: usize = 64 << 10;

/// Chunks made ahead of the client, so that reading and sending overlap.
const AHEAD: usize = 2;

/// The body. An error in the middle breaks the connection, which the client cannot take for the end.
pub struct Lines(Receiver<Result<Bytes, Unavailable>>);

impl Lines {
    /// The inquiries of a snapshot. They are read on a thread of their own, which waits for the client and
    /// ends when that is gone.
    pub fn of(snapshot: Snapshot, range: TimeRange) -> Self {
        let (sender, receiver) = channel(AHEAD);
        tokio::task::spawn_blocking(move || {
            if let Err(error) = read(&snapshot, range, &sender) {
                // Nobody listens any more: nobody misses it.
                let _ = sender.blocking_send(Err(error));
            }
        });
        Self(receiver)
    }
}

fn read(
    snapshot: &Snapshot,
    range: TimeRange,
    sender: &Sender<Result<Bytes, Unavailable>>,
) -> Result<(), Unavailable> {
    let mut chunk = Vec::with_capacity(CHUNK);
    for inquiry in snapshot.inquiries(range)? {
        serde_json::to_writer(&mut chunk, &inquiry?).map_err(|_| Unavailable)?;
        chunk.push(b'\n');
        // Room for one more line of the longest kind, so that the chunk does not grow.
        if chunk.len() + 4096 > CHUNK {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            if sender.blocking_send(Ok(full.into())).is_err() {
                return Ok(());
            }
        }
    }
    // A client that is gone misses nothing.
    let _ = sender.blocking_send(Ok(chunk.into()));
    Ok(())
}

impl Body for Lines {
    type Data = Bytes;
    type Error = Unavailable;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Unavailable>>> {
        self.0
            .poll_recv(context)
            .map(|chunk| chunk.map(|chunk| chunk.map(Frame::data)))
    }
}
