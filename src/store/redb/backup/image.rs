//! The copy of a file that goes into a backup.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use jiff::Timestamp;
use redb::backends::FileBackend;
use redb::{ReadTransaction, ReadableTableMetadata};

use super::format;
use crate::store::core::Fact;
use crate::store::redb::copying::Copying;
use crate::store::redb::error::attempt;
use crate::store::redb::schema::{INQUIRIES, META, millis};
use crate::store::redb::{database, migrations, tables};

/// A copy of a file as it was at one moment, in a file without a name.
#[derive(Debug)]
pub struct Image {
    file: File,
    count: u64,
}

impl Image {
    /// Copies what a transaction shows, with room in a directory.
    pub fn copy(old: &ReadTransaction, directory: &Path, now: Timestamp) -> Result<Self, redb::Error> {
        attempt(|| {
            let file = tempfile::tempfile_in(directory)?;
            let database = database::open_passing(FileBackend::new(file.try_clone()?)?)?;
            migrations::create(&database)?;
            migrations::commit(&database, |new| {
                tables::copy_all(&Copying {
                    old,
                    new,
                    erasure: None,
                    now,
                    progress: &|| {},
                })?;
                new.open_table(META)?.insert(Fact::Backup.name(), millis(now))?;
                Ok(())
            })?;
            let count = old.open_table(INQUIRIES)?.len()?;
            drop(database);
            Ok(Self { file, count })
        })
    }

    /// Returns how many inquiries were to be copied.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes it as a backup.
    ///
    /// # Errors
    /// When it cannot be read, or the backup not be written.
    pub fn pack(mut self, out: impl Write) -> io::Result<()> {
        format::pack(&mut self.file, out)
    }
}
