//! How a camera was held, which its file says beside the pixels.

use exif::{In, Reader, Tag};

use super::picture::{CHANNELS, Picture};

/// The number of a picture that is upright.
pub const UPRIGHT: u8 = 1;

/// Returns what EXIF says, from its first byte on; [`UPRIGHT`] if it cannot be read.
pub fn of_exif(exif: &[u8]) -> u8 {
    let read = Reader::new().read_raw(exif.to_vec()).ok();
    let field = read
        .as_ref()
        .and_then(|exif| exif.get_field(Tag::Orientation, In::PRIMARY));
    let number = field.and_then(|field| field.value.get_uint(0));
    number
        .and_then(|number| u8::try_from(number).ok())
        .filter(|number| (1..=8).contains(number))
        .unwrap_or(UPRIGHT)
}

/// Turns a picture upright.
pub fn turn(picture: Picture, orientation: u8) -> Picture {
    if orientation <= UPRIGHT {
        return picture;
    }
    let (width, height) = (picture.width, picture.height);
    let is_on_its_side = orientation >= 5;
    let (new_width, new_height) = if is_on_its_side {
        (height, width)
    } else {
        (width, height)
    };
    let (right, bottom) = (width - 1, height - 1);
    let mut rgb = Vec::with_capacity(picture.rgb.len());
    for y in 0..new_height {
        for x in 0..new_width {
            let (old_x, old_y) = match orientation {
                2 => (right - x, y),
                3 => (right - x, bottom - y),
                4 => (x, bottom - y),
                5 => (y, x),
                6 => (y, bottom - x),
                7 => (right - y, bottom - x),
                8 => (right - y, x),
                _ => (x, y),
            };
            let at = usize::try_from(u64::from(old_y) * u64::from(width) + u64::from(old_x));
            let at = at.unwrap_or_default() * CHANNELS;
            rgb.extend(picture.rgb.get(at..at + CHANNELS).unwrap_or_default());
        }
    }
    Picture {
        width: new_width,
        height: new_height,
        rgb,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_turns_as_cameras_mean_it() {
        // The letter F, two wide and three high, as it must come out.
        let upright = ["##", "#.", "#."];
        for (orientation, stored) in [
            (1, &["##", "#.", "#."][..]),
            (2, &["##", ".#", ".#"]),
            (3, &[".#", ".#", "##"]),
            (4, &["#.", "#.", "##"]),
            (5, &["###", "#.."]),
            (6, &["#..", "###"]),
            (7, &["..#", "###"]),
            (8, &["###", "..#"]),
        ] {
            let picture = Picture {
                width: u32::try_from(stored[0].len()).unwrap(),
                height: u32::try_from(stored.len()).unwrap(),
                rgb: stored.concat().bytes().flat_map(|byte| [byte; 3]).collect(),
            };
            let turned = turn(picture, orientation);
            assert_eq!((turned.width, turned.height), (2, 3), "{orientation}");
            let expected: Vec<u8> = upright.concat().bytes().flat_map(|byte| [byte; 3]).collect();
            assert_eq!(turned.rgb, expected, "{orientation}");
        }
    }
}
