//! Fills a store from another one or from a backup, and compares the two.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::backup::{Backup, RowSource};
use super::error::TransferError;
use super::restoring::{Restored, Restoring};
use super::row::{RowTally, TableRow, rows};
use crate::store::erased_list::Erased;
use crate::store::facts::{COPYING, SCHEMA};
use crate::store::location::{DATABASE, Location};
use crate::store::map::{Changes, Engine, EngineError, EntryKind, Key, Span, Value, collect, scan};
use crate::store::redb::{LOCK_WAIT, RedbEngine};
use crate::store::schema::CURRENT;
use crate::store::{OpenError, reads};

/// Bytes written in one transaction.
const AT_ONCE: usize = 4 << 20;

/// How long an instance must be silent to count as gone. An idle one writes once a minute, and a slow step may delay that.
const UNSEEN: Duration = Duration::from_mins(3);

/// Copies a store as of one moment; returns the tally of its rows. The target is unusable until both are compared. Blocking.
///
/// # Errors
/// When the target stays empty or unusable.
pub fn copy(source: RowSource, target: &Location) -> Result<RowTally, TransferError> {
    // Both are compared as of one time, since entries expire.
    let mut target = Target::begin(target, true, Timestamp::now())?;
    source.read(&mut |row| target.add(row))?;
    target.finish()
}

/// Restores a backup to a place without inquiries, leaving out what has been erased since according to a list. Blocking.
///
/// # Errors
/// When nothing was restored.
pub fn restore(
    path: &Path,
    target: &Location,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, TransferError> {
    let mut backup = Backup::read(path)?;
    backup.must_be_whole()?;
    let mut target = Target::begin(target, false, now)?;
    let mut restoring = Restoring::new(backup.made_at(), erased, now);
    backup.read_rows(&mut |row| {
        if row.parse(now)?.is_of_use
            && let Some(row) = restoring.change(row)?
        {
            target.add(row)?;
        }
        Ok(())
    })?;
    let (restored, rest) = restoring.end();
    rest.into_iter().try_for_each(|row| target.add(row))?;
    target.finish()?;
    Ok(restored)
}

/// An empty store that is marked as unfinished until it has been compared.
struct Target {
    engine: Box<dyn Engine>,
    /// For messages.
    place: String,
    now: Timestamp,
    /// The expected contents, except the list of erased ids, which may already be longer.
    tally: RowTally,
    /// Ids already on its list.
    erased: BTreeMap<Key, Value>,
    changes: Changes,
    bytes: usize,
}

impl Target {
    /// Starts filling a database, or a directory that stays unchanged until it is finished. With `marks_unfinished`, only another
    /// copy can use the directory until then, as is always the case for a database.
    fn begin(location: &Location, marks_unfinished: bool, now: Timestamp) -> Result<Self, TransferError> {
        let (engine, place): (Box<dyn Engine>, _) = match location {
            Location::Directory(path) => {
                let clock = || Arc::new(Timestamp::now);
                let place = path.display().to_string();
                match RedbEngine::open_existing(path, LOCK_WAIT, clock()) {
                    Ok(engine) => must_be_empty(&engine, &place)?,
                    Err(error) if error.is_missing() => {}
                    // Starts over.
                    Err(OpenError::Copying(_)) if marks_unfinished => {}
                    Err(error) => return Err(error.into()),
                }
                let engine = RedbEngine::fill(path, marks_unfinished, clock())?;
                (Box::new(engine), place)
            }
            Location::Database(_) => {
                let engine = location.engine()?;
                engine.reopen().map_err(|error| location.unusable(error))?;
                must_be_unused(&*engine)?;
                must_be_empty(&*engine, DATABASE)?;
                (engine, DATABASE.to_owned())
            }
        };
        let mut target = Self {
            engine,
            place,
            now,
            tally: RowTally::default(),
            erased: BTreeMap::new(),
            changes: Changes::default(),
            bytes: 0,
        };
        let cleared = target.clear();
        cleared.map_err(|error| target.failed(&error))?;
        Ok(target)
    }

    /// Removes what an earlier copy or a server without inquiries left, and marks the store as unfinished.
    fn clear(&mut self) -> Result<(), EngineError> {
        let mut changes = Changes::default();
        let view = self.engine.view(true)?;
        self.erased = collect(&*view, Span::all(EntryKind::Erased), |key, at| {
            Ok((key.to_vec(), at.to_vec()))
        })?;
        let kept = [EntryKind::Erased, EntryKind::Writers, EntryKind::Acme];
        for kind in EntryKind::ALL.into_iter().filter(|kind| !kept.contains(kind)) {
            for key in reads::keys(&*view, Span::all(kind))? {
                changes.set(kind, key, None);
            }
        }
        drop(view);
        for name in [SCHEMA, COPYING] {
            changes.set(
                EntryKind::Facts,
                name.into(),
                Some(CURRENT.to_be_bytes().to_vec()),
            );
        }
        self.commit(changes)
    }

    /// Adds a row that has not expired, with its index entries.
    ///
    /// # Errors
    /// When it cannot be written.
    fn add(&mut self, row: TableRow) -> Result<(), TransferError> {
        let parsed = row.parse(self.now)?;
        if !parsed.is_of_use || row.kind == EntryKind::Erased && self.erased.get(&row.key) >= Some(&row.value)
        {
            return Ok(());
        }
        if row.kind != EntryKind::Erased {
            self.tally.add(&row, parsed.has_inquiry);
        }
        for (kind, key) in parsed.indexes {
            self.bytes += key.len();
            self.changes.set(kind, key, Some(Vec::new()));
        }
        self.bytes += row.key.len() + row.value.len();
        self.changes.set(row.kind, row.key, Some(row.value));
        if self.bytes >= AT_ONCE {
            self.flush().map_err(|error| self.failed(&error))?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), EngineError> {
        self.bytes = 0;
        self.engine.fill(std::mem::take(&mut self.changes))
    }

    /// Reads everything back, compares it with what was added, and marks the store as finished.
    ///
    /// # Errors
    /// When they differ, or the store cannot be finished.
    fn finish(mut self) -> Result<RowTally, TransferError> {
        self.flush().map_err(|error| self.failed(&error))?;
        let tally = self.read_back().map_err(|error| TransferError::ReadBack {
            place: self.place.clone(),
            reason: error.to_string(),
        })?;
        if let Some(kind) = self.tally.difference(&tally) {
            return Err(TransferError::Different {
                kind,
                copied: tally.count(kind),
                all: self.tally.count(kind),
            });
        }
        let mut whole = Changes::default();
        whole.set(EntryKind::Facts, COPYING.into(), None);
        let placed = self.commit(whole).and_then(|()| self.engine.end_fill());
        placed.map_err(|error| self.failed(&error))?;
        Ok(self.tally)
    }

    fn read_back(&self) -> Result<RowTally, EngineError> {
        let view = self.engine.view(true)?;
        let mut tally = RowTally::default();
        rows(&*view, |row| {
            let parsed = row.parse(self.now)?;
            if parsed.is_of_use && row.kind != EntryKind::Erased {
                tally.add(&row, parsed.has_inquiry);
            }
            Ok::<_, EngineError>(())
        })?;
        Ok(tally)
    }

    fn commit(&self, changes: Changes) -> Result<(), EngineError> {
        self.engine.turn(&[])?.commit(changes)
    }

    fn failed(&self, error: &EngineError) -> TransferError {
        TransferError::Write {
            place: self.place.clone(),
            reason: error.to_string(),
        }
    }
}

/// Refuses a store with inquiries or subscriptions, unless a copy into it is unfinished.
fn must_be_empty(engine: &dyn Engine, place: &str) -> Result<(), TransferError> {
    let view = engine.view(false)?;
    let mut count = 0;
    if reads::fact(&*view, COPYING)?.is_none() {
        for kind in [EntryKind::Inquiries, EntryKind::Subscriptions] {
            scan(&*view, Span::all(kind), |_, _| {
                count += 1;
                Ok::<_, EngineError>(true)
            })?;
        }
    }
    if count == 0 {
        return Ok(());
    }
    let place = place.to_owned();
    Err(TransferError::NotEmpty { place, count })
}

/// Refuses a database to which an instance has written recently.
fn must_be_unused(engine: &dyn Engine) -> Result<(), TransferError> {
    let turn = engine.turn(&[])?;
    let unseen = u64::try_from(UNSEEN.as_millis()).unwrap_or_default();
    let is_seen = reads::writers(&*turn)?
        .iter()
        .any(|(_, seen)| seen + unseen > turn.now());
    // Dropping the turn would close its connection.
    turn.commit(Changes::default())?;
    if is_seen {
        Err(TransferError::InUse)
    } else {
        Ok(())
    }
}
