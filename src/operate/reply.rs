//! What a command gets: records, one a line, or the bytes of a backup.

use std::io;
use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::Response;
use hyper::body::Incoming;
use hyper::header::HeaderMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::runtime::{Handle, Runtime};

use super::error::AskError;
use super::request::Request;
use super::{LEFT_OUT, TOTAL};
use crate::store::{Store, Unavailable};

/// A reply that is being read. Dropping it releases the store.
pub struct Reply {
    // Dropped in this order.
    body: UnsyncBoxBody<Bytes, AskError>,
    /// The store that the reply is read from, if no server has it.
    _store: Option<Arc<Store>>,
    waiting: Waiting,
    total: Option<u64>,
    left_out: u64,
    /// What was received and not dropped yet, and the length of the line that was read last.
    received: BytesMut,
    shown: usize,
}

/// On what runtime a reply arrives.
enum Waiting {
    /// On one of its own.
    Own(Runtime),
    /// On that of the server, which others drive.
    Served(Handle),
}

impl Waiting {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        match self {
            Self::Own(runtime) => runtime.block_on(future),
            Self::Served(handle) => handle.block_on(future),
        }
    }
}

impl Reply {
    /// Reads the response of a server, which it sends on a runtime.
    pub fn of_server(response: Response<Incoming>, runtime: Runtime) -> Self {
        let total = number(response.headers(), TOTAL);
        let body = response.into_body();
        let body = body.map_err(|error| AskError::Broken(error.to_string()));
        Self::new(body.boxed_unsync(), None, Waiting::Own(runtime), total)
    }

    /// Carries out a request on a store that nobody else has.
    pub fn of_store(request: Request, store: Store, runtime: Runtime) -> Result<Self, AskError> {
        Self::carried_out(request, Arc::new(store), Waiting::Own(runtime))
    }

    /// Carries out a request on the store of this process, for a thread that may wait.
    pub fn of_served(request: Request, store: Arc<Store>, runtime: Handle) -> Result<Self, AskError> {
        Self::carried_out(request, store, Waiting::Served(runtime))
    }

    fn carried_out(request: Request, store: Arc<Store>, waiting: Waiting) -> Result<Self, AskError> {
        let body = waiting.block_on(request.carry_out(Arc::clone(&store)))?;
        let total = body.total;
        let body = body.map_err(|Unavailable| AskError::Unreadable);
        Ok(Self::new(body.boxed_unsync(), Some(store), waiting, total))
    }

    fn new(
        body: UnsyncBoxBody<Bytes, AskError>,
        store: Option<Arc<Store>>,
        waiting: Waiting,
        total: Option<u64>,
    ) -> Self {
        Self {
            body,
            _store: store,
            waiting,
            total,
            left_out: 0,
            received: BytesMut::new(),
            shown: 0,
        }
    }

    /// Returns how many inquiries the store holds, in all.
    ///
    /// # Errors
    /// When whoever has it did not say so.
    pub fn total(&self) -> Result<u64, AskError> {
        let unknown = || AskError::Broken("it did not say how many there are".to_owned());
        self.total.ok_or_else(unknown)
    }

    /// Returns how many suspected inquiries of the selection were left out; known after the last record.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Returns the next record; `None` after the last.
    ///
    /// # Errors
    /// When the reply breaks off, or something in it is not understood.
    pub fn next<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<T>, AskError> {
        let record = self.next_line()?.map(serde_json::from_slice);
        record.transpose().map_err(|_| AskError::Strange)
    }

    /// Returns the records, one after the other.
    pub fn records<T: DeserializeOwned>(mut self) -> impl Iterator<Item = Result<T, AskError>> {
        std::iter::from_fn(move || self.next().transpose())
    }

    /// Returns the only record.
    ///
    /// # Errors
    /// As for [`Self::next`].
    pub fn only<T: DeserializeOwned>(mut self) -> Result<T, AskError> {
        self.next()?.ok_or(AskError::Strange)
    }

    /// Returns the next line, the JSON of a record; `None` after the last.
    ///
    /// # Errors
    /// When the reply breaks off. It is then not complete.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, AskError> {
        self.received.advance(std::mem::take(&mut self.shown));
        let mut searched = 0;
        loop {
            let new = self.received.get(searched..).unwrap_or_default();
            if let Some(end) = new.iter().position(|&byte| byte == b'\n') {
                self.shown = searched + end + 1;
                return Ok(self.received.get(..self.shown));
            }
            searched = self.received.len();
            match self.part()? {
                Some(data) => self.received.extend_from_slice(&data),
                None if self.received.is_empty() => return Ok(None),
                None => return Err(AskError::Broken("the last line is not complete".to_owned())),
            }
        }
    }

    /// Writes what comes as it is. The inner error is that of writing.
    ///
    /// # Errors
    /// When the reply breaks off. What was written is then not complete.
    pub fn write_to(&mut self, mut out: impl io::Write) -> Result<io::Result<()>, AskError> {
        while let Some(data) = self.part()? {
            if let Err(error) = out.write_all(&data) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Receives some bytes; `None` after the last.
    fn part(&mut self) -> Result<Option<Bytes>, AskError> {
        while let Some(frame) = self.waiting.block_on(self.body.frame()) {
            match frame?.into_data() {
                Ok(data) => return Ok(Some(data)),
                Err(frame) => {
                    let left_out = frame.trailers_ref().and_then(|all| number(all, LEFT_OUT));
                    self.left_out = left_out.unwrap_or_default();
                }
            }
        }
        Ok(None)
    }
}

/// Reads what comes as it is.
impl io::Read for Reply {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.received.is_empty()
            && let Some(data) = self.part().map_err(io::Error::other)?
        {
            self.received.extend_from_slice(&data);
        }
        let length = io::Read::read(&mut &*self.received, buffer)?;
        self.received.advance(length);
        Ok(length)
    }
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}
