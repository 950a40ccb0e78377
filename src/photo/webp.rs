//! WebP.

use std::io::Cursor;

use image_webp::WebPDecoder;

use super::orientation;
use super::picture::{Decoded, write_rgb};
use super::scale::Scaler;
use super::{LARGE, PhotoError, check_memory, check_size};

/// The head of a chunk: its name and its length.
const HEAD: usize = 8;

/// What a decoder takes beside a picture, such as a profile of its colours, in bytes.
const ASIDE: usize = 4 << 20;

/// Returns whether a file begins like one.
pub fn is_one(file: &[u8]) -> bool {
    file.starts_with(b"RIFF") && file.get(HEAD..HEAD + 4) == Some(b"WEBP")
}

/// Decodes a file.
pub fn decode(file: &[u8]) -> Result<Decoded, PhotoError> {
    let damaged = |_| PhotoError::Damaged;
    let inner = check_chunks(file)?;
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(damaged)?;
    decoder.set_memory_limit(ASIDE);
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    // The decoder makes room for what the pixels say of their size, before it compares the two.
    if inner != (width, height) {
        return Err(PhotoError::Damaged);
    }
    let (is_lossy, has_alpha) = (decoder.is_lossy(), decoder.has_alpha());
    let half_bytes_each = match (is_lossy, has_alpha) {
        // Three bytes a pixel, and its brightness, and two colours for four of them.
        (true, false) => 9,
        // One byte more, and the transparency on its way.
        (true, true) => 21,
        // Four bytes on their way to three.
        (false, false) => 14,
        (false, true) => 8,
    };
    check_memory(u64::from(width) * u64::from(height) * half_bytes_each / 2)?;
    let bytes = decoder.output_buffer_size().ok_or(PhotoError::TooDemanding)?;
    let mut pixels = vec![0; bytes];
    decoder.read_image(&mut pixels).map_err(damaged)?;
    let channels = if has_alpha { 4 } else { 3 };
    let row_bytes = usize::try_from(width).unwrap_or_default() * channels;
    let (mut scaler, mut rgb) = (Scaler::new(width, height, LARGE), Vec::new());
    for row in pixels.chunks_exact(row_bytes.max(1)) {
        write_rgb(row, channels, &mut rgb);
        scaler.add(&rgb);
    }
    let exif = decoder.exif_metadata().ok().flatten();
    Ok(Decoded {
        picture: scaler.finish().ok_or(PhotoError::Damaged)?,
        orientation: exif.map_or(orientation::UPRIGHT, |exif| {
            orientation::of_exif(without_name(&exif))
        }),
        profile: decoder.icc_profile().ok().flatten(),
    })
}

/// Some programs write EXIF here with the name that it has in JPEG.
fn without_name(exif: &[u8]) -> &[u8] {
    exif.strip_prefix(b"Exif\0\0").unwrap_or(exif)
}

/// Walks the chunks of a file, behind which nothing may follow; returns the size that its pixels say. A film is no photo.
fn check_chunks(file: &[u8]) -> Result<(u32, u32), PhotoError> {
    let length = |head: &[u8]| {
        let length = head.get(4..HEAD)?.first_chunk().copied();
        usize::try_from(u32::from_le_bytes(length?)).ok()
    };
    let end = length(file).and_then(|length| length.checked_add(HEAD));
    let (whole, behind) = end
        .and_then(|end| file.split_at_checked(end))
        .ok_or(PhotoError::Damaged)?;
    if behind.iter().any(|byte| *byte != 0) {
        return Err(PhotoError::MoreThanPicture);
    }
    let mut rest = whole.get(HEAD + 4..).unwrap_or_default();
    let mut size = None;
    while !rest.is_empty() {
        let content = length(rest).and_then(|length| rest.get(HEAD..)?.get(..length));
        let content = content.ok_or(PhotoError::Damaged)?;
        match rest.first_chunk() {
            Some(b"VP8 " | b"VP8L") if size.is_some() => return Err(PhotoError::Damaged),
            Some(b"VP8 ") => size = lossy_size(content),
            Some(b"VP8L") => size = lossless_size(content),
            Some(b"ANIM" | b"ANMF") => return Err(PhotoError::WrongKind),
            _ => {}
        }
        // Each begins at an even place.
        let next = HEAD + content.len() + content.len() % 2;
        rest = rest.get(next..).unwrap_or_default();
    }
    size.ok_or(PhotoError::Damaged)
}

fn lossy_size(content: &[u8]) -> Option<(u32, u32)> {
    let [.., a, b, c, d] = *content.first_chunk::<10>()?;
    let side = |bytes| u32::from(u16::from_le_bytes(bytes) & 0x3fff);
    Some((side([a, b]), side([c, d])))
}

fn lossless_size(content: &[u8]) -> Option<(u32, u32)> {
    let bits = u32::from_le_bytes(*content.get(1..)?.first_chunk()?);
    Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
}
