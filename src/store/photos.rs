//! Photos, as the rest of the program asks for them.

use uuid::Uuid;

use super::error::{PhotoRefusal, Unavailable};
use super::{Store, reads};
use crate::domain::referral::PhotoSize;
use crate::photo::Photo;

impl Store {
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
        self.read(move |view| reads::photo(view, inquiry, number, size))
            .await
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
}
