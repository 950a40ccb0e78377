//! Where an export reads: from the server that has the file, or else from the file.

use std::path::Path;

use super::ExportError;
use crate::control::{Reached, client, reach};
use crate::inquiry::{Inquiry, Row};
use crate::store::{Selection, Snapshot, Store, Unavailable};

/// One snapshot of the inquiries that are asked for.
pub enum Source {
    /// Read by the server.
    Server(Box<client::Inquiries>),
    /// Read from the file.
    File(Box<File>),
}

/// An open file.
pub struct File {
    snapshot: Snapshot,
    selection: Selection,
    total: u64,
    left_out: u64,
    /// Keeps the file locked.
    _store: Store,
}

impl Source {
    /// Asks the server; opens the file when there is none.
    pub fn open(data_dir: &Path, selection: Selection) -> Result<Self, ExportError> {
        match reach::<_, ExportError>(data_dir, || client::inquiries(data_dir, selection))? {
            Reached::Server(inquiries) => Ok(Self::Server(Box::new(inquiries))),
            Reached::File(store) => Self::of(store, selection).map_err(|Unavailable| ExportError::Damaged),
        }
    }

    fn of(store: Store, selection: Selection) -> Result<Self, Unavailable> {
        let snapshot = store.snapshot()?;
        let total = snapshot.count()?;
        let file = File {
            snapshot,
            selection,
            total,
            left_out: 0,
            _store: store,
        };
        Ok(Self::File(Box::new(file)))
    }

    /// How many suspected inquiries of the range were left out; known when all were given.
    pub fn left_out(&self) -> u64 {
        match self {
            Self::Server(inquiries) => inquiries.left_out.unwrap_or_default(),
            Self::File(file) => file.left_out,
        }
    }

    /// How many inquiries there are at all, those not asked for included.
    pub fn total(&self) -> u64 {
        match self {
            Self::Server(inquiries) => inquiries.total,
            Self::File(file) => file.total,
        }
    }

    /// Gives each inquiry that is asked for to `take`, in the order in which they were stored.
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
                let Selection { range, suspected } = file.selection;
                for inquiry in file.snapshot.inquiries(range).map_err(damaged)? {
                    let inquiry: Inquiry = inquiry.map_err(damaged)?;
                    if suspected.takes(&inquiry) {
                        take(&Row::from(&inquiry))?;
                    } else {
                        file.left_out += u64::from(inquiry.suspected);
                    }
                }
            }
        }
        Ok(())
    }
}
