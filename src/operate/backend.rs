//! Where requests go: to the store of this process, or to the server that holds it, over the control socket.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use tokio::runtime::Handle;

use super::error::AskError;
use super::reply::Reply;
use super::request::{FoundSubscription, Request};
use crate::domain::referral::{HandlingPolicy, InquiryRecord};
use crate::store::{Store, TimeRange};

/// What can be asked for inquiries: a location, or the server's own store.
pub trait Backend {
    /// Asks. Where no server has the store, firms are asked by this policy.
    ///
    /// # Errors
    /// Those of the server that has the store, or of opening it.
    fn ask(&self, request: &Request, policy: Option<HandlingPolicy>) -> Result<Reply, AskError>;
}

/// The store of this process, for a thread that may wait.
#[derive(Debug, Clone)]
pub struct OwnStore {
    /// The store.
    pub store: Arc<Store>,
    /// The runtime that waits for it.
    pub runtime: Handle,
}

impl Backend for OwnStore {
    /// The server has set its policy.
    fn ask(&self, request: &Request, _: Option<HandlingPolicy>) -> Result<Reply, AskError> {
        Reply::of_served(request.clone(), Arc::clone(&self.store), self.runtime.clone())
    }
}

/// Asks for records or for a backup, which the reply holds.
///
/// # Errors
/// Those of the server that has the store, or of opening it.
pub fn ask(asked: &dyn Backend, request: &Request) -> Result<Reply, AskError> {
    asked.ask(request, None)
}

/// Asks for one value.
///
/// # Errors
/// As for [`ask`]. After [`AskError::Broken`] a change may or may not have been made.
pub fn find<T: DeserializeOwned>(asked: &dyn Backend, request: &Request) -> Result<T, AskError> {
    ask(asked, request)?.only()
}

/// Asks for one value, as [`find`]. Where no server has the store, firms are asked by this policy.
///
/// # Errors
/// As for [`ask`].
pub fn find_by<T: DeserializeOwned>(
    asked: &dyn Backend,
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
    asked: &dyn Backend,
    range: TimeRange,
) -> Result<impl Iterator<Item = Result<InquiryRecord, AskError>>, AskError> {
    Ok(ask(asked, &Request::InquiryRecords(range))?.records())
}

/// Returns the subscriptions to the newsletter one after the other, as of one moment.
///
/// # Errors
/// As for [`ask`].
pub fn subscriptions(
    asked: &dyn Backend,
) -> Result<impl Iterator<Item = Result<FoundSubscription, AskError>>, AskError> {
    Ok(ask(asked, &Request::Subscriptions)?.records())
}
