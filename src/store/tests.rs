//! Tests of the store as a whole.

mod damage;
mod dice;
mod disk;
mod erasing;
mod erasing_steps;
mod faults;
mod files;
mod image;
mod steps;

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::SignedDuration;
use tempfile::TempDir;
use uuid::Uuid;

use super::*;

/// An inquiry; each number gives another.
pub fn sample(number: u64) -> NewInquiry {
    sample_at("2026-11-08T12:00:00.123Z", number)
}

/// An inquiry made at a time.
pub fn sample_at(created_at: &str, number: u64) -> NewInquiry {
    let body = serde_json::json!({
        "created_at": created_at,
        "postal_code": "20095",
        "property_type": "residential",
        "types_of_problems": "nesting,other",
        "problem_locations": "roof",
        "first_name": "Anna",
        "last_name": format!("Meier {number}"),
        "email_address": "anna@example.de",
        "phone_number": "+49 40 1234567",
    });
    let at: Timestamp = created_at.parse().unwrap();
    NewInquiry::parse(body.to_string().as_bytes(), at + SignedDuration::from_secs(1)).unwrap()
}

/// The key that `insert` takes.
pub fn key(text: &str) -> Option<IdempotencyKey> {
    Some(IdempotencyKey::parse(text.as_bytes()).unwrap())
}

fn all(store: &Store) -> Vec<Inquiry> {
    let snapshot = store.snapshot().unwrap();
    let inquiries: Vec<Inquiry> = snapshot
        .inquiries(TimeRange::default())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(snapshot.count(), Ok(inquiries.len() as u64));
    inquiries
}

/// A directory in memory, where there is one: none of this needs a real disk, and hundreds of syncs would take long.
pub fn directory_in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// A clock that stands where it was put.
#[derive(Clone, Default)]
struct Hands(Arc<AtomicI64>);

impl Hands {
    fn put(&self, time: &str) {
        let time: Timestamp = time.parse().unwrap();
        self.0.store(time.as_millisecond(), Ordering::SeqCst);
    }

    fn store(&self, dir: &Path) -> Store {
        let hands = Arc::clone(&self.0);
        let clock = move || Timestamp::from_millisecond(hands.load(Ordering::SeqCst)).unwrap();
        let database = open::or_create(dir, Duration::ZERO).unwrap();
        Store::with(database, Place::of(dir), Arc::new(clock)).unwrap()
    }
}

#[tokio::test]
async fn what_is_inserted_is_there_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let mut stored = Vec::new();
    for round in 0..3 {
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(all(&store), stored);
        for n in 0..5 {
            let inquiry = store.insert(sample(round * 5 + n), None).await.unwrap();
            assert_eq!(inquiry, sample(round * 5 + n).with_id(inquiry.id));
            stored.push(inquiry);
        }
        assert_eq!(all(&store), stored);
    }
    assert!(stored.is_sorted_by(|a, b| a.id < b.id));
    assert_eq!(stored.len(), 15);
}

#[tokio::test]
async fn a_key_gives_the_same_inquiry_again() {
    let dir = tempfile::tempdir().unwrap();
    let first = {
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(store.replay(&key("k").unwrap(), &sample(1)), Ok(None));
        let first = store.insert(sample(1), key("k")).await.unwrap();
        assert_eq!(store.insert(sample(1), key("k")).await, Ok(first.clone()));
        first
    };
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.insert(sample(1), key("k")).await, Ok(first.clone()));
    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(1)),
        Ok(Some(first.clone()))
    );
    assert_eq!(
        store.insert(sample(2), key("k")).await,
        Err(InsertError::KeyReused)
    );
    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(2)),
        Err(InsertError::KeyReused)
    );
    assert_eq!(store.replay(&key("K").unwrap(), &sample(1)), Ok(None));
    assert_eq!(all(&store), [first]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_are_stored_once_each() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(dir.path()).unwrap());
    let tasks: Vec<_> = (0..300_u64)
        .map(|n| {
            let store = Arc::clone(&store);
            // Three ask with each key: two with the same request, one with another.
            let inquiry = sample(if n % 3 == 2 { n } else { n / 3 * 3 });
            tokio::spawn(async move { store.insert(inquiry, key(&format!("key-{}", n / 3))).await })
        })
        .collect();
    let mut ids = Vec::new();
    let mut reused = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(inquiry) => ids.push(inquiry.id),
            Err(InsertError::KeyReused) => reused += 1,
            Err(InsertError::Unavailable) => panic!("there is room for 300"),
        }
    }
    ids.sort_unstable();
    ids.dedup();
    let stored: Vec<Uuid> = all(&store).iter().map(|inquiry| inquiry.id).collect();
    assert_eq!(stored, ids);
    assert_eq!(stored.len(), 100);
    assert!((100..=200).contains(&reused), "{reused}");
}

#[tokio::test]
async fn keys_are_forgotten_after_seven_days() {
    let dir = tempfile::tempdir().unwrap();
    let hands = Hands::default();
    hands.put("2026-11-08T12:00:00Z");
    let store = hands.store(dir.path());
    let first = store.insert(sample(1), key("k")).await.unwrap();
    hands.put("2026-11-15T11:59:59.999Z");
    assert_eq!(store.insert(sample(1), key("k")).await.unwrap().id, first.id);
    assert_eq!(
        store.insert(sample(2), key("k")).await,
        Err(InsertError::KeyReused)
    );
    hands.put("2026-11-15T12:00:00Z");
    assert_eq!(store.replay(&key("k").unwrap(), &sample(2)), Ok(None));
    let second = store.insert(sample(2), key("k")).await.unwrap();
    assert_eq!(store.replay(&key("k").unwrap(), &sample(2)), Ok(Some(second)));
    assert_eq!(all(&store).len(), 2);
}

#[tokio::test]
async fn each_write_forgets_some_expired_keys() {
    let dir = tempfile::tempdir().unwrap();
    let hands = Hands::default();
    hands.put("2026-11-08T12:00:00Z");
    let store = hands.store(dir.path());
    for n in 0..40 {
        store.insert(sample(n), key(&format!("old-{n}"))).await.unwrap();
    }
    let count = || store.read(|database| Ok(keys::count(database))).unwrap();
    assert_eq!(count(), (40, 40));
    hands.put("2026-11-16T12:00:00Z");
    store.insert(sample(41), key("new")).await.unwrap();
    assert_eq!(count(), (40 - 18 + 1, 40 - 18 + 1));
    for n in 42..45 {
        store.insert(sample(n), None).await.unwrap();
    }
    assert_eq!(count(), (1, 1));
    assert!(store.replay(&key("new").unwrap(), &sample(41)).unwrap().is_some());
}

#[tokio::test]
async fn ids_grow_when_the_clock_goes_back_and_over_restarts() {
    let dir = tempfile::tempdir().unwrap();
    let hands = Hands::default();
    let mut ids = Vec::new();
    for time in [
        "2026-11-10T00:00:00Z",
        "2026-11-09T00:00:00Z",
        "2026-11-09T12:00:00Z",
        "2026-11-08T00:00:00Z",
    ] {
        hands.put(time);
        let store = hands.store(dir.path());
        ids.push(store.insert(sample(1), None).await.unwrap().id);
        ids.push(store.insert(sample(1), None).await.unwrap().id);
    }
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
}

#[tokio::test]
async fn a_range_counts_since_and_not_until() {
    let dir = tempfile::tempdir().unwrap();
    let hands = Hands::default();
    let store = hands.store(dir.path());
    // The second was made before the first and stored after it: sent again later by the browser.
    let stored = [
        ("2026-11-05T12:00:00.000Z", "2026-11-05T12:00:00.100Z"),
        ("2026-11-01T12:00:00.000Z", "2026-11-06T12:00:00.000Z"),
        ("2026-11-08T12:00:00.000Z", "2026-11-08T12:00:00.000Z"),
        // The clock was set back between parsing and storing.
        ("2026-11-09T12:00:00.000Z", "2026-11-07T12:00:00.000Z"),
    ];
    for (n, (created, received)) in (0..).zip(stored) {
        hands.put(received);
        store.insert(sample_at(created, n), None).await.unwrap();
    }
    let names = |since: &str, until: &str| {
        let time = |text: &str| (!text.is_empty()).then(|| text.parse().unwrap());
        let range = TimeRange {
            since: time(since),
            until: time(until),
        };
        let found = store.snapshot().unwrap().inquiries(range).unwrap();
        found
            .map(|i| i.unwrap().answers.last_name.as_str().replace("Meier ", ""))
            .collect::<String>()
    };
    assert_eq!(names("", ""), "0123");
    assert_eq!(names("2026-11-05T12:00:00Z", ""), "023");
    assert_eq!(names("2026-11-05T12:00:00.001Z", ""), "23");
    assert_eq!(names("", "2026-11-05T12:00:00Z"), "1");
    assert_eq!(names("", "2026-11-05T12:00:00.001Z"), "01");
    assert_eq!(names("2026-11-01T12:00:00Z", "2026-11-08T12:00:00Z"), "01");
    assert_eq!(names("2026-11-09T12:00:00Z", ""), "3");
    assert_eq!(names("2026-11-09T12:00:00Z", "2026-11-09T12:00:00Z"), "");
    assert_eq!(names("1960-01-01T00:00:00Z", ""), "0123");
}

#[tokio::test]
async fn a_snapshot_does_not_change() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.insert(sample(1), None).await.unwrap();
    let before = store.snapshot().unwrap();
    store.insert(sample(2), None).await.unwrap();
    assert_eq!(before.count(), Ok(1));
    assert_eq!(before.inquiries(TimeRange::default()).unwrap().count(), 1);
    assert_eq!(all(&store).len(), 2);
}

#[tokio::test]
async fn a_closed_store_is_unavailable_and_has_kept_all() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(dir.path()).unwrap());
    let mut waiting = Vec::new();
    for n in 0..100 {
        let mut insert = Box::pin(store.insert(sample(n), None));
        // Polled once, so that it stands in the queue before the store is closed, or is stored already.
        match futures_poll_once(&mut insert).await {
            Some(stored) => assert!(stored.is_ok()),
            None => waiting.push(insert),
        }
    }
    store.close();
    for insert in waiting {
        assert!(insert.await.is_ok());
    }
    assert_eq!(store.insert(sample(1), None).await, Err(InsertError::Unavailable));
    assert!(!store.check_writable().await);
    assert!(store.snapshot().is_err());
    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(1)),
        Err(InsertError::Unavailable)
    );
    store.close();
    assert_eq!(all(&Store::open(dir.path()).unwrap()).len(), 100);
}

/// The result, if it is there at once.
async fn futures_poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    std::future::poll_fn(|context| {
        use std::task::Poll;
        Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        })
    })
    .await
}
