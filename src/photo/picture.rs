//! A picture in memory and its colours.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// A picture with three bytes per pixel (red, green, blue), row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The pixels.
    pub rgb: Vec<u8>,
}

/// Bytes per pixel.
pub const CHANNELS: usize = 3;

impl Picture {
    /// Converts the pixels from an ICC profile to sRGB. An unreadable profile is ignored, since exact shades do not matter here.
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

/// A file's picture, scaled, with the metadata needed to process it.
#[derive(Debug)]
pub struct Decoded {
    /// The picture as stored by the camera, not yet turned upright.
    pub picture: Picture,
    /// The EXIF data, which contains the orientation.
    pub exif: Option<Vec<u8>>,
    /// The ICC profile of the colours.
    pub profile: Option<Vec<u8>>,
}

/// Converts a pixel of one to four channels to RGB. Transparent pixels are blended with white.
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
