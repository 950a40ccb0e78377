//! The open file, and its deferred close once another file has replaced it.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use parking_lot::RwLock;
use redb::Database;

/// The open file, shared by the writer and by readers; `None` while it is being reopened after a fault.
pub type Shared = Arc<RwLock<Option<Handle>>>;

/// An open file.
pub struct Handle {
    database: Database,
    keep_open: KeepOpen,
}

/// Keeps a replaced file open until its last reader is done. Empty while the file is in use, so that readers do not
/// delay its closing.
pub type KeepOpen = Arc<OnceLock<Database>>;

impl Handle {
    /// Returns what a reader holds to be able to finish after the file was replaced.
    pub fn keep_open(&self) -> KeepOpen {
        Arc::clone(&self.keep_open)
    }

    /// Closes a file that was replaced, as soon as nobody reads it any more.
    pub fn close_when_unused(self) {
        let Self { database, keep_open } = self;
        // Nobody else ever sets it.
        let _ = keep_open.set(database);
    }
}

impl From<Database> for Handle {
    fn from(database: Database) -> Self {
        Self {
            database,
            keep_open: KeepOpen::default(),
        }
    }
}

impl Deref for Handle {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}
