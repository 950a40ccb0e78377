//! A command's access to the inquiries: through the server that has the store, or else to the store itself.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

use super::client::AskError;
use crate::store::{Findings, Location, OpenError, Store};

/// How long a server may have the store without listening: it is given that long to start, to repair a file after a
/// crash, or to stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is asked meanwhile.
const RETRY: Duration = Duration::from_millis(50);

/// Who has the inquiries.
pub enum Access<T> {
    /// A server, with what it answered.
    Server(T),
    /// Nobody else, or nobody needs to be asked: this is the open store.
    Store(Box<Opened>),
}

/// Who has the inquiries, and what came of asking or opening.
pub enum Holder<T, S> {
    /// A server, with what it answered.
    Server(T),
    /// Nobody else.
    Nobody(S),
}

/// An open store, and the runtime on which it is used.
#[derive(Debug)]
pub struct Opened {
    // Dropped before the runtime.
    /// The store.
    pub store: Store,
    /// Runs what the store does in the background; callers block on it.
    pub runtime: Runtime,
}

/// Asks the server; opens the store if there is none.
///
/// # Errors
/// Those of the server that has the store, or of opening it.
pub fn access<T, E: From<AskError> + From<OpenError>>(
    location: &Location,
    ask: impl Fn(&Path) -> Result<T, AskError>,
) -> Result<Access<T>, E> {
    let opened = ask_or::<_, _, E>(location, ask, |runtime| {
        runtime.block_on(location.open_existing())
    })?;
    Ok(match opened {
        (Holder::Server(answer), _) => Access::Server(answer),
        (Holder::Nobody(store), runtime) => Access::Store(Box::new(Opened { store, runtime })),
    })
}

/// Checks every record: the server does, or else the command itself.
///
/// # Errors
/// Those of the server that has the store, or of reading it.
pub fn check<E: From<AskError> + From<OpenError>>(
    location: &Location,
    ask: impl Fn(&Path) -> Result<Findings, AskError>,
) -> Result<Findings, E> {
    let (checked, _runtime) = ask_or::<_, _, E>(location, ask, |runtime| runtime.block_on(location.check()))?;
    Ok(match checked {
        Holder::Server(findings) | Holder::Nobody(findings) => findings,
    })
}

/// Asks the server; opens the store in another way if there is none. Also returns the runtime on which that was done.
///
/// # Errors
/// Those of the server that has the store, or of the other.
pub fn ask_or<T, S, E: From<AskError> + From<OpenError>>(
    location: &Location,
    ask: impl Fn(&Path) -> Result<T, AskError>,
    open: impl Fn(&Runtime) -> Result<S, OpenError>,
) -> Result<(Holder<T, S>, Runtime), E> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(AskError::System)?;
    let started = Instant::now();
    loop {
        if let Some(data_dir) = location.data_dir() {
            match ask(data_dir) {
                Ok(answer) => return Ok((Holder::Server(answer), runtime)),
                Err(AskError::NoServer(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        match open(&runtime) {
            Ok(opened) => return Ok((Holder::Nobody(opened), runtime)),
            Err(error) if error.is_in_use() && started.elapsed() < PATIENCE => thread::sleep(RETRY),
            Err(error) => return Err(error.into()),
        }
    }
}
