//! A picture in memory.

/// A picture: three bytes a pixel, red, green and blue, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The pixels.
    pub rgb: Vec<u8>,
}

/// Bytes of a pixel.
pub const CHANNELS: usize = 3;

/// A file's picture, scaled, with the file's orientation and colour profile.
#[derive(Debug)]
pub struct Decoded {
    /// The picture, as the camera held it.
    pub picture: Picture,
    /// How to turn it, as EXIF numbers it.
    pub orientation: u8,
    /// The ICC profile of its colours.
    pub profile: Option<Vec<u8>>,
}

/// Writes a row of some number of channels as red, green and blue; what is transparent lies on white.
pub fn write_rgb(row: &[u8], channels: usize, rgb: &mut Vec<u8>) {
    rgb.clear();
    for pixel in row.chunks_exact(channels) {
        match *pixel {
            [gray] => rgb.extend([gray; CHANNELS]),
            [gray, alpha] => rgb.extend([on_white(gray, alpha); CHANNELS]),
            [red, green, blue] => rgb.extend([red, green, blue]),
            [red, green, blue, alpha] => {
                rgb.extend([red, green, blue].map(|colour| on_white(colour, alpha)));
            }
            _ => {}
        }
    }
}

fn on_white(colour: u8, alpha: u8) -> u8 {
    let (colour, alpha) = (u32::from(colour), u32::from(alpha));
    let mixed = (colour * alpha + 255 * (255 - alpha) + 127) / 255;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}
