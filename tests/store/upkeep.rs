//! What is counted, and how long inquiries are kept.

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::domain::reckoning::Reckoning;
use taubenabwehr::domain::referral::HandlingPolicy;

use crate::engines::Engine;
use crate::referred::*;
use crate::support::*;

pub async fn counts_add_up_by_day(engine: &impl Engine) {
    let store = engine.open();
    let day = jiff::civil::date(2026, 11, 8);
    let counts = |pairs: &[(&str, u64)]| {
        pairs
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    };
    store
        .count(day, counts(&[("page:/", 2), ("step:0", 1)]))
        .await
        .unwrap();
    store.count(day, counts(&[("page:/", 3)])).await.unwrap();
    store
        .count(day.tomorrow().unwrap(), counts(&[("page:/", 1)]))
        .await
        .unwrap();
    drop(store);
    let store = engine.open();
    let all = store.counts(day).await.unwrap();
    assert_eq!(all[0], (day, counts(&[("page:/", 5), ("step:0", 1)])));
    assert_eq!(all.len(), 2);
    assert_eq!(store.counts(day.tomorrow().unwrap()).await.unwrap().len(), 1);
    assert_eq!(store.counts(jiff::civil::Date::MIN).await.unwrap(), all);
}

pub async fn retention_goes_by_when_an_inquiry_was_received(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-09T12:00:00Z");
    let store = store_with(engine, &clock, HandlingPolicy::default());
    // Made a day before it was received.
    let old = insert(&store, 1).await;
    clock.put("2026-11-10T12:00:00Z");
    let new = insert(&store, 2).await;
    let received: Timestamp = "2026-11-09T12:00:00Z".parse().unwrap();
    let erase = async |before| {
        store
            .erase(taubenabwehr::store::Erasure::ReceivedBefore(before))
            .await
            .unwrap()
    };
    assert_eq!(erase(received).await, 0);
    assert_eq!(erase(received + SignedDuration::from_millis(1)).await, 1);
    assert_eq!(all(&store).await, [new]);
    assert_eq!(store.record(old.id).await.unwrap(), None);
}

pub async fn an_id_of_the_future_keeps_no_inquiry(engine: &impl Engine) {
    // As a clock a year ahead has given it to what was made by a right one.
    let clock = FakeClock::at("2027-11-09T12:00:00Z");
    let store = store_with(engine, &clock, HandlingPolicy::default());
    let ahead = insert(&store, 1).await;
    clock.put("2026-11-20T12:00:00Z");
    let new = store
        .put(sample_at("2026-11-20T12:00:00Z", 2), None)
        .await
        .unwrap();
    let erase = async |before: Timestamp| {
        let erasure = taubenabwehr::store::Erasure::ReceivedBefore(before);
        store.erase(erasure).await.unwrap()
    };
    let week = SignedDuration::from_hours(7 * 24);
    assert_eq!(erase(ahead.created_at + week).await, 0);
    assert_eq!(
        erase(ahead.created_at + week + SignedDuration::from_millis(1)).await,
        1
    );
    assert_eq!(all(&store).await, [new]);
}

pub async fn what_is_known_of_the_time_stays(engine: &impl Engine) {
    let at = |time: &str| -> Option<Timestamp> { Some(time.parse().unwrap()) };
    let clock = FakeClock::at("2026-11-09T12:00:00Z");
    let store = engine.open_with(&clock);
    assert_eq!(store.facts().await.unwrap().clock, Reckoning::default());
    let noted = Reckoning {
        known: at("2026-11-08T12:00:00Z"),
        doubted_since: at("2027-11-08T12:00:00Z"),
    };
    store.note_clock(noted).await.unwrap();
    drop(store);
    let store = engine.open_with(&clock);
    assert_eq!(store.facts().await.unwrap().clock, noted);
    store.believe_clock().await.unwrap();
    let believed = Reckoning::believing("2026-11-09T12:00:00Z".parse().unwrap());
    assert_eq!(store.facts().await.unwrap().clock, believed);
    // What was judged before is older than the operator's word.
    let doubted = Reckoning {
        doubted_since: at("2027-12-08T12:00:00Z"),
        ..noted
    };
    store.note_judgement(noted, doubted).await.unwrap();
    assert_eq!(store.facts().await.unwrap().clock, believed);
    let later = Reckoning::believing("2026-11-09T13:00:00Z".parse().unwrap());
    store.note_judgement(believed, later).await.unwrap();
    assert_eq!(store.facts().await.unwrap().clock, later);
}
