//! Asking whoever has the store: the server, or else the store itself.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use tokio::runtime::{Builder, Runtime};

use super::client;
use super::error::AskError;
use super::reply::Reply;
use super::request::{FoundSubscription, Request};
use crate::referral::{HandlingPolicy, InquiryRecord};
use crate::store::{Location, OpenError, TimeRange};

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

/// Asks for records or for a backup, which the reply holds.
///
/// # Errors
/// Those of the server that has the store, or of opening it.
pub fn ask(location: &Location, request: &Request) -> Result<Reply, AskError> {
    let open = |runtime: &Runtime| runtime.block_on(location.open_existing());
    match ask_or(location, request, open)? {
        Holder::Server(reply) => Ok(reply),
        Holder::Nobody(store, runtime) => Reply::of_store(request.clone(), store, runtime),
    }
}

/// Asks for one value.
///
/// # Errors
/// As for [`ask`]. After [`AskError::Broken`] a change may or may not have been made.
pub fn find<T: DeserializeOwned>(location: &Location, request: &Request) -> Result<T, AskError> {
    ask(location, request)?.only()
}

/// Asks for one value, as [`find`]. Where no server has the store, firms are asked by this policy.
///
/// # Errors
/// As for [`ask`].
pub fn find_by<T: DeserializeOwned>(
    location: &Location,
    request: &Request,
    policy: Option<HandlingPolicy>,
) -> Result<T, AskError> {
    let policy = policy.map(Arc::new);
    let open = |runtime: &Runtime| runtime.block_on(location.open_existing());
    let reply = match ask_or(location, request, open)? {
        Holder::Server(reply) => reply,
        Holder::Nobody(store, runtime) => {
            if let Some(policy) = policy {
                store.set_policy(policy).map_err(|_| AskError::Unwritable)?;
            }
            Reply::of_store(request.clone(), store, runtime)?
        }
    };
    reply.only()
}

/// Returns everything that is known of the inquiries of a range, one after the other, as of one moment. Until the last was
/// read, nothing else can be asked for.
///
/// # Errors
/// As for [`ask`].
pub fn records(
    location: &Location,
    range: TimeRange,
) -> Result<impl Iterator<Item = Result<InquiryRecord, AskError>>, AskError> {
    Ok(ask(location, &Request::InquiryRecords(range))?.records())
}

/// Returns the subscriptions to the newsletter, likewise.
///
/// # Errors
/// As for [`ask`].
pub fn subscriptions(
    location: &Location,
) -> Result<impl Iterator<Item = Result<FoundSubscription, AskError>>, AskError> {
    Ok(ask(location, &Request::Subscriptions)?.records())
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
