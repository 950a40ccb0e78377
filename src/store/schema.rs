//! The version of the store's format. A build reads stores of its own format, and upgrades those of earlier releases when it opens
//! them.

use std::collections::BTreeMap;

use crate::store::facts::{COPYING, SCHEMA};
use crate::store::map::{Changes, EngineError, EntryKind, View};
use crate::store::reads;

/// Returns the changes that bring a store to the next format.
pub type Migration = fn(&dyn View) -> Result<Changes, EngineError>;

/// The migrations from format 1 on. A release that changes the format adds one, with a test that opens a store of the release
/// before.
pub const STEPS: &[Migration] = &[];

/// This build's format.
pub const CURRENT: u64 = 1 + STEPS.len() as u64;

/// Checks that a store can be read as it is.
///
/// # Errors
/// When it has another format, or a copy into it is unfinished.
pub fn check(facts: &BTreeMap<String, u64>) -> Result<(), EngineError> {
    match step(facts, STEPS)? {
        None => Ok(()),
        Some((older, _)) => Err(EngineError::Failed(format!(
            "an older taubenabwehr wrote it (format {older}, this one reads {CURRENT}); start this one's server on it once"
        ))),
    }
}

/// Returns the changes that bring a store to the next format; `None` if it has the current one.
///
/// # Errors
/// As for [`check`], or when it cannot be read.
pub fn upgrade(view: &dyn View, steps: &[Migration]) -> Result<Option<Changes>, EngineError> {
    let Some((found, step)) = step(&reads::facts(view)?, steps)? else {
        return Ok(None);
    };
    let mut changes = step(view)?;
    let next = (found + 1).to_be_bytes().to_vec();
    changes.set(EntryKind::Facts, SCHEMA.into(), Some(next));
    Ok(Some(changes))
}

/// Returns the format of a store and the migration from it, if there is one.
fn step(facts: &BTreeMap<String, u64>, steps: &[Migration]) -> Result<Option<(u64, Migration)>, EngineError> {
    if facts.contains_key(COPYING) {
        return Err(EngineError::Failed(
            "a copy into it was not finished; copy to it again, or empty it".to_owned(),
        ));
    }
    let current = 1 + steps.len() as u64;
    let Some(found) = facts.get(SCHEMA).copied().filter(|found| *found != current) else {
        return Ok(None);
    };
    let step = found
        .checked_sub(1)
        .and_then(|index| steps.get(usize::try_from(index).ok()?));
    match step {
        Some(step) => Ok(Some((found, *step))),
        None => Err(EngineError::Failed(format!(
            "a newer taubenabwehr wrote it (format {found}, this one reads {current}); update this program"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::map::Engine;
    use crate::store::tests::memory::{MemoryDisk, MemoryEngine};

    #[allow(clippy::unnecessary_wraps, reason = "as every step")]
    fn first(_: &dyn View) -> Result<Changes, EngineError> {
        let mut changes = Changes::default();
        changes.set(
            EntryKind::Facts,
            b"first".to_vec(),
            Some(1_u64.to_be_bytes().to_vec()),
        );
        Ok(changes)
    }

    fn second(view: &dyn View) -> Result<Changes, EngineError> {
        let first = view.get(EntryKind::Facts, b"first")?;
        let mut changes = Changes::default();
        changes.set(EntryKind::Facts, b"first".to_vec(), None);
        changes.set(EntryKind::Facts, b"second".to_vec(), first);
        Ok(changes)
    }

    const TWO: &[Migration] = &[first, second];

    fn store(number: u64) -> MemoryEngine {
        let disk = Arc::<MemoryDisk>::default();
        disk.damage(
            EntryKind::Facts,
            SCHEMA.as_bytes(),
            Some(number.to_be_bytes().to_vec()),
        );
        MemoryEngine::alone(&disk)
    }

    /// Opens a store with a build that has these steps; returns its contents afterwards.
    fn open(engine: &MemoryEngine, steps: &[Migration]) -> Result<BTreeMap<String, u64>, EngineError> {
        loop {
            let turn = engine.turn(&[])?;
            let Some(changes) = upgrade(&*turn, steps)? else {
                return reads::facts(&*turn);
            };
            turn.commit(changes)?;
        }
    }

    #[test]
    fn a_store_is_brought_to_the_format_of_the_build_step_by_step() {
        let expected = [(SCHEMA.to_owned(), 3), ("second".to_owned(), 1)].into();
        let engine = store(1);
        assert_eq!(open(&engine, TWO), Ok(expected));
        let again = open(&engine, TWO).unwrap();
        assert_eq!(again.get(SCHEMA), Some(&3), "and stays there");
        assert_eq!(open(&engine, &TWO[..1]).map(drop), Err(refusal(3, 2)));
    }

    #[test]
    fn a_store_of_an_unknown_format_is_refused_in_one_line() {
        for unknown in [2, 99, u64::MAX] {
            let error = open(&store(unknown), &[]).unwrap_err();
            assert_eq!(error, refusal(unknown, 1));
            assert_eq!(error.to_string().lines().count(), 1);
        }
        assert!(open(&store(1), STEPS).is_ok());
    }

    fn refusal(found: u64, current: u64) -> EngineError {
        EngineError::Failed(format!(
            "a newer taubenabwehr wrote it (format {found}, this one reads {current}); update this program"
        ))
    }
}
