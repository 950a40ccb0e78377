//! Copying a file without what is erased.
//!
//! redb leaves the bytes of what is removed in its file until their place is used for something else. So what remains is
//! copied to a new file instead, which takes the place of the old one in one step: either all is erased, or nothing
//! is, and the file holds no trace of it.

use std::path::Path;

use jiff::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable};
use uuid::Uuid;

use super::create;
pub use super::create::Replaced;
use super::error::attempt;
use super::tables::{self, Copying, INQUIRIES};
use crate::quiet;
use crate::store::erasure::Erasure;
use crate::store::error::EraseError;

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
    what: &Erasure,
    now: Timestamp,
    progress: &dyn Fn(),
) -> Result<Erased, EraseError> {
    let count = attempt(|| count(database, what, progress)).map_err(|error| failed(&error))?;
    let count = count.map_err(EraseError::Unknown)?;
    if count == 0 {
        return Ok(Erased { count, file: None });
    }
    let replaced = create::replace(data_dir, |new| {
        tables::copy_all(&Copying {
            old: &database.begin_read()?,
            new,
            erasure: Some(what),
            now,
            progress,
        })
    });
    let replaced = replaced.map_err(|error| EraseError::Failed(error.to_string()))?;
    Ok(Erased {
        count,
        file: Some(replaced.map_err(|error| failed(&error))?),
    })
}

/// Returns how many inquiries an erasure takes, or the id that there is none of.
fn count(database: &Database, what: &Erasure, progress: &dyn Fn()) -> Result<Result<u64, Uuid>, redb::Error> {
    let inquiries = database.begin_read()?.open_table(INQUIRIES)?;
    let mut count = 0;
    match what {
        Erasure::Ids(ids) => {
            for id in ids {
                if inquiries.get(id.as_bytes())?.is_none() {
                    return Ok(Err(*id));
                }
                count += 1;
            }
        }
        Erasure::Until(_) => {
            for entry in inquiries.iter()? {
                let (id, value) = entry?;
                progress();
                count += u64::from(tables::erases(what, id.value(), value.value())?);
            }
        }
    }
    Ok(Ok(count))
}

fn failed(error: &redb::Error) -> EraseError {
    EraseError::Failed(format!(
        "cannot write a new file without them: {}; nothing was erased: make room in the data directory for the \
         inquiries that stay, and try again",
        quiet::one_line(&error.to_string())
    ))
}
