//! The engine for several machines: a PostgreSQL database shared by any number of instances. Each kind of entry is a table of
//! keys and values. A single lock makes the instances write one after another. No other module uses tokio-postgres.

mod connector;
mod link;
mod settings;
mod tables;
mod tls;
mod turn;
mod url;
mod view;

pub use connector::Connector;
pub use settings::Settings;
pub use url::{NAME, is_address, without_password};

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;

use super::map::{Changes, Clock, Engine, EngineError, EntryKind, Key, Value, View, WriterTurn};
use super::values::millis;
use link::{LONG_STEP, Link, STEP};
use turn::{BEGIN, PostgresTurn, commit};
use view::PostgresView;

/// A database.
pub struct PostgresEngine {
    readers: Readers,
    /// Replaces the database's clock in tests.
    clock: Option<Clock>,
    /// How many milliseconds the database's clock was ahead of this machine's at the last turn.
    ahead: AtomicI64,
    writer: [u8; 16],
    writing: Mutex<Writing>,
}

#[derive(Default)]
struct Writing {
    /// `None` before the first [`Engine::reopen`], after an error, and during a turn.
    link: Option<Link>,
    /// The rows of other writers as of the last turn; `None` before the first turn on this connection.
    seen: Option<BTreeMap<Key, Value>>,
}

/// State shared by readers.
#[derive(Clone)]
struct Readers {
    connector: Connector,
    idle: Arc<Mutex<Vec<Link>>>,
}

impl PostgresEngine {
    /// Creates the engine of a database. Connects only on [`Engine::reopen`].
    pub fn new(connector: Connector, clock: Option<Clock>) -> Self {
        Self {
            readers: Readers {
                connector,
                idle: Arc::default(),
            },
            clock,
            ahead: AtomicI64::new(0),
            writer: *uuid::Uuid::now_v7().as_bytes(),
            writing: Mutex::default(),
        }
    }

    fn link(&self) -> Result<Link, EngineError> {
        let link = self.writing.lock().link.take();
        link.ok_or_else(|| EngineError::Lost("there is no connection to the database".to_owned()))
    }

    /// Keeps the writer's connection if it can be used again.
    fn end(&self, link: Link, ended: Result<(), EngineError>) -> Result<(), EngineError> {
        match &ended {
            Err(error @ EngineError::Lost(_)) => link.blame(error, &self.readers.connector),
            Err(_) if link.execute(STEP, "ROLLBACK").is_err() => {}
            _ => self.writing.lock().link = Some(link),
        }
        ended
    }
}

impl Engine for PostgresEngine {
    fn view(&self, is_fixed: bool) -> Result<Box<dyn View + Send>, EngineError> {
        Ok(Box::new(PostgresView::open(&self.readers, is_fixed)?))
    }

    fn turn(&self, wanted: &[(EntryKind, Key)]) -> Result<Box<dyn WriterTurn + '_>, EngineError> {
        let mut turn = PostgresTurn::begin(self, self.link()?, wanted)?;
        let seen = self.writing.lock().seen.replace(turn.others.clone());
        turn.others_have_written = seen.as_ref() != Some(&turn.others);
        let ahead = i128::from(turn.now) - i128::from(millis(Timestamp::now()));
        self.ahead
            .store(i64::try_from(ahead).unwrap_or_default(), Ordering::Relaxed);
        if let Some(clock) = &self.clock {
            turn.now = millis(clock());
        }
        Ok(Box::new(turn))
    }

    fn fill(&self, entries: Changes) -> Result<(), EngineError> {
        let link = self.link()?;
        // The commit of a later turn makes it durable.
        let begun = link.execute(LONG_STEP, &format!("{BEGIN}; SET LOCAL synchronous_commit = off"));
        let filled = begun.and_then(|()| commit(&link, entries, LONG_STEP));
        self.end(link, filled)
    }

    fn now(&self) -> u64 {
        if let Some(clock) = &self.clock {
            return millis(clock());
        }
        let ahead = SignedDuration::from_millis(self.ahead.load(Ordering::Relaxed));
        let now = Timestamp::now();
        millis(now.saturating_add(ahead).unwrap_or(now))
    }

    fn writer(&self) -> Option<[u8; 16]> {
        Some(self.writer)
    }

    fn close(&self) {
        *self.writing.lock() = Writing::default();
        self.readers.idle.lock().clear();
    }

    fn reopen(&self) -> Result<(), EngineError> {
        let mut writing = self.writing.lock();
        *writing = Writing::default();
        // Idle connections may lead to a server that no longer accepts writes.
        self.readers.idle.lock().clear();
        let link = Link::open(&self.readers.connector)?;
        tables::prepare(&link).inspect_err(|error| link.blame(error, &self.readers.connector))?;
        writing.link = Some(link);
        Ok(())
    }
}
