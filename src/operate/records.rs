//! Records one after the other, in constant memory however many they are.

use std::sync::Arc;

use futures_util::stream::{BoxStream, StreamExt, TryStreamExt, try_unfold};

use super::error::CallError;
use super::operations::{FoundSubscription, Operations};
use crate::domain::referral::InquiryRecord;
use crate::store::{Records, Store, TimeRange};

/// Records as they were at one moment, from the store or from the server that has it. Dropping it ends the reading. After an error what
/// was read is not complete: the store cannot be read, or the server broke off.
pub type RecordStream<T> = BoxStream<'static, Result<T, CallError>>;

impl Operations {
    /// Reads the inquiries of a range, also those that were withdrawn or erased.
    pub async fn records(&self, range: TimeRange) -> Result<RecordStream<InquiryRecord>, CallError> {
        Ok(stream(self.store.records(range).await?, &self.store))
    }

    /// Reads the subscriptions to the newsletter.
    pub async fn subscriptions(&self) -> Result<RecordStream<FoundSubscription>, CallError> {
        let store = Arc::clone(&self.store);
        let subscriptions = stream(self.store.subscriptions().await?, &store);
        let named = subscriptions.map_ok(move |subscription| FoundSubscription::new(subscription, &store));
        Ok(named.boxed())
    }
}

/// Keeps the store open for as long as its records are read.
fn stream<T: Send + 'static>(records: Records<T>, store: &Arc<Store>) -> RecordStream<T> {
    let records = try_unfold((records, Arc::clone(store)), async |(mut records, store)| {
        let record = records.next().await?;
        Ok(record.map(|record| (record, (records, store))))
    });
    records.boxed()
}
