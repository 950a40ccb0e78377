//! Inquiries, dossiers and subscriptions as a response body: one JSON object a line, in constant memory, however many there are.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::dossier_line::DossierLine;
use super::operations::FoundSubscription;
use super::protocol::LEFT_OUT;
use crate::store::{Dossiers, Selection, Snapshot, Store, Subscriptions, TimeRange, Unavailable};

/// Bytes sent at once: some 250 inquiries.
const CHUNK: usize = 64 << 10;

/// Room for one more line of the longest usual kind, so that a chunk hardly grows.
const LONGEST_LINE: usize = 4096;

/// Chunks written ahead of the client, so that reading and sending overlap.
const AHEAD: usize = 2;

/// The body. An error in the middle breaks the connection, which the client cannot take for the end.
pub struct Ndjson(Receiver<Part>);

type Part = Result<Frame<Bytes>, Unavailable>;

impl Ndjson {
    /// Sends the inquiries of a snapshot that are asked for, and in a trailer how many suspected ones were left out.
    pub fn inquiries(snapshot: Snapshot, selection: Selection) -> Self {
        let dossiers = snapshot.into_dossiers(selection.range);
        Self::send(move |lines| send_inquiries(dossiers, selection, lines))
    }

    /// Sends everything that is known of the inquiries of a range.
    pub fn dossiers(snapshot: Snapshot, range: TimeRange) -> Self {
        let mut dossiers = snapshot.into_dossiers(range);
        Self::send(move |lines| {
            while let Some(dossier) = dossiers.blocking_next()? {
                lines.send(&DossierLine::from(&dossier))?;
            }
            Ok(None)
        })
    }

    /// Sends subscriptions to the newsletter, each with its token.
    pub fn subscriptions(mut subscriptions: Subscriptions, store: Arc<Store>) -> Self {
        Self::send(move |lines| {
            while let Some(subscription) = subscriptions.blocking_next()? {
                lines.send(&FoundSubscription::new(&subscription, &store))?;
            }
            Ok(None)
        })
    }

    /// Sends what `write` writes, on a thread of its own, which waits for the client and ends when that is gone.
    fn send(
        write: impl FnOnce(&mut Lines) -> Result<Option<HeaderMap>, Unavailable> + Send + 'static,
    ) -> Self {
        let (sender, receiver) = channel(AHEAD);
        let mut lines = Lines {
            chunk: Vec::with_capacity(CHUNK),
            sender,
        };
        tokio::task::spawn_blocking(move || {
            let last = match write(&mut lines) {
                Ok(trailers) => lines.flush().map(|()| trailers),
                Err(error) => Err(error),
            };
            // A client that is gone misses neither trailers nor an error.
            let _ = match last {
                Ok(None) => Ok(()),
                Ok(Some(trailers)) => lines.sender.blocking_send(Ok(Frame::trailers(trailers))),
                Err(error) => lines.sender.blocking_send(Err(error)),
            };
        });
        Self(receiver)
    }
}

/// The lines on their way.
struct Lines {
    chunk: Vec<u8>,
    sender: Sender<Part>,
}

impl Lines {
    /// Sends one more line.
    ///
    /// # Errors
    /// When the client is gone.
    fn send(&mut self, line: &impl Serialize) -> Result<(), Unavailable> {
        serde_json::to_writer(&mut self.chunk, line).map_err(|_| Unavailable)?;
        self.chunk.push(b'\n');
        if self.chunk.len() + LONGEST_LINE > CHUNK {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Unavailable> {
        let full = std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK));
        let sent = self.sender.blocking_send(Ok(Frame::data(full.into())));
        sent.map_err(|_| Unavailable)
    }
}

fn send_inquiries(
    mut dossiers: Dossiers,
    selection: Selection,
    lines: &mut Lines,
) -> Result<Option<HeaderMap>, Unavailable> {
    let mut left_out = 0_u64;
    while let Some(dossier) = dossiers.blocking_next()? {
        let (Some(inquiry), Some(row)) = (&dossier.inquiry, dossier.export_row()) else {
            continue;
        };
        if selection.suspected.takes(inquiry) {
            lines.send(&row)?;
        } else {
            left_out += u64::from(inquiry.suspected);
        }
    }
    let trailer = (HeaderName::from_static(LEFT_OUT), HeaderValue::from(left_out));
    Ok(Some(HeaderMap::from_iter([trailer])))
}

impl Body for Ndjson {
    type Data = Bytes;
    type Error = Unavailable;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Part>> {
        self.0.poll_recv(context)
    }
}
