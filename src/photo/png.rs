//! PNG.

use std::io::Cursor;

use png::{Decoder, Limits, Transformations};

use super::picture::Decoded;
use super::scale::{Scaler, scaled};
use super::{LARGE, PhotoError, check_size};

/// The signature.
pub const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What the decoder may take beside the rows: for a colour profile, and for text, which is ignored.
const ASIDE: usize = 4 << 20;

/// Decodes a file.
pub fn decode(file: &[u8]) -> Result<Decoded, PhotoError> {
    let damaged = |_| PhotoError::Damaged;
    let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes: ASIDE });
    decoder.set_transformations(Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    let head = decoder.read_header_info().map_err(damaged)?;
    let (width, height, is_interlaced) = (head.width, head.height, head.interlaced);
    check_size(width, height)?;
    let mut rows = decoder.read_info().map_err(damaged)?;
    let channels = rows.output_color_type().0.samples();
    let picture = if is_interlaced {
        // Every row is known only at the end.
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
    // What is cut short lacks its end.
    rows.finish().map_err(damaged)?;
    let info = rows.info();
    Ok(Decoded {
        picture: picture.ok_or(PhotoError::Damaged)?,
        exif: info.exif_metadata.as_ref().map(|exif| exif.to_vec()),
        profile: info.icc_profile.as_ref().map(|profile| profile.to_vec()),
    })
}
