//! Decodes a file and scales it to the stored size. The format is detected from the file's first bytes, not its name.

use std::io::Cursor;

use image_webp::WebPDecoder;
use png::{Limits, Transformations};

use super::jpeg;
use super::picture::Decoded;
use super::scale::{Scaler, scaled};
use super::{LARGE, PhotoError, check_size};

/// Size of a WebP chunk header: its name and length.
const HEAD: usize = 8;

/// Bytes that a decoder may allocate besides the picture, for example for a colour profile.
const ASIDE: usize = 4 << 20;

/// The PNG signature.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Decodes a file of any supported format.
pub fn decode(file: Vec<u8>) -> Result<Decoded, PhotoError> {
    if file.starts_with(jpeg::MAGIC) {
        jpeg::decode(file)
    } else if file.starts_with(PNG) {
        png(&file)
    } else if is_webp(&file) {
        webp(&file)
    } else {
        Err(PhotoError::WrongKind)
    }
}

fn png(file: &[u8]) -> Result<Decoded, PhotoError> {
    let damaged = |_| PhotoError::Damaged;
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), Limits { bytes: ASIDE });
    decoder.set_transformations(Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    let head = decoder.read_header_info().map_err(damaged)?;
    let (width, height, is_interlaced) = (head.width, head.height, head.interlaced);
    check_size(width, height)?;
    let mut rows = decoder.read_info().map_err(damaged)?;
    let channels = rows.output_color_type().0.samples();
    let picture = if is_interlaced {
        // Interlaced rows are complete only at the end.
        let bytes = rows.output_buffer_size().ok_or(PhotoError::TooDemanding)?;
        let mut all = vec![0; bytes];
        rows.next_frame(&mut all).map_err(damaged)?;
        scaled(&all, channels, (width, height), LARGE)
    } else {
        let mut scaler = Scaler::new(width, height, LARGE);
        while let Some(row) = rows.next_row().map_err(damaged)? {
            scaler.add(row.data(), channels);
        }
        scaler.finish()
    };
    // Fails if the file is truncated.
    rows.finish().map_err(damaged)?;
    let info = rows.info();
    Ok(Decoded {
        picture: picture.ok_or(PhotoError::Damaged)?,
        exif: info.exif_metadata.as_ref().map(|exif| exif.to_vec()),
        profile: info.icc_profile.as_ref().map(|profile| profile.to_vec()),
    })
}

/// Whether a file starts like a WebP.
fn is_webp(file: &[u8]) -> bool {
    file.starts_with(b"RIFF") && file.get(HEAD..HEAD + 4) == Some(b"WEBP")
}

fn webp(file: &[u8]) -> Result<Decoded, PhotoError> {
    let damaged = |_| PhotoError::Damaged;
    if !is_whole(file) {
        return Err(PhotoError::Damaged);
    }
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(damaged)?;
    decoder.set_memory_limit(ASIDE);
    // An animation is not a photo.
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

/// Whether the file is as long as its header says.
fn is_whole(file: &[u8]) -> bool {
    let length = file.get(4..HEAD).and_then(|length| length.first_chunk().copied());
    let length = length.and_then(|length| usize::try_from(u32::from_le_bytes(length)).ok());
    length.is_some_and(|length| file.len() - HEAD >= length)
}
