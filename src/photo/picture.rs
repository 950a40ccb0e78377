//! A picture in memory, and its colours.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

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

impl Picture {
    /// Converts the colours of an ICC profile to sRGB. With a profile that cannot be read they stay as they are: nobody looks at a wall for
    /// its shade of grey.
    pub fn convert_to_srgb(&mut self, profile: &[u8]) {
        let Ok(profile) = ColorProfile::new_from_slice(profile) else {
            return;
        };
        if profile.color_space != DataColorSpace::Rgb {
            return;
        }
        let srgb = ColorProfile::new_srgb();
        let transform =
            profile.create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, TransformOptions::default());
        let mut converted = vec![0; self.rgb.len()];
        if let Ok(transform) = transform
            && transform.transform(&self.rgb, &mut converted).is_ok()
        {
            self.rgb = converted;
        }
    }
}

/// A file's picture, scaled, with what the file says beside it.
#[derive(Debug)]
pub struct Decoded {
    /// The picture, as the camera held it.
    pub picture: Picture,
    /// Its EXIF, which says how to turn it.
    pub exif: Option<Vec<u8>>,
    /// The ICC profile of its colours.
    pub profile: Option<Vec<u8>>,
}

/// Returns a pixel of one to four channels as red, green and blue; what is transparent lies on white.
pub fn as_rgb(pixel: &[u8]) -> [u8; CHANNELS] {
    match *pixel {
        [red, green, blue] => [red, green, blue],
        [red, green, blue, alpha] => [red, green, blue].map(|colour| on_white(colour, alpha)),
        [gray, alpha] => [on_white(gray, alpha); CHANNELS],
        [gray, ..] => [gray; CHANNELS],
        [] => [0; CHANNELS],
    }
}

fn on_white(colour: u8, alpha: u8) -> u8 {
    let (colour, alpha) = (u32::from(colour), u32::from(alpha));
    let mixed = (colour * alpha + 255 * (255 - alpha) + 127) / 255;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}
