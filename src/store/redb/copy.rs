//! Copying a file without what is erased.
//!
//! redb leaves the bytes of what is removed in its file until their place is used for something else. So what remains is
//! copied to a new file instead, which takes the place of the old one in one step: either all is erased, or nothing
//! is, and the file holds no trace of it.

use std::fs;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable};
use uuid::Uuid;

use super::copying::{self, Copying};
use super::create;
pub use super::create::Replaced;
use super::directory::{self, DirectoryLock};
use super::erasure_log::ErasureLog;
use super::error::attempt;
use super::open_error::OpenError;
use super::schema::{INQUIRIES, REFERRALS};
use super::tables;
use crate::referral::Status;
use crate::store::core::referral_record;
use crate::store::erasure::Erasure;
use crate::store::error::EraseError;
use crate::text::one_line::one_line;

/// What came of an erasure.
pub struct Erased {
    /// How many inquiries were erased.
    pub count: u64,
    /// The file that has taken the place of the old one; `None` if there was nothing to erase.
    pub file: Option<Replaced>,
}

/// Erases inquiries of an open file, to which nobody writes meanwhile. Calls `progress` again and again.
///
/// # Errors
/// When nothing was erased.
pub fn erase(
    database: &Database,
    data_dir: &Path,
    lock: &DirectoryLock,
    what: &Erasure,
    now: Timestamp,
    progress: &dyn Fn(),
) -> Result<Erased, EraseError> {
    let log = ErasureLog::of(data_dir);
    let mut noting = log.begin(now);
    let counted = attempt(|| count(database, what, &mut |id| Ok(noting.add(id)?), progress));
    let count = counted.map_err(|error| failed(&error))?;
    let count = count.map_err(EraseError::Unknown)?;
    if count == 0 {
        return Ok(Erased { count, file: None });
    }
    noting.sync().map_err(|error| failed(&error.into()))?;
    let replaced = create::replace(data_dir, lock, |new| {
        tables::copy_all(&Copying {
            old: &database.begin_read()?,
            new,
            erasure: Some(what),
            now,
            progress,
        })
    });
    let replaced = replaced.map_err(|error| EraseError::Failed(error.to_string()))?;
    let replaced = replaced.map_err(|error| failed(&error))?;
    noting.keep();
    Ok(Erased {
        count,
        file: Some(replaced),
    })
}

/// How much of a file must be free to compact it: a half, and so much that it matters, in bytes.
const FREE_PART: u64 = 2;
const FREE_BYTES: u64 = 1 << 20;

/// Copies an open file, to which nobody writes meanwhile, without its free pages, if they are many. Pages of expired keys
/// become free; redb uses them again, but shortens a file only at its end. Calls `progress` again and again.
///
/// # Errors
/// When the file is as it was.
pub fn compact(
    database: &Database,
    data_dir: &Path,
    lock: &DirectoryLock,
    now: Timestamp,
    progress: &dyn Fn(),
) -> Result<Option<Replaced>, CompactError> {
    let length = fs::metadata(directory::file(data_dir))?.len();
    if length < FREE_BYTES || attempt(|| used(database))? > length / FREE_PART {
        return Ok(None);
    }
    rewrite(database, data_dir, lock, now, progress).map(Some)
}

/// Copies an open file, to which nobody writes meanwhile, without its free pages. Calls `progress` again
/// and again.
///
/// # Errors
/// When the file is as it was.
pub fn rewrite(
    database: &Database,
    data_dir: &Path,
    lock: &DirectoryLock,
    now: Timestamp,
    progress: &dyn Fn(),
) -> Result<Replaced, CompactError> {
    let replaced = create::replace(data_dir, lock, |new| {
        tables::copy_all(&Copying {
            old: &database.begin_read()?,
            new,
            erasure: None,
            now,
            progress,
        })
    });
    Ok(replaced??)
}

/// Why a file was not compacted.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    /// Its length is not known.
    #[error(transparent)]
    Length(#[from] io::Error),
    /// It cannot be read, or the new one not written.
    #[error(transparent)]
    Copy(#[from] redb::Error),
    /// Nothing may be created in the directory.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// Returns how many bytes of a file's pages are in use.
fn used(database: &Database) -> Result<u64, redb::Error> {
    let transaction = database.begin_write()?;
    let stats = transaction.stats()?;
    transaction.abort()?;
    Ok(stats.allocated_pages() * u64::try_from(stats.page_size()).unwrap_or(u64::MAX))
}

/// Gives each inquiry that an erasure takes to `note`; returns how many those are, or an id that does not exist.
fn count(
    database: &Database,
    what: &Erasure,
    note: &mut dyn FnMut(Uuid) -> Result<(), redb::Error>,
    progress: &dyn Fn(),
) -> Result<Result<u64, Uuid>, redb::Error> {
    let file = database.begin_read()?;
    let inquiries = file.open_table(INQUIRIES)?;
    let ways = file.open_table(REFERRALS)?;
    let mut count = 0;
    match what {
        Erasure::Ids(ids) => {
            for id in ids {
                let id_bytes = id.as_bytes();
                let way = ways.get(id_bytes)?;
                let way = way
                    .map(|way| referral_record::decode(id_bytes, way.value()))
                    .transpose()?;
                let is_withdrawn = way.is_some_and(|way| matches!(way.status, Status::Withdrawn(_)));
                if inquiries.get(id_bytes)?.is_none() && !is_withdrawn {
                    return Ok(Err(*id));
                }
                note(*id)?;
                count += 1;
            }
        }
        Erasure::ReceivedBefore(_) | Erasure::Until(_) => {
            for entry in inquiries.iter()? {
                let (id, value) = entry?;
                progress();
                if copying::erases(what, id.value(), value.value())? {
                    note(Uuid::from_bytes(*id.value()))?;
                    count += 1;
                }
            }
        }
    }
    Ok(Ok(count))
}

fn failed(error: &redb::Error) -> EraseError {
    EraseError::Failed(format!(
        "cannot write a new file without them: {}; nothing was erased: make room in the data directory for the \
         inquiries that stay, and try again",
        one_line(&error.to_string())
    ))
}
