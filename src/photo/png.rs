//! PNG.

use std::io::Cursor;

use png::{Decoder, Limits, Reader, Transformations};

use super::orientation;
use super::picture::{Decoded, write_rgb};
use super::scale::Scaler;
use super::{LARGE, PhotoError, check_size};

/// The signature.
pub const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What the decoder may take beside the rows: for a colour profile, and for text, which is ignored.
const ASIDE: usize = 4 << 20;

type Rows<'a> = Reader<Cursor<&'a [u8]>>;

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
    let mut scaler = Scaler::new(width, height, LARGE);
    if is_interlaced {
        add_interlaced(&mut rows, &mut scaler)?;
    } else {
        let channels = rows.output_color_type().0.samples();
        let mut rgb = Vec::new();
        while let Some(row) = rows.next_row().map_err(damaged)? {
            write_rgb(row.data(), channels, &mut rgb);
            scaler.add(&rgb);
        }
    }
    // What is cut short lacks its end.
    rows.finish().map_err(damaged)?;
    let info = rows.info();
    Ok(Decoded {
        picture: scaler.finish().ok_or(PhotoError::Damaged)?,
        orientation: info
            .exif_metadata
            .as_ref()
            .map_or(orientation::UPRIGHT, |exif| orientation::of_exif(exif)),
        profile: info.icc_profile.as_ref().map(|profile| profile.to_vec()),
    })
}

/// Scales a picture of which every row is known only at its end.
fn add_interlaced(rows: &mut Rows<'_>, scaler: &mut Scaler) -> Result<(), PhotoError> {
    let bytes = rows.output_buffer_size().ok_or(PhotoError::TooDemanding)?;
    let mut all = vec![0; bytes];
    let frame = rows.next_frame(&mut all).map_err(|_| PhotoError::Damaged)?;
    let mut rgb = Vec::new();
    for row in all.chunks_exact(frame.line_size.max(1)) {
        write_rgb(row, frame.color_type.samples(), &mut rgb);
        scaler.add(&rgb);
    }
    Ok(())
}
