//! Photos: those that a visitor adds, and those that are taken away again. What a referral says and what is stored beside it change
//! together.

use uuid::Uuid;

use super::Operation;
use crate::domain::referral::PhotoSize;
use crate::domain::referral::{PhotoList, Status};
use crate::photo::Photo;
use crate::store::entry::Entry;
use crate::store::error::PhotoRefusal;
use crate::store::map::{EngineError, Kind, Wanted};
use crate::store::tx::{Traces, Tx};
use crate::store::values::photo_key;

/// Photos that wait to be added, all or none.
pub struct AddPhotos {
    /// The inquiry.
    pub inquiry: Uuid,
    /// The photos.
    pub photos: Vec<Photo>,
}

impl Operation for AddPhotos {
    type Reply = Result<(), PhotoRefusal>;

    fn wants(&self, wanted: &mut Wanted) {
        wanted.add(Kind::Inquiries, *self.inquiry.as_bytes());
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Self::Reply, EngineError> {
        let Some((mut entry, mut list)) = tx.photo_list(self.inquiry)? else {
            return Ok(Err(PhotoRefusal::Gone));
        };
        let Some(numbers) = list.add(self.photos.len()) else {
            return Ok(Err(PhotoRefusal::TooMany));
        };
        for (number, photo) in numbers.into_iter().zip(&self.photos) {
            for size in PhotoSize::ALL {
                let key = photo_key(self.inquiry, number, Some(size.number()));
                tx.put(Kind::Photos, key, photo.picture(size));
            }
        }
        entry.record.referral.photos = Some(list);
        tx.save(&entry)?;
        Ok(Ok(()))
    }
}

/// Takes a photo away.
pub struct RemovePhoto {
    /// The inquiry.
    pub inquiry: Uuid,
    /// The photo's number there.
    pub number: u16,
}

impl Operation for RemovePhoto {
    type Reply = Result<(), PhotoRefusal>;

    fn wants(&self, wanted: &mut Wanted) {
        wanted.add(Kind::Inquiries, *self.inquiry.as_bytes());
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Self::Reply, EngineError> {
        let Some((mut entry, mut list)) = tx.photo_list(self.inquiry)? else {
            return Ok(Err(PhotoRefusal::Gone));
        };
        if list.remove(self.number) {
            tx.remove_all(Kind::Photos, &photo_key(self.inquiry, self.number, None))?;
            tx.leave_traces(Traces::OfPhotos);
            entry.record.referral.photos = Some(list);
            tx.save(&entry)?;
        }
        Ok(Ok(()))
    }
}

impl Tx<'_> {
    /// Returns an inquiry that goes on, and its photos.
    fn photo_list(&self, inquiry: Uuid) -> Result<Option<(Entry, PhotoList)>, EngineError> {
        let entry = self.entry(inquiry)?.filter(|entry| {
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
