//! A disk that fails: nothing is lost, and the store works again when the disk does.

use std::io;
use std::sync::atomic::AtomicBool;

use redb::StorageBackend;
use redb::backends::FileBackend;

use super::*;

/// A disk that refuses to grow or write while it is told to.
#[derive(Debug)]
struct Disk {
    file: FileBackend,
    full: Arc<AtomicBool>,
}

impl Disk {
    fn check(&self) -> io::Result<()> {
        if self.full.load(Ordering::SeqCst) {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            Ok(())
        }
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.check()?;
        self.file.set_len(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.check()?;
        self.file.sync_data()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.check()?;
        self.file.write(offset, data)
    }
    fn close(&self) -> io::Result<()> {
        self.file.close()
    }
}

#[tokio::test]
async fn a_full_disk_is_unavailable_and_recovers() {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    let full = Arc::new(AtomicBool::new(false));
    let open = {
        let (path, full) = (directory::file(dir.path()), Arc::clone(&full));
        move || {
            let file = std::fs::OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .unwrap();
            let disk = Disk {
                file: FileBackend::new(file).unwrap(),
                full: Arc::clone(&full),
            };
            Database::builder()
                .create_with_backend(disk)
                .map_err(|_| OpenError::Locked(path.clone()))
        }
    };
    let database = open().unwrap();
    let place = Place {
        data_dir: dir.path().to_owned(),
        reopen: Box::new(open),
    };
    let store = Store::with(database, place, Arc::new(Timestamp::now)).unwrap();
    let first = store.insert(sample(1), key("first")).await.unwrap();
    assert!(store.check_writable().await);

    full.store(true, Ordering::SeqCst);
    for n in 2..6 {
        assert_eq!(store.insert(sample(n), None).await, Err(InsertError::Unavailable));
    }
    assert_eq!(store.snapshot().map(|_| ()), Err(Unavailable));
    // What was found less than a second ago is known to be wrong.
    assert!(!store.check_writable().await);

    full.store(false, Ordering::SeqCst);
    let started = Instant::now();
    let again = loop {
        match store.insert(sample(6), None).await {
            Ok(inquiry) => break inquiry,
            Err(error) => assert_eq!(error, InsertError::Unavailable),
        }
        assert!(started.elapsed() < Duration::from_secs(10), "it does not recover");
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert!(again.id > first.id);
    assert_eq!(all(&store), [first.clone(), again]);
    assert_eq!(store.insert(sample(1), key("first")).await, Ok(first));
    tokio::time::sleep(CHECK_TTL).await;
    assert!(store.check_writable().await);
}

#[tokio::test]
#[expect(
    clippy::await_holding_lock,
    reason = "nothing else runs in this test that could want it"
)]
async fn a_full_queue_is_unavailable_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    // While the database is taken away for reading and writing, the writer waits.
    let held = store.database.write().unwrap();
    let mut waiting = Vec::new();
    let refused = loop {
        let mut insert = Box::pin(store.insert(sample(1), None));
        match futures_poll_once(&mut insert).await {
            None => waiting.push(insert),
            Some(result) => break result,
        }
        assert!(waiting.len() < 100_000, "the queue has no bound");
    };
    assert_eq!(refused, Err(InsertError::Unavailable));
    drop(held);
    let count = waiting.len();
    for insert in waiting {
        insert.await.unwrap();
    }
    assert_eq!(all(&store).len(), count);
}
