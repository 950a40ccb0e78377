//! Erasing: all or nothing, for good, and beside everything else that goes on.

use std::collections::BTreeSet;
use std::fs;

use super::*;

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

fn ids(inquiries: &[&Inquiry]) -> Erasure {
    Erasure::Ids(inquiries.iter().map(|inquiry| inquiry.id).collect())
}

fn holds(dir: &Path, text: &str) -> bool {
    let bytes = fs::read(directory::file(dir)).unwrap();
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
                .insert(personal(number), key(&format!("key-{number}")))
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
    stored.retain(|inquiry| !inquiry.answers.email.as_str().contains("00150"));
    stored.remove(0);
    assert_eq!(all(&store), stored);
    assert!(!directory::new_file(dir.path()).exists());

    let later = store.insert(personal(300), None).await.unwrap();
    assert!(later.id > stored[297].id);
    stored.push(later);
    drop(store);
    assert_eq!(all(&Store::open(dir.path()).unwrap()), stored);
}

#[tokio::test]
async fn one_unknown_id_and_nothing_is_erased() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let first = store.insert(sample(1), None).await.unwrap();
    let unknown = Uuid::from_u128(7);
    let what = Erasure::Ids(BTreeSet::from([first.id, unknown]));
    let error = store.erase(what).await.unwrap_err();
    assert!(
        matches!(error, EraseError::Unknown(id) if id == unknown),
        "{error}"
    );
    assert_eq!(all(&store), [first]);
}

#[tokio::test]
async fn until_is_exclusive_and_asks_when_the_inquiry_was_made() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    // The second was made before the first and stored after it.
    for (number, made) in (0..).zip(["12:00:00.001", "11:59:59.999", "12:00:00.000"]) {
        store
            .insert(sample_at(&format!("2026-11-08T{made}Z"), number), None)
            .await
            .unwrap();
    }
    let noon = Erasure::Until("2026-11-08T12:00:00Z".parse().unwrap());
    assert_eq!(store.erase(noon.clone()).await.unwrap(), 1);
    assert_eq!(all(&store).len(), 2);
    let before = fs::read(directory::file(dir.path())).unwrap();
    assert_eq!(store.erase(noon).await.unwrap(), 0);
    assert!(
        fs::read(directory::file(dir.path())).unwrap() == before,
        "there was nothing to do"
    );
    assert_eq!(store.erase(Erasure::Until(Timestamp::MAX)).await.unwrap(), 2);
    assert_eq!(all(&store), []);
}

#[tokio::test]
async fn a_repeated_request_does_not_bring_an_erased_inquiry_back() {
    let dir = tempfile::tempdir().unwrap();
    let hands = Hands::default();
    hands.put("2026-11-08T12:00:00Z");
    let store = hands.store(dir.path());
    let first = store.insert(sample(1), key("k")).await.unwrap();
    let other = store.insert(sample(2), key("other")).await.unwrap();
    assert_eq!(store.erase(ids(&[&first])).await.unwrap(), 1);
    let digest = sample(1).fingerprint();
    assert!(
        !fs::read(directory::file(dir.path()))
            .unwrap()
            .windows(8)
            .any(|bytes| bytes == &digest[..8])
    );
    // Erased twice, it is known as well as erased once.
    let again = store.insert(sample(3), None).await.unwrap();
    assert_eq!(store.erase(ids(&[&again])).await.unwrap(), 1);

    assert_eq!(
        store.replay(&key("k").unwrap(), &sample(1)),
        Ok(Some(first.clone()))
    );
    assert_eq!(store.insert(sample(1), key("k")).await, Ok(first));
    assert_eq!(
        store.insert(sample(2), key("k")).await,
        Err(InsertError::KeyReused)
    );
    assert_eq!(store.insert(sample(2), key("other")).await, Ok(other.clone()));
    assert_eq!(all(&store), [other]);

    hands.put("2026-11-15T12:00:00Z");
    store.insert(sample(1), key("k")).await.unwrap();
    assert_eq!(all(&store).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_meanwhile_reads_to_the_end() {
    // More than the cache of pages holds, so that the rest comes from the old file.
    let (long, count) = ("🕊".repeat(100), 2 * open::CACHE_BYTES as u64 / 1000);
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(dir.path()).unwrap());
    let tasks: Vec<_> = (0..400)
        .map(|_| {
            let (store, long) = (Arc::clone(&store), long.clone());
            tokio::spawn(async move {
                for _ in 0..count / 400 {
                    store.insert(named(&long), None).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let snapshot = store.snapshot().unwrap();
    let total = usize::try_from(snapshot.count().unwrap()).unwrap();
    let mut reading = snapshot.inquiries(TimeRange::default()).unwrap();
    assert!(reading.next().unwrap().is_ok());
    assert_eq!(
        store.erase(Erasure::Until(Timestamp::MAX)).await.unwrap(),
        total as u64
    );
    assert_eq!(all(&store), []);
    assert_eq!(reading.flatten().count(), total - 1);
    drop(snapshot);
    store.close();
    assert_eq!(all(&Store::open_existing(dir.path()).unwrap()), []);
}

#[tokio::test]
async fn who_waited_for_the_old_file_gets_the_new_one() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.insert(sample(1), None).await.unwrap();
    let waiting = std::thread::spawn({
        let path = dir.path().to_owned();
        move || Store::open(&path)
    });
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(store.erase(Erasure::Until(Timestamp::MAX)).await.unwrap(), 1);
    let second = store.insert(sample(2), None).await.unwrap();
    drop(store);
    assert_eq!(all(&waiting.join().unwrap().unwrap()), [second]);
}

#[tokio::test]
async fn what_cannot_be_written_anew_stays() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let first = store.insert(sample(1), None).await.unwrap();
    // A directory in the way of the new file.
    fs::create_dir(directory::new_file(dir.path())).unwrap();
    let error = store.erase(ids(&[&first])).await.unwrap_err();
    assert!(matches!(error, EraseError::Open(_)), "{error}");
    let second = store.insert(sample(2), None).await.unwrap();
    assert_eq!(all(&store), [first.clone(), second.clone()]);

    // What a crash left is no hindrance.
    fs::remove_dir(directory::new_file(dir.path())).unwrap();
    fs::write(directory::new_file(dir.path()), "half a file").unwrap();
    assert_eq!(store.erase(ids(&[&first])).await.unwrap(), 1);
    assert_eq!(all(&store), [second]);

    store.close();
    let error = store.erase(Erasure::Until(Timestamp::MAX)).await.unwrap_err();
    assert!(matches!(error, EraseError::Unavailable), "{error}");
}

#[tokio::test]
async fn of_a_link_nothing_is_erased() {
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    drop(Store::open(dir.path()).unwrap());
    let (link, real) = (directory::file(dir.path()), directory::file(elsewhere.path()));
    fs::rename(&link, &real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let first = store.insert(sample(1), None).await.unwrap();
    let error = store.erase(ids(&[&first])).await.unwrap_err();
    assert!(matches!(error, EraseError::Open(OpenError::Link(_))), "{error}");
    assert_eq!(all(&store), [first]);
}

#[tokio::test(flavor = "multi_thread")]
async fn inserts_and_erasures_at_once_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(dir.path()).unwrap());
    let tasks: Vec<_> = (0..8_u64)
        .map(|task| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let mut kept = Vec::new();
                for number in 0..25 {
                    let inquiry = store.insert(sample(task * 100 + number), None).await.unwrap();
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
    assert_eq!(all(&store), kept);
    drop(store);
    assert_eq!(all(&Store::open(dir.path()).unwrap()), kept);
}
