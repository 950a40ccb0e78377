//! Asking whoever has the store: the server, or else the store itself.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

use super::client;
use crate::domain::referral::HandlingPolicy;
use crate::operate::{AskError, Backend, Reply, Request};
use crate::store::{Location, OpenError};

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

impl Backend for Location {
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
