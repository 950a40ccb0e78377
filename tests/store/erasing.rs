//! Erasing: all or nothing, for good, and beside everything else that goes on.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use taubenabwehr::domain::inquiry::NewInquiry;
use taubenabwehr::store::redb::CACHE_BYTES;
use taubenabwehr::store::{EraseError, Erasure, Store, TimeRange};

use crate::support::*;

/// An inquiry whose every personal field bears the number.
fn personal(number: u64) -> NewInquiry {
    let body = serde_json::json!({
        "created_at": "2026-11-08T12:00:00Z",
        "postal_code": "20095",
        "property_type": "residential",
        "first_name": format!("Vorname-{number:05}"),
        "last_name": format!("Nachname-{number:05}"),
        "email_address": format!("adresse-{number:05}@example.de"),
        "phone_number": format!("+49 40 {number:07}"),
    });
    let now = "2026-11-08T12:00:01Z".parse().unwrap();
    NewInquiry::parse(body.to_string().as_bytes(), now).unwrap()
}

/// An inquiry of a person with this name, twice.
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

fn holds(dir: &Path, text: &str) -> bool {
    let bytes = fs::read(file(dir)).unwrap();
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn what_is_erased_leaves_no_trace_in_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut stored = Vec::new();
    for number in 0..300 {
        stored.push(
            store
                .put(personal(number), key(&format!("key-{number}")))
                .await
                .unwrap(),
        );
    }
    for text in ["adresse-00150@", "Nachname-00150", "+49 40 0000150"] {
        assert!(holds(dir.path(), text), "{text}");
    }
    assert_eq!(store.erase(ids(&[&stored[150], &stored[0]])).await.unwrap(), 2);
    for gone in ["00150", "00000@", "0000150"] {
        assert!(!holds(dir.path(), gone), "{gone}");
    }
    assert!(holds(dir.path(), "adresse-00151@"));
    stored.retain(|inquiry| !inquiry.answers.email_address.as_str().contains("00150"));
    stored.remove(0);
    assert_eq!(all(&store).await, stored);
    assert!(!new_file(dir.path()).exists());

    let later = store.put(personal(300), None).await.unwrap();
    assert!(later.id > stored[297].id);
    stored.push(later);
    drop(store);
    assert_eq!(all(&Store::open(dir.path()).unwrap()).await, stored);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_meanwhile_reads_to_the_end() {
    // More than the cache of pages holds, so that the rest comes from the old file.
    let (long, count) = ("🕊".repeat(100), 2 * CACHE_BYTES as u64 / 1000);
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(dir.path()).unwrap());
    let tasks: Vec<_> = (0..400)
        .map(|_| {
            let (store, long) = (Arc::clone(&store), long.clone());
            tokio::spawn(async move {
                for _ in 0..count / 400 {
                    store.put(named(&long), None).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let mut reading = store.records(TimeRange::default()).await.unwrap();
    let total = usize::try_from(reading.total()).unwrap();
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
async fn who_waited_for_the_old_file_gets_the_new_one() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.put(sample(1), None).await.unwrap();
    let waiting = std::thread::spawn({
        let path = dir.path().to_owned();
        move || open_patiently(&path)
    });
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(store.erase(Erasure::Until(Timestamp::MAX)).await.unwrap(), 1);
    let second = store.put(sample(2), None).await.unwrap();
    drop(store);
    assert_eq!(all(&waiting.join().unwrap()).await, [second]);
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

    // What a crash left is no hindrance.
    fs::remove_dir(new_file(dir.path())).unwrap();
    fs::write(new_file(dir.path()), "half a file").unwrap();
    assert_eq!(store.erase(ids(&[&second])).await.unwrap(), 1);
    assert_eq!(all(&store).await, []);
    assert!(!holds(dir.path(), "Meier"));

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
