//! Helpers for all cases.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;
use taubenabwehr::domain::inquiry::{Inquiry, NewInquiry};
use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::store::Clock;
use taubenabwehr::store::erased_list::Erased;
use taubenabwehr::store::{
    Erasure, IdempotencyKey, InquiryRecords, InsertError, Inserted, Location, Restored, RowSource, Store,
    TimeRange, TransferError, Unavailable,
};
use tempfile::TempDir;

pub use crate::inquiries::{sample, sample_at, sample_of};

/// A key in the form that `insert` takes.
#[expect(clippy::unnecessary_wraps, reason = "as `insert` takes it")]
pub fn key(text: &str) -> Option<IdempotencyKey> {
    Some(IdempotencyKey::parse(text.as_bytes()).unwrap())
}

/// Opens a store that another process holds for longer than opening waits.
pub fn open_patiently(dir: &Path) -> Store {
    loop {
        match Store::open(dir) {
            Err(error) if error.is_in_use() => {}
            opened => break opened.unwrap(),
        }
    }
}

/// All inquiries of a stream.
pub async fn read(mut records: InquiryRecords) -> Result<Vec<Inquiry>, Unavailable> {
    let mut found = Vec::new();
    while let Some(record) = records.next().await? {
        found.extend(record.inquiry);
    }
    Ok(found)
}

/// All inquiries of a store.
pub async fn all(store: &Store) -> Vec<Inquiry> {
    let records = store.records(TimeRange::default()).await.unwrap();
    read(records).await.unwrap()
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

/// Stores an inquiry without reporting whether it was new.
pub trait Put {
    fn put(
        &self,
        inquiry: NewInquiry,
        key: Option<IdempotencyKey>,
    ) -> impl Future<Output = Result<Inquiry, InsertError>> + Send;
}

impl Put for Store {
    async fn put(&self, inquiry: NewInquiry, key: Option<IdempotencyKey>) -> Result<Inquiry, InsertError> {
        self.insert(inquiry, NewReferral::default(), key)
            .await
            .map(Inserted::into_inquiry)
    }
}

/// The path of the inquiries' file in a directory.
pub fn file(data_dir: &Path) -> std::path::PathBuf {
    data_dir.join(taubenabwehr::store::FILE_NAME)
}

/// Whether the inquiries' file contains these bytes.
pub fn holds(data_dir: &Path, part: &[u8]) -> bool {
    let bytes = fs::read(file(data_dir)).unwrap();
    bytes.windows(part.len()).any(|window| window == part)
}

/// The path of the inquiries' file while it is being created.
pub fn new_file(data_dir: &Path) -> std::path::PathBuf {
    data_dir.join("inquiries.redb.new")
}

/// A directory in memory if available: no test needs a real disk, and hundreds of syncs would be slow.
pub fn directory_in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// A clock that only moves when set.
#[derive(Clone, Default)]
pub struct FakeClock(Arc<AtomicI64>);

impl FakeClock {
    pub fn at(time: &str) -> Self {
        let clock = Self::default();
        clock.put(time);
        clock
    }

    pub fn put(&self, time: &str) {
        let time: Timestamp = time.parse().unwrap();
        self.0.store(time.as_millisecond(), Ordering::SeqCst);
    }

    /// The clock in the form that stores take.
    pub fn clock(&self) -> Clock {
        let millis = Arc::clone(&self.0);
        Arc::new(move || Timestamp::from_millisecond(millis.load(Ordering::SeqCst)).unwrap())
    }
}

/// The output of a future if it is ready at once.
pub async fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    std::future::poll_fn(|context| {
        use std::task::Poll;
        Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        })
    })
    .await
}

/// The erasure of these inquiries.
pub fn ids(inquiries: &[&Inquiry]) -> Erasure {
    Erasure::Ids(inquiries.iter().map(|inquiry| inquiry.id).collect())
}

/// Restores a backup into a directory.
pub fn restore(
    path: &Path,
    data_dir: &Path,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, TransferError> {
    let target = Location::Directory(data_dir.to_owned());
    taubenabwehr::store::restore(path, &target, erased, now)
}

pub async fn pack(rows: RowSource, made_at: Timestamp, path: &Path) {
    let backup = fs::File::create(path).unwrap();
    let packed = tokio::task::spawn_blocking(move || taubenabwehr::store::pack(rows, made_at, backup));
    packed.await.unwrap().unwrap();
}
