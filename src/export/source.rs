//! Where an export reads: from the server that has the file, or else from the file.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::ExportError;
use crate::control::client::{self, AskError};
use crate::inquiry::{Inquiry, Row};
use crate::store::{OpenError, Snapshot, Store, TimeRange, Unavailable};

/// How long a server may be between having the file and listening, or between no longer listening and
/// letting go of the file: it is given that long to start, to repair a file after a crash, or to stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is asked meanwhile.
const RETRY: Duration = Duration::from_millis(50);

/// One snapshot of the inquiries of a range.
pub enum Source {
    /// Read by the server.
    Server(Box<client::Inquiries>),
    /// Read from the file.
    File(Box<File>),
}

/// An open file.
pub struct File {
    snapshot: Snapshot,
    range: TimeRange,
    total: u64,
    /// Keeps the file locked.
    _store: Store,
}

impl Source {
    /// Asks the server; opens the file when there is none.
    pub fn open(data_dir: &Path, range: TimeRange) -> Result<Self, ExportError> {
        let started = Instant::now();
        loop {
            match client::inquiries(data_dir, range) {
                Ok(inquiries) => return Ok(Self::Server(Box::new(inquiries))),
                Err(AskError::NoServer(_)) => {}
                Err(error) => return Err(error.into()),
            }
            match Store::open_existing(data_dir) {
                Ok(store) => return Self::of(store, range).map_err(|Unavailable| ExportError::Damaged),
                Err(OpenError::Locked(_)) if started.elapsed() < PATIENCE => thread::sleep(RETRY),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn of(store: Store, range: TimeRange) -> Result<Self, Unavailable> {
        let snapshot = store.snapshot()?;
        let total = snapshot.len()?;
        let file = File {
            snapshot,
            range,
            total,
            _store: store,
        };
        Ok(Self::File(Box::new(file)))
    }

    /// How many inquiries there are at all, those outside the range included.
    pub fn total(&self) -> u64 {
        match self {
            Self::Server(inquiries) => inquiries.total,
            Self::File(file) => file.total,
        }
    }

    /// Gives each inquiry of the range to `take`, in the order in which they were stored.
    pub fn each(
        &mut self,
        mut take: impl FnMut(&Row<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        match self {
            Self::Server(inquiries) => {
                while let Some(line) = inquiries.next_line()? {
                    take(&serde_json::from_slice(line).map_err(|_| ExportError::Strange)?)?;
                }
            }
            Self::File(file) => {
                let damaged = |Unavailable| ExportError::Damaged;
                for inquiry in file.snapshot.inquiries(file.range).map_err(damaged)? {
                    let inquiry: Inquiry = inquiry.map_err(damaged)?;
                    take(&Row::from(&inquiry))?;
                }
            }
        }
        Ok(())
    }
}
