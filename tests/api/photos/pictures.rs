//! Pictures as cameras write them, and hostile ones.

use std::iter::repeat_n;
use std::sync::LazyLock;

/// Pixels whose upper half has one colour and whose lower half has another.
pub fn halves(width: u32, height: u32, upper: &[u8], lower: &[u8]) -> Vec<u8> {
    let half = usize::try_from(u64::from(width) * u64::from(height / 2)).unwrap();
    let rest = usize::try_from(u64::from(width) * u64::from(height)).unwrap() - half;
    let pixels = repeat_n(upper, half).chain(repeat_n(lower, rest));
    pixels.flatten().copied().collect()
}

/// Coarse noise, which compresses as badly as a photo.
fn noise(width: u32, height: u32) -> Vec<u8> {
    let mut state = 7_u32;
    let mut row: Vec<u8> = Vec::new();
    let mut rgb = Vec::new();
    for y in 0..height {
        if y % 8 == 0 {
            row.clear();
            for x in 0..width {
                if x % 8 == 0 {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                }
                row.extend(&state.to_be_bytes()[..3]);
            }
        }
        rgb.extend_from_slice(&row);
    }
    rgb
}

pub fn jpeg_of(rgb: &[u8], width: u16, height: u16, is_progressive: bool, exif: Option<&[u8]>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 85);
    encoder.set_progressive(is_progressive);
    if let Some(exif) = exif {
        encoder.add_exif_metadata(exif).unwrap();
    }
    encoder
        .encode(rgb, width, height, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    file
}

/// A photo of this size, as a camera encodes it.
pub fn camera(width: u16, height: u16, is_progressive: bool) -> Vec<u8> {
    jpeg_of(
        &noise(width.into(), height.into()),
        width,
        height,
        is_progressive,
        None,
    )
}

/// A photo of 12 megapixels, created once, since an unoptimised encoder needs seconds.
pub static COMMON: LazyLock<Vec<u8>> = LazyLock::new(|| camera(4000, 3000, false));

/// A photo of 48 megapixels. An unoptimised decoder needs fifteen seconds of processor time for it, which may be all that the
/// server allows on a busy machine, so a debug build uses 20 megapixels.
pub static LARGE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let (width, height) = if cfg!(debug_assertions) {
        (5200, 3900)
    } else {
        (8000, 6000)
    };
    camera(width, height, false)
});

/// A small photo, red above blue.
pub fn small() -> Vec<u8> {
    let rgb = halves(64, 48, &[200, 30, 30], &[30, 30, 200]);
    jpeg_of(&rgb, 64, 48, false, None)
}

/// A photo taken with a rotated camera, whose Exif data contains the orientation and the author.
pub fn turned() -> Vec<u8> {
    let mut exif = b"MM\0*\0\0\0\x08\0\x02".to_vec();
    exif.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0");
    exif.extend(b"\x01\x3b\0\x02\0\0\0\x10\0\0\0\x26\0\0\0\0");
    exif.extend(b"Anneliese Geheim");
    let rgb = halves(640, 480, &[200, 30, 30], &[30, 30, 200]);
    jpeg_of(&rgb, 640, 480, false, Some(&exif))
}

pub fn png(width: u32, height: u32, colour: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

/// A picture whose lower half is transparent.
pub fn transparent() -> Vec<u8> {
    let data = halves(64, 48, &[10, 10, 10, 255], &[0, 0, 0, 0]);
    png(64, 48, png::ColorType::Rgba, png::BitDepth::Eight, &data)
}

pub fn webp() -> Vec<u8> {
    let mut file = Vec::new();
    let data = halves(2000, 100, &[200, 30, 30], &[30, 30, 200]);
    image_webp::WebPEncoder::new(&mut file)
        .encode(&data, 2000, 100, image_webp::ColorType::Rgb8)
        .unwrap();
    file
}

/// Width, height and pixels of a JPEG that the server sends.
pub fn decoded(jpeg: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut decoder = zune_jpeg::JpegDecoder::new(zune_jpeg::zune_core::bytestream::ZCursor::new(jpeg));
    let rgb = decoder.decode().unwrap();
    let info = decoder.info().unwrap();
    (info.width.into(), info.height.into(), rgb)
}

/// Whether the pixel at a position has about this colour.
pub fn is_colour(jpeg: &[u8], (x, y): (u32, u32), colour: [u8; 3]) -> bool {
    let (width, _, rgb) = decoded(jpeg);
    let at = usize::try_from(y * width + x).unwrap() * 3;
    rgb[at..at + 3]
        .iter()
        .zip(colour)
        .all(|(found, expected)| found.abs_diff(expected) < 24)
}
