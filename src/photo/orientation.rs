//! Turns pictures upright by their EXIF orientation.

use super::picture::{CHANNELS, Picture};

/// The orientation value of an upright picture.
const UPRIGHT: u8 = 1;

/// Prefix of EXIF data in a JPEG; some programs also write it elsewhere.
pub const EXIF_NAME: &[u8] = b"Exif\0\0";

/// Turns a picture upright. Reads only the first EXIF table, since cameras and programs often leave errors in the rest.
pub fn turn(picture: Picture, exif: &[u8]) -> Picture {
    let exif = exif.strip_prefix(EXIF_NAME).unwrap_or(exif);
    turned(picture, orientation(exif).unwrap_or(UPRIGHT))
}

/// The orientation tag, as in EXIF 2.32, 4.6: a header with the byte order and the offset of the table, which has a count and
/// entries of twelve bytes.
fn orientation(exif: &[u8]) -> Option<u8> {
    const TAG: u32 = 0x112;
    const SHORT: u32 = 3;
    let is_little = match exif.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let number = |bytes: &[u8]| {
        let add = |number: u32, byte: &u8| (number << 8) | u32::from(*byte);
        if is_little {
            bytes.iter().rev().fold(0, add)
        } else {
            bytes.iter().fold(0, add)
        }
    };
    let table = exif.get(usize::try_from(number(exif.get(4..8)?)).ok()?..)?;
    let (count, entries) = table.split_first_chunk::<2>()?;
    let count = usize::try_from(number(count)).ok()?;
    let mut values = entries
        .as_chunks::<12>()
        .0
        .iter()
        .take(count)
        .filter_map(|entry| {
            let (tag, rest) = entry.split_first_chunk::<2>()?;
            let (kind, rest) = rest.split_first_chunk::<2>()?;
            let (amount, value) = rest.split_first_chunk::<4>()?;
            let is_one = number(tag) == TAG && number(kind) == SHORT && number(amount) == 1;
            is_one.then(|| number(value.first_chunk::<2>().unwrap_or(&[0; 2])))
        });
    let number = u8::try_from(values.next()?).ok()?;
    (1..=8).contains(&number).then_some(number)
}

fn turned(picture: Picture, orientation: u8) -> Picture {
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
    let is_from_right = matches!(orientation, 2 | 3 | 7 | 8);
    let is_from_below = matches!(orientation, 3 | 4 | 6 | 7);
    let mut rgb = Vec::with_capacity(picture.rgb.len());
    for y in 0..new_height {
        for x in 0..new_width {
            let (x, y) = if is_on_its_side { (y, x) } else { (x, y) };
            let old_x = if is_from_right { width - 1 - x } else { x };
            let old_y = if is_from_below { height - 1 - y } else { y };
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
    fn only_the_entry_itself_must_be_whole() {
        const ENTRY: &[u8] = b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0";
        let exif = |rest: &[&[u8]]| [&b"MM\0*\0\0\0\x08"[..], &rest.concat()].concat();
        for (what, rest, expected) in [
            ("alone", &[b"\0\x01", ENTRY, &[0; 4]][..], 6),
            ("without a next pointer", &[b"\0\x01", ENTRY], 6),
            ("next table in a loop", &[b"\0\x01", ENTRY, b"\0\0\0\x08"], 6),
            ("next table beyond the end", &[b"\0\x01", ENTRY, &[0xff; 4]], 6),
            ("fewer entries than said", &[b"\0\x09", ENTRY], 6),
            (
                "behind a table beyond the end",
                &[b"\0\x02\x88\x25\0\x04\0\0\0\x01", &[0xff; 4], ENTRY],
                6,
            ),
            (
                "behind a value beyond the end",
                &[b"\0\x02\x01\x0f\0\x02", &[0xff; 8], ENTRY],
                6,
            ),
            (
                "behind a type that is none",
                &[b"\0\x02\x01\x0f", &[0xff; 10], ENTRY],
                6,
            ),
            ("not said", &[b"\0\x00", ENTRY], 1),
            (
                "of another type",
                &[b"\0\x01\x01\x12\0\x02\0\0\0\x01\0\x06\0\0"],
                1,
            ),
            ("out of range", &[b"\0\x01\x01\x12\0\x03\0\0\0\x01\0\x09\0\0"], 1),
            ("cut", &[b"\0\x01", &ENTRY[..11]], 1),
        ] {
            assert_eq!(orientation(&exif(rest)).unwrap_or(UPRIGHT), expected, "{what}");
        }
        let little = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0";
        assert_eq!(orientation(little), Some(8));
        for end in 0..little.len() {
            assert_eq!(orientation(&little[..end]), None, "{end}");
        }
    }

    #[test]
    fn each_number_turns_as_cameras_mean_it() {
        // The expected result: the letter F, two pixels wide and three high.
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
            let turned = turned(picture, orientation);
            assert_eq!((turned.width, turned.height), (2, 3), "{orientation}");
            let expected: Vec<u8> = upright.concat().bytes().flat_map(|byte| [byte; 3]).collect();
            assert_eq!(turned.rgb, expected, "{orientation}");
        }
    }
}
