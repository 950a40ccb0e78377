//! Adds and removes a visitor's photos, keeping referral and stored pictures in step.

use uuid::Uuid;

use crate::domain::referral::{PhotoList, PhotoSize, Status};
use crate::photo::Photo;
use crate::store::entry::StoredRecord;
use crate::store::map::{EngineError, EntryKind};
use crate::store::tx::{Traces, Tx};
use crate::store::values::photo_key;
use crate::store::{PhotoRefusal, Store, Unavailable, reads};

impl Store {
    /// Returns a photo of an inquiry in one of its sizes, as JPEG; `None` if it does not exist. The referral lists the existing
    /// ones; the caller decides who may see them.
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
        self.read(move |view| view.get(EntryKind::Photos, &key)).await
    }

    /// Adds photos to an inquiry: all of them or none.
    ///
    /// # Errors
    /// When nothing was added.
    pub async fn add_photos(&self, inquiry: Uuid, photos: Vec<Photo>) -> Result<(), PhotoRefusal> {
        self.write(move |tx| tx.add_photos(inquiry, &photos)).await?
    }

    /// Removes a photo; its number is not reused. Removing it again is not an error.
    ///
    /// # Errors
    /// When it was not removed.
    pub async fn remove_photo(&self, inquiry: Uuid, number: u16) -> Result<(), PhotoRefusal> {
        self.write(move |tx| tx.remove_photo(inquiry, number)).await?
    }
}

impl Tx<'_> {
    /// Adds photos to an inquiry: all of them or none.
    ///
    /// # Errors
    /// When the store cannot be read; the inner error tells why they were refused.
    pub fn add_photos(
        &mut self,
        inquiry: Uuid,
        photos: &[Photo],
    ) -> Result<Result<(), PhotoRefusal>, EngineError> {
        let Some((mut entry, mut list)) = self.photo_list(inquiry)? else {
            return Ok(Err(PhotoRefusal::Gone));
        };
        let Some(numbers) = list.add(photos.len()) else {
            return Ok(Err(PhotoRefusal::TooMany));
        };
        for (number, photo) in numbers.into_iter().zip(photos) {
            for size in PhotoSize::ALL {
                let key = photo_key(inquiry, number, Some(size.number()));
                self.put(EntryKind::Photos, key, photo.picture(size));
            }
        }
        entry.record.referral.photos = Some(list);
        self.save(&entry);
        Ok(Ok(()))
    }

    /// Removes a photo.
    ///
    /// # Errors
    /// As for [`Self::add_photos`].
    pub fn remove_photo(
        &mut self,
        inquiry: Uuid,
        number: u16,
    ) -> Result<Result<(), PhotoRefusal>, EngineError> {
        let Some((mut entry, mut list)) = self.photo_list(inquiry)? else {
            return Ok(Err(PhotoRefusal::Gone));
        };
        if list.remove(number) {
            self.remove_all(EntryKind::Photos, &photo_key(inquiry, number, None))?;
            self.leave_traces(Traces::OfPhotos);
            entry.record.referral.photos = Some(list);
            self.save(&entry);
        }
        Ok(Ok(()))
    }

    /// Returns an active inquiry with its photos.
    fn photo_list(&self, inquiry: Uuid) -> Result<Option<(StoredRecord, PhotoList)>, EngineError> {
        let entry = reads::entry(self, inquiry)?.filter(|entry: &StoredRecord| {
            let goes_on = matches!(
                entry.record.referral.status,
                Status::Active | Status::Quarantined(_) | Status::Released(_)
            );
            goes_on && entry.record.inquiry.is_some()
        });
        Ok(entry.map(|entry| {
            let list = entry.record.referral.photos.clone().unwrap_or_default();
            (entry, list)
        }))
    }
}
