//! Records one after the other, in constant memory however many they are.

use std::sync::Arc;

use futures_util::stream::{BoxStream, Stream, StreamExt, try_unfold};

use super::error::CallError;
use crate::domain::referral::InquiryRecord;
use crate::store::{Records, Store, TimeRange, Unavailable};

/// Records as they were at one moment, from the store or from the server that has it. Dropping it ends the reading.
pub struct RecordStream<T>(BoxStream<'static, Result<T, CallError>>);

impl<T: Send + 'static> RecordStream<T> {
    /// Wraps what a server sends.
    pub fn new(records: impl Stream<Item = Result<T, CallError>> + Send + 'static) -> Self {
        Self(records.boxed())
    }

    /// Reads records of a store, which stays open for so long.
    pub fn of_store(records: Records<T>, store: Arc<Store>) -> Self {
        let records = try_unfold((records, store), async |(mut records, store)| {
            let record = records.next().await?;
            Ok(record.map(|record| (record, (records, store))))
        });
        Self::new(records)
    }

    /// Changes each record.
    pub fn map<U: Send + 'static>(self, mut change: impl FnMut(T) -> U + Send + 'static) -> RecordStream<U> {
        RecordStream::new(self.0.map(move |record| record.map(&mut change)))
    }

    /// Returns the next one; `None` after the last.
    ///
    /// # Errors
    /// When the store cannot be read, or the server breaks off; what was read is then not complete.
    pub async fn next(&mut self) -> Result<Option<T>, CallError> {
        self.0.next().await.transpose()
    }
}

impl RecordStream<InquiryRecord> {
    /// Reads the inquiries of a range, also those that were withdrawn or erased.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn of_range(store: &Arc<Store>, range: TimeRange) -> Result<Self, Unavailable> {
        Ok(Self::of_store(store.records(range).await?, Arc::clone(store)))
    }
}
