//! The file of inquiries in a backup of version 1.

use std::fs::File;

use jiff::Timestamp;
use redb::backends::FileBackend;
use redb::{Database, ReadableDatabase};

use super::error::attempt;
use super::transfer::{self, ReadError};
use super::{database, migrations, schema};
use crate::panics;
use crate::store::core::Fact;
use crate::store::erased_list::Erased;
use crate::store::transfer::{Rows, Take};

/// A file of inquiries that was unpacked, brought to today's schema.
pub struct Image {
    /// There until it is closed.
    database: Option<Database>,
    made_at: Option<Timestamp>,
}

/// Why it cannot be read.
#[derive(Debug)]
#[allow(missing_docs, reason = "the fields are schemas")]
pub enum ImageError {
    /// It holds something else.
    Foreign,
    /// It is of a later version of the program.
    Newer { found: u64, known: u64 },
    /// It is not what was written.
    Damaged(String),
    /// Nobody takes its rows.
    Untaken,
}

impl From<redb::Error> for ImageError {
    fn from(error: redb::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl Image {
    /// Opens a file, which is written only to migrate it.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn open(file: File) -> Result<Self, ImageError> {
        let database = attempt(|| database::open_passing(FileBackend::new(file)?))?;
        // It outlives what may panic: redb can panic again when it closes a damaged file, which ends the process in the midst of
        // another panic.
        let mut image = Self {
            database: Some(database),
            made_at: None,
        };
        let Some(database) = &mut image.database else {
            return Err(ImageError::Foreign);
        };
        let found = attempt(|| {
            let found = migrations::schema_of(database)?;
            if let Some(found) = found.filter(|found| (1..=migrations::CURRENT).contains(found)) {
                migrations::migrate(database, found)?;
            }
            Ok(found)
        })?;
        match found {
            None | Some(0) => return Err(ImageError::Foreign),
            Some(found) if found > migrations::CURRENT => {
                return Err(ImageError::Newer {
                    found,
                    known: migrations::CURRENT,
                });
            }
            Some(_) => {}
        }
        if !attempt(|| Ok(database.check_integrity()?))? {
            return Err(ImageError::Damaged(
                "the checksums of its pages are wrong".to_owned(),
            ));
        }
        image.made_at = attempt(|| schema::time(&database.begin_read()?, Fact::Backup.name()))?;
        Ok(image)
    }

    /// Returns when the backup was made.
    pub fn made_at(&self) -> Option<Timestamp> {
        self.made_at
    }

    /// Reads all rows.
    ///
    /// # Errors
    /// When one is damaged, or nobody takes them.
    pub fn read(&self, rows: &mut Rows, take: Take<'_>) -> Result<(), ImageError> {
        let Some(database) = &self.database else {
            return Ok(());
        };
        let file = attempt(|| Ok(database.begin_read()?))?;
        match transfer::all(&file, &Erased::new(), rows, take) {
            Ok(()) => Ok(()),
            Err(ReadError::File(error)) => Err(error.into()),
            Err(ReadError::Untaken) => Err(ImageError::Untaken),
        }
    }
}

/// A file that is too damaged to be closed has been read nevertheless, and goes.
impl Drop for Image {
    fn drop(&mut self) {
        let database = self.database.take();
        let _ = panics::catch(|| drop(database));
    }
}
