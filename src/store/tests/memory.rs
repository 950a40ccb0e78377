//! An in-memory engine for tests and the simulation: any number of writers on one disk, with faults injected by the test.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use crate::store::map::{Changes, Engine, EngineError, EntryKind, Key, Span, Value, View, WriterTurn};

type Tables = BTreeMap<EntryKind, BTreeMap<Key, Value>>;

/// The step that an engine is about to take, for the test to decide whether it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineStep {
    /// Opens a view.
    View,
    /// Reads from a view or turn.
    Read,
    /// Begins a turn.
    Turn,
    /// Commits changes; skipped for a turn without changes.
    Commit,
    /// Reopens the file or connection.
    Reopen,
    /// Rewrites the file.
    Wipe,
}

/// How a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepFault {
    /// The reply is lost, and nothing was done.
    LostBefore,
    /// The step is done, but the reply is lost.
    LostAfter,
    /// The disk is full and nothing was done. As with a file, the engine must be reopened.
    Full,
}

/// Decides whether a step fails.
pub type DiskFaults = Box<dyn FnMut(EngineStep) -> Option<StepFault> + Send>;

/// The state that survives a crash, shared by engines.
#[derive(Debug, Default)]
pub struct MemoryDisk {
    state: Mutex<DiskState>,
    /// Held during a turn.
    turn: Mutex<()>,
}

#[derive(Debug, Default)]
struct DiskState {
    tables: Arc<Tables>,
    now: u64,
    /// Number of commits, to detect those of other writers.
    commits: u64,
    /// Values that were removed or replaced since the last wipe.
    traces: Vec<Value>,
}

impl MemoryDisk {
    /// Sets the clock, forwards or backwards, in milliseconds since 1970.
    pub fn set_now(&self, now: u64) {
        self.state.lock().now = now;
    }

    /// The time of the clock.
    pub fn now(&self) -> u64 {
        self.state.lock().now
    }

    /// Whether the disk contains a byte sequence, in an entry or in traces of one.
    pub fn has_bytes(&self, bytes: &[u8]) -> bool {
        let state = self.state.lock();
        let has = |value: &[u8]| !bytes.is_empty() && value.windows(bytes.len()).any(|part| part == bytes);
        let mut entries = state.tables.values().flatten();
        entries.any(|(key, value)| has(key) || has(value)) || state.traces.iter().any(|value| has(value))
    }

    /// Puts or removes an entry without the engine, as damage would.
    pub fn damage(&self, kind: EntryKind, key: &[u8], value: Option<Value>) {
        let mut state = self.state.lock();
        let table = Arc::make_mut(&mut state.tables).entry(kind).or_default();
        match value {
            Some(value) => drop(table.insert(key.to_vec(), value)),
            None => drop(table.remove(key)),
        }
    }
}

/// A process that has the disk open.
#[derive(Debug, Clone)]
pub struct MemoryEngine(Arc<Process>);

struct Process {
    disk: Arc<MemoryDisk>,
    /// `None` for the only writer.
    writer: Option<[u8; 16]>,
    faults: Mutex<Option<DiskFaults>>,
    state: Mutex<ProcessState>,
}

#[derive(Debug, Default)]
struct ProcessState {
    is_closed: bool,
    is_lost: bool,
    /// The number of commits when the last turn ended.
    seen: Option<u64>,
}

impl MemoryEngine {
    /// The only process on a disk, as with a file: removed values leave traces until the next wipe.
    pub fn alone(disk: &Arc<MemoryDisk>) -> Self {
        Self::open(disk, None)
    }

    /// One of several processes on a disk, as with a database.
    pub fn shared(disk: &Arc<MemoryDisk>, writer: [u8; 16]) -> Self {
        Self::open(disk, Some(writer))
    }

    fn open(disk: &Arc<MemoryDisk>, writer: Option<[u8; 16]>) -> Self {
        Self(Arc::new(Process {
            disk: Arc::clone(disk),
            writer,
            faults: Mutex::default(),
            state: Mutex::default(),
        }))
    }

    /// Sets the function that injects faults.
    pub fn set_faults(&self, faults: Option<DiskFaults>) {
        *self.0.faults.lock() = faults;
    }
}

impl Process {
    /// Performs a step, unless it fails.
    fn step<T>(&self, step: EngineStep, act: impl FnOnce() -> T) -> Result<T, EngineError> {
        let (is_lost, is_closed) = {
            let state = self.state.lock();
            (state.is_lost, state.is_closed)
        };
        if is_closed || (is_lost && step != EngineStep::Reopen) {
            return Err(EngineError::Lost("not open".to_owned()));
        }
        let fault = self.faults.lock().as_mut().and_then(|faults| faults(step));
        let Some(fault) = fault else { return Ok(act()) };
        if fault == StepFault::LostAfter {
            act();
        }
        self.state.lock().is_lost = true;
        let reason = match fault {
            StepFault::Full => "no space left on device",
            StepFault::LostBefore | StepFault::LostAfter => "connection lost",
        };
        Err(EngineError::Lost(reason.to_owned()))
    }

    fn commit(&self, changes: Changes) {
        let mut disk = self.disk.state.lock();
        let disk = &mut *disk;
        let tables = Arc::make_mut(&mut disk.tables);
        for (kind, entries) in changes.0 {
            let table = tables.entry(kind).or_default();
            for (key, value) in entries {
                let replaced = match value {
                    Some(value) => table.insert(key, value),
                    None => table.remove(&key),
                };
                disk.traces.extend(replaced.filter(|_| self.writer.is_none()));
            }
        }
        disk.commits += 1;
        self.state.lock().seen = Some(disk.commits);
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").finish_non_exhaustive()
    }
}

/// The entries: a snapshot if `tables` is set.
struct MemoryView {
    process: Arc<Process>,
    tables: Option<Arc<Tables>>,
}

impl MemoryView {
    fn read<T>(
        &self,
        kind: EntryKind,
        read: impl FnOnce(&BTreeMap<Key, Value>) -> T,
    ) -> Result<T, EngineError> {
        self.process.step(EngineStep::Read, || {
            let tables = self.tables.clone();
            let tables = tables.unwrap_or_else(|| Arc::clone(&self.process.disk.state.lock().tables));
            read(tables.get(&kind).unwrap_or(&BTreeMap::new()))
        })
    }
}

impl View for MemoryView {
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        self.read(kind, |table| table.get(key).cloned())
    }

    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        self.read(span.kind, |table| {
            if span.is_empty() {
                return Vec::new();
            }
            let end = span.before.clone().map_or(Bound::Unbounded, Bound::Excluded);
            let entries = table.range((Bound::Included(span.from.clone()), end));
            let owned = |(key, value): (&Key, &Value)| (key.clone(), value.clone());
            span.first(entries.map(owned), limit)
        })
    }
}

struct MemoryTurn<'e> {
    view: MemoryView,
    now: u64,
    others_have_written: bool,
    _turn: MutexGuard<'e, ()>,
}

impl View for MemoryTurn<'_> {
    fn get(&self, kind: EntryKind, key: &[u8]) -> Result<Option<Value>, EngineError> {
        self.view.get(kind, key)
    }

    fn page(&self, span: &Span, limit: usize) -> Result<Vec<(Key, Value)>, EngineError> {
        self.view.page(span, limit)
    }
}

impl WriterTurn for MemoryTurn<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    fn others_have_written(&self) -> bool {
        self.others_have_written
    }

    fn commit(self: Box<Self>, changes: Changes) -> Result<(), EngineError> {
        if changes.is_empty() {
            return Ok(());
        }
        let process = &self.view.process;
        process.step(EngineStep::Commit, || process.commit(changes))
    }
}

impl Engine for MemoryEngine {
    fn view(&self, is_fixed: bool) -> Result<Box<dyn View + Send>, EngineError> {
        let process = &self.0;
        process.step(EngineStep::View, || {
            // A view of a file is always a snapshot.
            let is_fixed = is_fixed || process.writer.is_none();
            let tables = is_fixed.then(|| Arc::clone(&process.disk.state.lock().tables));
            let process = Arc::clone(process);
            Box::new(MemoryView { process, tables }) as Box<dyn View + Send>
        })
    }

    fn turn(&self, _: &[(EntryKind, Key)]) -> Result<Box<dyn WriterTurn + '_>, EngineError> {
        let process = &self.0;
        let turn = process.disk.turn.lock();
        process.step(EngineStep::Turn, || {
            let disk = process.disk.state.lock();
            let seen = process.state.lock().seen.replace(disk.commits);
            Box::new(MemoryTurn {
                view: MemoryView {
                    process: Arc::clone(process),
                    tables: None,
                },
                now: disk.now,
                others_have_written: process.writer.is_some() && seen != Some(disk.commits),
                _turn: turn,
            }) as Box<dyn WriterTurn + '_>
        })
    }

    fn now(&self) -> u64 {
        self.0.disk.now()
    }

    fn writer(&self) -> Option<[u8; 16]> {
        self.0.writer
    }

    fn reopen(&self) -> Result<(), EngineError> {
        self.0.step(EngineStep::Reopen, || {
            let mut state = self.0.state.lock();
            state.is_lost = false;
            state.seen = None;
        })
    }

    fn close(&self) {
        self.0.state.lock().is_closed = true;
    }

    fn wipe_size(&self) -> Option<u64> {
        let disk = self.0.disk.state.lock();
        let values = disk
            .tables
            .values()
            .flatten()
            .map(|(_, value)| value.len() as u64);
        self.0.writer.is_none().then(|| values.sum())
    }

    fn wipe(&self, step: &dyn Fn()) -> Result<(), EngineError> {
        step();
        self.0
            .step(EngineStep::Wipe, || self.0.disk.state.lock().traces.clear())
    }
}
