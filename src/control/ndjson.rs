//! Inquiries as a response body: one JSON object a line, in constant memory, however many there are.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::protocol::LEFT_OUT;
use crate::store::{Dossiers, Selection, Snapshot, Unavailable};

/// Bytes sent at once: some 250 inquiries.
const CHUNK: usize = 64 << 10;

/// Room for one more line of the longest kind, so that a chunk does not grow.
const LONGEST_LINE: usize = 4096;

/// Chunks written ahead of the client, so that reading and sending overlap.
const AHEAD: usize = 2;

/// The body. An error in the middle breaks the connection, which the client cannot take for the end.
pub struct Ndjson(Receiver<Part>);

type Part = Result<Frame<Bytes>, Unavailable>;

impl Ndjson {
    /// Sends the inquiries of a snapshot that are asked for, and in a trailer how many suspected ones were left out. They
    /// are written on a thread of their own, which waits for the client and ends when that is gone.
    pub fn new(snapshot: Snapshot, selection: Selection) -> Self {
        let (sender, receiver) = channel(AHEAD);
        let dossiers = snapshot.into_dossiers(selection.range);
        tokio::task::spawn_blocking(move || {
            if let Err(error) = send(dossiers, selection, &sender) {
                // A client that is gone does not miss it.
                let _ = sender.blocking_send(Err(error));
            }
        });
        Self(receiver)
    }
}

fn send(mut dossiers: Dossiers, selection: Selection, sender: &Sender<Part>) -> Result<(), Unavailable> {
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut left_out = 0_u64;
    while let Some(dossier) = dossiers.blocking_next()? {
        let (Some(inquiry), Some(row)) = (&dossier.inquiry, dossier.export_row()) else {
            continue;
        };
        if !selection.suspected.takes(inquiry) {
            left_out += u64::from(inquiry.suspected);
            continue;
        }
        serde_json::to_writer(&mut chunk, &row).map_err(|_| Unavailable)?;
        chunk.push(b'\n');
        if chunk.len() + LONGEST_LINE > CHUNK {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            if sender.blocking_send(Ok(Frame::data(full.into()))).is_err() {
                return Ok(());
            }
        }
    }
    let trailers = HeaderMap::from_iter([(HeaderName::from_static(LEFT_OUT), HeaderValue::from(left_out))]);
    for last in [Frame::data(chunk.into()), Frame::trailers(trailers)] {
        // As above.
        let _ = sender.blocking_send(Ok(last));
    }
    Ok(())
}

impl Body for Ndjson {
    type Data = Bytes;
    type Error = Unavailable;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Part>> {
        self.0.poll_recv(context)
    }
}
