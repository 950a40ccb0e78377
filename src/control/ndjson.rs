//! Inquiries as a response body: one JSON object a line, in constant memory, however many there are.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::LEFT_OUT;
use crate::store::{Selection, Snapshot, Unavailable};

/// Bytes sent at once: some 250 inquiries.
const CHUNK: usize = 64 << 10;

/// Chunks made ahead of the client, so that reading and sending overlap.
const AHEAD: usize = 2;

/// The body. An error in the middle breaks the connection, which the client cannot take for the end.
pub struct Lines(Receiver<Part>);

type Part = Result<Frame<Bytes>, Unavailable>;

impl Lines {
    /// The inquiries of a snapshot that are asked for, and in a trailer how many suspected ones were left out. They are read on a thread of their own, which waits for the client and
    /// ends when that is gone.
    pub fn of(snapshot: Snapshot, selection: Selection) -> Self {
        let (sender, receiver) = channel(AHEAD);
        tokio::task::spawn_blocking(move || {
            if let Err(error) = read(&snapshot, selection, &sender) {
                // Nobody listens any more: nobody misses it.
                let _ = sender.blocking_send(Err(error));
            }
        });
        Self(receiver)
    }
}

fn read(snapshot: &Snapshot, selection: Selection, sender: &Sender<Part>) -> Result<(), Unavailable> {
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut left_out = 0_u64;
    for inquiry in snapshot.inquiries(selection.range)? {
        let inquiry = inquiry?;
        if !selection.suspected.takes(&inquiry) {
            left_out += u64::from(inquiry.suspected);
            continue;
        }
        serde_json::to_writer(&mut chunk, &inquiry).map_err(|_| Unavailable)?;
        chunk.push(b'\n');
        // Room for one more line of the longest kind, so that the chunk does not grow.
        if chunk.len() + 4096 > CHUNK {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            if sender.blocking_send(Ok(Frame::data(full.into()))).is_err() {
                return Ok(());
            }
        }
    }
    let trailers = HeaderMap::from_iter([(HeaderName::from_static(LEFT_OUT), HeaderValue::from(left_out))]);
    for last in [Frame::data(chunk.into()), Frame::trailers(trailers)] {
        // A client that is gone misses nothing.
        let _ = sender.blocking_send(Ok(last));
    }
    Ok(())
}

impl Body for Lines {
    type Data = Bytes;
    type Error = Unavailable;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Part>> {
        self.0.poll_recv(context)
    }
}
