//! Who may enter the operator's desk, and the list of inquiries from its newest on.

use std::collections::BTreeMap;

use taubenabwehr::domain::referral::HandlingPolicy;
use taubenabwehr::store::{Erasure, Store};
use tempfile::TempDir;
use uuid::Uuid;

use crate::engines::Engine;
use crate::referred::*;
use crate::support::*;

const NOON: &str = "2026-11-08T12:00:00Z";

async fn new_code(store: &Store) -> String {
    store.offer_desk_code().await.unwrap().0
}

pub async fn a_code_lets_in_once_and_for_ten_minutes(engine: &impl Engine) {
    let clock = FakeClock::at(NOON);
    let store = store_with(engine, &clock, HandlingPolicy::default());
    let (first, second) = (new_code(&store).await, new_code(&store).await);
    assert_ne!(first, second);
    assert_eq!(store.begin_desk_session("made up").await.unwrap(), None);
    let session = store.begin_desk_session(&first).await.unwrap().unwrap();
    assert_eq!(store.begin_desk_session(&first).await.unwrap(), None, "once");
    assert!(store.has_desk_session(&session).await.unwrap());
    assert!(!store.has_desk_session(&first).await.unwrap());
    assert!(!store.has_desk_session("").await.unwrap());
    clock.put("2026-11-08T12:10:00Z");
    assert_eq!(store.begin_desk_session(&second).await.unwrap(), None, "too late");
    assert!(store.has_desk_session(&session).await.unwrap());
}

pub async fn a_wrong_code_keeps_no_writer_busy(engine: &impl Engine) {
    let store = engine.open();
    let code = new_code(&store).await;
    let steps = store.activity().steps();
    assert_eq!(store.begin_desk_session("made up").await.unwrap(), None);
    assert_eq!(store.activity().steps(), steps);
    assert!(store.begin_desk_session(&code).await.unwrap().is_some());
    assert!(store.activity().steps() > steps);
}

pub async fn of_two_that_use_a_code_one_gets_in(engine: &impl Engine) {
    let store = engine.open();
    let code = new_code(&store).await;
    let (one, other) = tokio::join!(store.begin_desk_session(&code), store.begin_desk_session(&code));
    let begun = [one.unwrap(), other.unwrap()];
    assert_eq!(begun.iter().flatten().count(), 1, "{begun:?}");
}

pub async fn a_session_lasts_for_twelve_hours(engine: &impl Engine) {
    let clock = FakeClock::at(NOON);
    let store = store_with(engine, &clock, HandlingPolicy::default());
    let code = new_code(&store).await;
    let session = store.begin_desk_session(&code).await.unwrap().unwrap();
    clock.put("2026-11-08T23:59:59Z");
    assert!(store.has_desk_session(&session).await.unwrap());
    clock.put("2026-11-09T00:00:00Z");
    assert!(!store.has_desk_session(&session).await.unwrap());
    // It is forgotten with the next change, and so counts no more.
    new_code(&store).await;
    assert_eq!(store.end_desk_sessions().await.unwrap(), 0);
}

pub async fn sessions_end_alone_or_together(engine: &impl Engine) {
    let store = engine.open();
    let mut sessions = Vec::new();
    for _ in 0..3 {
        let code = new_code(&store).await;
        sessions.push(store.begin_desk_session(&code).await.unwrap().unwrap());
    }
    let unused = new_code(&store).await;
    store.end_desk_session(&sessions[0]).await.unwrap();
    assert!(!store.has_desk_session(&sessions[0]).await.unwrap());
    assert!(store.has_desk_session(&sessions[1]).await.unwrap());
    assert_eq!(store.end_desk_sessions().await.unwrap(), 2);
    for session in &sessions {
        assert!(!store.has_desk_session(session).await.unwrap());
    }
    assert_eq!(store.begin_desk_session(&unused).await.unwrap(), None);
}

pub async fn a_session_outlives_the_process(engine: &impl Engine) {
    let store = engine.open();
    let code = new_code(&store).await;
    let session = store.begin_desk_session(&code).await.unwrap().unwrap();
    assert!(store.close(std::time::Duration::from_secs(10)).await);
    drop(store);
    let store = engine.open();
    assert!(store.has_desk_session(&session).await.unwrap());
    assert_eq!(store.begin_desk_session(&code).await.unwrap(), None);
}

pub async fn where_the_desk_is_outlives_the_process_and_is_in_no_backup(engine: &impl Engine) {
    let address = "http://127.0.0.1:8090".to_owned();
    let store = engine.open();
    store.note_desk(Some(address.clone())).await.unwrap();
    assert!(store.close(std::time::Duration::from_secs(10)).await);
    drop(store);
    let store = engine.open();
    assert_eq!(store.offer_desk_code().await.unwrap().1, Some(address));
    let (_dir, restored) = restored(&store).await;
    assert_eq!(restored.offer_desk_code().await.unwrap().1, None);
}

pub async fn a_backup_lets_nobody_in(engine: &impl Engine) {
    let store = engine.open();
    let code = new_code(&store).await;
    let session = store.begin_desk_session(&code).await.unwrap().unwrap();
    let unused = new_code(&store).await;
    // The secret that digests follow from is the same.
    let (_dir, restored) = restored(&store).await;
    assert!(!restored.has_desk_session(&session).await.unwrap());
    assert_eq!(restored.begin_desk_session(&unused).await.unwrap(), None);
}

/// Restores a backup of a store into a directory of its own.
async fn restored(store: &Store) -> (TempDir, Store) {
    let (dir, target) = (directory_in_memory(), directory_in_memory());
    let path = dir.path().join("backup");
    let now = store.now();
    pack(store.rows().await.unwrap(), now, &path).await;
    restore(&path, target.path(), &BTreeMap::new(), now).unwrap();
    let restored = Store::open(target.path()).unwrap();
    (target, restored)
}

/// The ids of a list that begins before one, newest first.
async fn newest(store: &Store, before: Option<Uuid>) -> Vec<Uuid> {
    let mut records = store.newest_records(before).await.unwrap();
    let mut ids = Vec::new();
    while let Some(record) = records.next().await.unwrap() {
        ids.push(record.id);
    }
    ids
}

pub async fn the_newest_inquiries_come_first(engine: &impl Engine) {
    let store = engine.open();
    assert!(newest(&store, None).await.is_empty());
    let mut ids = Vec::new();
    for number in 0..300 {
        ids.push(store.put(sample(number), None).await.unwrap().id);
    }
    ids.reverse();
    assert_eq!(newest(&store, None).await, ids);
    assert_eq!(newest(&store, Some(ids[0])).await, ids[1..]);
    assert!(newest(&store, Some(ids[299])).await.is_empty());
    // One that is gone is still a place to go on from.
    store.erase(Erasure::Ids([ids[150]].into())).await.unwrap();
    assert_eq!(newest(&store, Some(ids[150])).await, ids[151..]);
}
