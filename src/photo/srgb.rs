//! Converting ICC profiles to sRGB.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::picture::Picture;

/// Converts a picture from the colours of an ICC profile to sRGB. With a profile that cannot be read it stays as it is: nobody looks at
/// a wall for its shade of grey.
pub fn convert(picture: &mut Picture, profile: &[u8]) {
    let Ok(profile) = ColorProfile::new_from_slice(profile) else {
        return;
    };
    if profile.color_space != DataColorSpace::Rgb {
        return;
    }
    let srgb = ColorProfile::new_srgb();
    let transform =
        profile.create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, TransformOptions::default());
    let mut converted = vec![0; picture.rgb.len()];
    if let Ok(transform) = transform
        && transform.transform(&picture.rgb, &mut converted).is_ok()
    {
        picture.rgb = converted;
    }
}
