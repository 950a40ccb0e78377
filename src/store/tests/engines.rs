//! Contract tests, run on each engine: in memory, in a file, and in a database if `scripts/postgres` has started one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::database::Schema;
use super::memory::{MemoryDisk, MemoryEngine};
use crate::store::map::{Changes, Engine, EngineError, EntryKind, Key, Span, Value, View, scan};
use crate::store::postgres::PostgresEngine;
use crate::store::redb::RedbEngine;

/// The place where an engine keeps its entries, deleted on drop.
pub enum Home {
    Memory(Arc<MemoryDisk>),
    File(tempfile::TempDir),
    Database(Schema),
}

impl Home {
    /// One home of each kind.
    fn all() -> Vec<Self> {
        let file = Self::File(tempfile::tempdir().unwrap());
        let database = Schema::new().map(Self::Database);
        [Self::Memory(Arc::default()), file]
            .into_iter()
            .chain(database)
            .collect()
    }

    /// One home of each kind that supports several writers.
    fn shared() -> Vec<Self> {
        let all = Self::all().into_iter();
        all.filter(|home| !matches!(home, Self::File(_))).collect()
    }

    /// Opens an engine for the writer `number`.
    pub fn open(&self, number: u8) -> Box<dyn Engine> {
        let engine: Box<dyn Engine> = match self {
            Self::Memory(disk) => Box::new(MemoryEngine::shared(disk, [number; 16])),
            Self::File(dir) => {
                let clock = Arc::new(jiff::Timestamp::now);
                Box::new(RedbEngine::open_or_create(dir.path(), std::time::Duration::ZERO, clock).unwrap())
            }
            Self::Database(schema) => Box::new(database(&schema.url())),
        };
        engine.reopen().unwrap();
        engine
    }
}

/// The engine for a database URL.
pub fn database(url: &str) -> PostgresEngine {
    let connector = crate::store::postgres::Connector::new(&url.parse().unwrap()).unwrap();
    PostgresEngine::new(connector, None)
}

/// Changes of one kind.
pub fn changes(kind: EntryKind, entries: &[(&[u8], Option<&[u8]>)]) -> Changes {
    let mut changes = Changes::default();
    for (key, value) in entries {
        changes.set(kind, key.to_vec(), value.map(<[u8]>::to_vec));
    }
    changes
}

/// Puts or removes an entry.
pub fn put(engine: &dyn Engine, key: &[u8], value: Option<&[u8]>) -> Result<(), EngineError> {
    let turn = engine.turn(&[])?;
    turn.commit(changes(EntryKind::Facts, &[(key, value)]))
}

/// All entries of a kind.
pub fn all(view: &dyn View, kind: EntryKind) -> Vec<(Key, Value)> {
    let mut found = Vec::new();
    scan(view, Span::all(kind), |key, value| {
        found.push((key, value));
        Ok::<_, EngineError>(true)
    })
    .unwrap();
    found
}

/// A pseudorandom generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }

    /// A key that shares bytes with others, or is a prefix of one.
    fn key(&mut self) -> Key {
        let length = 1 + self.below(4);
        let bytes = [0, 1, 0x7f, 0x80, 0xfe, 0xff];
        (0..length)
            .map(|_| bytes[usize::try_from(self.below(6)).unwrap()])
            .collect()
    }
}

fn expected(model: &BTreeMap<Key, Value>, span: &Span, limit: usize) -> Vec<(Key, Value)> {
    let entries = model.iter().filter(|(key, _)| span.contains(key));
    let mut entries: Vec<_> = entries.map(|(key, value)| (key.clone(), value.clone())).collect();
    if span.is_reversed {
        entries.reverse();
    }
    entries.truncate(limit);
    entries
}

#[test]
fn entries_are_kept_in_the_order_of_their_keys() {
    for home in Home::all() {
        let engine = home.open(1);
        let (mut random, mut model) = (Random(88_172_645_463_325_252), BTreeMap::new());
        for _ in 0..4 {
            let mut changes = Changes::default();
            for _ in 0..60 {
                let (key, length) = (random.key(), random.below(40));
                let value: Option<Value> =
                    (length > 9).then(|| (10..length).map(|byte| byte.to_le_bytes()[0]).collect());
                match &value {
                    Some(value) => drop(model.insert(key.clone(), value.clone())),
                    None => drop(model.remove(&key)),
                }
                changes.set(EntryKind::Counts, key, value);
            }
            engine.turn(&[]).unwrap().commit(changes).unwrap();
            let view = engine.view(false).unwrap();
            assert_eq!(
                all(&*view, EntryKind::Counts),
                expected(&model, &Span::all(EntryKind::Counts), 999)
            );
            assert_eq!(all(&*view, EntryKind::Ledger), []);
            for _ in 0..40 {
                let (from, before, limit) = (random.key(), random.key(), random.below(20));
                let limit = usize::try_from(limit).unwrap();
                assert_eq!(
                    view.get(EntryKind::Counts, &from).unwrap(),
                    model.get(&from).cloned()
                );
                let spans = [
                    Span::prefix(EntryKind::Counts, &from[..1]),
                    Span::prefix(EntryKind::Counts, &from),
                    Span::from(EntryKind::Counts, from.clone()),
                    Span::before(EntryKind::Counts, before.clone()),
                    Span::all(EntryKind::Counts).after(&from),
                    Span::all(EntryKind::Counts).reversed().after(&from),
                    Span {
                        before: Some(before),
                        ..Span::from(EntryKind::Counts, from)
                    },
                ];
                for span in spans
                    .iter()
                    .flat_map(|span| [span.clone(), span.clone().reversed()])
                {
                    let found = view.page(&span, limit).unwrap();
                    assert_eq!(found, expected(&model, &span, limit), "{span:?}");
                }
            }
        }
        drop(engine);
        let engine = home.open(2);
        let view = engine.view(true).unwrap();
        assert_eq!(all(&*view, EntryKind::Counts).len(), model.len());
    }
}

#[test]
fn a_turn_changes_all_or_nothing() {
    for home in Home::all() {
        let engine = home.open(1);
        put(&*engine, b"a", Some(b"1")).unwrap();
        // The wanted keys are only a hint.
        let wanted = [
            (EntryKind::Facts, b"a".to_vec()),
            (EntryKind::Facts, b"b".to_vec()),
            (EntryKind::Keys, b"a".to_vec()),
        ];
        for wanted in [&wanted[..], &[]] {
            let turn = engine.turn(wanted).unwrap();
            assert_eq!(
                turn.get(EntryKind::Facts, b"a").unwrap().as_deref(),
                Some(&b"1"[..])
            );
            assert_eq!(turn.get(EntryKind::Facts, b"b").unwrap(), None);
            assert_eq!(turn.get(EntryKind::Keys, b"a").unwrap(), None);
            assert_eq!(turn.page(&Span::all(EntryKind::Facts), 9).unwrap().len(), 1);
            turn.commit(Changes::default()).unwrap();
        }
        drop(engine.turn(&wanted).unwrap());
        let mut both = changes(
            EntryKind::Facts,
            &[(b"a", None), (b"b", Some(b"")), (b"never", None)],
        );
        both.0
            .extend(changes(EntryKind::Photos, &[(b"p", Some(&vec![7; 300_000]))]).0);
        let turn = loop {
            // A dropped turn may have closed its connection.
            match engine.turn(&wanted) {
                Ok(turn) => break turn,
                Err(_) => engine.reopen().unwrap(),
            }
        };
        turn.commit(both).unwrap();
        let view = engine.view(false).unwrap();
        assert_eq!(all(&*view, EntryKind::Facts), [(b"b".to_vec(), Vec::new())]);
        assert_eq!(
            view.get(EntryKind::Photos, b"p").unwrap().unwrap(),
            vec![7; 300_000]
        );
    }
}

#[test]
fn a_fixed_view_stays_as_it_is() {
    for home in Home::all() {
        let engine = home.open(1);
        put(&*engine, b"a", Some(b"1")).unwrap();
        let fixed = engine.view(true).unwrap();
        let before = all(&*fixed, EntryKind::Facts);
        for value in [b"2", b"3"] {
            put(&*engine, b"a", Some(value)).unwrap();
            put(&*engine, value, Some(b"")).unwrap();
            assert_eq!(all(&*fixed, EntryKind::Facts), before);
        }
        let later = engine.view(false).unwrap();
        assert_eq!(later.get(EntryKind::Facts, b"a").unwrap().unwrap(), b"3");
        engine.wipe(&|| {}).unwrap();
        assert_eq!(all(&*fixed, EntryKind::Facts), before);
        drop((fixed, later));
        engine.reopen().unwrap();
        let view = engine.view(false).unwrap();
        assert_eq!(view.get(EntryKind::Facts, b"a").unwrap().unwrap(), b"3");
    }
}

#[test]
fn a_store_is_filled_by_the_thousand() {
    for home in Home::all() {
        let engine = home.open(1);
        for hundred in 0..20_u32 {
            let mut some = Changes::default();
            for number in hundred * 100..hundred * 100 + 100 {
                some.set(
                    EntryKind::Inquiries,
                    number.to_be_bytes().to_vec(),
                    Some(vec![b'i'; 900]),
                );
                some.set(EntryKind::Due, number.to_le_bytes().to_vec(), Some(Vec::new()));
            }
            engine.fill(some).unwrap();
        }
        put(&*engine, b"schema", Some(b"1")).unwrap();
        let view = engine.view(true).unwrap();
        for kind in [EntryKind::Inquiries, EntryKind::Due] {
            assert_eq!(all(&*view, kind).len(), 2000);
        }
    }
}

#[test]
fn writers_hear_of_each_other() {
    for home in Home::shared() {
        let (one, other) = (home.open(1), home.open(2));
        let write = |engine: &dyn Engine| {
            let mut changes = Changes::default();
            changes.set(
                EntryKind::Writers,
                engine.writer().unwrap().to_vec(),
                Some(b"1".to_vec()),
            );
            let turn = engine.turn(&[]).unwrap();
            let number = turn.get(EntryKind::Writers, &engine.writer().unwrap()).unwrap();
            changes.set(
                EntryKind::Writers,
                engine.writer().unwrap().to_vec(),
                Some([number.unwrap_or_default().as_slice(), b"."].concat()),
            );
            let have_others = turn.others_have_written();
            turn.commit(changes).unwrap();
            have_others
        };
        // Nothing is known before the first turn.
        assert!(write(&*one));
        assert!(!write(&*one));
        assert!(!write(&*one));
        assert!(write(&*other));
        assert!(write(&*one));
        assert!(!write(&*one));
        assert!(write(&*other));
        one.reopen().unwrap();
        assert!(write(&*one));
        assert_ne!(one.writer(), other.writer());
    }
}
