//! Idempotency keys in the file.

use std::path::Path;
use std::time::Duration;

use redb::{ReadableDatabase, ReadableTableMetadata, TableDefinition};
use taubenabwehr::store::Store;

use crate::support::*;

const KEYS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("keys");
const EXPIRIES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("expiries");

/// How many keys and expiries a closed file holds.
fn count(data_dir: &Path) -> (u64, u64) {
    let database = redb::Database::open(file(data_dir)).unwrap();
    let transaction = database.begin_read().unwrap();
    let keys = transaction.open_table(KEYS).unwrap().len().unwrap();
    (keys, transaction.open_table(EXPIRIES).unwrap().len().unwrap())
}

fn open(data_dir: &Path, clock: &FakeClock) -> Store {
    Store::open_with_clock(data_dir, Duration::ZERO, clock.clock()).unwrap()
}

#[tokio::test]
async fn each_write_forgets_some_expired_keys() {
    let dir = tempfile::tempdir().unwrap();
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = open(dir.path(), &clock);
    for n in 0..40 {
        store.put(sample(n), key(&format!("old-{n}"))).await.unwrap();
    }
    drop(store);
    assert_eq!(count(dir.path()), (40, 40));
    clock.put("2026-11-16T12:00:00Z");
    let store = open(dir.path(), &clock);
    store.put(sample(41), key("new")).await.unwrap();
    drop(store);
    // As many as opening forgets, and an insert.
    let left = 40 - 16 - 18 + 1;
    assert_eq!(count(dir.path()), (left, left));
    let store = open(dir.path(), &clock);
    for n in 42..45 {
        store.put(sample(n), None).await.unwrap();
    }
    assert!(
        store
            .replay(&key("new").unwrap(), &sample(41), "")
            .await
            .unwrap()
            .is_some()
    );
    drop(store);
    assert_eq!(count(dir.path()), (1, 1));
}

#[tokio::test]
async fn neither_key_nor_fingerprint_is_in_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let stored = store.put(sample(1), key("a-key-that-is-long")).await.unwrap();
    let fingerprint = sample(1).fingerprint();
    let holds = |part: &[u8]| {
        let bytes = std::fs::read(file(dir.path())).unwrap();
        bytes.windows(part.len()).any(|window| window == part)
    };
    assert!(holds(b"Meier 1"));
    for _ in 0..2 {
        assert!(!holds(b"a-key-that-is-long"));
        assert!(!holds(&fingerprint[..4]));
        // The second time the inquiry is erased, and the key remembered.
        store.erase(ids(&[&stored])).await.unwrap_or_default();
    }
    assert!(!holds(b"Meier 1"));
    assert_eq!(store.put(sample(1), key("a-key-that-is-long")).await, Ok(stored));
}
