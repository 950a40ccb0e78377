//! Files of each kind, right and wrong.

use super::*;

/// A picture whose left upper quarter is red, right upper green, left lower blue, right lower white.
fn quarters(width: u32, height: u32, channels: usize) -> Vec<u8> {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let colours = pixels.map(|(x, y)| match (x < width / 2, y < height / 2) {
        (true, true) => [220, 20, 20, 255],
        (false, true) => [20, 200, 20, 255],
        (true, false) => [20, 20, 220, 255],
        (false, false) => [0, 0, 0, 0],
    });
    colours
        .flat_map(|colour| colour.into_iter().take(channels))
        .collect()
}

fn jpeg(width: u16, height: u16, is_progressive: bool, orientation: Option<u8>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 90);
    encoder.set_progressive(is_progressive);
    if let Some(number) = orientation {
        let mut exif = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
        exif.extend([number, 0, 0, 0, 0, 0, 0]);
        encoder.add_exif_metadata(&exif).unwrap();
    }
    let rgb = quarters(width.into(), height.into(), 3);
    encoder
        .encode(&rgb, width, height, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    file
}

fn png(width: u32, height: u32, colour: ::png::ColorType, depth: ::png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

fn webp(width: u32, height: u32, channels: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let colour = if channels == 4 {
        image_webp::ColorType::Rgba8
    } else {
        image_webp::ColorType::Rgb8
    };
    image_webp::WebPEncoder::new(&mut file)
        .encode(&quarters(width, height, channels), width, height, colour)
        .unwrap();
    file
}

type Corners = [[u8; 3]; 4];

/// Returns the size and the colours of the four corners of what is kept.
fn kept(file: &[u8]) -> Result<((u32, u32), Corners), PhotoError> {
    develop(file).map(|photo| seen(&photo))
}

fn seen(photo: &Photo) -> ((u32, u32), Corners) {
    let small = jpeg::decode(&photo.small).unwrap();
    assert!(small.picture.width <= SMALL && small.picture.height <= SMALL);
    let large = jpeg::decode(&photo.large).unwrap();
    assert!(large.profile.is_none() && large.orientation == orientation::UPRIGHT);
    let picture = large.picture;
    let colour = |x: u32, y: u32| {
        let at = usize::try_from(y * picture.width + x).unwrap() * 3;
        picture.rgb[at..at + 3].try_into().unwrap()
    };
    let (right, bottom) = (picture.width - 3, picture.height - 3);
    let corners = [
        colour(2, 2),
        colour(right, 2),
        colour(2, bottom),
        colour(right, bottom),
    ];
    ((picture.width, picture.height), corners)
}

fn is_near(colour: [u8; 3], expected: [u8; 3]) -> bool {
    colour
        .iter()
        .zip(expected)
        .all(|(one, other)| one.abs_diff(other) < 24)
}

fn assert_kept(file: &[u8], size: (u32, u32), corners: [[u8; 3]; 4]) {
    let (found, colours) = kept(file).unwrap();
    assert_eq!(found, size);
    for (colour, expected) in colours.into_iter().zip(corners) {
        assert!(is_near(colour, expected), "{colours:?} instead of {corners:?}");
    }
}

const RED: [u8; 3] = [220, 20, 20];
const GREEN: [u8; 3] = [20, 200, 20];
const BLUE: [u8; 3] = [20, 20, 220];
const BLACK: [u8; 3] = [0, 0, 0];
const WHITE: [u8; 3] = [255, 255, 255];

#[test]
fn a_jpeg_is_made_smaller_and_turned() {
    for is_progressive in [false, true] {
        assert_kept(
            &jpeg(40, 30, is_progressive, None),
            (40, 30),
            [RED, GREEN, BLUE, BLACK],
        );
    }
    assert_kept(
        &jpeg(4000, 3000, false, Some(1)),
        (1600, 1200),
        [RED, GREEN, BLUE, BLACK],
    );
    assert_kept(
        &jpeg(400, 300, false, Some(6)),
        (300, 400),
        [BLUE, RED, BLACK, GREEN],
    );
    assert_kept(
        &jpeg(400, 300, true, Some(8)),
        (300, 400),
        [GREEN, BLACK, RED, BLUE],
    );
    assert_kept(
        &jpeg(400, 300, false, Some(3)),
        (400, 300),
        [BLACK, BLUE, GREEN, RED],
    );
    assert_kept(
        &jpeg(400, 300, false, Some(99)),
        (400, 300),
        [RED, GREEN, BLUE, BLACK],
    );
}

#[test]
fn what_is_transparent_lies_on_white() {
    let rgba = quarters(400, 300, 4);
    let eight = png(400, 300, ::png::ColorType::Rgba, ::png::BitDepth::Eight, &rgba);
    assert_kept(&eight, (400, 300), [RED, GREEN, BLUE, WHITE]);
    let wide: Vec<u8> = rgba.iter().flat_map(|byte| [*byte, 0]).collect();
    let sixteen = png(400, 300, ::png::ColorType::Rgba, ::png::BitDepth::Sixteen, &wide);
    assert_kept(&sixteen, (400, 300), [RED, GREEN, BLUE, WHITE]);
    let gray = png(
        9,
        9,
        ::png::ColorType::GrayscaleAlpha,
        ::png::BitDepth::Eight,
        &[0; 162],
    );
    assert_kept(&gray, (9, 9), [WHITE; 4]);
    assert_kept(&webp(400, 300, 4), (400, 300), [RED, GREEN, BLUE, WHITE]);
    assert_kept(&webp(2000, 1000, 3), (1600, 800), [RED, GREEN, BLUE, BLACK]);
}

#[test]
fn colours_of_a_profile_become_those_of_the_web() {
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 95);
    encoder.add_icc_profile(&profile).unwrap();
    let colour = [200, 80, 80];
    let rgb: Vec<u8> = std::iter::repeat_n(colour, 32 * 32).flatten().collect();
    encoder
        .encode(&rgb, 32, 32, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    let (_, corners) = kept(&file).unwrap();
    // The red of screens with more colours is stronger.
    assert!(corners[0][0] > 206 && corners[0][1] < 76, "{corners:?}");
}

#[test]
fn what_needs_too_much_is_refused_before_it_is_decoded() {
    let head = |width: u16, height: u16, frame: u8| {
        let mut file = jpeg(16, 16, frame == 0xc2, None);
        let at = file.windows(2).position(|pair| pair == [0xff, frame]).unwrap();
        file[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
        file[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
        file
    };
    assert_eq!(kept(&head(10_000, 5001, 0xc0)), Err(PhotoError::TooManyPixels));
    assert_eq!(kept(&head(65_535, 65_535, 0xc0)), Err(PhotoError::TooManyPixels));
    assert_eq!(kept(&head(0, 8, 0xc0)), Err(PhotoError::Damaged));
    assert_eq!(kept(&head(8000, 6000, 0xc2)), Err(PhotoError::TooDemanding));
    assert_eq!(
        kept(&head(8000, 6000, 0xc0)),
        Err(PhotoError::Damaged),
        "it has no such pixels"
    );

    let mut lossless = webp(16, 16, 3);
    let at = lossless.windows(4).position(|name| name == b"VP8L").unwrap();
    // 14 bits each of width and height, less one.
    lossless[at + 9..at + 13].copy_from_slice(&(0x176f_u32 | 0x1387 << 14).to_le_bytes());
    assert_eq!(kept(&lossless), Err(PhotoError::TooDemanding));

    let mut wide = png(
        16,
        16,
        ::png::ColorType::Rgb,
        ::png::BitDepth::Eight,
        &quarters(16, 16, 3),
    );
    wide[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    let checksum = {
        let mut crc = flate2::Crc::new();
        crc.update(&wide[12..29]);
        crc.sum()
    };
    wide[29..33].copy_from_slice(&checksum.to_be_bytes());
    assert_eq!(kept(&wide), Err(PhotoError::TooManyPixels));
}

#[test]
fn what_is_no_whole_picture_is_refused() {
    let files = [
        jpeg(64, 64, false, Some(6)),
        jpeg(64, 64, true, None),
        png(
            64,
            64,
            ::png::ColorType::Rgb,
            ::png::BitDepth::Eight,
            &quarters(64, 64, 3),
        ),
        webp(64, 64, 3),
    ];
    for file in &files {
        for part in [1, 2, 4, 8] {
            let cut = &file[..file.len() - file.len() / part];
            assert!(kept(cut).is_err(), "one of {part} parts is missing");
        }
        assert!(kept(&file[..file.len() - 1]).is_err());
        for more in [
            &b"PK\x03\x04 and so on"[..],
            b"<html><script>alert(1)</script>",
            b"%PDF-1.7",
        ] {
            let polyglot = [file, more].concat();
            assert_eq!(kept(&polyglot), Err(PhotoError::MoreThanPicture));
        }
        assert!(kept(&[&file[..], &[0; 9]].concat()).is_ok(), "zeros are nothing");
    }
    // Markers where a survey and a decoder could disagree on what follows.
    for marker in [0x01, 0xd0, 0xd7, 0xd8] {
        let mut split = files[0].clone();
        split.splice(2..2, [0xff, marker]);
        assert_eq!(kept(&split), Err(PhotoError::Damaged), "{marker:#x}");
    }
    // What cameras put there.
    for more in [&b"\0\0\0\x18ftypmp42"[..], &files[0], b"Image_UTC_Data SEFT"] {
        assert!(kept(&[&files[0], more].concat()).is_ok());
    }
    for wrong in [
        &b""[..],
        b"GIF89a",
        b"%PDF-1.7",
        b"<svg/>",
        b"RIFF\0\0\0\0WEBP",
        b"\xff\xd8\xff",
        b"\0\0\0\x18ftypheic",
    ] {
        assert!(kept(wrong).is_err());
    }
    assert_eq!(kept(&vec![0xff; MAX_BYTES + 1]), Err(PhotoError::TooLarge));
}
