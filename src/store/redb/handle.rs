//! The open file, and its afterlife once another has taken its place.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use redb::Database;

/// An open file.
pub struct Opened {
    database: Database,
    afterlife: Afterlife,
}

/// Where the database of a replaced file stays open until the last who reads it is done. Empty for a file in use, so
/// that readers do not hold up its closing.
pub type Afterlife = Arc<OnceLock<Database>>;

impl Opened {
    /// For who begins to read and is to be able to finish.
    pub fn afterlife(&self) -> Afterlife {
        Arc::clone(&self.afterlife)
    }

    /// Closes a file that was replaced, as soon as nobody reads it any more.
    pub fn retire(self) {
        let Self { database, afterlife } = self;
        // Nobody else ever sets it.
        let _ = afterlife.set(database);
    }
}

impl From<Database> for Opened {
    fn from(database: Database) -> Self {
        Self {
            database,
            afterlife: Afterlife::default(),
        }
    }
}

impl Deref for Opened {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}
