//! A directory that a store is copied to.

use std::io;
use std::path::{Path, PathBuf};

use redb::{Database, ReadableDatabase};
use tokio::sync::mpsc::Receiver;

use super::read::{self, ReadError};
use super::write::RowWriter;
use crate::store::erased_list::Erased;
use crate::store::error::kept;
use crate::store::redb::directory::{DirectoryLock, LOCK_WAIT};
use crate::store::redb::erasure_log::ErasureLog;
use crate::store::redb::open_error::OpenError;
use crate::store::redb::schema::{COPYING, META};
use crate::store::redb::{create, directory, migrations, open};
use crate::store::transfer::{Batch, Rows};

/// Why a directory was not written; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum TargetError {
    /// It cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It holds something.
    #[error("{} has {}; choose another --to, or move its files away", path.display(), kept(*count))]
    NotEmpty { path: PathBuf, count: u64 },
    /// The disk fails.
    #[error("cannot write to {}: {reason}; make room there, and copy again", path.display())]
    Write { path: PathBuf, reason: String },
    /// The list of what was erased cannot be written.
    #[error("cannot write the list of what was erased in {}: {source}; make room there, and copy again", path.display())]
    List { path: PathBuf, source: io::Error },
    /// What was written cannot be read back.
    #[error("what was written to {} cannot be read back: {reason}; check the disk, and copy again", path.display())]
    ReadBack { path: PathBuf, reason: String },
}

/// A directory without inquiries. From the first step on its file says that a copy into it is not finished.
pub struct Target {
    data_dir: PathBuf,
    lock: DirectoryLock,
}

/// A file that was written and not yet declared whole.
pub struct Written {
    data_dir: PathBuf,
    database: Database,
    erased: Erased,
}

impl Target {
    /// Takes a directory, which is created if it is missing. No server starts there from now on.
    ///
    /// # Errors
    /// When it is in use, or has inquiries.
    pub fn begin(data_dir: &Path) -> Result<Self, TargetError> {
        directory::prepare(data_dir)?;
        let lock = directory::lock(data_dir, LOCK_WAIT)?;
        create::remove_leftover(data_dir)?;
        create::remove_copying(data_dir)?;
        let found = open::if_there(data_dir)?.filter(|found| !found.is_copying());
        let count = found.map_or(0, |found| found.inquiries());
        if count > 0 {
            return Err(TargetError::NotEmpty {
                path: data_dir.to_owned(),
                count,
            });
        }
        let target = Self {
            data_dir: data_dir.to_owned(),
            lock,
        };
        let marked = create::copying(data_dir, &target.lock, |new| {
            new.open_table(META)?.insert(COPYING, 1)?;
            Ok(())
        });
        marked.map_err(|error| target.failed(&error))?;
        Ok(target)
    }

    /// Writes all rows that come. `is_whole` says afterwards whether that was everything. Blocks.
    ///
    /// # Errors
    /// When the file is still the empty one.
    pub fn write(
        self,
        mut rows: Receiver<Batch>,
        is_whole: impl FnOnce() -> bool,
    ) -> Result<Option<Written>, TargetError> {
        let mut erased = Erased::new();
        let replaced = create::restored(&self.data_dir, &self.lock, |new| {
            let mut writer = RowWriter::new(new);
            while let Some(batch) = rows.blocking_recv() {
                for row in batch {
                    writer.write(row)?;
                }
            }
            erased = writer.finish()?;
            new.open_table(META)?.insert(COPYING, 1)?;
            if is_whole() {
                Ok(())
            } else {
                Err(redb::Error::DatabaseClosed)
            }
        });
        match replaced {
            Err(redb::Error::DatabaseClosed) => Ok(None),
            Err(error) => Err(self.failed(&error)),
            Ok(replaced) => Ok(Some(Written {
                data_dir: self.data_dir,
                database: replaced.database,
                erased,
            })),
        }
    }

    fn failed(&self, error: &redb::Error) -> TargetError {
        TargetError::Write {
            path: self.data_dir.clone(),
            reason: error.to_string(),
        }
    }
}

impl Written {
    /// Reads it back.
    ///
    /// # Errors
    /// When that is not possible.
    pub fn read(&self, rows: &mut Rows) -> Result<(), TargetError> {
        let mut read = || -> Result<(), ReadError> {
            let file = self.database.begin_read().map_err(redb::Error::from)?;
            read::all(&file, &self.erased, rows, &mut |_| Ok(()))
        };
        read().map_err(|error| TargetError::ReadBack {
            path: self.data_dir.clone(),
            reason: error.to_string(),
        })
    }

    /// Declares it whole.
    ///
    /// # Errors
    /// When the file still says that it is not.
    pub fn finish(self) -> Result<(), TargetError> {
        self.list().map_err(|source| TargetError::List {
            path: self.data_dir.clone(),
            source,
        })?;
        let finished = migrations::commit(&self.database, |file| {
            file.open_table(META)?.remove(COPYING)?;
            Ok(())
        });
        finished.map_err(|error| TargetError::Write {
            path: self.data_dir.clone(),
            reason: error.to_string(),
        })
    }

    fn list(&self) -> io::Result<()> {
        let log = ErasureLog::of(&self.data_dir);
        let mut noting = log.begin(jiff::Timestamp::UNIX_EPOCH);
        for (id, at) in &self.erased {
            noting.add_at(*id, *at)?;
        }
        noting.sync()?;
        noting.keep();
        Ok(())
    }
}
