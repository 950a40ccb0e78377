//! The engine for one machine: a file in a data directory. No other module uses redb.

pub mod directory;
pub mod erased_list;
mod file;
mod view;

pub use directory::{ERASED_FILE, FILE_NAME, LOCK_WAIT};
pub use file::CACHE_BYTES;

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, RwLock};
use redb::{Database, ReadableDatabase, ReadableTable, StorageBackend, TableDefinition};
use rustix::fs::statvfs;

use super::map::{Changes, Clock, Engine, EngineError, EntryKind, Key, View, WriterTurn};
use super::open_error::{self, OpenError};
use super::values::millis;
use crate::base::files::FileIdentity;
use crate::base::panics;
use crate::base::text::mail_address::one_line;
use directory::DirectoryLock;
use file::{NewFile, OpenedFile, PASSING_BYTES};
use view::{FileView, FileWriter, KeepOpen};

/// The table of a kind of entry.
fn table(kind: EntryKind) -> TableDefinition<'static, &'static [u8], &'static [u8]> {
    TableDefinition::new(kind.name())
}

/// Free disk space, in bytes, below which nothing is written.
const LEAST_ROOM: u64 = 64 << 10;

/// A file of inquiries, and its directory.
pub struct RedbEngine {
    data_dir: PathBuf,
    /// Opens the file, repeatedly if need be.
    source: Source,
    /// `None` once closed.
    lock: Mutex<Option<Arc<DirectoryLock>>>,
    open: RwLock<Option<Handle>>,
    /// Whether the open file is still in its place: inquiries written to a file that was moved or deleted would never be found
    /// again. `None` if the storage is not a file, such as a simulated disk.
    identity: Mutex<Option<FileIdentity>>,
    /// Whether it was missing from its place at the last check.
    is_lost: AtomicBool,
    clock: Clock,
    warnings: Vec<String>,
    /// The file being filled, which replaces the current one at the end.
    new: Mutex<Option<NewFile>>,
}

type Source = Box<dyn Fn(&DirectoryLock) -> Result<OpenedFile, OpenError> + Send + Sync>;

struct Handle {
    database: Database,
    /// Keeps the file open for its readers after another one has replaced it.
    keep_open: KeepOpen,
}

impl RedbEngine {
    /// Opens the file of a directory, creating both if they are missing. Waits up to `wait` for another process.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open_or_create(data_dir: &Path, wait: Duration, clock: Clock) -> Result<Self, OpenError> {
        let warning = directory::prepare(data_dir)?;
        let lock = directory::lock(data_dir, wait)?;
        directory::must_be_whole(data_dir)?;
        file::remove_leftover(data_dir)?;
        file::make_if_missing(data_dir, &lock)?;
        let mut engine = Self::open(data_dir, source(data_dir, CACHE_BYTES), lock, clock)?;
        engine.warnings.extend(warning);
        Ok(engine)
    }

    /// Opens the file of a directory; both must exist.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open_existing(data_dir: &Path, wait: Duration, clock: Clock) -> Result<Self, OpenError> {
        directory::must_exist(data_dir)?;
        directory::must_be_whole(data_dir)?;
        // Without access to the file, report that rather than who holds it.
        file::find(data_dir)?;
        let lock = directory::lock(data_dir, wait)?;
        Self::open(data_dir, source(data_dir, PASSING_BYTES), lock, clock)
    }

    fn open(data_dir: &Path, source: Source, lock: DirectoryLock, clock: Clock) -> Result<Self, OpenError> {
        let opened = source(&lock)?;
        Ok(Self::of(data_dir, source, lock, clock, opened))
    }

    /// Opens another storage in place of the directory's file.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open_storage<B: StorageBackend>(
        data_dir: &Path,
        storage: impl Fn() -> std::io::Result<B> + Send + Sync + 'static,
        clock: Clock,
    ) -> Result<Self, OpenError> {
        let path = data_dir.to_owned();
        let source = move |_: &DirectoryLock| {
            let opened = attempt(|| file::open_storage(storage()?, CACHE_BYTES));
            Ok(OpenedFile {
                database: opened.map_err(|error| open_error::explain(&path, error))?,
                identity: None,
                warning: None,
            })
        };
        let lock = directory::lock(data_dir, Duration::ZERO)?;
        Self::open(data_dir, Box::new(source), lock, clock)
    }

    fn of(data_dir: &Path, source: Source, lock: DirectoryLock, clock: Clock, opened: OpenedFile) -> Self {
        Self {
            data_dir: data_dir.to_owned(),
            source,
            lock: Mutex::new(Some(Arc::new(lock))),
            open: RwLock::new(Some(Handle::from(opened.database))),
            identity: Mutex::new(opened.identity),
            is_lost: AtomicBool::default(),
            clock,
            warnings: opened.warning.into_iter().collect(),
            new: Mutex::default(),
        }
    }

    /// Starts filling a directory that is empty or holds an empty store. The directory keeps its former contents until
    /// [`Engine::end_fill`]; with `marks_unfinished`, no other process opens it before then.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn fill(data_dir: &Path, marks_unfinished: bool, clock: Clock) -> Result<Self, OpenError> {
        directory::prepare(data_dir)?;
        let lock = directory::lock(data_dir, LOCK_WAIT)?;
        if marks_unfinished {
            // First of all, so that no crash leaves a directory that looks empty.
            let marked = File::create(data_dir.join(directory::COPYING_FILE)).and_then(|_| lock.sync());
            marked.map_err(|error| open_error::refused(data_dir, error))?;
        }
        file::remove_leftover(data_dir)?;
        let owner = fs::metadata(data_dir).map_err(|error| open_error::refused(data_dir, error))?;
        let new = attempt(|| NewFile::begin(data_dir, Some(&owner)));
        let (new, database) = new.map_err(|error| open_error::explain(data_dir, error))?;
        let opened = OpenedFile {
            database,
            identity: None,
            warning: None,
        };
        let engine = Self::of(data_dir, source(data_dir, PASSING_BYTES), lock, clock, opened);
        *engine.new.lock() = Some(new);
        Ok(engine)
    }

    fn lock(&self) -> Result<Arc<DirectoryLock>, EngineError> {
        self.lock.lock().clone().ok_or_else(closed)
    }

    fn with_file<T>(&self, call: impl FnOnce(&Handle) -> Result<T, redb::Error>) -> Result<T, EngineError> {
        let open = self.open.read();
        let handle = open.as_ref().ok_or_else(closed)?;
        attempt(|| call(handle)).map_err(|error| lost(&error))
    }

    fn file_view<W>(&self, writer: W) -> Result<FileView<W>, EngineError> {
        self.with_file(|open| {
            Ok(FileView {
                file: open.database.begin_read()?,
                data_dir: self.data_dir.clone(),
                _keep_open: Arc::clone(&open.keep_open),
                writer,
            })
        })
    }

    /// Refuses to write to a full disk. After a failed write, redb refuses the whole file, even to readers.
    fn check_room(&self) -> Result<(), EngineError> {
        let disk = self.identity.lock().and_then(|_| statvfs(&self.data_dir).ok());
        match disk {
            // A file system without a size limit reports zero blocks.
            Some(disk) if disk.f_blocks > 0 && disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST_ROOM => {
                let path = self.data_dir.display();
                Err(EngineError::Failed(format!(
                    "No space left on the disk of {path}"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Writes changes, after adding erased ids to their list.
    fn write(&self, mut changes: Changes) -> Result<(), EngineError> {
        if changes.is_empty() {
            return Ok(());
        }
        self.check_room()?;
        let erased = changes.0.remove(&EntryKind::Erased).unwrap_or_default();
        erased_list::add(&self.data_dir, &*self.lock()?, erased.iter())?;
        self.with_file(|open| {
            file::write(&open.database, |file| {
                for (kind, entries) in &changes.0 {
                    let mut table = file.open_table(table(*kind))?;
                    for (key, value) in entries {
                        match value {
                            Some(value) => drop(table.insert(key.as_slice(), value.as_slice())?),
                            None => drop(table.remove(key.as_slice())?),
                        }
                    }
                }
                Ok(())
            })
        })
    }
}

impl Engine for RedbEngine {
    fn view(&self, _: bool) -> Result<Box<dyn View + Send>, EngineError> {
        Ok(Box::new(self.file_view(())?))
    }

    fn turn(&self, _: &[(EntryKind, Key)]) -> Result<Box<dyn WriterTurn + '_>, EngineError> {
        let (now, engine) = (self.now(), self);
        Ok(Box::new(self.file_view(FileWriter { now, engine })?))
    }

    fn end_fill(&self) -> Result<(), EngineError> {
        let Some(new) = self.new.lock().take() else {
            return Ok(());
        };
        let lock = self.lock()?;
        let unmarked = new.take_place(&lock).and_then(|()| {
            match fs::remove_file(self.data_dir.join(directory::COPYING_FILE)) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => lock.sync(),
            }
        });
        unmarked.map_err(|error| lost(&error.into()))
    }

    fn now(&self) -> u64 {
        millis((self.clock)())
    }

    fn writer(&self) -> Option<[u8; 16]> {
        None
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn reopen(&self) -> Result<(), EngineError> {
        // A file that was moved or deleted can still be saved through its open handle, which reopening would lose.
        self.check()?;
        let lock = self.lock()?;
        let mut open = self.open.write();
        let closed = open.take();
        if let Err(panic) = panics::catch(|| drop(closed)) {
            tracing::error!(error = %panic, "the store was not closed cleanly");
        }
        let opened = (self.source)(&lock).map_err(|error| EngineError::Lost(error.to_string()))?;
        *self.identity.lock() = opened.identity;
        *open = Some(Handle::from(opened.database));
        Ok(())
    }

    fn close(&self) {
        let open = self.open.write().take();
        drop(open);
        *self.new.lock() = None;
        *self.lock.lock() = None;
    }

    fn check(&self) -> Result<(), EngineError> {
        let path = self.data_dir.join(directory::FILE_NAME);
        let file = *self.identity.lock();
        let is_lost = file.is_some() && FileIdentity::behind(&path) != file;
        let was_lost = self.is_lost.swap(is_lost, Ordering::Relaxed);
        let path = path.display();
        if is_lost {
            if !was_lost {
                tracing::error!(
                    "{path} was moved, deleted or replaced while it was in use: inquiries are refused until it is back; what the \
                     server still has of it, `taubenabwehr backup` saves"
                );
            }
            return Err(EngineError::Lost(format!(
                "{path} was moved, deleted or replaced"
            )));
        }
        if was_lost {
            tracing::info!("{path} is back");
        }
        Ok(())
    }

    fn is_intact(&self) -> Result<bool, EngineError> {
        let mut open = self.open.write();
        let handle = open.as_mut().ok_or_else(closed)?;
        attempt(|| Ok(handle.database.check_integrity()?)).map_err(|error| lost(&error))
    }

    fn wipe_size(&self) -> Option<u64> {
        (*self.identity.lock())?;
        let length = fs::metadata(self.data_dir.join(directory::FILE_NAME)).map(|file| file.len());
        Some(length.unwrap_or_default())
    }

    /// redb leaves removed bytes in its file until their space is reused. The contents are therefore copied to a new file, which
    /// replaces the old one.
    fn wipe(&self, step: &dyn Fn()) -> Result<(), EngineError> {
        let path = self.data_dir.join(directory::FILE_NAME);
        let failed = |error: std::io::Error| lost(&error.into());
        let old = fs::symlink_metadata(&path).map_err(failed)?;
        // Renaming would replace only the link.
        if old.is_symlink() {
            return Err(EngineError::Failed(OpenError::Link(path).to_string()));
        }
        file::remove_leftover(&self.data_dir).map_err(|error| EngineError::Failed(error.to_string()))?;
        let (new, database) =
            attempt(|| NewFile::begin(&self.data_dir, Some(&old))).map_err(|error| lost(&error))?;
        self.with_file(|old| {
            let from = old.database.begin_read()?;
            file::write(&database, |to| {
                for kind in EntryKind::ALL
                    .into_iter()
                    .filter(|kind| *kind != EntryKind::Erased)
                {
                    let mut to = to.open_table(table(kind))?;
                    for entry in from.open_table(table(kind))?.iter()? {
                        let (key, value) = entry?;
                        to.insert(key.value(), value.value())?;
                        step();
                    }
                }
                Ok(())
            })
        })?;
        let placed = new.take_place(&*self.lock()?);
        *self.identity.lock() = FileIdentity::behind(&path);
        placed.map_err(failed)?;
        let old = self.open.write().replace(Handle::from(database));
        // Its last reader closes it. How it is closed does not matter, since it is no longer in the directory.
        let _ = panics::catch(|| old.map(|old| old.keep_open.set(old.database)));
        Ok(())
    }
}

/// Returns the function that opens the file of a directory.
fn source(data_dir: &Path, cache: usize) -> Source {
    let data_dir = data_dir.to_owned();
    Box::new(move |lock| file::open(&data_dir, lock, cache))
}

impl From<Database> for Handle {
    fn from(database: Database) -> Self {
        Self {
            database,
            keep_open: KeepOpen::default(),
        }
    }
}

/// Calls redb, which panics on some damaged files where it should return an error.
fn attempt<T>(call: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, redb::Error> {
    panics::catch(call).unwrap_or_else(|panic| Err(redb::Error::Corrupted(panic)))
}

fn lost(error: &redb::Error) -> EngineError {
    EngineError::Lost(one_line(&error.to_string()))
}

fn closed() -> EngineError {
    EngineError::Lost("the file is not open".to_owned())
}
