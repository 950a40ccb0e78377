//! No traces of a withdrawn inquiry or removed photo stay in the file, whatever happens in between; the key of a request is never
//! written at all.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redb::{Database, TableDefinition};
use taubenabwehr::domain::inquiry::Correction;
use taubenabwehr::domain::referral::Change;
use taubenabwehr::domain::referral::PhotoSize;
use taubenabwehr::photo::Photo;
use taubenabwehr::store::Store;

use crate::firms::policy;
use crate::support::*;

const INQUIRIES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("inquiries");
const FACTS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("facts");

fn has_traces(dir: &Path) -> bool {
    holds(dir, b"anna@example.de")
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
        // Later ones are delayed a little, so that they cannot keep the store from its work.
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
async fn nothing_is_left_of_what_was_corrected() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let inquiry = store.put(sample(1), None).await.unwrap();
    let right = Correction::parse(|name| (name == "email_address").then_some("anna@example.org"));
    let change = Change::Correct(right.unwrap(), None);
    store.update(inquiry.id, change).await.unwrap();
    assert!(!has_traces(dir.path()) && holds(dir.path(), b"anna@example.org"));
}

#[tokio::test]
async fn traces_are_removed_after_a_crash_as_well() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    // Several full pages, only some of which the next transaction reuses.
    let mut ids = Vec::new();
    for number in 0..50 {
        ids.push(store.put(sample(number), None).await.unwrap().id);
    }
    drop(store);
    {
        // The state after a kill between the commit of a withdrawal and the removal of its traces.
        let database = Database::open(file(dir.path())).unwrap();
        let transaction = database.begin_write().unwrap();
        for id in ids {
            let mut inquiries = transaction.open_table(INQUIRIES).unwrap();
            inquiries.remove(id.as_bytes().as_slice()).unwrap();
        }
        let mut facts = transaction.open_table(FACTS).unwrap();
        let one = 1_u64.to_be_bytes();
        facts.insert(b"traces".as_slice(), one.as_slice()).unwrap();
        drop(facts);
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

/// Counts the pages of a photo that consists of one byte value.
fn pages_of(dir: &Path, byte: u8) -> usize {
    let bytes = fs::read(file(dir)).unwrap();
    let pages = bytes.chunks(4096);
    pages
        .filter(|page| page.iter().all(|&found| found == byte))
        .count()
}

fn identity(dir: &Path) -> u64 {
    fs::metadata(file(dir)).unwrap().ino()
}

#[tokio::test]
async fn a_removed_photo_does_not_have_a_large_file_rewritten() {
    const REMOVED: u8 = 0xa5;
    let photo = |byte| Photo {
        large: vec![byte; 300_000],
        small: vec![byte; 9_000],
    };
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut ids = Vec::new();
    for number in 0..60 {
        let id = store.put(sample(number), None).await.unwrap().id;
        store
            .add_photos(id, vec![photo(1), photo(2), photo(3), photo(4)])
            .await
            .unwrap();
        ids.push(id);
    }
    let id = ids[0];
    store.add_photos(id, vec![photo(REMOVED)]).await.unwrap();
    assert!(fs::metadata(file(dir.path())).unwrap().len() > 128 << 20);
    let before = identity(dir.path());
    store.remove_photo(id, 5).await.unwrap();
    // The writer is idle between two of them.
    for number in 60..80 {
        store.put(sample(number), None).await.unwrap();
        assert_eq!(identity(dir.path()), before);
    }
    assert!(pages_of(dir.path(), REMOVED) > 0);
    // A withdrawal rewrites the file at once, which also removes the photo.
    store.update(ids[1], Change::Withdraw).await.unwrap();
    let started = Instant::now();
    while identity(dir.path()) == before {
        assert!(started.elapsed() < Duration::from_mins(1));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(pages_of(dir.path(), REMOVED), 0);
    assert!(store.photo(id, 4, PhotoSize::Large).await.unwrap().is_some());
}

#[tokio::test]
async fn a_removed_photo_leaves_a_small_file_at_once() {
    const REMOVED: u8 = 0xa5;
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let id = store.put(sample(0), None).await.unwrap().id;
    let photo = Photo {
        large: vec![REMOVED; 300_000],
        small: vec![REMOVED; 9_000],
    };
    store.add_photos(id, vec![photo]).await.unwrap();
    assert!(pages_of(dir.path(), REMOVED) > 0);
    store.remove_photo(id, 1).await.unwrap();
    assert_eq!(pages_of(dir.path(), REMOVED), 0);
}

#[tokio::test]
async fn neither_key_nor_fingerprint_is_in_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let stored = store.put(sample(1), key("a-key-that-is-long")).await.unwrap();
    let fingerprint = sample(1).fingerprint();
    let holds = |part| holds(dir.path(), part);
    assert!(holds(b"Meier 1".as_slice()));
    for _ in 0..2 {
        assert!(!holds(b"a-key-that-is-long".as_slice()));
        assert!(!holds(&fingerprint[..4]));
        // The second time, the inquiry is erased and the key remembered.
        store.erase(ids(&[&stored])).await.unwrap_or_default();
    }
    assert!(!holds(b"Meier 1".as_slice()));
    assert_eq!(store.put(sample(1), key("a-key-that-is-long")).await, Ok(stored));
}
