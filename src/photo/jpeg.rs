//! JPEG: reading camera files, and writing the stored pictures.

use jpeg_encoder::{ColorType, Encoder};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::orientation::EXIF_NAME;
use super::picture::{CHANNELS, Decoded, Picture};
use super::scale::scaled;
use super::{LARGE, MAX_SIDE, PhotoError, check_size};

/// The JPEG signature.
pub const MAGIC: &[u8] = &[0xff, 0xd8, 0xff];

/// Maximum number of scans. A progressive picture has about ten, and decoding goes through each.
const MAX_SCANS: usize = 64;

/// Start of an image, and a segment that makes the decoder use the standard Huffman tables where a file has none, like those of
/// webcams.
const START: &[u8] = b"\xff\xd8\xff\xe0\0\x07AVI1\0";

/// Forty-eight one bits, inserted before each marker in and after a scan. No Huffman code consists of ones only (T.81, C.2), and a
/// code with its extra bits has at most 32 bits, so a scan that ends before its last block is an error instead of gray.
const ONES: &[u8] = &[0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0];

/// The parts of a file that make up the picture, without bytes between or after its segments and without metadata, which may be
/// damaged.
#[derive(Debug, Default)]
struct Essence {
    /// The picture's segments as a JPEG file.
    file: Vec<u8>,
    width: u32,
    height: u32,
    components: u8,
    is_progressive: bool,
    has_restarts: bool,
    scans: usize,
    /// Whether each scan has a single component.
    is_separate: bool,
    exif: Option<Vec<u8>>,
    /// Parts of the ICC profile, each with its number.
    profile: Vec<(u8, Vec<u8>)>,
}

/// Decodes a file.
pub fn decode(file: Vec<u8>) -> Result<Decoded, PhotoError> {
    let mut essence = Essence::of(&file)?;
    drop(file);
    check_size(essence.width, essence.height)?;
    let side = usize::try_from(MAX_SIDE).unwrap_or(usize::MAX);
    let options = DecoderOptions::default()
        .set_max_width(side)
        .set_max_height(side)
        .set_strict_mode(true)
        .jpeg_set_max_scans(MAX_SCANS)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&essence.file), options);
    let rgb = decoder.decode().map_err(|_| PhotoError::Damaged)?;
    let picture = scaled(&rgb, CHANNELS, (essence.width, essence.height), LARGE);
    essence.profile.sort_by_key(|(number, _)| *number);
    let profile: Vec<u8> = essence.profile.into_iter().flat_map(|(_, part)| part).collect();
    Ok(Decoded {
        picture: picture.ok_or(PhotoError::Damaged)?,
        exif: essence.exif,
        // A grayscale or CMYK profile does not apply to the RGB pixels that the decoder returns.
        profile: Some(profile).filter(|profile| essence.components == 3 && !profile.is_empty()),
    })
}

/// Encodes a picture without any metadata.
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

impl Essence {
    /// Reads the segments up to the end of the picture, without decoding.
    fn of(file: &[u8]) -> Result<Self, PhotoError> {
        let mut essence = Self {
            file: Vec::with_capacity(START.len() + file.len() + 2 * ONES.len()),
            is_separate: true,
            ..Self::default()
        };
        essence.file.extend(START);
        let mut rest = file.get(2..).unwrap_or_default();
        loop {
            let marker;
            (marker, rest) = next_marker(rest).ok_or(PhotoError::Damaged)?;
            match marker {
                0xd9 => break,
                0xd8 => return Err(PhotoError::Damaged),
                // These markers have no segment.
                0x01 | 0xd0..=0xd7 => continue,
                _ => {}
            }
            let segment;
            (segment, rest) = split_segment(rest).ok_or(PhotoError::Damaged)?;
            let content = segment.get(2..).unwrap_or_default();
            if essence.takes(marker, content)? {
                essence.file.extend([0xff, marker]);
                essence.file.extend(segment);
            }
            if marker == 0xda {
                rest = essence.copy_scan(rest)?;
            }
        }
        if essence.components == 0 || essence.scans == 0 {
            return Err(PhotoError::Damaged);
        }
        // The decoder returns a wrong picture for the others.
        let is_read =
            essence.is_progressive || essence.scans == 1 || essence.is_separate && !essence.has_restarts;
        if !is_read {
            return Err(PhotoError::Unsupported);
        }
        essence.file.extend([0xff, 0xd9]);
        Ok(essence)
    }

    /// Whether the decoder needs this segment.
    fn takes(&mut self, marker: u8, content: &[u8]) -> Result<bool, PhotoError> {
        match marker {
            // Huffman and quantization tables.
            0xc4 | 0xdb => {}
            0xdd => self.has_restarts |= content != [0, 0],
            0xc0..=0xc2 => self.read_frame(content, marker == 0xc2)?,
            // Lossless, hierarchical or arithmetic coding.
            0xc3..=0xcf | 0xde | 0xdf => return Err(PhotoError::Unsupported),
            0xda => {
                self.scans += 1;
                self.is_separate &= content.first() == Some(&1);
                if self.scans > MAX_SCANS || self.components == 0 {
                    return Err(PhotoError::Damaged);
                }
            }
            0xe1 => {
                if self.exif.is_none() && content.starts_with(EXIF_NAME) {
                    self.exif = Some(content.to_vec());
                }
                return Ok(false);
            }
            0xe2 => {
                if let Some([number, _, part @ ..]) = content.strip_prefix(b"ICC_PROFILE\0") {
                    self.profile.push((*number, part.to_vec()));
                }
                return Ok(false);
            }
            // Adobe's segment states the colour transform.
            0xee => return Ok(content.starts_with(b"Adobe") && content.len() >= 12),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read_frame(&mut self, content: &[u8], is_progressive: bool) -> Result<(), PhotoError> {
        let [precision, high, low, wide, narrow, components, ref sampling @ ..] = *content else {
            return Err(PhotoError::Damaged);
        };
        if self.components != 0 {
            return Err(PhotoError::Damaged);
        }
        let (columns, rows) = ([wide, narrow], [high, low]);
        // A height of zero means that it is given after the first scan.
        let is_plain = precision == 8 && [1, 3, 4].contains(&components) && rows != [0, 0];
        // The decoder does not support a horizontal sampling factor of three.
        let mut factors = sampling.chunks(3).filter_map(|component| component.get(1));
        if !is_plain || factors.any(|both| both >> 4 == 3) {
            return Err(PhotoError::Unsupported);
        }
        self.width = u16::from_be_bytes(columns).into();
        self.height = u16::from_be_bytes(rows).into();
        self.components = components;
        self.is_progressive = is_progressive;
        Ok(())
    }

    /// Copies the entropy-coded data of a scan, and returns the rest from the next marker on.
    fn copy_scan<'a>(&mut self, scan: &'a [u8]) -> Result<&'a [u8], PhotoError> {
        let mut rest = scan;
        while let Some((&byte, behind)) = rest.split_first() {
            match (byte, behind.first()) {
                // A fill byte.
                (0xff, Some(0xff)) => {}
                (0xff, Some(0xd0..=0xd7)) => {
                    self.file.extend(ONES);
                    self.file.push(byte);
                }
                (0xff, Some(1..)) => {
                    self.file.extend(ONES);
                    return Ok(rest);
                }
                _ => self.file.push(byte),
            }
            rest = behind;
        }
        Err(PhotoError::Damaged)
    }
}

/// The next marker, and the rest after it. Some cameras leave stray bytes between segments.
fn next_marker(rest: &[u8]) -> Option<(u8, &[u8])> {
    let at = rest
        .windows(2)
        .position(|pair| matches!(pair, [0xff, marker] if ![0, 0xff].contains(marker)))?;
    let (marker, behind) = rest.get(at + 1..)?.split_first()?;
    Some((*marker, behind))
}

/// Splits off a marker's segment, including its length.
fn split_segment(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = u16::from_be_bytes(*rest.first_chunk()?);
    let (segment, behind) = rest.split_at_checked(length.into())?;
    (length >= 2).then_some((segment, behind))
}
