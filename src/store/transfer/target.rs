//! A store that is filled, from another one or from a backup.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::row::{Row, copied_kinds, rows};
use super::tally::Tally;
use crate::store::copy_error::CopyError;
use crate::store::map::{Changes, Engine, EngineError, Kind, Span, Wanted, scan};
use crate::store::postgres::{Connector, PostgresEngine};
use crate::store::reads;
use crate::store::redb::{self, RedbEngine};
use crate::store::schema::{COPYING, CURRENT, SCHEMA};
use crate::store::values::number;

/// Bytes that are written in one transaction.
const AT_ONCE: usize = 4 << 20;

/// How long an instance must not have written to count as gone. An idle one writes once a minute, and a slow step of it may take a
/// while.
const UNSEEN: Duration = Duration::from_mins(3);

/// A store that holds nothing, and says that it is not whole until it was compared.
pub struct Target {
    engine: Filled,
    /// For messages.
    place: String,
    changes: Changes,
    bytes: usize,
}

/// What a store is filled for. A copy that was interrupted is refused by all but another copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To move to it.
    Copy,
    /// To take the place of a lost one.
    Restore,
}

/// What is filled.
enum Filled {
    Directory(Box<RedbEngine>),
    Database(Box<PostgresEngine>),
}

impl Deref for Filled {
    type Target = dyn Engine;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Directory(engine) => &**engine,
            Self::Database(engine) => &**engine,
        }
    }
}

impl Target {
    /// Begins to fill a directory, which is as it was until that is finished.
    ///
    /// # Errors
    /// When it cannot be used, or has inquiries.
    pub fn directory(data_dir: &Path, purpose: Purpose) -> Result<Self, CopyError> {
        let place = data_dir.display().to_string();
        let clock = || Arc::new(Timestamp::now);
        match RedbEngine::open_existing(data_dir, redb::LOCK_WAIT, clock()) {
            Ok(engine) => must_be_empty(&engine, &place)?,
            Err(error) if error.is_missing() => {}
            // It starts over.
            Err(redb::OpenError::Copying(_)) if purpose == Purpose::Copy => {}
            Err(error) => return Err(CopyError::Open(error.into())),
        }
        let engine = RedbEngine::fill(data_dir, purpose == Purpose::Copy, clock())
            .map_err(|error| CopyError::Open(error.into()))?;
        Self::begin(Filled::Directory(Box::new(engine)), place)
    }

    /// Begins to fill a database; creates its tables.
    ///
    /// # Errors
    /// When it cannot be used, has inquiries, or is in use.
    pub fn database(connector: Connector) -> Result<Self, CopyError> {
        let engine = PostgresEngine::new(connector, None);
        engine
            .reopen()
            .map_err(|error| CopyError::Open(crate::store::OpenError::Database(error)))?;
        let place = "the database".to_owned();
        must_be_unused(&engine)?;
        must_be_empty(&engine, &place)?;
        Self::begin(Filled::Database(Box::new(engine)), place)
    }

    fn begin(engine: Filled, place: String) -> Result<Self, CopyError> {
        let mut target = Self {
            engine,
            place,
            changes: Changes::default(),
            bytes: 0,
        };
        let mut marks = Changes::default();
        for name in [SCHEMA, COPYING] {
            marks.set(Kind::Facts, name.into(), Some(CURRENT.to_be_bytes().to_vec()));
        }
        target.commit(marks)?;
        // What an earlier copy has left, or a server without inquiries.
        for kind in Kind::ALL
            .into_iter()
            .filter(|kind| !matches!(kind, Kind::Erased | Kind::Writers | Kind::Acme))
        {
            target.clear(kind)?;
        }
        Ok(target)
    }

    fn clear(&mut self, kind: Kind) -> Result<(), CopyError> {
        let mut gone = Changes::default();
        let view = self.engine.view(true).map_err(|error| self.failed(&error))?;
        let is_mark =
            |key: &[u8]| kind == Kind::Facts && [SCHEMA, COPYING].iter().any(|name| key == name.as_bytes());
        let read = scan(&*view, Span::all(kind), |key, _| {
            if !is_mark(&key) {
                gone.set(kind, key, None);
            }
            Ok::<_, EngineError>(true)
        });
        read.map_err(|error| self.failed(&error))?;
        drop(view);
        if gone.is_empty() {
            Ok(())
        } else {
            self.commit(gone)
        }
    }

    /// Adds a row, and what follows from it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, row: Row) -> Result<(), CopyError> {
        for (kind, key) in row.indexes().map_err(CopyError::Read)? {
            self.bytes += key.len();
            self.changes.set(kind, key, Some(Vec::new()));
        }
        self.bytes += row.key.len() + row.value.len();
        self.changes.set(row.kind, row.key, Some(row.value));
        if self.bytes >= AT_ONCE {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<(), CopyError> {
        self.bytes = 0;
        let mut changes = std::mem::take(&mut self.changes);
        if let Some(erased) = changes.0.get_mut(&Kind::Erased) {
            let view = self.engine.view(false).map_err(|error| self.failed(&error))?;
            let is_new =
                |key: &[u8], at: &Option<Vec<u8>>| view.get(Kind::Erased, key).map(|known| known < *at);
            let mut known = Vec::new();
            for (key, at) in erased.iter() {
                if !is_new(key, at).map_err(|error| self.failed(&error))? {
                    known.push(key.clone());
                }
            }
            for key in known {
                erased.remove(&key);
            }
        }
        self.engine.fill(changes).map_err(|error| self.failed(&error))
    }

    /// Reads everything back, compares it with what was read from the source, and says that the store is whole.
    ///
    /// # Errors
    /// When it is not alike, or cannot be finished.
    pub fn finish(mut self, source: &Tally, now: Timestamp) -> Result<(), CopyError> {
        self.flush()?;
        let mut tally = Tally::default();
        let read_back = |error: EngineError| CopyError::ReadBack {
            place: self.place.clone(),
            reason: error.to_string(),
        };
        let view = self.engine.view(true).map_err(read_back)?;
        let read = rows(&*view, |row| {
            if row.is_of_use(now)? && row.kind != Kind::Erased {
                tally.add(&row);
            }
            Ok(())
        });
        read.map_err(read_back)?;
        drop(view);
        // Its list may name more.
        let compared =
            copied_kinds().find(|kind| *kind != Kind::Erased && source.difference_of(&tally, *kind));
        if let Some(kind) = compared {
            return Err(CopyError::Different {
                kind,
                copied: tally.count(kind),
                all: source.count(kind),
            });
        }
        let mut whole = Changes::default();
        whole.set(Kind::Facts, COPYING.into(), None);
        self.commit(whole)?;
        if let Filled::Directory(engine) = &self.engine {
            engine.finish().map_err(|error| self.failed(&error))?;
        }
        Ok(())
    }

    fn commit(&self, changes: Changes) -> Result<(), CopyError> {
        let turn = self.engine.turn(&Wanted::default());
        turn.and_then(|turn| turn.commit(changes))
            .map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &EngineError) -> CopyError {
        CopyError::Write {
            place: self.place.clone(),
            reason: error.to_string(),
        }
    }
}

/// Refuses a store with inquiries or subscriptions, unless a copy into it was not finished.
fn must_be_empty(engine: &dyn Engine, place: &str) -> Result<(), CopyError> {
    let counted = || {
        let view = engine.view(false)?;
        let mut count = 0;
        if reads::fact(&*view, COPYING)?.is_none() {
            for kind in [Kind::Inquiries, Kind::Subscriptions] {
                scan(&*view, Span::all(kind), |_, _| {
                    count += 1;
                    Ok::<_, EngineError>(true)
                })?;
            }
        }
        Ok::<_, EngineError>(count)
    };
    match counted().map_err(CopyError::Read)? {
        0 => Ok(()),
        count => Err(CopyError::NotEmpty {
            place: PathBuf::from(place),
            count,
        }),
    }
}

/// Refuses a database that an instance has written to lately.
fn must_be_unused(engine: &dyn Engine) -> Result<(), CopyError> {
    let seen = || {
        let turn = engine.turn(&Wanted::default())?;
        let mut seen = 0;
        scan(&*turn, Span::all(Kind::Writers), |_, value| {
            seen = seen.max(number(value.get(8..).unwrap_or_default())?);
            Ok::<_, EngineError>(true)
        })?;
        let unseen = u64::try_from(UNSEEN.as_millis()).unwrap_or_default();
        let is_seen = seen + unseen > turn.now();
        // One that is dropped takes its connection with it.
        turn.commit(Changes::default())?;
        Ok::<_, EngineError>(is_seen)
    };
    if seen().map_err(CopyError::Read)? {
        Err(CopyError::InUse)
    } else {
        Ok(())
    }
}
