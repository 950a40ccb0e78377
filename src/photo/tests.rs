//! Valid and invalid files of each format.

use super::*;

/// A picture with a red top left quarter, green top right, blue bottom left and white bottom right.
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

/// The size of the stored picture, and the colours of its four corners.
fn kept(file: &[u8]) -> Result<((u32, u32), Corners), PhotoError> {
    develop(file.to_vec()).map(|photo| seen(&photo))
}

fn seen(photo: &Photo) -> ((u32, u32), Corners) {
    let small = jpeg::decode(photo.small.clone()).unwrap();
    assert!(small.picture.width <= SMALL && small.picture.height <= SMALL);
    let large = jpeg::decode(photo.large.clone()).unwrap();
    assert!(large.profile.is_none() && large.exif.is_none());
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
    // The same values are a stronger red in P3 than in sRGB.
    assert!(corners[0][0] > 206 && corners[0][1] < 76, "{corners:?}");
}

#[test]
fn what_cannot_be_a_photo_is_refused_by_its_head() {
    let head = |width: u16, height: u16| {
        let mut file = jpeg(16, 16, false, None);
        let at = file.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        file[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
        file[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
        file
    };
    assert_eq!(kept(&head(10_000, 5001)), Err(PhotoError::TooManyPixels));
    assert_eq!(kept(&head(65_535, 65_535)), Err(PhotoError::TooManyPixels));
    assert_eq!(kept(&head(0, 8)), Err(PhotoError::Damaged));
    assert_eq!(kept(&head(8, 0)), Err(PhotoError::Unsupported));
    assert_eq!(
        kept(&head(8000, 6000)),
        Err(PhotoError::Damaged),
        "it has no such pixels"
    );

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

/// One file of each kind: a baseline and a progressive JPEG, a PNG and a WebP.
fn files() -> [Vec<u8>; 4] {
    let rgb = quarters(64, 64, 3);
    [
        jpeg(64, 64, false, Some(1)),
        jpeg(64, 64, true, None),
        png(64, 64, ::png::ColorType::Rgb, ::png::BitDepth::Eight, &rgb),
        webp(64, 64, 3),
    ]
}

#[test]
fn what_is_no_whole_picture_is_refused() {
    for file in files() {
        for part in [1, 2, 4, 8] {
            let cut = &file[..file.len() - file.len() / part];
            assert!(kept(cut).is_err(), "one of {part} parts is missing");
        }
        assert!(kept(&file[..file.len() - 1]).is_err());
    }
    // A JPEG with an early end marker, or with a gap.
    let noise: Vec<u8> = (0..320_u32 * 240 * 3)
        .map(|at| at.wrapping_mul(0x9e37_79b1).to_be_bytes()[0] / 4)
        .collect();
    for (sampling, restart) in [
        (jpeg_encoder::SamplingFactor::R_4_2_0, 0),
        (jpeg_encoder::SamplingFactor::R_4_2_0, 1),
        (jpeg_encoder::SamplingFactor::R_4_4_4, 0),
        (jpeg_encoder::SamplingFactor::R_4_4_4, 7),
    ] {
        let mut file = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut file, 80);
        encoder.set_sampling_factor(sampling);
        encoder.set_restart_interval(restart);
        encoder
            .encode(&noise, 320, 240, jpeg_encoder::ColorType::Rgb)
            .unwrap();
        assert!(kept(&file).is_ok());
        let scan = file.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap() + 14;
        for percent in [1, 10, 50, 90, 99] {
            let at = scan + (file.len() - 2 - scan) * percent / 100;
            let ended = [&file[..at], &[0xff, 0xd9]].concat();
            assert_eq!(kept(&ended), Err(PhotoError::Damaged), "{restart}: {percent} %");
            let torn = [&file[..at], &file[(at + 3000).min(file.len() - 3)..]].concat();
            assert!(kept(&torn).is_err(), "{restart}: torn at {percent} %");
        }
    }
}

#[test]
fn what_stands_around_a_picture_does_not_matter() {
    let file = &files()[0];
    for (number, file) in files().iter().enumerate() {
        let whole = kept(file);
        for behind in [
            &[0; 9][..],
            // Fill bytes, a second end marker, a line break.
            &[0xff; 3],
            b"\xff\xd9",
            b"\r\n",
            // A second picture, directly or after a zero byte, and a video.
            file,
            &[b"\0", &file[..]].concat(),
            b"\0\0\0\x18ftypmp42",
            // Trailers of cameras and programs, and an archive.
            b"Image_UTC_Data SEFT",
            b"vivo{\"version\":1}",
            b"jxrs\0\0\0\x08",
            b"AXS!\0\0\0\x0cAFCP",
            b"CANON OPTIONAL DATA\0",
            b"PK\x03\x04 and so on",
        ] {
            assert_eq!(kept(&[file, behind].concat()), whole, "{number}: {behind:?}");
        }
    }
    // Stray bytes between segments, and broken segments.
    for (between, expected) in [
        (&b"\0"[..], true),
        (b"\0\xe1\0\x08AAAAAA", true),
        (b"\xff\x01", true),
        (b"\xff\xd0", true),
        (b"\xff\xff\xff", true),
        (b"\xff\xe1\0\x08Exif\0\0", true),
        (b"\xff\xe1\0\x0aExif\0\0XX", true),
        (b"\xff\xee\0\x07Adobe", true),
        (b"\xff\xe2\0\x10ICC_PROFILE\0\0\0", true),
        (b"\xff\xd8", false),
        (b"\xff\xe1\0\x01", false),
        (b"\xff\xfe\xff\xff", false),
    ] {
        let mut split = file.clone();
        let behind_first = 4 + usize::from(u16::from_be_bytes([file[4], file[5]]));
        split.splice(behind_first..behind_first, between.iter().copied());
        assert_eq!(kept(&split).is_ok(), expected, "{between:?}");
    }
    // Webcams omit the standard tables.
    let mut bare = file.clone();
    while let Some(at) = bare.windows(2).position(|pair| pair == [0xff, 0xc4]) {
        let length = usize::from(u16::from_be_bytes([bare[at + 2], bare[at + 3]]));
        bare.drain(at..at + 2 + length);
    }
    assert_eq!(kept(&bare), kept(file));
}

#[test]
fn a_jpeg_comes_out_right_or_is_refused() {
    const COLOURS: [[u8; 3]; 4] = [[200, 30, 30], [29, 170, 30], [29, 30, 200], [220, 210, 30]];
    macro_rules! sample {
        ($name:literal) => {
            (
                $name,
                &include_bytes!(concat!("../../tests/corpus/photo/", $name, ".jpg"))[..],
            )
        };
    }
    for (name, file) in [
        sample!("fine-chroma"),
        sample!("fine-chroma-progressive"),
        sample!("restarts"),
        sample!("scans"),
        sample!("stray-bytes"),
        sample!("stray-zeros"),
    ] {
        println!("{name}");
        assert_kept(file, (96, 64), COLOURS);
    }
    let [red, green, blue, yellow] = COLOURS;
    assert_kept(sample!("turned-broken").1, (64, 96), [blue, red, yellow, green]);
    // Kinds that the decoder does not support, or decodes wrongly.
    for (name, file) in [sample!("scans-restarts"), sample!("scans-two"), sample!("three")] {
        assert_eq!(kept(file), Err(PhotoError::Unsupported), "{name}");
    }
    for marker in [0xc3, 0xc9, 0xcc] {
        let mut other = jpeg(16, 16, false, None);
        let at = other.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        other[at + 1] = marker;
        assert_eq!(kept(&other), Err(PhotoError::Unsupported), "{marker:#x}");
    }
    // The first of two EXIF segments counts.
    let mut twice = jpeg(40, 30, false, Some(6));
    let second = jpeg(40, 30, false, Some(1));
    let is_exif = |pair: &[u8]| pair == [0xff, 0xe1];
    let (at, other) = (
        twice.windows(2).position(is_exif).unwrap(),
        second.windows(2).position(is_exif).unwrap(),
    );
    let length = 2 + usize::from(second[other + 3]);
    twice.splice(
        at + length..at + length,
        second[other..other + length].iter().copied(),
    );
    assert_kept(&twice, (30, 40), [BLUE, RED, BLACK, GREEN]);
}
