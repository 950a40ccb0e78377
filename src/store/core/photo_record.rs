//! How a photo is kept: a JPEG for each of its sizes, as it is sent.

use uuid::Uuid;

use crate::photo::PhotoSize;
use crate::store::error::Damaged;

/// What a photo is kept by: its inquiry, and its number there.
pub type PhotoKey = (Uuid, u16);

/// Checks that what is stored is a photo: a whole JPEG of a known size.
///
/// # Errors
/// When it is something else.
pub fn check(size: u8, jpeg: &[u8]) -> Result<(), Damaged> {
    let is_known = PhotoSize::ALL.iter().any(|known| known.number() == size);
    let is_whole = jpeg.starts_with(&[0xff, 0xd8, 0xff]) && jpeg.ends_with(&[0xff, 0xd9]);
    if is_known && is_whole {
        Ok(())
    } else {
        Err(Damaged("a photo cannot be read"))
    }
}
