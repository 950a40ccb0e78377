//! Cases for every engine, written against the facade.

use std::sync::Arc;

use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::store::{InsertError, Inserted, TimeRange};
use uuid::Uuid;

use crate::engines::Engine;
use crate::support::*;

pub async fn what_is_inserted_is_there_after_a_restart(engine: &impl Engine) {
    let mut stored = Vec::new();
    for round in 0..3 {
        let store = engine.open();
        assert_eq!(all(&store).await, stored);
        for n in 0..5 {
            let inserted = store
                .insert(sample(round * 5 + n), NewReferral::default(), None)
                .await
                .unwrap();
            let Inserted::New(inquiry) = inserted else {
                panic!("there is no key to know it by");
            };
            assert_eq!(inquiry, sample(round * 5 + n).with_id(inquiry.id));
            stored.push(inquiry);
        }
        assert_eq!(all(&store).await, stored);
    }
    assert!(stored.is_sorted_by(|a, b| a.id < b.id));
    assert_eq!(stored.len(), 15);
}

pub async fn many_at_once_are_stored_once_each(engine: &impl Engine) {
    let store = Arc::new(engine.open());
    let tasks: Vec<_> = (0..300_u64)
        .map(|n| {
            let store = Arc::clone(&store);
            // Three requests use each key: two with the same body, one with another.
            let inquiry = sample(if n % 3 == 2 { n } else { n / 3 * 3 });
            tokio::spawn(async move { store.put(inquiry, key(&format!("key-{}", n / 3))).await })
        })
        .collect();
    let mut ids = Vec::new();
    let mut reused = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(inquiry) => ids.push(inquiry.id),
            Err(InsertError::KeyReused) => reused += 1,
            Err(InsertError::Unavailable(_)) => panic!("there is room for 300"),
        }
    }
    ids.sort_unstable();
    ids.dedup();
    let stored: Vec<Uuid> = all(&store).await.iter().map(|inquiry| inquiry.id).collect();
    assert_eq!(stored, ids);
    assert_eq!(stored.len(), 100);
    assert!((100..=200).contains(&reused), "{reused}");
}

pub async fn ids_grow_when_the_clock_is_corrected_and_over_restarts(engine: &impl Engine) {
    let clock = FakeClock::default();
    let mut ids = Vec::new();
    for time in [
        "2026-11-10T00:01:00Z",
        "2026-11-10T00:00:00Z",
        "2026-11-10T00:00:59Z",
        "2026-11-10T00:00:01Z",
    ] {
        clock.put(time);
        let store = engine.open_with(&clock);
        ids.push(store.put(sample(1), None).await.unwrap().id);
        ids.push(store.put(sample(1), None).await.unwrap().id);
    }
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
}

pub async fn a_range_counts_since_and_not_until(engine: &impl Engine) {
    let clock = FakeClock::default();
    let store = engine.open_with(&clock);
    // The second was made before the first and stored after it: the browser resent it later.
    let stored = [
        ("2026-11-05T12:00:00.000Z", "2026-11-05T12:00:00.100Z"),
        ("2026-11-01T12:00:00.000Z", "2026-11-06T12:00:00.000Z"),
        ("2026-11-08T12:00:00.000Z", "2026-11-08T12:00:00.000Z"),
        // The clock was set back between parsing and storing.
        ("2026-11-09T12:00:00.000Z", "2026-11-07T12:00:00.000Z"),
    ];
    for (n, (created, received)) in (0..).zip(stored) {
        clock.put(received);
        store.put(sample_at(created, n), None).await.unwrap();
    }
    let names = |since: &str, until: &str| {
        let time = |text: &str| (!text.is_empty()).then(|| text.parse().unwrap());
        let range = TimeRange {
            since: time(since),
            until: time(until),
        };
        let records = store.records(range);
        Box::pin(async move {
            let found = read(records.await.unwrap()).await.unwrap();
            found
                .iter()
                .map(|inquiry| inquiry.answers.last_name.as_str().replace("Meier ", ""))
                .collect::<String>()
        })
    };
    assert_eq!(names("", "").await, "0123");
    assert_eq!(names("2026-11-05T12:00:00Z", "").await, "023");
    assert_eq!(names("2026-11-05T12:00:00.001Z", "").await, "23");
    assert_eq!(names("", "2026-11-05T12:00:00Z").await, "1");
    assert_eq!(names("", "2026-11-05T12:00:00.001Z").await, "01");
    assert_eq!(names("2026-11-01T12:00:00Z", "2026-11-08T12:00:00Z").await, "01");
    assert_eq!(names("2026-11-09T12:00:00Z", "").await, "3");
    assert_eq!(names("2026-11-09T12:00:00Z", "2026-11-09T12:00:00Z").await, "");
    assert_eq!(names("1960-01-01T00:00:00Z", "").await, "0123");
}

pub async fn a_snapshot_does_not_change(engine: &impl Engine) {
    let store = engine.open();
    store.put(sample(1), None).await.unwrap();
    let before = store.records(TimeRange::default()).await.unwrap();
    store.put(sample(2), None).await.unwrap();
    assert_eq!(read(before).await.unwrap().len(), 1);
    assert_eq!(all(&store).await.len(), 2);
}

pub async fn inserts_and_erasures_at_once_lose_nothing(engine: &impl Engine) {
    let store = Arc::new(engine.open());
    let tasks: Vec<_> = (0..8_u64)
        .map(|task| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let mut kept = Vec::new();
                for number in 0..25 {
                    let inquiry = store.put(sample(task * 100 + number), None).await.unwrap();
                    if number % 5 == 0 {
                        assert_eq!(store.erase(ids(&[&inquiry])).await.unwrap(), 1);
                    } else {
                        kept.push(inquiry);
                    }
                }
                kept
            })
        })
        .collect();
    let mut kept = Vec::new();
    for task in tasks {
        kept.extend(task.await.unwrap());
    }
    kept.sort_by_key(|inquiry| inquiry.id);
    assert_eq!(all(&store).await, kept);
    drop(store);
    assert_eq!(all(&engine.open()).await, kept);
}
