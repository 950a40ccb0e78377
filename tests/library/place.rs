//! The store of a test: a data directory, or a database schema if the suite runs on PostgreSQL.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use taubenabwehr::store::postgres::Connector;
use taubenabwehr::store::{Clock, Location, Store};
use tempfile::TempDir;

use crate::postgres::Schema;

/// How long opening waits for a file that another store of the same test still holds.
const PATIENCE: Duration = Duration::from_secs(30);

/// A directory, in memory if possible, since no test here needs a real disk. On PostgreSQL, inquiries are in the schema.
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

    /// Whether several servers may open the store at once.
    pub fn is_shared(&self) -> bool {
        self.schema.is_some()
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The value of `--store`.
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

    /// Opens the store with the clock of a test.
    pub async fn open_with(&self, clock: Clock) -> Store {
        if self.schema.is_none() {
            return Store::open_with_clock(self.path(), PATIENCE, clock).unwrap();
        }
        let connector = Connector::new(&self.url().parse().unwrap()).unwrap();
        let store = Store::connect_now(connector, Some(clock)).await;
        store.unwrap()
    }

    /// Runs a command against the store.
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
