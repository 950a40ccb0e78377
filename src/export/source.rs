//! Where an export reads: from the server that has the file, or else from the file.

use std::path::Path;

use super::ExportError;
use crate::control::{Reached, client, reach};
use crate::inquiry::{Inquiry, Row};
use crate::store::{Snapshot, Store, TimeRange, Unavailable};

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
        match reach::<_, ExportError>(data_dir, || client::inquiries(data_dir, range))? {
            Reached::Server(inquiries) => Ok(Self::Server(Box::new(inquiries))),
            Reached::File(store) => Self::of(store, range).map_err(|Unavailable| ExportError::Damaged),
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
