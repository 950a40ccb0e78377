//! Photos that visitors send of a pigeon problem. Each upload is converted to two JPEGs of a known size, upright, in sRGB, on white
//! and without metadata.
//!
//! All of this is pure except [`sandbox`], which limits the resources a file may use. A picture's size is checked before anything
//! is decoded, and scaling goes row by row, so that a picture is never in memory twice at full size.

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

/// The largest file accepted, in bytes. Phones write 3 to 8 MB.
pub const MAX_BYTES: usize = 12_000_000;

/// The most pixels accepted. Phones take pictures of 12 and of 48 to 50 megapixels.
pub const MAX_PIXELS: u64 = 50_000_000;

/// The longest side accepted, in pixels: the limit of the JPEG format.
const MAX_SIDE: u32 = 65_535;

/// The longer side of a stored photo in pixels: about a screen's width.
const LARGE: u32 = 1600;

/// The longer side of its thumbnail in pixels; several are shown in a row.
const SMALL: u32 = 320;

/// JPEG quality of the two. A tape measure is still readable in the large one.
const LARGE_QUALITY: u8 = 82;
const SMALL_QUALITY: u8 = 75;

/// A stored photo: two JPEGs.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct Photo {
    /// At most 1600 pixels wide and high.
    #[cbor(n(0), with = "minicbor::bytes")]
    pub large: Vec<u8>,
    /// At most 320 pixels wide and high.
    #[cbor(n(1), with = "minicbor::bytes")]
    pub small: Vec<u8>,
}

impl Photo {
    /// The JPEG of the given size.
    pub fn picture(&self, size: PhotoSize) -> &[u8] {
        match size {
            PhotoSize::Large => &self.large,
            PhotoSize::Small => &self.small,
        }
    }
}

/// Why a file is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum PhotoError {
    /// It has more bytes than allowed.
    #[n(0)]
    TooLarge,
    /// It is not a JPEG, PNG or WebP, or of a kind that cameras do not write.
    #[n(1)]
    WrongKind,
    /// It has more pixels than allowed.
    #[n(2)]
    TooManyPixels,
    /// Decoding it takes more memory or time than allowed.
    #[n(3)]
    TooDemanding,
    /// It is truncated, or not what it claims to be.
    #[n(4)]
    Damaged,
    /// It is a JPEG of a rare kind that the decoder does not support.
    #[n(5)]
    Unsupported,
}

/// Converts a file to a photo. Data after the picture is dropped. Blocks for up to seconds and takes some 170 MB, so run one at a
/// time.
///
/// # Errors
/// When the file is not a usable picture.
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

/// Refuses a picture without pixels or beyond the limits, even if memory would suffice.
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
