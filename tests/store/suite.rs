//! What every engine must do: the cases know the facade and nothing of the engine.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::store::{EraseError, Erasure, InsertError, Inserted, TimeRange, Unavailable};
use uuid::Uuid;

use crate::engines::Engine;
use crate::support::*;

/// How long closing may take.
const PATIENCE: Duration = Duration::from_secs(100);

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

pub async fn a_key_gives_the_same_inquiry_again(engine: &impl Engine) {
    let first = {
        let store = engine.open();
        assert_eq!(store.replay(&key("k").unwrap(), &sample(1), "").await, Ok(None));
        let first = store.put(sample(1), key("k")).await.unwrap();
        assert_eq!(
            store.insert(sample(1), NewReferral::default(), key("k")).await,
            Ok(Inserted::Replayed(first.clone()))
        );
        first
    };
    let store = engine.open();
    assert_eq!(store.put(sample(1), key("k")).await, Ok(first.clone()));
    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(1), "").await,
        Ok(Some(first.clone()))
    );
    assert_eq!(store.put(sample(2), key("k")).await, Err(InsertError::KeyReused));
    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(2), "").await,
        Err(InsertError::KeyReused)
    );
    assert_eq!(store.replay(&key("K").unwrap(), &sample(1), "").await, Ok(None));
    assert_eq!(all(&store).await, [first]);
}

pub async fn many_at_once_are_stored_once_each(engine: &impl Engine) {
    let store = Arc::new(engine.open());
    let tasks: Vec<_> = (0..300_u64)
        .map(|n| {
            let store = Arc::clone(&store);
            // Three ask with each key: two with the same request, one with another.
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

pub async fn keys_are_forgotten_after_seven_days(engine: &impl Engine) {
    let clock = FakeClock::default();
    clock.put("2026-11-08T12:00:00Z");
    let store = engine.open_with(&clock);
    let first = store.put(sample(1), key("k")).await.unwrap();
    clock.put("2026-11-15T11:59:59.999Z");
    assert_eq!(store.put(sample(1), key("k")).await.unwrap().id, first.id);
    assert_eq!(store.put(sample(2), key("k")).await, Err(InsertError::KeyReused));
    clock.put("2026-11-15T12:00:00Z");
    assert_eq!(store.replay(&key("k").unwrap(), &sample(2), "").await, Ok(None));
    let second = store.put(sample(2), key("k")).await.unwrap();
    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(2), "").await,
        Ok(Some(second))
    );
    assert_eq!(all(&store).await.len(), 2);
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

pub async fn what_is_stored_after_a_clock_was_set_right_has_the_right_time(engine: &impl Engine) {
    let clock = FakeClock::default();
    for (number, time) in (0..).step_by(2).zip([
        "2026-11-10T12:00:00.000Z",
        // Ahead by days and by years, behind by years and by days.
        "2026-11-20T12:00:00.000Z",
        "2026-11-10T13:00:00.000Z",
        "2030-01-01T00:00:00.000Z",
        "2026-11-10T14:00:00.000Z",
        "1990-01-01T00:00:00.000Z",
        "2026-11-10T15:00:00.000Z",
        "2026-11-01T00:00:00.000Z",
    ]) {
        clock.put(time);
        let store = engine.open_with(&clock);
        for number in [number, number + 1] {
            let id = store.put(sample_at(time, number), None).await.unwrap().id;
            let received = store.record(id).await.unwrap().unwrap().received_at();
            assert_eq!(received, Some(time.parse().unwrap()));
        }
    }
}

pub async fn a_range_counts_since_and_not_until(engine: &impl Engine) {
    let clock = FakeClock::default();
    let store = engine.open_with(&clock);
    // The second was made before the first and stored after it: sent again later by the browser.
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
    assert_eq!(before.total(), 1);
    assert_eq!(read(before).await.unwrap().len(), 1);
    assert_eq!(all(&store).await.len(), 2);
}

pub async fn a_closed_store_is_unavailable_and_has_kept_all(engine: &impl Engine) {
    let store = Arc::new(engine.open());
    let mut waiting = Vec::new();
    for n in 0..100 {
        let mut insert = Box::pin(store.put(sample(n), None));
        // Polled once, so that it is queued before the store is closed, or is stored already.
        match poll_once(&mut insert).await {
            Some(stored) => assert!(stored.is_ok()),
            None => waiting.push(insert),
        }
    }
    store.close(PATIENCE).await;
    for insert in waiting {
        assert!(insert.await.is_ok());
    }
    assert_eq!(
        store.put(sample(1), None).await,
        Err(InsertError::Unavailable(Unavailable))
    );
    assert!(!store.check_writable().await);
    assert!(store.records(TimeRange::default()).await.is_err());
    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(1), "").await,
        Err(InsertError::Unavailable(Unavailable))
    );
    store.close(PATIENCE).await;
    assert_eq!(all(&engine.open()).await.len(), 100);
}

pub async fn one_unknown_id_and_nothing_is_erased(engine: &impl Engine) {
    let store = engine.open();
    let first = store.put(sample(1), None).await.unwrap();
    let unknown = Uuid::from_u128(7);
    let what = Erasure::Ids(BTreeSet::from([first.id, unknown]));
    let error = store.erase(what).await.unwrap_err();
    assert!(
        matches!(error, EraseError::Unknown(id) if id == unknown),
        "{error}"
    );
    assert_eq!(all(&store).await, [first]);
}

pub async fn until_is_exclusive_and_asks_when_the_inquiry_was_made(engine: &impl Engine) {
    let store = engine.open();
    // The second was made before the first and stored after it.
    for (number, made) in (0..).zip(["12:00:00.001", "11:59:59.999", "12:00:00.000"]) {
        store
            .put(sample_at(&format!("2026-11-08T{made}Z"), number), None)
            .await
            .unwrap();
    }
    let noon = Erasure::Until("2026-11-08T12:00:00Z".parse().unwrap());
    assert_eq!(store.erase(noon.clone()).await.unwrap(), 1);
    assert_eq!(all(&store).await.len(), 2);
    assert_eq!(store.erase(noon).await.unwrap(), 0);
    assert_eq!(store.erase(Erasure::Until(Timestamp::MAX)).await.unwrap(), 2);
    assert_eq!(all(&store).await, []);
}

pub async fn a_repeated_request_does_not_bring_an_erased_inquiry_back(engine: &impl Engine) {
    let clock = FakeClock::default();
    clock.put("2026-11-08T12:00:00Z");
    let store = engine.open_with(&clock);
    let first = store.put(sample(1), key("k")).await.unwrap();
    let other = store.put(sample(2), key("other")).await.unwrap();
    assert_eq!(store.erase(ids(&[&first])).await.unwrap(), 1);
    // Erased twice, it is known as well as erased once.
    let again = store.put(sample(3), None).await.unwrap();
    assert_eq!(store.erase(ids(&[&again])).await.unwrap(), 1);

    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(1), "").await,
        Ok(Some(first.clone()))
    );
    assert_eq!(store.put(sample(1), key("k")).await, Ok(first));
    assert_eq!(store.put(sample(2), key("k")).await, Err(InsertError::KeyReused));
    assert_eq!(store.put(sample(2), key("other")).await, Ok(other.clone()));
    assert_eq!(all(&store).await, [other]);

    clock.put("2026-11-15T12:00:00Z");
    store.put(sample(1), key("k")).await.unwrap();
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
