//! Fuzz target: files that visitors send as photos.

use taubenabwehr::photo::{PhotoError, develop};

use crate::harness as fuzz;

/// Markers and chunks of the three formats, sizes, and parts that make a file more than an image.
const TOKENS: &[&str] = &[
    "\0",
    "\0\0\0\0",
    "\x01",
    "\x08",
    "\x7f\x7f",
    "\0\x10\0\x10",
    "IHDR",
    "IDAT",
    "IEND",
    "PLTE",
    "tRNS",
    "iCCP",
    "eXIf",
    "acTL",
    "fdAT",
    "RIFF",
    "WEBP",
    "VP8 ",
    "VP8L",
    "VP8X",
    "ALPH",
    "ANMF",
    "ICC_PROFILE\0\x01\x01",
    "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0",
    "PK\x03\x04",
    "SEFT",
    "ftyp",
];

#[test]
fn bytes() {
    fuzz::bytes("photo", 600, TOKENS, check);
}

/// Checks that the result for any file is two JPEGs of the stored sizes, without metadata, that are accepted as photos themselves.
pub fn check(bytes: &[u8]) {
    let photo = match develop(bytes.to_vec()) {
        Ok(photo) => photo,
        Err(error) => {
            assert!(error != PhotoError::TooLarge, "no sample is so large");
            return;
        }
    };
    for (jpeg, longest) in [(&photo.large, 1600), (&photo.small, 320)] {
        assert!(jpeg.starts_with(&[0xff, 0xd8, 0xff]) && jpeg.ends_with(&[0xff, 0xd9]));
        for name in [&b"Exif"[..], b"ICC_PROFILE", b"http://ns.adobe.com"] {
            assert!(!jpeg.windows(name.len()).any(|part| part == name));
        }
        let head = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        let side = |at: usize| u16::from_be_bytes([jpeg[head + at], jpeg[head + at + 1]]);
        assert!((1..=longest).contains(&side(5)) && (1..=longest).contains(&side(7)));
    }
    develop(photo.large).unwrap();
}
