//! Views for readers.

use std::cell::RefCell;
use std::time::Duration;

use super::Readers;
use super::link::{LONG_STEP, Link, STEP};
use crate::store::map::{EngineError, EntryKind, Key, Span, Value, View};

/// Begins a snapshot without time limits. Its first query fixes the moment.
const FIXED: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
     SET LOCAL idle_in_transaction_session_timeout = 0; SELECT 1; SAVEPOINT moment";

/// Idle connections kept for the next readers.
const IDLE: usize = 4;

/// A reader's view.
pub struct PostgresView {
    readers: Readers,
    /// `None` once lost.
    link: RefCell<Option<Link>>,
    /// Whether the connection was idle before, so that it may be stale.
    is_used: bool,
    is_fixed: bool,
}

impl PostgresView {
    /// Opens a view of the current state; only a fixed view keeps showing that state.
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

    fn read<T>(&self, read: impl Fn(&Link) -> Result<T, EngineError>) -> Result<T, EngineError> {
        let mut place = self.link.borrow_mut();
        let link = place.take();
        let link = link.ok_or_else(|| EngineError::Lost("the connection was lost".to_owned()))?;
        let found = read(&link);
        match &found {
            // The other idle connections were lost with it; a retry opens a new one.
            Err(EngineError::Lost(_)) if self.is_used => self.readers.idle.lock().clear(),
            Err(error @ EngineError::Lost(_)) => link.blame(error, &self.readers.connector),
            _ => {
                // Other tables may still be readable.
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
