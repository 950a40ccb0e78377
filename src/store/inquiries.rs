//! Inquiries with their referrals, photos and reviews, as the rest of the program asks for them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use tokio::time::timeout;
use uuid::Uuid;

use super::entry::Entry;
use super::error::{InsertError, PhotoRefusal, Unavailable, UpdateError};
use super::map::{Kind, View};
use super::operations::{Insert, Inserted, Update};
use super::time::{DEADLINE, in_time, millis};
use super::values::fact::Fact;
use super::values::keyed_request::{IdempotencyKey, KeyedRequest};
use super::values::photo_key;
use super::{Store, TimeRange, reads};
use crate::domain::inquiry::{Inquiry, NewInquiry};
use crate::domain::matching::{FirmId, RequestHistory};
use crate::domain::referral::PhotoSize;
use crate::domain::referral::{Change, FoundReview, InquiryRecord, NewReferral};
use crate::photo::Photo;

/// Counts the changes of reviews that this process has committed or heard of. A cache of reviews is current while the count is the
/// one at which it was read.
#[derive(Debug, Clone, Default)]
pub struct ReviewChanges(Arc<AtomicU64>);

impl ReviewChanges {
    /// Notes a change, before its caller hears of it.
    pub fn touch(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns how many there were.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Store {
    /// Stores an inquiry, and in the same transaction whom to tell of it; returns once it is durably on disk. A repeated
    /// request with the same key gets the inquiry that the first one stored.
    ///
    /// # Errors
    /// [`InsertError::KeyReused`] when the key came with another request before, else
    /// [`InsertError::Unavailable`]. Then nothing was stored, unless the disk failed in the very last step or hangs:
    /// only repeating the request with its key tells.
    pub async fn insert(
        &self,
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<IdempotencyKey>,
    ) -> Result<Inserted, InsertError> {
        let insert = async {
            let secret = self.known_secret().await?;
            let insert = Insert::new(inquiry, referral, key.as_ref(), secret);
            self.writer.apply(insert).await?
        };
        timeout(DEADLINE, insert).await.unwrap_or_else(|_| {
            tracing::error!("an inquiry was not stored in time; does the disk hang?");
            Err(InsertError::Unavailable)
        })
    }

    /// Returns what a request with this key gets without storing anything: the inquiry stored before, or `None` if the
    /// key is new. [`Self::insert`] finds that out by itself; this is for a request that must not store anything.
    ///
    /// # Errors
    /// As for [`Self::insert`].
    pub async fn replay(
        &self,
        key: &IdempotencyKey,
        inquiry: &NewInquiry,
        addition: &str,
    ) -> Result<Option<Inquiry>, InsertError> {
        let request = KeyedRequest::new(key, inquiry, addition);
        let (inquiry, now) = (inquiry.clone(), millis(self.now()));
        let replay = move |view: &dyn View| match reads::key(view, &request)? {
            Some(known) => reads::replay(view, &known, &request, &inquiry, now),
            None => Ok(Ok(None)),
        };
        self.read(replay).await?
    }

    /// Returns everything that is known of an inquiry, also of one that was withdrawn; `None` if there is nothing.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn record(&self, id: Uuid) -> Result<Option<InquiryRecord>, Unavailable> {
        self.read(move |view| Ok(reads::entry(view, id)?.map(|entry: Entry| entry.record)))
            .await
    }

    /// Changes a referral; returns what is known of the inquiry afterwards, once that is durable.
    ///
    /// # Errors
    /// [`UpdateError::Refused`] when it cannot happen, else [`UpdateError::Unavailable`].
    pub async fn update(&self, id: Uuid, change: Change) -> Result<InquiryRecord, UpdateError> {
        in_time(self.writer.apply(Update { id, change })).await?
    }

    /// Returns what is remembered of each firm's asks, whether or not it is configured now.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn asks(&self) -> Result<HashMap<FirmId, RequestHistory>, Unavailable> {
        self.read(|view| reads::asks(view)).await
    }

    /// Returns a photo of an inquiry in one of its sizes, a JPEG; `None` if there is none with this number. Which ones there are says
    /// the inquiry's referral, and who may see them its reader.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn photo(
        &self,
        inquiry: Uuid,
        number: u16,
        size: PhotoSize,
    ) -> Result<Option<Vec<u8>>, Unavailable> {
        let key = photo_key(inquiry, number, Some(size.number()));
        self.read(move |view| view.get(Kind::Photos, &key)).await
    }

    /// Adds photos to an inquiry, all or none.
    ///
    /// # Errors
    /// When none was added.
    pub async fn add_photos(&self, inquiry: Uuid, photos: Vec<Photo>) -> Result<(), PhotoRefusal> {
        self.write(move |tx| tx.add_photos(inquiry, &photos)).await?
    }

    /// Takes a photo away; its number is not given again. One that is gone may be taken away again.
    ///
    /// # Errors
    /// When it was not.
    pub async fn remove_photo(&self, inquiry: Uuid, number: u16) -> Result<(), PhotoRefusal> {
        self.write(move |tx| tx.remove_photo(inquiry, number)).await?
    }

    /// Returns all reviews, in the order in which their inquiries were received. Reads every inquiry, unless nobody has ever written a
    /// review.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn reviews(&self) -> Result<Vec<FoundReview>, Unavailable> {
        let mut found = Vec::new();
        let facts = self.facts().await?;
        if facts.reviews_written_at.or(facts.reviews_changed_at).is_none() {
            return Ok(found);
        }
        let mut records = self.records(TimeRange::default()).await?;
        while let Some(record) = records.next().await? {
            found.extend(FoundReview::all_of(&record));
        }
        Ok(found)
    }

    /// Returns when reviews were changed last; `None` if nobody has ever written one. Cheap.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn reviews_changed_at(&self) -> Result<Option<Timestamp>, Unavailable> {
        self.fact(Fact::Reviews.name().to_owned()).await
    }

    /// Returns how many changes of reviews were committed or heard of here.
    pub fn review_changes(&self) -> &ReviewChanges {
        &self.context.reviews
    }
}
