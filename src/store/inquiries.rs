//! Inquiries and their referrals, as the rest of the program asks for them.

use std::collections::HashMap;

use tokio::time::timeout;
use uuid::Uuid;

use super::entry::Entry;
use super::error::{InsertError, Unavailable, UpdateError};
use super::map::{Kind, View};
use super::operations::{Insert, Inserted, Update};
use super::time::millis;
use super::time::{DEADLINE, in_time};
use super::values::keyed_request::IdempotencyKey;
use super::values::keyed_request::KeyedRequest;
use super::{Snapshot, Store, reads};
use crate::domain::inquiry::{Inquiry, NewInquiry};
use crate::domain::matching::{FirmId, RequestHistory};
use crate::domain::referral::{Change, InquiryRecord, NewReferral};

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

    /// Returns the inquiries as they are now; what is stored or erased later does not show in it.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        in_time(self.view(true, |view| {
            let count = view.count(Kind::Inquiries)?;
            Ok(Snapshot::new(view, count))
        }))
        .await
    }
}
