//! A command's way to the inquiries: by the server that has the file, or else to the file itself.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::client::AskError;
use crate::store::{OpenError, Store};

/// How long a server may be between having the file and listening, or between no longer listening and
/// letting go of the file: it is given that long to start, to repair a file after a crash, or to stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is asked meanwhile.
const RETRY: Duration = Duration::from_millis(50);

/// Who has the inquiries.
pub enum Reached<T> {
    /// A server, with what it answered.
    Server(T),
    /// Nobody else: this is the open store.
    File(Store),
}

/// Asks the server; opens the file when there is none.
///
/// # Errors
/// Of the server that has the file, or of opening it.
pub fn reach<T, E: From<AskError> + From<OpenError>>(
    data_dir: &Path,
    ask: impl Fn() -> Result<T, AskError>,
) -> Result<Reached<T>, E> {
    let started = Instant::now();
    loop {
        match ask() {
            Ok(answer) => return Ok(Reached::Server(answer)),
            Err(AskError::NoServer(_)) => {}
            Err(error) => return Err(error.into()),
        }
        match Store::open_existing(data_dir) {
            Ok(store) => return Ok(Reached::File(store)),
            Err(OpenError::Locked(_)) if started.elapsed() < PATIENCE => thread::sleep(RETRY),
            Err(error) => return Err(error.into()),
        }
    }
}
