//! PNG.

use std::io::Cursor;

use png::{Decoder, Limits, Reader, Transformations};

use super::orientation;
use super::picture::{Decoded, Picture, write_rgb};
use super::scale::Scaler;
use super::{LARGE, PhotoError, check_memory, check_size};

/// How a file begins.
pub const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What the decoder may take beside the rows: for a profile of colours, and for text, which nobody reads.
const ASIDE: usize = 4 << 20;

type Rows<'a> = Reader<Cursor<&'a [u8]>>;

/// Decodes a file.
pub fn decode(file: &[u8]) -> Result<Decoded, PhotoError> {
    let damaged = |_| PhotoError::Damaged;
    check_chunks(file)?;
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
    let picture = scaler.finish().ok_or(PhotoError::Damaged)?;
    Ok(described(picture, &rows))
}

/// Scales a picture of which every row is known only at its end.
fn add_interlaced(rows: &mut Rows<'_>, scaler: &mut Scaler) -> Result<(), PhotoError> {
    let bytes = rows.output_buffer_size().ok_or(PhotoError::TooDemanding)?;
    check_memory(u64::try_from(bytes).unwrap_or(u64::MAX))?;
    let mut all = vec![0; bytes];
    let frame = rows.next_frame(&mut all).map_err(|_| PhotoError::Damaged)?;
    let mut rgb = Vec::new();
    for row in all.chunks_exact(frame.line_size.max(1)) {
        write_rgb(row, frame.color_type.samples(), &mut rgb);
        scaler.add(&rgb);
    }
    Ok(())
}

fn described(picture: Picture, rows: &Rows<'_>) -> Decoded {
    let info = rows.info();
    Decoded {
        picture,
        orientation: info
            .exif_metadata
            .as_ref()
            .map_or(orientation::UPRIGHT, |exif| orientation::of_exif(exif)),
        profile: info.icc_profile.as_ref().map(|profile| profile.to_vec()),
    }
}

/// Walks the parts of a file to its end, behind which nothing may follow.
fn check_chunks(file: &[u8]) -> Result<(), PhotoError> {
    let mut rest = file.get(MAGIC.len()..).unwrap_or_default();
    loop {
        let Some((length, behind)) = rest.split_first_chunk() else {
            return Err(PhotoError::Damaged);
        };
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let is_end = behind.starts_with(b"IEND");
        // Its name, its content, and four bytes of checksum.
        let behind = behind
            .get(4..)
            .and_then(|behind| behind.get(length..))
            .and_then(|behind| behind.get(4..));
        rest = behind.ok_or(PhotoError::Damaged)?;
        if is_end {
            break;
        }
    }
    if rest.iter().all(|byte| *byte == 0) {
        Ok(())
    } else {
        Err(PhotoError::MoreThanPicture)
    }
}
