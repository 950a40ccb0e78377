//! Backups of every state: consistent, and restorable whatever fails in the meantime.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use jiff::Timestamp;
use taubenabwehr::domain::referral::Change;
use taubenabwehr::store::{Store, TransferError, erased_list};

use crate::firms::policy;
use crate::referred::insert;
use crate::support::*;

fn open(directory: &std::path::Path, clock: &FakeClock) -> Store {
    let store: Store = Store::open_with_clock(directory, Duration::ZERO, clock.clock()).unwrap();
    store.set_policy(policy(&["a", "b", "c"]).into()).unwrap();
    store
}

/// Writes a backup of a store to a file.
async fn back_up(store: &Store, path: &std::path::Path) {
    pack(store.rows().await.unwrap(), store.now(), path).await;
}

fn now() -> Timestamp {
    "2026-11-08T15:00:00Z".parse().unwrap()
}

#[tokio::test]
async fn a_subscription_that_was_ended_does_not_come_back_unless_it_was_asked_for_again() {
    let dir = directory_in_memory();
    let path = dir.path().join("backup");
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = open(dir.path(), &clock);
    for email in ["ended@example.de", "again@example.de"] {
        let key = store.subscription_key(email);
        assert!(store.subscribe(email.to_owned()).await.unwrap());
        let asked = store.subscription(key).await.unwrap().unwrap().requested_at;
        assert!(store.confirm_subscription(key, asked).await.unwrap());
    }
    let (ended, again) = (
        store.subscription_key("ended@example.de"),
        store.subscription_key("again@example.de"),
    );
    clock.put("2026-11-08T13:00:00Z");
    assert!(store.unsubscribe(again).await.unwrap());
    clock.put("2026-11-09T13:00:00Z");
    assert!(store.subscribe("again@example.de".to_owned()).await.unwrap());
    back_up(&store, &path).await;
    assert!(store.unsubscribe(ended).await.unwrap());
    drop(store);
    let erased = erased_list::read(&dir.path().join("erased.jsonl")).unwrap();
    assert_eq!(erased.len(), 2);

    let target = directory_in_memory();
    let restored = restore(&path, target.path(), &erased, now()).unwrap();
    assert_eq!(restored.erased, 1);
    let store = open(target.path(), &clock);
    assert_eq!(store.subscription(ended).await.unwrap(), None);
    assert!(store.subscription(again).await.unwrap().is_some());
}

#[tokio::test]
async fn a_restore_that_is_interrupted_at_any_point_leaves_a_directory_that_takes_it() {
    let dir = directory_in_memory();
    let path = dir.path().join("backup");
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = open(dir.path(), &clock);
    let inquiry = insert(&store, 1).await;
    back_up(&store, &path).await;
    drop(store);
    // The files left by a kill before the last step.
    let target = directory_in_memory();
    fs::write(new_file(target.path()), "half a file").unwrap();
    fs::write(file(target.path()), "").unwrap();
    restore(&path, target.path(), &BTreeMap::new(), now()).unwrap();
    assert!(!new_file(target.path()).exists());
    assert_eq!(all(&open(target.path(), &clock)).await, [inquiry]);
    let again = restore(&path, target.path(), &BTreeMap::new(), now());
    assert!(
        matches!(again, Err(TransferError::NotEmpty { count: 1, .. })),
        "{again:?}"
    );
}

#[tokio::test]
async fn a_withdrawal_that_cannot_be_listed_is_not_made_and_others_are_stored() {
    let dir = directory_in_memory();
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = open(dir.path(), &clock);
    let inquiry = insert(&store, 1).await;
    // Appending to a directory fails, even for root.
    fs::create_dir(dir.path().join("erased.jsonl")).unwrap();
    let (withdrawn, other) = tokio::join!(
        store.update(inquiry.id, Change::Withdraw),
        store.put(sample(2), None)
    );
    withdrawn.unwrap_err();
    assert!(other.is_ok());
    store.erase(ids(&[&inquiry])).await.unwrap_err();
    assert_eq!(all(&store).await.len(), 2);
    fs::remove_dir(dir.path().join("erased.jsonl")).unwrap();
    store.update(inquiry.id, Change::Withdraw).await.unwrap();
    let listed = erased_list::read(&dir.path().join("erased.jsonl")).unwrap();
    assert_eq!(listed.into_keys().collect::<Vec<_>>(), [inquiry.id]);
}
