//! Access to the operator's desk.

use std::collections::BTreeMap;

use taubenabwehr::domain::referral::{HandlingPolicy, Lane};
use taubenabwehr::store::{DESK_LONG_SESSION_TIME, DESK_SESSION_TIME as DAY, Store};
use tempfile::TempDir;

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
    assert_eq!(store.begin_desk_session("made up", DAY).await.unwrap(), None);
    let session = store.begin_desk_session(&first, DAY).await.unwrap().unwrap();
    assert_eq!(store.begin_desk_session(&first, DAY).await.unwrap(), None, "once");
    assert!(store.has_desk_session(&session).await.unwrap());
    assert!(!store.has_desk_session(&first).await.unwrap());
    assert!(!store.has_desk_session("").await.unwrap());
    clock.put("2026-11-08T12:10:00Z");
    assert_eq!(
        store.begin_desk_session(&second, DAY).await.unwrap(),
        None,
        "too late"
    );
    assert!(store.has_desk_session(&session).await.unwrap());
}

pub async fn a_wrong_code_keeps_no_writer_busy(engine: &impl Engine) {
    let store = engine.open();
    let code = new_code(&store).await;
    let steps = store.activity().steps();
    assert_eq!(store.begin_desk_session("made up", DAY).await.unwrap(), None);
    assert_eq!(store.activity().steps(), steps);
    assert!(store.begin_desk_session(&code, DAY).await.unwrap().is_some());
    assert!(store.activity().steps() > steps);
}

pub async fn a_session_lasts_for_twelve_hours_or_thirty_days(engine: &impl Engine) {
    for (lifetime, last, end) in [
        (DAY, "2026-11-08T23:59:59Z", "2026-11-09T00:00:00Z"),
        (
            DESK_LONG_SESSION_TIME,
            "2026-12-08T11:59:59Z",
            "2026-12-08T12:00:00Z",
        ),
    ] {
        let clock = FakeClock::at(NOON);
        let store = store_with(engine, &clock, HandlingPolicy::default());
        let code = new_code(&store).await;
        let session = store.begin_desk_session(&code, lifetime).await.unwrap().unwrap();
        clock.put(last);
        assert!(store.has_desk_session(&session).await.unwrap());
        clock.put(end);
        assert!(!store.has_desk_session(&session).await.unwrap());
        // The next change removes it, so it no longer counts.
        new_code(&store).await;
        assert_eq!(store.end_desk_sessions().await.unwrap(), 0);
    }
}

pub async fn three_login_links_are_mailed_in_an_hour(engine: &impl Engine) {
    let clock = FakeClock::at(NOON);
    let policy = HandlingPolicy {
        operator_mailboxes: 2,
        ..HandlingPolicy::default()
    };
    let store = store_with(engine, &clock, policy);
    for minute in ["00", "20", "40"] {
        clock.put(&format!("2026-11-08T12:{minute}:00Z"));
        assert!(store.mail_desk_link().await.unwrap(), "{minute}");
    }
    let steps = store.activity().steps();
    clock.put("2026-11-08T12:59:59Z");
    assert!(!store.mail_desk_link().await.unwrap());
    assert_eq!(
        store.activity().steps(),
        steps,
        "requests beyond the limit write nothing"
    );
    for (time, is_mailed) in [("13:00:00", true), ("13:19:59", false), ("13:20:00", true)] {
        clock.put(&format!("2026-11-08T{time}Z"));
        assert_eq!(store.mail_desk_link().await.unwrap(), is_mailed, "{time}");
    }
    let leased = store.lease(Lane::Mail, 99).await.unwrap();
    assert_eq!(leased.claims.len(), 5 * 2, "one for each mailbox");
}

pub async fn a_backup_lets_nobody_in(engine: &impl Engine) {
    let store = engine.open();
    let code = new_code(&store).await;
    let session = store.begin_desk_session(&code, DAY).await.unwrap().unwrap();
    let unused = new_code(&store).await;
    // The secret from which digests are derived is the same.
    let (_dir, restored) = restored(&store).await;
    assert!(!restored.has_desk_session(&session).await.unwrap());
    assert_eq!(restored.begin_desk_session(&unused, DAY).await.unwrap(), None);
}

/// Restores a backup of a store into a new directory.
async fn restored(store: &Store) -> (TempDir, Store) {
    let (dir, target) = (directory_in_memory(), directory_in_memory());
    let path = dir.path().join("backup");
    let now = store.now();
    pack(store.rows().await.unwrap(), now, &path).await;
    restore(&path, target.path(), &BTreeMap::new(), now).unwrap();
    let restored = Store::open(target.path()).unwrap();
    (target, restored)
}
