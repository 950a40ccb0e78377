//! The command's side: calls the server that has the store, or opens the store itself.

use std::error::Error;
use std::io::{self, Read};
use std::iter;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::stream::{StreamExt, TryStreamExt, try_unfold};
use http_body_util::{BodyDataStream, BodyExt, Collected, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::HOST;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt};
use tokio::runtime::{Builder, Runtime};
use tokio_util::io::StreamReader;

use super::{BACKUP, RECORDS, SUBSCRIPTIONS, socket};
use crate::domain::referral::{HandlingPolicy, InquiryRecord};
use crate::operate::{Call, CallError, FoundSubscription, Operations, RecordStream};
use crate::store::{Location, OpenError, RowSource, Store, TimeRange};

/// How long a server may have the store without listening: time to start, to repair the file after a crash, or to stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// Interval between attempts meanwhile.
const RETRY: Duration = Duration::from_millis(50);

/// The longest error text shown, in bytes. Our own are one line.
const ERROR_LIMIT: usize = 1024;

/// Makes a command's calls, blocking. Each call goes to the server that has the store at the time; without one, the store is open
/// only for the call, so that a server can start in between.
pub struct Caller {
    location: Location,
    /// How firms are asked if no server has the store.
    policy: Option<Arc<HandlingPolicy>>,
    runtime: Arc<Runtime>,
}

/// Who handles a call.
enum Reached<S> {
    /// A server, with its response.
    Server(Response<Incoming>),
    /// This process, with what it opened.
    Own(S),
}

impl Caller {
    /// A caller for the store at a location.
    ///
    /// # Errors
    /// When the runtime cannot be created.
    pub fn new(location: &Location) -> Result<Self, CallError> {
        Ok(Self {
            location: location.clone(),
            policy: None,
            runtime: Arc::new(Builder::new_current_thread().enable_all().build()?),
        })
    }

    /// Sets the policy by which firms are asked if no server has the store.
    #[must_use]
    pub fn with_policy(self, policy: Option<HandlingPolicy>) -> Self {
        let policy = policy.map(Arc::new);
        Self { policy, ..self }
    }

    /// Drives a future that reads this caller's records.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Makes a call.
    ///
    /// # Errors
    /// Those of the call, of the server, or of opening the store. After [`CallError::Broken`] a change may or may not have been
    /// made.
    pub fn call<C: Call>(&self, call: C) -> Result<C::Answer, CallError> {
        match self.reach(C::NAME, &call, C::CHANGES, || self.open())? {
            Reached::Server(response) => self.wait(only(response)),
            Reached::Own(store) => self.wait(call.run(&self.operations(store)?)),
        }
    }

    /// Makes a call that `own` answers if no server has the store.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub fn call_or<C: Call>(
        &self,
        call: &C,
        own: impl Fn() -> Result<C::Answer, OpenError>,
    ) -> Result<C::Answer, CallError> {
        match self.reach(C::NAME, call, C::CHANGES, own)? {
            Reached::Server(response) => self.wait(only(response)),
            Reached::Own(answer) => Ok(answer),
        }
    }

    /// The inquiries of a range with their referrals, in one snapshot.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub fn stream(&self, range: TimeRange) -> Result<RecordStream<InquiryRecord>, CallError> {
        match self.reach(RECORDS, &range, false, || self.open())? {
            Reached::Server(response) => Ok(lines(response)),
            Reached::Own(store) => self.wait(self.operations(store)?.records(range)),
        }
    }

    /// Like [`Self::stream`], as a blocking iterator.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub fn records(
        &self,
        range: TimeRange,
    ) -> Result<impl Iterator<Item = Result<InquiryRecord, CallError>>, CallError> {
        Ok(self.each(self.stream(range)?))
    }

    /// The newsletter subscriptions, as a blocking iterator over one snapshot.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub fn subscriptions(
        &self,
    ) -> Result<impl Iterator<Item = Result<FoundSubscription, CallError>>, CallError> {
        Ok(
            self.each(match self.reach(SUBSCRIPTIONS, &(), false, || self.open())? {
                Reached::Server(response) => lines(response),
                Reached::Own(store) => self.wait(self.operations(store)?.subscriptions())?,
            }),
        )
    }

    fn each<T: Send + 'static>(
        &self,
        mut records: RecordStream<T>,
    ) -> impl Iterator<Item = Result<T, CallError>> {
        iter::from_fn(move || self.wait(records.next()))
    }

    /// Everything in the store, in one snapshot, for a copy.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub fn rows(&self) -> Result<RowSource, CallError> {
        Ok(
            match self.reach(BACKUP, &(), false, || self.location.copy_source())? {
                Reached::Own(source) => source,
                Reached::Server(response) => RowSource::Server(Box::new(ServedBackup {
                    body: received(response),
                    runtime: Arc::clone(&self.runtime),
                })),
            },
        )
    }

    fn open(&self) -> Result<Store, OpenError> {
        self.wait(self.location.open_existing())
    }

    fn operations(&self, store: Store) -> Result<Operations, CallError> {
        if let Some(policy) = &self.policy {
            let set = store.set_policy(Arc::clone(policy));
            set.map_err(|_| CallError::Unwritable)?;
        }
        Ok(Operations::from(Arc::new(store)))
    }

    /// Asks the server, or opens the store if none has it.
    fn reach<S>(
        &self,
        name: &str,
        fields: &impl Serialize,
        changes: bool,
        open: impl Fn() -> Result<S, OpenError>,
    ) -> Result<Reached<S>, CallError> {
        let json: Bytes = serde_json::to_vec(fields).map_err(io::Error::from)?.into();
        let started = Instant::now();
        loop {
            if let Some(data_dir) = self.location.data_dir() {
                let sent = self.wait(send(data_dir, name, json.clone(), changes))?;
                if let Some(response) = sent {
                    return Ok(Reached::Server(response));
                }
            }
            match open() {
                Ok(opened) => return Ok(Reached::Own(opened)),
                Err(error) if error.is_in_use() && started.elapsed() < PATIENCE => thread::sleep(RETRY),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Sends a call to the server of a data directory. `None` if none listens, or it stopped before it responded.
async fn send(
    data_dir: &Path,
    name: &str,
    json: Bytes,
    changes: bool,
) -> Result<Option<Response<Incoming>>, CallError> {
    let stream = match socket::connect(data_dir).await {
        Ok(stream) => stream,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let data_dir = data_dir.display();
            let advice = "run this as the user of the server, or check --data-dir";
            return Err(CallError::Failed(format!(
                "cannot use {data_dir}: {error}; {advice}"
            )));
        }
        Err(_) => return Ok(None),
    };
    let Ok((mut sender, connection)) = http1::handshake(TokioIo::new(stream)).await else {
        return Ok(None);
    };
    // Its errors also surface in the response and its body.
    tokio::spawn(connection);
    let request = hyper::Request::post(format!("/{name}"))
        .header(HOST, "localhost")
        .body(Full::new(json));
    let request = request.map_err(|error| broken(&error))?;
    let response = match sender.send_request(request).await {
        Ok(response) => response,
        // A server that is stopping hangs up without a response. Unless the request was never sent, a change may have been made, so
        // it must not be repeated on the store.
        Err(error) if changes && !error.is_canceled() => return Err(broken(&error)),
        Err(_) => return Ok(None),
    };
    let status = response.status();
    if status == StatusCode::OK {
        return Ok(Some(response));
    }
    let text = Limited::new(response.into_body(), ERROR_LIMIT).collect().await;
    let text = text.map(Collected::to_bytes).unwrap_or_default();
    if status == StatusCode::CONFLICT {
        return Err(serde_json::from_slice(&text).map_or(CallError::Strange, CallError::Refused));
    }
    let text = match String::from_utf8_lossy(&text) {
        text if text.is_empty() => status.to_string(),
        text => text.into_owned(),
    };
    Err(CallError::Failed(format!(
        "the server refused: {text}; see its log"
    )))
}

fn broken(error: &dyn Error) -> CallError {
    CallError::Broken(error.to_string())
}

/// Reads the single value of a response.
async fn only<T: DeserializeOwned>(response: Response<Incoming>) -> Result<T, CallError> {
    let body = response.into_body().collect().await;
    let body = body.map_err(|error| broken(&error))?;
    serde_json::from_slice(&body.to_bytes()).map_err(|_| CallError::Strange)
}

/// Reads a response of JSON lines.
fn lines<T: DeserializeOwned + Send + 'static>(response: Response<Incoming>) -> RecordStream<T> {
    let records = try_unfold(received(response), async |mut body| {
        let mut line = Vec::new();
        let read = body.read_until(b'\n', &mut line).await;
        read.map_err(|error| broken(&error))?;
        match line.last() {
            None => Ok(None),
            Some(b'\n') => {
                let record = serde_json::from_slice(&line).map_err(|_| CallError::Strange)?;
                Ok(Some((record, body)))
            }
            Some(_) => Err(CallError::Broken("the last line is not complete".to_owned())),
        }
    });
    records.boxed()
}

/// The body of a response as a reader.
fn received(response: Response<Incoming>) -> impl AsyncBufRead + Send + Unpin {
    StreamReader::new(BodyDataStream::new(response.into_body()).map_err(io::Error::other))
}

/// A backup that the server sends.
struct ServedBackup<R> {
    body: R,
    /// The caller's runtime, which also drives the connection.
    runtime: Arc<Runtime>,
}

impl<R: AsyncRead + Unpin> Read for ServedBackup<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.runtime.block_on(self.body.read(buffer))
    }
}
