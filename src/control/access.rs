//! Asking whoever has the store: the server, or else the store itself.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use tokio::runtime::{Builder, Handle, Runtime};

use super::client;
use super::error::AskError;
use super::reply::Reply;
use super::request::{FoundSubscription, Request};
use crate::referral::{HandlingPolicy, InquiryRecord};
use crate::store::{Location, OpenError, Store, TimeRange};

/// How long a server may have the store without listening: it is given that long to start, to repair a file after a
/// crash, or to stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is asked meanwhile.
const RETRY: Duration = Duration::from_millis(50);

/// Who has the store.
pub enum Holder<S> {
    /// A server, with its reply.
    Server(Reply),
    /// Nobody else: this was opened instead, on this runtime.
    Nobody(S, Runtime),
}

/// What can be asked for inquiries: a location, or the server's own store.
pub trait Asked {
    /// Asks. Where no server has the store, firms are asked by this policy.
    ///
    /// # Errors
    /// Those of the server that has the store, or of opening it.
    fn ask(&self, request: &Request, policy: Option<HandlingPolicy>) -> Result<Reply, AskError>;
}

impl Asked for Location {
    fn ask(&self, request: &Request, policy: Option<HandlingPolicy>) -> Result<Reply, AskError> {
        let open = |runtime: &Runtime| runtime.block_on(self.open_existing());
        match ask_or(self, request, open)? {
            Holder::Server(reply) => Ok(reply),
            Holder::Nobody(store, runtime) => {
                if let Some(policy) = policy {
                    store
                        .set_policy(Arc::new(policy))
                        .map_err(|_| AskError::Unwritable)?;
                }
                Reply::of_store(request.clone(), store, runtime)
            }
        }
    }
}

/// The store of this process, for a thread that may wait.
#[derive(Debug, Clone)]
pub struct OwnStore {
    /// The store.
    pub store: Arc<Store>,
    /// The runtime that waits for it.
    pub runtime: Handle,
}

impl Asked for OwnStore {
    /// The server has set its policy.
    fn ask(&self, request: &Request, _: Option<HandlingPolicy>) -> Result<Reply, AskError> {
        Reply::of_served(request.clone(), Arc::clone(&self.store), self.runtime.clone())
    }
}

/// Asks for records or for a backup, which the reply holds.
///
/// # Errors
/// Those of the server that has the store, or of opening it.
pub fn ask(asked: &dyn Asked, request: &Request) -> Result<Reply, AskError> {
    asked.ask(request, None)
}

/// Asks for one value.
///
/// # Errors
/// As for [`ask`]. After [`AskError::Broken`] a change may or may not have been made.
pub fn find<T: DeserializeOwned>(asked: &dyn Asked, request: &Request) -> Result<T, AskError> {
    ask(asked, request)?.only()
}

/// Asks for one value, as [`find`]. Where no server has the store, firms are asked by this policy.
///
/// # Errors
/// As for [`ask`].
pub fn find_by<T: DeserializeOwned>(
    asked: &dyn Asked,
    request: &Request,
    policy: Option<HandlingPolicy>,
) -> Result<T, AskError> {
    asked.ask(request, policy)?.only()
}

/// Returns everything that is known of the inquiries of a range, one after the other, as of one moment. Until the last was
/// read, nothing else can be asked for.
///
/// # Errors
/// As for [`ask`].
pub fn records(
    asked: &dyn Asked,
    range: TimeRange,
) -> Result<impl Iterator<Item = Result<InquiryRecord, AskError>>, AskError> {
    Ok(ask(asked, &Request::InquiryRecords(range))?.records())
}

/// Returns the subscriptions to the newsletter, likewise.
///
/// # Errors
/// As for [`ask`].
pub fn subscriptions(
    asked: &dyn Asked,
) -> Result<impl Iterator<Item = Result<FoundSubscription, AskError>>, AskError> {
    Ok(ask(asked, &Request::Subscriptions)?.records())
}

/// Asks the server; opens the store in another way if there is none.
///
/// # Errors
/// As for [`ask`].
pub fn ask_or<S>(
    location: &Location,
    request: &Request,
    open: impl Fn(&Runtime) -> Result<S, OpenError>,
) -> Result<Holder<S>, AskError> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let started = Instant::now();
    loop {
        if let Some(data_dir) = location.data_dir() {
            match client::ask(data_dir, request) {
                Err(AskError::NoServer(_)) => {}
                asked => return asked.map(Holder::Server),
            }
        }
        match open(&runtime) {
            Ok(opened) => return Ok(Holder::Nobody(opened, runtime)),
            Err(error) if error.is_in_use() && started.elapsed() < PATIENCE => thread::sleep(RETRY),
            Err(error) => return Err(error.into()),
        }
    }
}
