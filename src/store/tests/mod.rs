//! Tests of operations on the in-memory engine, and contract tests of all engines.

mod cases;
#[path = "../../../tests/postgres/mod.rs"]
#[allow(dead_code, reason = "the other suites use the rest of it")]
mod database;
mod engines;
pub mod memory;
mod outages;
mod outcome_cases;
mod review_cases;
mod simulation;

use std::sync::Arc;

use super::map::{Changes, Engine, EngineError, EntryKind, Span, scan};
use memory::{MemoryDisk, MemoryEngine, StepFault};

fn put(engine: &dyn Engine, entries: &[(&[u8], Option<&[u8]>)]) -> Result<(), EngineError> {
    let mut changes = Changes::default();
    for (key, value) in entries {
        changes.set(EntryKind::Facts, key.to_vec(), value.map(<[u8]>::to_vec));
    }
    engine.turn(&[])?.commit(changes)
}

#[test]
fn an_acknowledgement_may_be_lost_before_and_after_a_commit() {
    for (fault, is_there) in [
        (StepFault::LostBefore, false),
        (StepFault::LostAfter, true),
        (StepFault::Full, false),
    ] {
        let disk = Arc::new(MemoryDisk::default());
        let engine = MemoryEngine::alone(&disk);
        engine.set_faults(Some(Box::new(move |step| {
            (step == memory::EngineStep::Commit).then_some(fault)
        })));
        assert!(matches!(
            put(&engine, &[(b"a", Some(b"1"))]),
            Err(EngineError::Lost(_))
        ));
        assert!(engine.view(false).is_err());
        engine.reopen().unwrap();
        assert_eq!(
            engine
                .view(false)
                .unwrap()
                .get(EntryKind::Facts, b"a")
                .unwrap()
                .is_some(),
            is_there
        );
    }
}

#[test]
fn a_scan_meets_every_entry_once_in_either_order() {
    let engine = MemoryEngine::alone(&Arc::default());
    let keys: Vec<[u8; 2]> = (0..2000_u16).map(u16::to_be_bytes).collect();
    let entries: Vec<(&[u8], Option<&[u8]>)> = keys
        .iter()
        .map(|key| (key.as_slice(), Some(b"x".as_slice())))
        .collect();
    put(&engine, &entries).unwrap();
    let view = engine.view(true).unwrap();
    for span in [
        Span::all(EntryKind::Facts),
        Span::all(EntryKind::Facts).reversed(),
        Span::prefix(EntryKind::Facts, &[3]),
    ] {
        let mut met = Vec::new();
        scan(&*view, span.clone(), |key, _| {
            met.push(key);
            Ok::<_, EngineError>(true)
        })
        .unwrap();
        let mut expected: Vec<Vec<u8>> = keys
            .iter()
            .map(|key| key.to_vec())
            .filter(|key| span.contains(key))
            .collect();
        if span.is_reversed {
            expected.reverse();
        }
        assert_eq!(met, expected);
    }
}
