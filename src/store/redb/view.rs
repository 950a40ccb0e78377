//! Reading a file as of one moment, and the writer's turn.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, btree_map};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use redb::{
    AccessGuard, Database, ReadOnlyTable, ReadTransaction, ReadableTableMetadata, StorageError, TableError,
};

use super::{RedbEngine, attempt, erased_list, lost, table};
use crate::store::map::{Changes, EngineError, EntryKind, Key, Span, Value, View, WriterTurn};

/// Filled once another file has replaced the one being read.
pub type KeepOpen = Arc<OnceLock<Database>>;

type Bytes = &'static [u8];

/// The file as of one moment.
pub struct FileView {
    // Dropped before the file they belong to. Opening a table takes as long as reading one of its entries.
    tables: RefCell<BTreeMap<EntryKind, Option<ReadOnlyTable<Bytes, Bytes>>>>,
    file: ReadTransaction,
    /// Kept outside the file.
    erased: OnceCell<Vec<(Key, Value)>>,
    data_dir: PathBuf,
    _keep_open: KeepOpen,
}

impl FileView {
    pub(super) fn new(file: ReadTransaction, keep_open: KeepOpen, data_dir: &Path) -> Self {
        Self {
            tables: RefCell::default(),
            file,
            erased: OnceCell::new(),
            data_dir: data_dir.to_owned(),
            _keep_open: keep_open,
        }
    }

    /// Reads a table; `None` if the file does not have it, which means it is empty.
    fn read<T>(
        &self,
        kind: EntryKind,
        read: impl FnOnce(&ReadOnlyTable<Bytes, Bytes>) -> Result<T, redb::Error>,
    ) -> Result<Option<T>, EngineError> {
        let read = attempt(|| {
            let mut tables = self.tables.borrow_mut();
            let opened = match tables.entry(kind) {
                btree_map::Entry::Occupied(opened) => opened.into_mut(),
                btree_map::Entry::Vacant(place) => place.insert(match self.file.open_table(table(kind)) {
                    Err(TableError::TableDoesNotExist(_)) => None,
                    opened => Some(opened?),
                }),
            };
            opened.as_ref().map(read).transpose()
        });
        read.map_err(|error| lost(&error))
    }

    fn erased(&self) -> Result<&[(Key, Value)], EngineError> {
        if let Some(erased) = self.erased.get() {
            return Ok(erased);
        }
        let read = erased_list::entries(&self.data_dir)?;
        Ok(self.erased.get_or_init(|| read))
    }

    /// Number of entries of a kind.
    pub(super) fn count(&self, kind: EntryKind) -> Result<u64, EngineError> {
        if kind == EntryKind::Erased {
            return Ok(self.erased()?.len() as u64);
        }
        Ok(self.read(kind, |table| Ok(table.len()?))?.unwrap_or_default())
    }
}

impl View for FileView {
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        if kind == EntryKind::Erased {
            let mut erased = self.erased()?.iter();
            return Ok(erased.find(|(id, _)| id == key).map(|(_, at)| at.clone()));
        }
        let found = self.read(kind, |table| {
            Ok(table.get(key)?.map(|value| value.value().to_vec()))
        })?;
        Ok(found.flatten())
    }

    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        if span.is_empty() {
            return Ok(Vec::new());
        }
        if span.kind == EntryKind::Erased {
            let erased = self.erased()?.iter().filter(|(id, _)| span.contains(id));
            return Ok(if span.is_reversed {
                erased.rev().take(limit).cloned().collect()
            } else {
                erased.take(limit).cloned().collect()
            });
        }
        let page = self.read(span.kind, |table| {
            let range = match &span.before {
                Some(before) => table.range::<&[u8]>(span.from.as_slice()..before.as_slice())?,
                None => table.range::<&[u8]>(span.from.as_slice()..)?,
            };
            if span.is_reversed {
                range.rev().take(limit).map(owned).collect()
            } else {
                range.take(limit).map(owned).collect()
            }
        })?;
        Ok(page.unwrap_or_default())
    }
}

type Entry<'a> = (AccessGuard<'a, Bytes>, AccessGuard<'a, Bytes>);

fn owned(entry: Result<Entry<'_>, StorageError>) -> Result<(Key, Value), redb::Error> {
    let (key, value) = entry?;
    Ok((key.value().to_vec(), value.value().to_vec()))
}

/// The turn of the single writer.
pub struct FileTurn<'e> {
    /// The file at the beginning of the turn.
    pub view: FileView,
    /// The time of the turn.
    pub now: u64,
    /// The engine that commits.
    pub engine: &'e RedbEngine,
}

impl View for FileTurn<'_> {
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        self.view.get(kind, key)
    }

    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        self.view.page(span, limit)
    }
}

impl WriterTurn for FileTurn<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    fn others_have_written(&self) -> bool {
        false
    }

    fn commit(self: Box<Self>, changes: Changes) -> Result<(), EngineError> {
        if changes.is_empty() {
            return Ok(());
        }
        // Releases the pages that are only kept for this view.
        drop(self.view);
        self.engine.write(changes)
    }
}
