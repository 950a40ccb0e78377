//! Photos: those that a visitor adds, and those that are taken away again. What a referral says and what is stored beside it change
//! together.

use std::sync::Arc;
use std::time::Instant;

use uuid::Uuid;

use super::operation::{ApplyError, Operation};
use super::photo_record::PhotoKey;
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::photo::Photo;
use crate::referral::{HandlingPolicy, PhotoList, Status};
use crate::store::deadline::DEADLINE;
use crate::store::error::PhotoRefusal;

/// Photos that wait to be added, all or none.
pub struct AddPhotos {
    inquiry: Uuid,
    photos: Vec<Arc<Photo>>,
    /// When the caller hears that the store is unavailable. What is stored later, it would send again.
    give_up_at: Instant,
}

impl AddPhotos {
    /// Prepares adding photos to an inquiry.
    pub fn new(inquiry: Uuid, photos: Vec<Photo>) -> Self {
        Self {
            inquiry,
            photos: photos.into_iter().map(Arc::new).collect(),
            give_up_at: Instant::now() + DEADLINE,
        }
    }
}

impl Operation for AddPhotos {
    type Reply = Result<(), PhotoRefusal>;

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        reads.inquiries.insert(self.inquiry);
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, ApplyError> {
        if Instant::now() >= self.give_up_at {
            return Ok(Err(PhotoRefusal::Unavailable));
        }
        let mut list = match transaction.photo_list(self.inquiry) {
            Ok(list) => list,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some(numbers) = list.add(self.photos.len()) else {
            return Ok(Err(PhotoRefusal::TooMany));
        };
        for (number, photo) in numbers.into_iter().zip(&self.photos) {
            let photo = Some(Arc::clone(photo));
            transaction.changes.photos.insert((self.inquiry, number), photo);
        }
        transaction.save_photo_list(self.inquiry, list);
        Ok(Ok(()))
    }
}

/// Takes a photo away.
pub struct RemovePhoto(pub PhotoKey);

impl Operation for RemovePhoto {
    type Reply = Result<(), PhotoRefusal>;

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        reads.inquiries.insert(self.0.0);
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, ApplyError> {
        let (inquiry, number) = self.0;
        let mut list = match transaction.photo_list(inquiry) {
            Ok(list) => list,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if list.remove(number) {
            transaction.changes.photos.insert((inquiry, number), None);
            transaction.save_photo_list(inquiry, list);
        }
        Ok(Ok(()))
    }
}

impl Transaction<'_> {
    /// Returns the photos of an inquiry that goes on.
    fn photo_list(&self, inquiry: Uuid) -> Result<PhotoList, PhotoRefusal> {
        let entry = self.rows.inquiries.get(&inquiry).ok_or(PhotoRefusal::Gone)?;
        let record = entry.record(inquiry).map_err(|error| {
            tracing::error!(%inquiry, %error, "an inquiry cannot be read");
            PhotoRefusal::Unavailable
        });
        let record = record?.ok_or(PhotoRefusal::Gone)?;
        match record.referral.status {
            Status::Active | Status::Quarantined | Status::Released(_) if record.inquiry.is_some() => {
                Ok(record.referral.photos.unwrap_or_default())
            }
            _ => Err(PhotoRefusal::Gone),
        }
    }

    fn save_photo_list(&mut self, inquiry: Uuid, list: PhotoList) {
        let entry = self.rows.inquiries.entry(inquiry).or_default();
        if let Ok(Some(record)) = entry.record(inquiry) {
            let mut referral = record.referral;
            referral.photos = Some(list);
            entry.referral = Some(referral);
            self.save_referral(inquiry);
        }
    }
}
