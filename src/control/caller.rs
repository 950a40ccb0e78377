//! The command's side: calls the server that has the store, or opens the store itself.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Write};
use std::iter;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime::{Builder, Runtime};

use super::{BACKUP, Failure, RECORDS, Reply, SUBSCRIPTIONS, socket};
use crate::domain::referral::{HandlingPolicy, InquiryRecord};
use crate::operate::{Call, CallError, FoundSubscription, Operations};
use crate::store::{Location, OpenError, Records, RowSource, Store, TimeRange, Unavailable};

/// How long a server may hold the store without listening, while it starts, repairs the file after a crash, or stops.
const PATIENCE: Duration = Duration::from_secs(5);

/// Interval between attempts during that time.
const RETRY: Duration = Duration::from_millis(50);

/// Makes a command's calls and blocks until they are answered. Each call goes to the server that holds the store at the time;
/// without one, the store is opened only for the call, so that a server can start in between.
pub struct Caller {
    location: Location,
    /// How firms are asked if no server holds the store.
    policy: Option<Arc<HandlingPolicy>>,
    runtime: Runtime,
}

/// A server's answer after its first line.
type Answer = BufReader<UnixStream>;

/// Records being read. Dropping this stops the read.
type Found<'a, T> = Box<dyn Iterator<Item = Result<T, CallError>> + 'a>;

/// Who handles a call.
enum Reached<S> {
    /// A server, with its answer.
    Server(Answer),
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
            runtime: Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(not_asked)?,
        })
    }

    /// Sets the policy by which firms are asked if no server holds the store.
    #[must_use]
    pub fn with_policy(self, policy: Option<HandlingPolicy>) -> Self {
        let policy = policy.map(Arc::new);
        Self { policy, ..self }
    }

    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Makes a call.
    ///
    /// # Errors
    /// Those of the call, of the server, or of opening the store. After [`CallError::Broken`] a change may or may not have been
    /// made.
    pub fn call<C: Call>(&self, call: C) -> Result<C::Answer, CallError> {
        match self.reach(C::NAME, &call, C::CHANGES, || self.open())? {
            Reached::Server(mut answer) => value(&read_line(&mut answer)?),
            Reached::Own(store) => self.wait(call.run(&self.operations(store)?)),
        }
    }

    /// The inquiries of a range with their referrals, in one snapshot. Those after an error are missing.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub fn records(&self, range: TimeRange) -> Result<Found<'_, InquiryRecord>, CallError> {
        let read = async |store: &Store| store.records(range).await;
        self.each(RECORDS, &range, read, |record, _| record)
    }

    /// The newsletter subscriptions, in one snapshot. Those after an error are missing.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub fn subscriptions(&self) -> Result<Found<'_, FoundSubscription>, CallError> {
        let read = async |store: &Store| store.subscriptions().await;
        self.each(SUBSCRIPTIONS, &(), read, FoundSubscription::new)
    }

    /// Iterates over the records that a server sends, or over those of the store, which stays open until the end.
    fn each<'a, T: 'a, F: DeserializeOwned + 'a>(
        &'a self,
        name: &str,
        fields: &impl Serialize,
        read: impl AsyncFnOnce(&Store) -> Result<Records<T>, Unavailable>,
        found: fn(T, &Store) -> F,
    ) -> Result<Found<'a, F>, CallError> {
        let store = match self.reach(name, fields, false, || self.open())? {
            Reached::Server(answer) => return Ok(Box::new(records(answer))),
            Reached::Own(store) => self.operations(store)?.store,
        };
        let mut records = self.wait(read(&store))?;
        Ok(Box::new(iter::from_fn(move || {
            let record = self.wait(records.next()).map_err(CallError::from);
            let record = record.map(|record| record.map(|record| found(record, &store)));
            record.transpose()
        })))
    }

    /// Everything in the store, in one snapshot, for a copy.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub fn rows(&self) -> Result<RowSource, CallError> {
        Ok(
            match self.reach(BACKUP, &(), false, || self.location.copy_source())? {
                Reached::Own(source) => source,
                Reached::Server(answer) => RowSource::Server(Box::new(answer)),
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

    /// Asks the server, or opens the store if no server holds it.
    fn reach<S>(
        &self,
        name: &str,
        fields: &impl Serialize,
        changes: bool,
        open: impl Fn() -> Result<S, OpenError>,
    ) -> Result<Reached<S>, CallError> {
        let fields = serde_json::to_string(fields).map_err(not_asked)?;
        let request = format!("{name} {fields}\n");
        let started = Instant::now();
        loop {
            if let Some(data_dir) = self.location.data_dir()
                && let Some(answer) = self.send(data_dir, &request, changes)?
            {
                return Ok(Reached::Server(answer));
            }
            match open() {
                Ok(opened) => return Ok(Reached::Own(opened)),
                Err(error) if error.is_in_use() && started.elapsed() < PATIENCE => thread::sleep(RETRY),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Sends a request to the server of a data directory. `None` if none listens, or it stopped before it answered.
    fn send(&self, data_dir: &Path, request: &str, changes: bool) -> Result<Option<Answer>, CallError> {
        let mut stream = match self.wait(socket::connect(data_dir)) {
            Ok(stream) => stream.into_std().map_err(not_asked)?,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let data_dir = data_dir.display();
                let advice = "run this as the user of the server, or check --data-dir";
                return Err(CallError::Failed(format!(
                    "cannot use {data_dir}: {error}; {advice}"
                )));
            }
            Err(_) => return Ok(None),
        };
        stream.set_nonblocking(false).map_err(not_asked)?;
        // A server only acts on a whole request.
        if stream.write_all(request.as_bytes()).is_err() {
            return Ok(None);
        }
        let mut answer = BufReader::new(stream);
        let reply = match read_line(&mut answer) {
            Ok(reply) => reply,
            // A server that is stopping hangs up without an answer. A change may have been made, so it must not be repeated on the
            // store.
            Err(error) if changes => return Err(error),
            Err(_) => return Ok(None),
        };
        match value::<Reply>(&reply)? {
            Ok(()) => Ok(Some(answer)),
            Err(Failure::Refused(refused)) => Err(CallError::Refused(refused)),
            Err(Failure::Failed(reason)) => Err(CallError::Failed(format!(
                "the server refused: {reason}; see its log"
            ))),
        }
    }
}

/// The error if the system refuses.
fn not_asked(error: impl Display) -> CallError {
    CallError::Failed(format!("cannot ask the server: {error}"))
}

/// Reads a line of an answer, without its line break.
fn read_line(answer: &mut Answer) -> Result<Vec<u8>, CallError> {
    let mut line = Vec::new();
    let read = answer.read_until(b'\n', &mut line);
    read.map_err(|error| CallError::Broken(error.to_string()))?;
    match line.pop() {
        Some(b'\n') => Ok(line),
        _ => Err(CallError::Broken("its answer is not complete".to_owned())),
    }
}

fn value<T: DeserializeOwned>(line: &[u8]) -> Result<T, CallError> {
    serde_json::from_slice(line).map_err(|_| CallError::Strange)
}

/// Reads the records of an answer up to the empty line that ends them.
fn records<T: DeserializeOwned>(mut answer: Answer) -> impl Iterator<Item = Result<T, CallError>> {
    iter::from_fn(move || match read_line(&mut answer) {
        Ok(line) if line.is_empty() => None,
        Ok(line) => Some(value(&line)),
        Err(error) => Some(Err(error)),
    })
}
