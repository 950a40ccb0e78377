//! WebP.

use std::io::Cursor;

use image_webp::WebPDecoder;

use super::picture::Decoded;
use super::scale::scaled;
use super::{LARGE, PhotoError, check_size};

/// The head of a chunk: its name and its length.
const HEAD: usize = 8;

/// What a decoder takes beside a picture, such as a profile of its colours, in bytes.
const ASIDE: usize = 4 << 20;

/// Whether a file begins like one.
pub fn is_one(file: &[u8]) -> bool {
    file.starts_with(b"RIFF") && file.get(HEAD..HEAD + 4) == Some(b"WEBP")
}

/// Decodes a file.
pub fn decode(file: &[u8]) -> Result<Decoded, PhotoError> {
    let damaged = |_| PhotoError::Damaged;
    if !is_whole(file) {
        return Err(PhotoError::Damaged);
    }
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(damaged)?;
    decoder.set_memory_limit(ASIDE);
    // A film is no photo.
    if decoder.is_animated() {
        return Err(PhotoError::WrongKind);
    }
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let bytes = decoder.output_buffer_size().ok_or(PhotoError::TooDemanding)?;
    let mut pixels = vec![0; bytes];
    decoder.read_image(&mut pixels).map_err(damaged)?;
    let channels = if decoder.has_alpha() { 4 } else { 3 };
    let picture = scaled(&pixels, channels, (width, height), LARGE);
    Ok(Decoded {
        picture: picture.ok_or(PhotoError::Damaged)?,
        exif: decoder.exif_metadata().ok().flatten(),
        profile: decoder.icc_profile().ok().flatten(),
    })
}

/// Whether there are as many bytes as the head says.
fn is_whole(file: &[u8]) -> bool {
    let length = file.get(4..HEAD).and_then(|length| length.first_chunk().copied());
    let length = length.and_then(|length| usize::try_from(u32::from_le_bytes(length)).ok());
    length.is_some_and(|length| file.len() - HEAD >= length)
}
