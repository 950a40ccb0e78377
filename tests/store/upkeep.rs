//! Retention of inquiries.

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::domain::referral::HandlingPolicy;

use crate::engines::Engine;
use crate::referred::*;
use crate::support::*;

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
    // Assigned by a clock a year ahead to an inquiry made by a correct one.
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
