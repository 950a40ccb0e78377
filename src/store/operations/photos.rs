//! Photos: those that a visitor adds, and those that are taken away again. What a referral says and what is stored beside it change
//! together.

use uuid::Uuid;

use crate::domain::referral::PhotoSize;
use crate::domain::referral::{PhotoList, Status};
use crate::photo::Photo;
use crate::store::entry::Entry;
use crate::store::error::PhotoRefusal;
use crate::store::map::{EngineError, Kind};
use crate::store::reads;
use crate::store::tx::{Traces, Tx};
use crate::store::values::photo_key;

impl Tx<'_> {
    /// Adds photos to an inquiry, all or none.
    ///
    /// # Errors
    /// When the store cannot be read; the inner error says why they were refused.
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
                self.put(Kind::Photos, key, photo.picture(size));
            }
        }
        entry.record.referral.photos = Some(list);
        self.save(&entry);
        Ok(Ok(()))
    }

    /// Takes a photo away.
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
            self.remove_all(Kind::Photos, &photo_key(inquiry, number, None))?;
            self.leave_traces(Traces::OfPhotos);
            entry.record.referral.photos = Some(list);
            self.save(&entry);
        }
        Ok(Ok(()))
    }

    /// Returns an inquiry that goes on, and its photos.
    fn photo_list(&self, inquiry: Uuid) -> Result<Option<(Entry, PhotoList)>, EngineError> {
        let entry = reads::entry(self, inquiry)?.filter(|entry: &Entry| {
            let goes_on = matches!(
                entry.record.referral.status,
                Status::Active | Status::Quarantined | Status::Released(_)
            );
            goes_on && entry.record.inquiry.is_some()
        });
        Ok(entry.map(|entry| {
            let list = entry.record.referral.photos.clone().unwrap_or_default();
            (entry, list)
        }))
    }
}
