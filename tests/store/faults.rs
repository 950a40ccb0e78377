//! A disk that hangs: nothing is lost, no caller waits for long, and the store recovers with the disk.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use redb::StorageBackend;
use redb::backends::FileBackend;
use taubenabwehr::store::{DEADLINE, EraseError, Erasure, InsertError, Store, Unavailable};

use crate::support::*;

/// Controls a disk from a test.
#[derive(Debug, Clone, Default)]
struct Switch {
    hangs: Arc<(Mutex<bool>, Condvar)>,
    syncs: Arc<AtomicUsize>,
}

impl Switch {
    fn set_hangs(&self, hangs: bool) {
        *self.hangs.0.lock().unwrap() = hangs;
        self.hangs.1.notify_all();
    }

    fn syncs(&self) -> usize {
        self.syncs.load(Ordering::SeqCst)
    }

    fn wait(&self) {
        let hangs = self.hangs.0.lock().unwrap();
        drop(self.hangs.1.wait_while(hangs, |hangs| *hangs).unwrap());
    }

    /// Opens the store of a directory on this disk.
    fn store(&self, data_dir: &Path) -> Store {
        drop(Store::open(data_dir).unwrap());
        let (path, switch) = (file(data_dir), self.clone());
        let storage = move || {
            let file = std::fs::OpenOptions::new().read(true).write(true).open(&path)?;
            Ok(Disk {
                file: FileBackend::new(file).map_err(io::Error::other)?,
                switch: switch.clone(),
            })
        };
        let store = Store::open_storage(data_dir, storage, Arc::new(Timestamp::now));
        store.unwrap()
    }
}

#[derive(Debug)]
struct Disk {
    file: FileBackend,
    switch: Switch,
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.switch.wait();
        self.file.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.switch.wait();
        self.file.set_len(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.switch.wait();
        self.switch.syncs.fetch_add(1, Ordering::SeqCst);
        self.file.sync_data()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.switch.wait();
        self.file.write(offset, data)
    }
    fn close(&self) -> io::Result<()> {
        self.file.close()
    }
}

#[tokio::test]
async fn a_health_check_after_a_recent_commit_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Switch::default();
    let store = disk.store(dir.path());
    let before = disk.syncs();
    assert!(store.check_writable().await);
    assert!(disk.syncs() > before, "nothing was known of the disk");

    store.put(sample(1), None).await.unwrap();
    let before = disk.syncs();
    for _ in 0..100 {
        assert!(store.check_writable().await);
    }
    assert_eq!(disk.syncs(), before);
}

#[tokio::test]
async fn a_full_queue_is_unavailable_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Switch::default();
    let store = disk.store(dir.path());
    disk.set_hangs(true);
    let mut waiting = Vec::new();
    let refused = loop {
        let mut insert = Box::pin(store.put(sample(1), None));
        match poll_once(&mut insert).await {
            None => waiting.push(insert),
            Some(result) => break result,
        }
        // Fewer than the connections of a server.
        assert!(waiting.len() < 2048, "the queue has no bound");
    };
    assert_eq!(refused, Err(InsertError::Unavailable(Unavailable)));
    disk.set_hangs(false);
    let count = waiting.len();
    for insert in waiting {
        insert.await.unwrap();
    }
    assert_eq!(all(&store).await.len(), count);
}

#[tokio::test]
async fn nobody_waits_for_a_disk_that_hangs() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Switch::default();
    let store = disk.store(dir.path());
    let first = store.put(sample(1), key("first")).await.unwrap();
    disk.set_hangs(true);
    let stuck = key("stuck");
    // Concurrently, so that each waits behind the others.
    tokio::time::pause();
    let started = tokio::time::Instant::now();
    let (inserted, other, again, erased) = tokio::join!(
        store.put(sample(2), stuck.clone()),
        store.put(sample(3), None),
        store.put(sample(1), key("first")),
        store.erase(Erasure::Ids([first.id].into())),
    );
    for inserted in [inserted, other, again] {
        assert_eq!(inserted, Err(InsertError::Unavailable(Unavailable)));
    }
    assert!(matches!(erased, Err(EraseError::Unavailable(_))), "{erased:?}");
    assert!(started.elapsed() >= DEADLINE && started.elapsed() < Duration::from_secs(10));

    // The last commit may still be recent by the real clock, which stands still.
    tokio::join!(
        store.check_writable(),
        store.check_writable(),
        store.check_writable()
    );
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "checks waited for each other"
    );
    assert!(!store.close(Duration::from_secs(2)).await, "it cannot be closed");
    tokio::time::resume();

    disk.set_hangs(false);
    assert!(store.close(Duration::from_secs(100)).await);
    let store = Store::open(dir.path()).unwrap();
    let stored = all(&store).await;
    assert!(
        stored.contains(&first),
        "an erasure that was given up was done later"
    );
    // A request that timed out may have been stored; its key prevents a duplicate.
    let repeated = store.put(sample(2), stuck).await.unwrap();
    let of_key = |inquiry: &&taubenabwehr::domain::inquiry::Inquiry| inquiry.answers == repeated.answers;
    assert_eq!(all(&store).await.iter().filter(of_key).count(), 1);
}
