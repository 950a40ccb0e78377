//! Erasing inquiries for good.
//!
//! redb leaves the bytes of what is removed in its file until their place is used for something else. So what stays is
//! copied to a new file instead, which takes the place of the old one in one step: either all is erased, or nothing
//! is, and the file holds no trace of it.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, WriteTransaction};
use uuid::Uuid;

use super::error::attempt;
use super::make::{self, New};
use super::schema::{EXPIRIES, INQUIRIES, Id, KEYS};
use super::{OpenError, keys, open, record};
use crate::quiet;

/// Which inquiries to erase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Erasure {
    /// Those with these ids, all of which must be there.
    Ids(BTreeSet<Uuid>),
    /// All made before this time.
    Until(Timestamp),
}

/// Why nothing was erased.
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    /// There is no inquiry with this id.
    #[error(
        "there is no inquiry with the id {0}, so nothing was erased; `taubenabwehr export` shows the ids"
    )]
    Unknown(Uuid),
    /// The file cannot be opened, or nothing made beside it.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file cannot be read, or the new one not written.
    #[error(
        "cannot write a new file without them: {}; nothing was erased: make room in the data directory for the \
         inquiries that stay, and try again",
        quiet::one_line(&.0.to_string())
    )]
    Failed(#[from] redb::Error),
    /// The disk failed in the very last step.
    #[error(
        "the inquiries were erased, but a power cut may bring them back: {0}; check the disk, and then whether \
         `taubenabwehr export` still shows them"
    )]
    Unsure(io::Error),
    /// The store is closed or has too much to do.
    #[error("the store cannot be written now, so nothing was erased; try again")]
    Unavailable,
}

impl Erasure {
    fn takes(&self, id: &Id, value: &[u8]) -> Result<bool, redb::Error> {
        match self {
            Self::Ids(ids) => Ok(ids.contains(&Uuid::from_bytes(*id))),
            Self::Until(until) => {
                let inquiry =
                    record::decode(*id, value).ok_or_else(|| open::damaged("an inquiry cannot be read"))?;
                Ok(inquiry.created_at < *until)
            }
        }
    }

    /// How many inquiries it takes.
    fn count(&self, database: &Database) -> Result<Result<u64, Uuid>, redb::Error> {
        let inquiries = database.begin_read()?.open_table(INQUIRIES)?;
        let mut count = 0;
        match self {
            Self::Ids(ids) => {
                for id in ids {
                    if inquiries.get(id.as_bytes())?.is_none() {
                        return Ok(Err(*id));
                    }
                    count += 1;
                }
            }
            Self::Until(_) => {
                for entry in inquiries.iter()? {
                    let (id, value) = entry?;
                    count += u64::from(self.takes(id.value(), value.value())?);
                }
            }
        }
        Ok(Ok(count))
    }
}

/// What came of an erasure.
pub struct Erased {
    /// How many inquiries were erased.
    pub count: u64,
    /// The file that has taken the place of the old one; `None` if there was nothing to erase.
    pub file: Option<New>,
}

/// Erases inquiries of an open file, to which nobody writes meanwhile.
///
/// # Errors
/// When nothing was erased.
pub fn erase(
    database: &Database,
    data_dir: &Path,
    what: &Erasure,
    now: Timestamp,
) -> Result<Erased, EraseError> {
    let count = attempt(|| what.count(database))?.map_err(EraseError::Unknown)?;
    if count == 0 {
        return Ok(Erased { count, file: None });
    }
    let copied = make::replace(data_dir, |new| copy(&database.begin_read()?, new, what, now))?;
    Ok(Erased {
        count,
        file: Some(copied?),
    })
}

/// Copies what stays.
pub fn copy(
    old: &ReadTransaction,
    new: &WriteTransaction,
    what: &Erasure,
    now: Timestamp,
) -> Result<(), redb::Error> {
    let mut inquiries = new.open_table(INQUIRIES)?;
    for entry in old.open_table(INQUIRIES)?.iter()? {
        let (id, value) = entry?;
        if !what.takes(id.value(), value.value())? {
            inquiries.insert(id.value(), value.value())?;
        }
    }
    let mut keys = new.open_table(KEYS)?;
    let mut expiries = new.open_table(EXPIRIES)?;
    keys::copy(
        &old.open_table(KEYS)?,
        (&mut keys, &mut expiries),
        &inquiries,
        now,
    )
}
