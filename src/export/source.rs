//! Where an export reads: from the server that has the store, or else from the store.

use super::error::ExportError;
use crate::control::{Access, Opened, access, client};
use crate::inquiry::ExportRow;
use crate::store::{Dossiers, Location, Selection, Unavailable};

/// One snapshot of the inquiries that are asked for.
pub enum Source {
    /// Read by the server.
    Server(Box<client::Streamed>),
    /// Read from the store.
    Store(Box<StoreSource>),
}

/// An open store.
pub struct StoreSource {
    dossiers: Dossiers,
    selection: Selection,
    total: u64,
    left_out: u64,
    /// Keeps the store locked.
    opened: Box<Opened>,
}

impl Source {
    /// Asks the server; opens the store if there is none.
    pub fn open(location: &Location, selection: Selection) -> Result<Self, ExportError> {
        match access::<_, ExportError>(location, |data_dir| client::inquiries(data_dir, selection))? {
            Access::Server(inquiries) => Ok(Self::Server(Box::new(inquiries))),
            Access::Store(opened) => {
                Self::of(opened, selection).map_err(|Unavailable| ExportError::Unreadable)
            }
        }
    }

    fn of(opened: Box<Opened>, selection: Selection) -> Result<Self, Unavailable> {
        let snapshot = opened.runtime.block_on(opened.store.snapshot())?;
        let total = snapshot.count();
        let dossiers = {
            let _inside = opened.runtime.enter();
            snapshot.into_dossiers(selection.range)
        };
        Ok(Self::Store(Box::new(StoreSource {
            dossiers,
            selection,
            total,
            left_out: 0,
            opened,
        })))
    }

    /// Returns how many suspected inquiries of the range were left out; known once all were read.
    pub fn left_out(&self) -> u64 {
        match self {
            Self::Server(inquiries) => inquiries.left_out.unwrap_or_default(),
            Self::Store(source) => source.left_out,
        }
    }

    /// Returns how many inquiries there are at all, including those not asked for.
    pub fn total(&self) -> u64 {
        match self {
            Self::Server(inquiries) => inquiries.total.unwrap_or_default(),
            Self::Store(source) => source.total,
        }
    }

    /// Gives each inquiry that is asked for to `take`, in the order in which they were stored.
    pub fn each(
        &mut self,
        mut take: impl FnMut(&ExportRow<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        match self {
            Self::Server(inquiries) => {
                while let Some(line) = inquiries.next_line()? {
                    take(&serde_json::from_slice(line).map_err(|_| ExportError::Strange)?)?;
                }
            }
            Self::Store(source) => {
                let damaged = |Unavailable| ExportError::Unreadable;
                let runtime = &source.opened.runtime;
                while let Some(dossier) = runtime.block_on(source.dossiers.next()).map_err(damaged)? {
                    let (Some(inquiry), Some(row)) = (&dossier.inquiry, dossier.export_row()) else {
                        continue;
                    };
                    if source.selection.suspected.takes(inquiry) {
                        take(&row)?;
                    } else {
                        source.left_out += u64::from(inquiry.suspected);
                    }
                }
            }
        }
        Ok(())
    }
}
