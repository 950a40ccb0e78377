//! What readers see.

use std::cell::RefCell;
use std::time::Duration;

use super::Readers;
use super::link::{LONG_STEP, Link, STEP};
use crate::store::map::{EngineError, EntryKind, Key, Span, Value, View};

/// Begins to read as of one moment, however long that takes. The first query sets the moment.
const FIXED: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
     SET LOCAL idle_in_transaction_session_timeout = 0; SELECT 1; SAVEPOINT moment";

/// Connections that wait for the next reader, at most.
const IDLE: usize = 4;

/// What a reader sees.
pub struct PostgresView {
    readers: Readers,
    /// `None` once it was lost.
    link: RefCell<Option<Link>>,
    /// Whether the connection has waited for a reader, so that it may have been lost meanwhile.
    is_used: bool,
    is_fixed: bool,
}

impl PostgresView {
    /// Shows what is there now, and later, too, unless it is fixed.
    pub fn open(readers: &Readers, is_fixed: bool) -> Result<Self, EngineError> {
        let idle = if is_fixed { None } else { readers.idle.lock().pop() };
        let is_used = idle.is_some();
        let link = idle.map_or_else(|| Link::open(&readers.connector), Ok)?;
        if is_fixed {
            link.execute(STEP, FIXED)?;
        }
        Ok(Self {
            readers: readers.clone(),
            link: RefCell::new(Some(link)),
            is_used,
            is_fixed,
        })
    }

    fn step(&self) -> Duration {
        if self.is_fixed { LONG_STEP } else { STEP }
    }

    pub(super) fn read<T>(&self, read: impl Fn(&Link) -> Result<T, EngineError>) -> Result<T, EngineError> {
        let mut place = self.link.borrow_mut();
        let link = place.take();
        let link = link.ok_or_else(|| EngineError::Lost("the connection was lost".to_owned()))?;
        let found = read(&link);
        match &found {
            // The others that wait for a reader were lost with it; whoever reads again gets a new one.
            Err(EngineError::Lost(_)) if self.is_used => self.readers.idle.lock().clear(),
            Err(error @ EngineError::Lost(_)) => link.blame(error, &self.readers.connector),
            _ => {
                // Other tables may be read all the same.
                if found.is_err() && self.is_fixed {
                    let _ = link.execute(STEP, "ROLLBACK TO SAVEPOINT moment");
                }
                *place = Some(link);
            }
        }
        found
    }
}

impl View for PostgresView {
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        self.read(|link| link.get(kind, key, self.step()))
    }

    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        self.read(|link| link.page(span, limit, self.step()))
    }
}

impl Drop for PostgresView {
    fn drop(&mut self) {
        if let Some(link) = self.link.get_mut().take()
            && !self.is_fixed
        {
            let mut idle = self.readers.idle.lock();
            idle.push(link);
            idle.truncate(IDLE);
        }
    }
}
