//! A command's access to the inquiries: through the server that has the store, or else to the store itself.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::client::AskError;
use crate::store::{OpenError, Store};

/// How long a server may have the store without listening: it is given that long to start, to repair a file after a
/// crash, or to stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is asked meanwhile.
const RETRY: Duration = Duration::from_millis(50);

/// Who has the inquiries.
pub enum Access<T> {
    /// A server, with what it answered.
    Server(T),
    /// Nobody else: this is the open store.
    Store(Box<Store>),
}

/// Who has the inquiries, and what came of asking or opening.
pub enum Holder<T, S> {
    /// A server, with what it answered.
    Server(T),
    /// Nobody else.
    Nobody(S),
}

/// Asks the server; opens the store if there is none.
///
/// # Errors
/// Those of the server that has the store, or of opening it.
pub fn access<T, E: From<AskError> + From<OpenError>>(
    data_dir: &Path,
    ask: impl Fn() -> Result<T, AskError>,
) -> Result<Access<T>, E> {
    Ok(
        match access_to::<_, _, E>(ask, || Store::open_existing(data_dir))? {
            Holder::Server(answer) => Access::Server(answer),
            Holder::Nobody(store) => Access::Store(Box::new(store)),
        },
    )
}

/// Asks the server; does something else with the store if there is none.
///
/// # Errors
/// Those of the server that has the store, or of the other.
pub fn access_to<T, S, E: From<AskError> + From<OpenError>>(
    ask: impl Fn() -> Result<T, AskError>,
    open: impl Fn() -> Result<S, OpenError>,
) -> Result<Holder<T, S>, E> {
    let started = Instant::now();
    loop {
        match ask() {
            Ok(answer) => return Ok(Holder::Server(answer)),
            Err(AskError::NoServer(_)) => {}
            Err(error) => return Err(error.into()),
        }
        match open() {
            Ok(opened) => return Ok(Holder::Nobody(opened)),
            Err(error) if error.is_in_use() && started.elapsed() < PATIENCE => thread::sleep(RETRY),
            Err(error) => return Err(error.into()),
        }
    }
}
