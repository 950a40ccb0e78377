//! Reading a file as of one moment, and the writer's turn.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use redb::{AccessGuard, Database, ReadOnlyTable, ReadTransaction, StorageError, TableError};

use super::{RedbEngine, attempt, erased_list, lost, table};
use crate::store::map::{Changes, EngineError, EntryKind, Key, Span, Value, View, WriterTurn};

/// Filled once another file has replaced the one being read.
pub type KeepOpen = Arc<OnceLock<Database>>;

type Bytes = &'static [u8];

/// The file as of one moment, for a reader or for the writer's turn.
pub struct FileView<W> {
    /// The file at that moment.
    pub file: ReadTransaction,
    /// The directory of the list of erased ids, which is kept outside the file.
    pub data_dir: PathBuf,
    /// Keeps the file open.
    pub _keep_open: KeepOpen,
    /// What only the writer needs.
    pub writer: W,
}

/// What a writer has in its turn.
pub struct FileWriter<'e> {
    /// The time of the turn.
    pub now: u64,
    /// The engine that commits.
    pub engine: &'e RedbEngine,
}

impl<W> FileView<W> {
    /// Reads a table; `None` if the file does not have it, which means it is empty.
    fn read<T>(
        &self,
        kind: EntryKind,
        read: impl FnOnce(&ReadOnlyTable<Bytes, Bytes>) -> Result<T, redb::Error>,
    ) -> Result<Option<T>, EngineError> {
        let read = attempt(|| match self.file.open_table(table(kind)) {
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            opened => read(&opened?).map(Some),
        });
        read.map_err(|error| lost(&error))
    }
}

impl<W> View for FileView<W> {
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        if kind == EntryKind::Erased {
            let mut erased = erased_list::entries(&self.data_dir)?.into_iter();
            return Ok(erased.find(|(id, _)| id == key).map(|(_, at)| at));
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
            let erased = erased_list::entries(&self.data_dir)?.into_iter();
            let erased = erased.filter(|(id, _)| span.contains(id));
            return Ok(span.first(erased, limit));
        }
        let page = self.read(span.kind, |table| {
            let range = match &span.before {
                Some(before) => table.range::<&[u8]>(span.from.as_slice()..before.as_slice())?,
                None => table.range::<&[u8]>(span.from.as_slice()..)?,
            };
            span.first(range.map(owned), limit)
        })?;
        Ok(page.unwrap_or_default())
    }
}

type Entry<'a> = (AccessGuard<'a, Bytes>, AccessGuard<'a, Bytes>);

fn owned(entry: Result<Entry<'_>, StorageError>) -> Result<(Key, Value), redb::Error> {
    let (key, value) = entry?;
    Ok((key.value().to_vec(), value.value().to_vec()))
}

impl WriterTurn for FileView<FileWriter<'_>> {
    fn now(&self) -> u64 {
        self.writer.now
    }

    fn others_have_written(&self) -> bool {
        false
    }

    fn commit(self: Box<Self>, changes: Changes) -> Result<(), EngineError> {
        let engine = self.writer.engine;
        // Releases the pages kept only for this view.
        drop(self);
        engine.write(changes)
    }
}
