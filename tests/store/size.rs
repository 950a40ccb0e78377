//! The file stays as small as its content.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::store::{Inserted, Store, TimeRange};

use crate::support::*;

fn open(data_dir: &Path, clock: &FakeClock) -> Arc<Store> {
    let store = Store::open_with_clock(data_dir, Duration::ZERO, clock.clock());
    Arc::new(store.unwrap())
}

/// Stores inquiries with these numbers, each with its own key: at most as many at once as the writer's queue holds.
pub async fn fill(store: &Arc<Store>, numbers: std::ops::Range<u64>) {
    let numbers: Vec<u64> = numbers.collect();
    for some in numbers.chunks(500) {
        let tasks: Vec<_> = some
            .iter()
            .map(|&number| {
                let store = Arc::clone(store);
                tokio::spawn(async move { store.put(sample(number), key(&format!("key-{number}"))).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn compaction_gives_back_the_pages_of_expired_keys() {
    let dir = directory_in_memory();
    let len = || fs::metadata(file(dir.path())).unwrap().len();
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = open(dir.path(), &clock);
    fill(&store, 0..9_000).await;
    // However requests share commits, the file is long: it also contains replaced data.
    let reader = store.records(TimeRange::default()).await.unwrap();
    fill(&store, 9_000..10_000).await;
    drop(reader);
    let full = len();

    clock.put("2026-11-16T12:00:00Z");
    fill(&store, 10_600..10_700).await;
    // Each of them removes some expired keys. Pages freed by a commit are available after the next ones, so small commits come
    // last.
    for number in 10_000..10_600 {
        store.put(sample(number), None).await.unwrap();
    }
    let snapshot = store.records(TimeRange::default()).await.unwrap();
    let before = all(&store).await;
    assert!(compact(&store).await);
    assert!(len() * 2 < full, "{} of {full}", len());
    assert!(!compact(&store).await, "there is nothing left to do");

    // Nothing is lost for readers, keys and the next start.
    assert_eq!(read(snapshot).await.unwrap(), before);
    let first = store
        .insert(sample(10_600), NewReferral::default(), key("key-10600"))
        .await
        .unwrap();
    assert!(matches!(first, Inserted::Replayed(_)));
    let later = store.put(sample(1), None).await.unwrap();
    drop(store);
    assert_eq!(
        all(&open(dir.path(), &clock)).await,
        [before, vec![later]].concat()
    );
}

async fn compact(store: &Store) -> bool {
    store.compact().await.unwrap()
}
