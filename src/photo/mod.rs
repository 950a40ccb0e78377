//! Photos that visitors send of what the pigeons do: whatever a camera writes becomes two JPEGs of a known size, upright, in sRGB, on
//! white, without a word of what the file said beside its pixels.
//!
//! Everything here is pure. The size of a picture is known from its head before anything is decoded, and its rows are scaled as they come, so
//! that it is not in memory twice. `sandbox` bounds what a file may cost.

mod decode;
mod jpeg;
mod orientation;
mod picture;
pub mod sandbox;
mod scale;

pub use picture::Picture;

use minicbor::{Decode, Encode};

use crate::domain::referral::PhotoSize;
use picture::CHANNELS;

/// The largest file, in bytes. Phones write 3 to 8 MB.
pub const MAX_BYTES: usize = 12_000_000;

/// The most pixels. Phones make pictures of 12, and of 48 to 50 million.
pub const MAX_PIXELS: u64 = 50_000_000;

/// The longest side that a file may have, in pixels: what a JPEG can say.
const MAX_SIDE: u32 = 65_535;

/// The longer side of a photo as it is kept: as much as a screen shows.
const LARGE: u32 = 1600;

/// The longer side of its small version, several of which are shown in a row.
const SMALL: u32 = 320;

/// How well the two are kept: of the large one a tape measure can still be read.
const LARGE_QUALITY: u8 = 82;
const SMALL_QUALITY: u8 = 75;

/// A photo as it is kept: two JPEGs.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct Photo {
    /// At most 1600 pixels wide and high.
    #[cbor(n(0), with = "minicbor::bytes")]
    pub large: Vec<u8>,
    /// At most 320.
    #[cbor(n(1), with = "minicbor::bytes")]
    pub small: Vec<u8>,
}

impl Photo {
    /// Returns the picture of a size.
    pub fn picture(&self, size: PhotoSize) -> &[u8] {
        match size {
            PhotoSize::Large => &self.large,
            PhotoSize::Small => &self.small,
        }
    }
}

/// Why a file is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Encode, Decode)]
#[cbor(index_only)]
pub enum PhotoError {
    /// It has more bytes than a file may.
    #[error("it has more than {MAX_BYTES} bytes")]
    #[n(0)]
    TooLarge,
    /// It is neither JPEG nor PNG nor WebP, or one of a kind that cameras do not write.
    #[error("it is no JPEG, PNG or WebP")]
    #[n(1)]
    WrongKind,
    /// It has more pixels than a picture may.
    #[error("it has more than {MAX_PIXELS} pixels")]
    #[n(2)]
    TooManyPixels,
    /// Decoding it takes more memory or time than there is for that.
    #[error("decoding it takes too much memory or time")]
    #[n(3)]
    TooDemanding,
    /// It is truncated, or not what it claims to be.
    #[error("it is damaged")]
    #[n(4)]
    Damaged,
    /// It is a JPEG of a kind that is seldom used and that the decoder does not read.
    #[error("it is a JPEG of a kind that is not read")]
    #[n(5)]
    Unsupported,
}

/// Makes a photo of a file; of what follows the picture nothing is kept. It blocks for seconds, and takes some 170 MB: one at a time is
/// enough.
///
/// # Errors
/// When the file is no picture that can be kept.
pub fn develop(file: Vec<u8>) -> Result<Photo, PhotoError> {
    if file.len() > MAX_BYTES {
        return Err(PhotoError::TooLarge);
    }
    let decoded = decode::decode(file)?;
    let mut picture = decoded.picture;
    if let Some(profile) = &decoded.profile {
        picture.convert_to_srgb(profile);
    }
    let picture = orientation::turn(picture, decoded.exif.as_deref().unwrap_or_default());
    let size = (picture.width, picture.height);
    let small = scale::scaled(&picture.rgb, CHANNELS, size, SMALL).ok_or(PhotoError::Damaged)?;
    Ok(Photo {
        large: jpeg::encode(&picture, LARGE_QUALITY)?,
        small: jpeg::encode(&small, SMALL_QUALITY)?,
    })
}

/// Refuses a picture of a size that is not decoded, whatever memory that would take.
fn check_size(width: u32, height: u32) -> Result<(), PhotoError> {
    if width == 0 || height == 0 {
        return Err(PhotoError::Damaged);
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS || width.max(height) > MAX_SIDE {
        return Err(PhotoError::TooManyPixels);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
