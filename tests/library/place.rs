//! Where a test's store is: a data directory, or a schema of a database where the suite runs on PostgreSQL.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use taubenabwehr::store::postgres::Connector;
use taubenabwehr::store::{Clock, Location, Store};
use tempfile::TempDir;

use crate::postgres::Schema;

/// How long opening waits for a file that another store of the same test still has.
const PATIENCE: Duration = Duration::from_secs(30);

/// A directory in memory, where there is one: none of this needs a real disk. On PostgreSQL the inquiries are in the schema.
pub struct Place {
    dir: TempDir,
    schema: Option<Schema>,
}

impl Place {
    pub fn new() -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self {
            dir: dir.unwrap(),
            schema: Schema::new(),
        }
    }

    /// Whether several servers may have the store open.
    pub fn is_shared(&self) -> bool {
        self.schema.is_some()
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Returns what `--store` takes.
    fn url(&self) -> String {
        let directory = || format!("redb:{}", self.path().display());
        self.schema.as_ref().map_or_else(directory, Schema::url)
    }

    pub fn location(&self) -> Location {
        Location::parse(self.url().as_ref()).unwrap()
    }

    /// Opens the store as a server does.
    pub async fn open(&self) -> Store {
        self.location().open().await.unwrap()
    }

    /// Opens the store with a clock of the test's.
    pub async fn open_with(&self, clock: Clock) -> Store {
        if self.schema.is_none() {
            return Store::open_with_clock(self.path(), PATIENCE, clock).unwrap();
        }
        let connector = Connector::new(self.url().parse().unwrap()).unwrap();
        let store = Store::connect_now(connector, Some(clock)).await;
        store.unwrap()
    }

    /// Runs a command on the store.
    pub fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taubenabwehr"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TAUBENABWEHR_") {
                command.env_remove(name);
            }
        }
        command.args(args).env("TAUBENABWEHR_STORE", self.url());
        command.stdin(Stdio::null()).output().unwrap()
    }
}
