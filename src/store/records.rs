//! Streams of records in constant memory.

use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::base::panics;
use crate::domain::inquiry::TimeRange;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::InquiryRecord;
use crate::store::entry::{Deliverable, StoredRecord};
use crate::store::map::{EngineError, EntryKind, Span, View, scan};
use crate::store::values::ids::first_since;
use crate::store::values::millis;
use crate::store::{Store, Unavailable, in_time};

/// Records read ahead, so that reading and writing overlap.
const AHEAD: usize = 512;

/// A stream of inquiries with their referrals.
pub type InquiryRecords = Records<InquiryRecord>;

/// A stream of records as of one moment, which the store preserves for as long as the stream exists. Dropping it stops the read.
#[derive(Debug)]
pub struct Records<T> {
    /// Each record, `None` after the last, or an error that ends the stream.
    read: Receiver<Result<Option<T>, Unavailable>>,
    is_complete: bool,
}

impl<T> Records<T> {
    /// Returns the next record; `None` after the last.
    ///
    /// # Errors
    /// When the store cannot be read; the stream is then not complete.
    pub async fn next(&mut self) -> Result<Option<T>, Unavailable> {
        if self.is_complete {
            return Ok(None);
        }
        // A channel that closes without `None` has not delivered everything.
        let next = self.read.recv().await.unwrap_or(Err(Unavailable))?;
        self.is_complete = next.is_none();
        Ok(next)
    }
}

impl Store {
    /// Streams the inquiries of a range as they are now, in order of their ids, which is the order in which they were stored.
    /// Withdrawn and erased ones are included as long as anything of them is kept. Must be called inside the runtime.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn records(&self, range: TimeRange) -> Result<InquiryRecords, Unavailable> {
        let first = first_since(range.since.map_or(0, millis));
        let is_meant = move |record: &InquiryRecord| range.contains(record.created_at());
        self.stream(Span::from(EntryKind::Inquiries, first), is_meant)
            .await
    }

    /// Folds the inquiries of a range into `sum`, in the order of [`Self::records`], on the thread that reads them: a page of the desk
    /// cannot wait for them to pass from one thread to another.
    ///
    /// # Errors
    /// As for [`Self::records`].
    pub async fn fold<T: Send + 'static>(
        &self,
        range: TimeRange,
        sum: T,
        mut add: impl FnMut(&mut T, InquiryRecord) + Send + 'static,
    ) -> Result<T, Unavailable> {
        let first = first_since(range.since.map_or(0, millis));
        let add = move |sum: &mut T, record: InquiryRecord| {
            if range.contains(record.created_at()) {
                add(sum, record);
            }
            true
        };
        self.fold_span(Span::from(EntryKind::Inquiries, first), sum, add)
            .await
    }

    /// Like [`Self::fold`], newest first, from before a given id, until `add` returns false; `None` begins with the newest.
    ///
    /// # Errors
    /// As for [`Self::records`].
    pub async fn fold_newest<T: Send + 'static>(
        &self,
        before: Option<Uuid>,
        sum: T,
        add: impl FnMut(&mut T, InquiryRecord) -> bool + Send + 'static,
    ) -> Result<T, Unavailable> {
        let span = Span {
            before: before.map(|before| before.as_bytes().to_vec()),
            ..Span::all(EntryKind::Inquiries).reversed()
        };
        self.fold_span(span, sum, add).await
    }

    async fn fold_span<T: Send + 'static>(
        &self,
        span: Span,
        mut sum: T,
        mut add: impl FnMut(&mut T, InquiryRecord) -> bool + Send + 'static,
    ) -> Result<T, Unavailable> {
        let view = in_time(self.view(true, Ok)).await?;
        let folding =
            spawn_blocking(move || read_all(&*view, span, |record| add(&mut sum, record)).map(|()| sum));
        folding.await.unwrap_or(Err(Unavailable))
    }

    /// Streams all subscriptions to the newsletter as they are now, including unconfirmed ones, in no particular order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn subscriptions(&self) -> Result<Records<Subscription>, Unavailable> {
        self.stream(Span::all(EntryKind::Subscriptions), |_| true).await
    }

    /// Streams the records of a span that pass `is_meant` from a separate thread, which ends when the reader is dropped.
    async fn stream<T: Deliverable + Send + 'static>(
        &self,
        span: Span,
        is_meant: impl Fn(&T) -> bool + Send + 'static,
    ) -> Result<Records<T>, Unavailable> {
        let view = in_time(self.view(true, Ok)).await?;
        let (sender, read) = channel(AHEAD);
        spawn_blocking(move || {
            let push = |record: T| !is_meant(&record) || sender.blocking_send(Ok(Some(record))).is_ok();
            let end = read_all(&*view, span, push).map(|()| None);
            // A dropped reader does not need it.
            let _ = sender.blocking_send(end);
        });
        Ok(Records {
            read,
            is_complete: false,
        })
    }
}

/// Reads the records of a span until `each` returns false.
fn read_all<T: Deliverable>(
    view: &dyn View,
    span: Span,
    mut each: impl FnMut(T) -> bool,
) -> Result<(), Unavailable> {
    let read = |key: Vec<u8>, value: Vec<u8>| Ok(each(StoredRecord::decode_to_read(&key, &value)?.record));
    let end = panics::catch(|| scan(view, span, read));
    let end = end.unwrap_or_else(|panic| Err(EngineError::Lost(panic)));
    end.map_err(|error| {
        tracing::error!(%error, "the store cannot be read");
        Unavailable
    })
}
