//! Small files that are far more expensive to decode than a picture.

use std::io::Write;

use super::pictures::{halves, png};

/// Writes numbers of a few bits each, lowest bit first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: u64, count: u32) {
        self.pending |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.pending.to_le_bytes()[0]);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Writes a Huffman code, highest bit first.
    fn put_code(&mut self, code: u64, count: u32) {
        for bit in (0..count).rev() {
            self.put(code >> bit & 1, 1);
        }
    }

    /// Writes a tree of eleven symbols with the lengths 1 to 10 and 10 again, for which a decoder allocates a table of 1024
    /// entries.
    fn put_tree(&mut self) {
        self.put(0, 1);
        // The lengths of 14 code length codes, in the order of the format: 17, 18, 0 to 5, 16, 6 to 10.
        self.put(10, 4);
        for length in [0, 0, 0, 3, 3, 3, 3, 3, 0, 3, 4, 4, 4, 4] {
            self.put(length, 3);
        }
        // The number of symbols: two, and nine more in four bits.
        self.put(1, 1);
        self.put(1, 3);
        self.put(9, 4);
        for length in (1..=10).chain([10]) {
            match length {
                ..=6 => self.put_code(length - 1, 3),
                _ => self.put_code(12 + length - 7, 4),
            }
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.put(0, 64 - 8);
        self.bytes
    }
}

fn chunk(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    let filled = &[0][..content.len() % 2];
    [&name[..], &length, content, filled].concat()
}

fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    chunk(*b"RIFF", &[&b"WEBP"[..], &chunks.concat()].concat())
}

/// A WebP of one pixel with 65,536 groups of five Huffman trees, in 3.8 MB.
pub fn huffman() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(0x2f, 8);
    // One pixel in width and height, without transparency, transforms and colour cache.
    bits.put(0, 14 + 14 + 1 + 3 + 1 + 1);
    // The image that selects the group of a pixel also has one pixel: 0xffff, coded with trees of one symbol each.
    bits.put(1, 1);
    bits.put(0, 3 + 1);
    for _ in 0..4 {
        bits.put(0b101, 3);
        bits.put(0xff, 8);
    }
    bits.put(0b001, 3);
    bits.put(0, 1);
    for _ in 0..65_536 * 5 {
        bits.put_tree();
    }
    riff(&[chunk(*b"VP8L", &bits.finish())])
}

/// A PNG of a few kilobytes, with a profile that contains one colour table 100,000 times.
pub fn png_with_profile() -> Vec<u8> {
    const GRID: u8 = 71;
    const TAGS: u32 = 100_000;
    let mut table = b"mft2\0\0\0\0\x03\x03".to_vec();
    table.extend([GRID, 0]);
    for number in 0..9 {
        table.extend(if number % 4 == 0 { [0, 1, 0, 0] } else { [0; 4] });
    }
    // Two entries for each colour before the table, and two after it.
    table.extend([0, 2, 0, 2]);
    table.resize(52 + 12 + 6 * usize::from(GRID).pow(3) + 12, 0);
    let mut profile = moxcms::ColorProfile::new_srgb().encode().unwrap();
    profile.truncate(128);
    profile.extend(TAGS.to_be_bytes());
    let at = 132 + TAGS * 12;
    for _ in 0..TAGS {
        profile.extend(b"A2B0");
        profile.extend(at.to_be_bytes());
        profile.extend(u32::try_from(table.len()).unwrap().to_be_bytes());
    }
    profile.extend(table);
    let length = u32::try_from(profile.len()).unwrap();
    profile[..4].copy_from_slice(&length.to_be_bytes());
    let mut encoder = flate2::write::ZlibEncoder::new(b"p\0\0".to_vec(), flate2::Compression::best());
    encoder.write_all(&profile).unwrap();
    png_with(*b"iCCP", &encoder.finish().unwrap())
}

/// A black-and-white PNG of 50 megapixels, in 6 KB.
pub fn blank() -> Vec<u8> {
    let side = 7_071_u32;
    let row = usize::try_from(side.div_ceil(8) * side).unwrap();
    png(
        side,
        side,
        png::ColorType::Grayscale,
        png::BitDepth::One,
        &vec![0; row],
    )
}

/// A small PNG with one more chunk before the image data.
fn png_with(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    let data = halves(64, 48, &[200, 30, 30], &[30, 30, 200]);
    let mut file = png(64, 48, png::ColorType::Rgb, png::BitDepth::Eight, &data);
    let mut crc = flate2::Crc::new();
    crc.update(&name);
    crc.update(content);
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    let chunk = [&length[..], &name, content, &crc.sum().to_be_bytes()].concat();
    // After the magic bytes and the first chunk.
    let head = 8 + 4 + 4 + 13 + 4;
    file.splice(head..head, chunk);
    file
}
