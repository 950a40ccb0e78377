//! JPEG: reading what cameras write, and writing what is kept.

use jpeg_encoder::{ColorType, Encoder};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::picture::{CHANNELS, Decoded, Picture};
use super::scale::Scaler;
use super::{LARGE, MAX_SIDE, PhotoError, check_memory, check_size, orientation};

/// How a file begins.
pub const MAGIC: &[u8] = &[0xff, 0xd8, 0xff];

/// Scans of a picture, at most. A progressive one has ten or so; each is read through.
const MAX_SCANS: usize = 64;

/// What the head of a file says, and its end.
#[derive(Debug, Default)]
struct Survey {
    width: u32,
    height: u32,
    components: usize,
    is_progressive: bool,
    /// Samples of all components, those beside the picture's edge included.
    samples: u64,
    scans: usize,
    /// Bytes of all scans.
    scanned: usize,
    /// Whether the first scan has all components, so that none must be kept until the next.
    is_interleaved: bool,
}

/// Decodes a file.
pub fn decode(file: &[u8]) -> Result<Decoded, PhotoError> {
    let survey = survey(file)?;
    check_size(survey.width, survey.height)?;
    let pixels = u64::from(survey.width) * u64::from(survey.height);
    let keeps_samples = survey.is_progressive || !survey.is_interleaved;
    let kept = if keeps_samples { 2 * survey.samples } else { 0 };
    check_memory(pixels * 3 + kept)?;
    // A block takes a bit at least, and where nothing follows later, another one. What has fewer lacks most of the picture.
    let least_bits = survey.samples / 64 * if survey.is_progressive { 1 } else { 2 };
    if u64::try_from(survey.scanned).unwrap_or(u64::MAX) * 8 < least_bits {
        return Err(PhotoError::Damaged);
    }
    let side = usize::try_from(MAX_SIDE).unwrap_or(usize::MAX);
    let options = DecoderOptions::default()
        .set_max_width(side)
        .set_max_height(side)
        .set_strict_mode(true)
        .jpeg_set_max_scans(MAX_SCANS)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(|_| PhotoError::Damaged)?;
    let bytes = decoder.output_buffer_size().unwrap_or_default();
    if u64::try_from(bytes) != Ok(pixels * 3) {
        return Err(PhotoError::Damaged);
    }
    let mut rgb = vec![0; bytes];
    decoder.decode_into(&mut rgb).map_err(|_| PhotoError::Damaged)?;
    let mut scaler = Scaler::new(survey.width, survey.height, LARGE);
    let row_bytes = usize::try_from(survey.width).unwrap_or_default() * CHANNELS;
    rgb.chunks_exact(row_bytes.max(1)).for_each(|row| scaler.add(row));
    // A profile of paper's colours says nothing of those that the decoder has made of them.
    let profile = decoder.icc_profile().filter(|_| survey.components == 3);
    Ok(Decoded {
        picture: scaler.finish().ok_or(PhotoError::Damaged)?,
        orientation: decoder
            .exif()
            .map_or(orientation::UPRIGHT, |exif| orientation::of_exif(exif)),
        profile,
    })
}

/// Writes a picture, and nothing beside it.
pub fn encode(picture: &Picture, quality: u8) -> Result<Vec<u8>, PhotoError> {
    let side = |side: u32| u16::try_from(side).map_err(|_| PhotoError::TooManyPixels);
    let mut file = Vec::new();
    let encoder = Encoder::new(&mut file, quality);
    let written = encoder.encode(
        &picture.rgb,
        side(picture.width)?,
        side(picture.height)?,
        ColorType::Rgb,
    );
    written.map_err(|_| PhotoError::Damaged)?;
    Ok(file)
}

/// Reads the markers of a file up to its end, without decoding anything.
fn survey(file: &[u8]) -> Result<Survey, PhotoError> {
    let mut survey = Survey::default();
    let mut rest = file.get(2..).unwrap_or_default();
    loop {
        let marker;
        (marker, rest) = next_marker(rest)?;
        match marker {
            0xd9 => break,
            // Where these have no segment, the decoder would read one, and see another picture.
            0x01 | 0xd0..=0xd8 => return Err(PhotoError::Damaged),
            _ => {}
        }
        let segment;
        (segment, rest) = split_segment(rest).ok_or(PhotoError::Damaged)?;
        match marker {
            // Tables and arithmetic conditioning, which stand among the frames.
            0xc4 | 0xcc => {}
            0xc0..=0xc2 if survey.components == 0 => read_frame(segment, marker == 0xc2, &mut survey)?,
            0xc0..=0xc2 => return Err(PhotoError::Damaged),
            // Lossless, hierarchical, arithmetic.
            0xc3..=0xcf => return Err(PhotoError::WrongKind),
            0xda => {
                survey.scans += 1;
                let components = segment.first().copied().map_or(0, usize::from);
                if survey.scans == 1 {
                    survey.is_interleaved = components == survey.components;
                }
                if survey.scans > MAX_SCANS || components == 0 {
                    return Err(PhotoError::Damaged);
                }
                let before = rest.len();
                rest = behind_scan(rest)?;
                survey.scanned += before - rest.len();
            }
            _ => {}
        }
    }
    if survey.components == 0 || survey.scans == 0 {
        return Err(PhotoError::Damaged);
    }
    if is_of_a_camera(rest) {
        Ok(survey)
    } else {
        Err(PhotoError::MoreThanPicture)
    }
}

/// Returns the next marker, and what follows it.
fn next_marker(rest: &[u8]) -> Result<(u8, &[u8]), PhotoError> {
    let at = rest
        .iter()
        .position(|byte| *byte != 0xff)
        .ok_or(PhotoError::Damaged)?;
    let (fill, behind) = rest.split_at(at);
    match behind.split_first() {
        Some((&marker, behind)) if !fill.is_empty() && marker != 0 => Ok((marker, behind)),
        _ => Err(PhotoError::Damaged),
    }
}

/// Returns the segment of a marker, and what follows it.
fn split_segment(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::from(u16::from_be_bytes(*rest.first_chunk()?));
    let (segment, behind) = rest.split_at_checked(length)?;
    Some((segment.get(2..)?, behind))
}

/// Reads the head of the frame.
fn read_frame(segment: &[u8], is_progressive: bool, survey: &mut Survey) -> Result<(), PhotoError> {
    let [precision, high, low, wide, narrow, components, ..] = *segment else {
        return Err(PhotoError::Damaged);
    };
    if precision != 8 || ![1, 3, 4].contains(&components) {
        return Err(PhotoError::WrongKind);
    }
    survey.height = u16::from_be_bytes([high, low]).into();
    survey.width = u16::from_be_bytes([wide, narrow]).into();
    survey.components = components.into();
    survey.is_progressive = is_progressive;
    let factors: Vec<(u64, u64)> = segment
        .get(6..)
        .unwrap_or_default()
        .chunks_exact(3)
        .take(survey.components)
        .filter_map(|component| {
            component
                .get(1)
                .map(|both| (u64::from(both >> 4), u64::from(both & 15)))
        })
        .filter(|(across, down)| (1..=4).contains(across) && (1..=4).contains(down))
        .collect();
    if factors.len() != survey.components {
        return Err(PhotoError::Damaged);
    }
    // Blocks of eight by eight samples, as many of each component as its factors say, make a unit.
    let most = |of: fn(&(u64, u64)) -> u64| factors.iter().map(of).max().unwrap_or(1);
    let units = u64::from(survey.width).div_ceil(8 * most(|(across, _)| *across))
        * u64::from(survey.height).div_ceil(8 * most(|(_, down)| *down));
    survey.samples = factors
        .iter()
        .map(|(across, down)| units * across * down * 64)
        .sum();
    Ok(())
}

/// Returns what follows the pixels of a scan, from its marker on.
fn behind_scan(rest: &[u8]) -> Result<&[u8], PhotoError> {
    let mut at = 0;
    loop {
        let found = rest
            .get(at..)
            .unwrap_or_default()
            .iter()
            .position(|byte| *byte == 0xff);
        at += found.ok_or(PhotoError::Damaged)?;
        match rest.get(at + 1) {
            // A byte of the pixels, a restart, or a fill byte.
            Some(0 | 0xd0..=0xd7) => at += 2,
            Some(0xff) => at += 1,
            Some(_) => return Ok(rest.get(at..).unwrap_or_default()),
            None => return Err(PhotoError::Damaged),
        }
    }
}

/// Returns whether what follows a picture is what cameras write there: nothing, zeros, further pictures, a short film, or the notes of
/// one maker. Whatever it is, it is not kept.
fn is_of_a_camera(rest: &[u8]) -> bool {
    rest.iter().all(|byte| *byte == 0)
        || rest.starts_with(MAGIC)
        || rest.get(4..8) == Some(b"ftyp")
        || rest.ends_with(b"SEFT")
}
