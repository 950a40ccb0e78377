//! Backups: of every state, at one moment, whatever fails meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use jiff::Timestamp;
use taubenabwehr::domain::referral::{Change, DeliveryState, Lane};
use taubenabwehr::store::{Store, TransferError, erased_list};

use crate::firms::policy;
use crate::referred::{deliver_all, insert};
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
async fn a_backup_is_of_one_moment_and_what_waits_in_it_is_held() {
    let (dir, target) = (directory_in_memory(), directory_in_memory());
    let path = dir.path().join("backup");
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = open(dir.path(), &clock);
    let delivered = insert(&store, 1).await;
    deliver_all(&store).await;
    let waiting = insert(&store, 2).await;
    assert!(store.subscribe("anna@example.de".to_owned()).await.unwrap());
    let rows = store.rows().await.unwrap();
    let later = insert(&store, 3).await;
    store.erase(ids(&[&delivered])).await.unwrap();
    pack(rows, store.now(), &path).await;
    drop(store);

    let restored = restore(&path, target.path(), &BTreeMap::new(), now()).unwrap();
    assert_eq!(
        (restored.inquiries, restored.erased, restored.held_inquiries),
        (2, 0, 2)
    );
    clock.put("2026-11-20T15:00:00Z");
    let store = open(target.path(), &clock);
    assert!(store.facts().await.unwrap().held_since.is_some());
    assert_eq!(all(&store).await, [delivered.clone(), waiting.clone()]);
    assert_eq!(store.record(later.id).await.unwrap(), None);
    let record = store.record(waiting.id).await.unwrap().unwrap();
    let states = record.referral.deliveries.iter().map(|delivery| delivery.state);
    let held = states
        .filter(|state| matches!(state, DeliveryState::Suspended(_)))
        .count() as u64;
    assert_eq!(
        restored.held_deliveries,
        held + 1,
        "and the confirmation of the subscription"
    );

    // Neither the outbox nor the clock does anything by itself, though every answer is overdue.
    assert!(store.lease(Lane::Mail, 100).await.unwrap().claims.is_empty());
    while store.tick().await.unwrap() > 0 {}
    assert_eq!(
        store.record(waiting.id).await.unwrap().unwrap().referral,
        record.referral
    );
    // But for what is new.
    let fresh = insert(&store, 4).await;
    let claimed = store.lease(Lane::Mail, 100).await.unwrap();
    assert!(!claimed.claims.is_empty());
    assert!(claimed.claims.iter().all(|claim| claim.id.inquiry == fresh.id));
    drop(claimed);
    deliver_all(&store).await;

    store.update(waiting.id, Change::Retry(None)).await.unwrap();
    store.go_on().await.unwrap();
    assert_eq!(store.facts().await.unwrap().held_since, None);
    let claimed = store.lease(Lane::Mail, 100).await.unwrap();
    assert!(claimed.claims.iter().any(|claim| claim.id.inquiry == waiting.id));
    drop(claimed);
    assert!(store.tick().await.unwrap() > 0);
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
    // What a kill before the last step leaves.
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
    // Nothing can be appended to a directory, not even by root.
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

#[tokio::test]
async fn a_backup_of_a_build_before_the_first_release_is_refused() {
    let (dir, target) = (directory_in_memory(), directory_in_memory());
    let path = dir.path().join("backup");
    let store = open(dir.path(), &FakeClock::at("2026-11-22T13:50:00Z"));
    back_up(&store, &path).await;
    let mut bytes = fs::read(&path).unwrap();
    for version in 1..=3 {
        bytes[20] = version;
        fs::write(&path, &bytes).unwrap();
        let refused = restore(&path, target.path(), &BTreeMap::new(), now());
        assert!(matches!(refused, Err(TransferError::Former(_))));
    }
}
