//! Erasing: complete or not at all, permanent, and concurrent with other operations.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use taubenabwehr::domain::inquiry::NewInquiry;
use taubenabwehr::store::redb::CACHE_BYTES;
use taubenabwehr::store::{EraseError, Erasure, Store, TimeRange};

use crate::support::*;

/// An inquiry that contains this name twice.
fn named(name: &str) -> NewInquiry {
    let body = serde_json::json!({
        "postal_code": "20095",
        "property_type": "residential",
        "first_name": name,
        "last_name": name,
        "email_address": "anna@example.de",
        "phone_number": "+49 40 1234567",
    });
    NewInquiry::parse(body.to_string().as_bytes(), Timestamp::now()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_meanwhile_reads_to_the_end() {
    // More than the page cache holds, so that the rest comes from the old file.
    let (long, each) = ("🕊".repeat(100), 2 * CACHE_BYTES / 1000 / 400);
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(dir.path()).unwrap());
    let tasks: Vec<_> = (0..400)
        .map(|_| {
            let (store, long) = (Arc::clone(&store), long.clone());
            tokio::spawn(async move {
                for _ in 0..each {
                    store.put(named(&long), None).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let mut reading = store.records(TimeRange::default()).await.unwrap();
    let total = 400 * each;
    assert!(reading.next().await.unwrap().is_some());
    assert_eq!(
        store.erase(Erasure::Until(Timestamp::MAX)).await.unwrap(),
        total as u64
    );
    assert_eq!(all(&store).await, []);
    let mut rest = 0;
    while reading.next().await.unwrap().is_some() {
        rest += 1;
    }
    assert_eq!(rest, total - 1);
    store.close(Duration::from_secs(100)).await;
    assert_eq!(all(&Store::open_existing(dir.path()).unwrap()).await, []);
}

#[tokio::test]
async fn what_cannot_be_written_anew_leaves_traces_until_it_can() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let first = store.put(sample(1), None).await.unwrap();
    // A directory in the way of the new file.
    fs::create_dir(new_file(dir.path())).unwrap();
    let error = store.erase(ids(&[&first])).await.unwrap_err();
    assert!(matches!(error, EraseError::Traces { count: 1, .. }), "{error}");
    let text = error.to_string();
    assert!(
        text.starts_with("erased inquiries: 1; but traces of them remain in the file: "),
        "{text}"
    );
    assert!(
        text.ends_with("; free some space there, and the server removes them within a minute"),
        "{text}"
    );
    let second = store.put(sample(2), None).await.unwrap();
    assert_eq!(all(&store).await, std::slice::from_ref(&second));

    // A file left by a crash does no harm.
    fs::remove_dir(new_file(dir.path())).unwrap();
    fs::write(new_file(dir.path()), "half a file").unwrap();
    assert_eq!(store.erase(ids(&[&second])).await.unwrap(), 1);
    assert_eq!(all(&store).await, []);
    assert!(!holds(dir.path(), b"Meier"));

    store.close(Duration::from_secs(100)).await;
    let error = store.erase(Erasure::Until(Timestamp::MAX)).await.unwrap_err();
    assert!(matches!(error, EraseError::Unavailable(_)), "{error}");
}

#[tokio::test]
async fn of_a_link_traces_remain() {
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    drop(Store::open(dir.path()).unwrap());
    let (link, real) = (file(dir.path()), file(elsewhere.path()));
    fs::rename(&link, &real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let first = store.put(sample(1), None).await.unwrap();
    let error = store.erase(ids(&[&first])).await.unwrap_err();
    assert!(matches!(error, EraseError::Traces { .. }), "{error}");
    assert!(error.to_string().contains("inquiries.redb is a link"), "{error}");
    assert_eq!(all(&store).await, []);
}
