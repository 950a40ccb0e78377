//! What readers see.

use std::cell::RefCell;

use super::Readers;
use super::link::{Link, STEP, StepError};
use crate::store::map::{EngineError, Key, Kind, Span, Value, View};

/// Begins to read as of one moment, however long that takes.
const FIXED: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
     SET LOCAL idle_in_transaction_session_timeout = 0";

/// What a reader sees.
pub struct PostgresView {
    readers: Readers,
    link: RefCell<Lent>,
    is_fixed: bool,
}

/// A connection that is lent.
struct Lent {
    /// `None` once it was lost.
    link: Option<Link>,
    /// Whether it has waited for a reader, so that it may have been lost meanwhile.
    is_used: bool,
}

impl PostgresView {
    /// Shows what is there now, and later, too, unless it is fixed.
    pub fn open(readers: &Readers, is_fixed: bool) -> Result<Self, EngineError> {
        let idle = if is_fixed { None } else { readers.idle.lock().pop() };
        let is_used = idle.is_some();
        let link = match idle {
            Some(link) => link,
            None => Link::open(&readers.connector)?,
        };
        if is_fixed {
            link.execute(STEP, FIXED)?;
        }
        Ok(Self {
            readers: readers.clone(),
            link: RefCell::new(Lent {
                link: Some(link),
                is_used,
            }),
            is_fixed,
        })
    }

    fn read<T>(&self, read: impl Fn(&Link) -> Result<T, StepError>) -> Result<T, EngineError> {
        let mut lent = self.link.borrow_mut();
        loop {
            let link = lent.link.take();
            let link = link.ok_or_else(|| EngineError::Lost("the connection was lost".to_owned()))?;
            let error = match read(&link) {
                Ok(found) => {
                    lent.link = Some(link);
                    return Ok(found);
                }
                Err(error) => EngineError::from(error),
            };
            if !matches!(error, EngineError::Lost(_)) {
                lent.link = Some(link);
                return Err(error);
            }
            if !std::mem::take(&mut lent.is_used) {
                link.blame(&error, &self.readers.connector);
                return Err(error);
            }
            lent.link = Some(Link::open(&self.readers.connector)?);
        }
    }
}

impl View for PostgresView {
    fn get(&self, kind: Kind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        self.read(|link| link.get(kind, key))
    }

    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        self.read(|link| link.page(span, limit))
    }

    fn count(&self, kind: Kind) -> Result<u64, EngineError> {
        self.read(|link| link.count(kind))
    }
}

impl Drop for PostgresView {
    fn drop(&mut self) {
        if let Some(link) = self.link.get_mut().link.take()
            && !self.is_fixed
        {
            self.readers.keep(link);
        }
    }
}
