//! Of a withdrawn inquiry nothing stays in the file, whatever happens in between.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redb::{Database, TableDefinition};
use taubenabwehr::referral::Change;
use taubenabwehr::store::Store;

use crate::firms::policy;
use crate::support::*;

const INQUIRIES: TableDefinition<&[u8; 16], &[u8]> = TableDefinition::new("inquiries");
const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

fn has_traces(dir: &Path) -> bool {
    let bytes = fs::read(file(dir)).unwrap();
    bytes
        .windows(b"anna@example.de".len())
        .any(|part| part == b"anna@example.de")
}

#[tokio::test]
async fn nothing_is_left_once_a_withdrawal_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.set_policy(Arc::new(policy(&["a", "b", "c"]))).unwrap();
    for number in 0..3 {
        let inquiry = store.put(sample(number), None).await.unwrap();
        assert!(has_traces(dir.path()));
        store.update(inquiry.id, Change::Withdraw).await.unwrap();
        // Later ones wait a little, so that nobody can keep the store from its work.
        let started = Instant::now();
        while has_traces(dir.path()) {
            assert!(
                number > 0 && started.elapsed() < Duration::from_secs(30),
                "{number}"
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test]
async fn traces_are_removed_after_a_crash_as_well() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    // Several pages full, of which the next transaction takes only some for itself.
    let mut ids = Vec::new();
    for number in 0..50 {
        ids.push(store.put(sample(number), None).await.unwrap().id);
    }
    drop(store);
    {
        // What a kill between the commit of a withdrawal and the removal of its traces leaves.
        let database = Database::open(file(dir.path())).unwrap();
        let transaction = database.begin_write().unwrap();
        for id in ids {
            let mut inquiries = transaction.open_table(INQUIRIES).unwrap();
            inquiries.remove(id.as_bytes()).unwrap();
        }
        transaction.open_table(META).unwrap().insert("traces", 1).unwrap();
        transaction.commit().unwrap();
    }
    assert!(has_traces(dir.path()));
    let store = Store::open(dir.path()).unwrap();
    let started = Instant::now();
    while has_traces(dir.path()) {
        assert!(started.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    store.put(sample(2), None).await.unwrap();
    assert_eq!(all(&store).await.len(), 1);
}
