//! Content encodings: which there are, and how bytes are compressed. Shared with `build.rs`, which compresses static
//! files ahead; the server compresses pages, since run-time settings stand in them.

use std::io::{self, Write};

/// A content coding the server offers, best first (design: brotli beats zstd by 6 % and gzip by 15 % on this site).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// RFC 7932
    Brotli,
    /// RFC 8878
    Zstd,
    /// RFC 1952
    Gzip,
}

/// How hard to compress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Once, at build time: the smallest result, whatever it takes.
    #[allow(dead_code, reason = "the server only compresses quickly, the build only best")]
    Best,
    /// While a visitor waits: a page in about a millisecond.
    #[allow(dead_code, reason = "the server only compresses quickly, the build only best")]
    Quick,
}

/// Window of 2^18 bytes: no page or bundle is larger than that by much, and the encoder's memory grows with it.
const BROTLI_WINDOW: i32 = 18;

impl Encoding {
    /// All, in the order of preference.
    pub const ALL: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// In which the executable holds what it reads itself.
    pub const PACKED: Self = Self::Zstd;

    /// The token of `Accept-Encoding` and `Content-Encoding`, also the folder of the precompressed files.
    pub const fn token(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// Compresses `bytes`.
    ///
    /// # Errors
    /// When the encoder fails, which none does on memory of this size.
    pub fn encode(self, bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let best = effort == Effort::Best;
        match self {
            Self::Brotli => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: if best { 11 } else { 5 },
                    lgwin: BROTLI_WINDOW,
                    size_hint: bytes.len(),
                    ..Default::default()
                };
                let mut out = Vec::with_capacity(bytes.len() / 3);
                brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
                Ok(out)
            }
            Self::Zstd => zstd::bulk::compress(bytes, if best { 19 } else { 9 }),
            Self::Gzip => {
                let level = if best {
                    flate2::Compression::best()
                } else {
                    flate2::Compression::new(6)
                };
                let mut encoder = flate2::write::GzEncoder::new(Vec::with_capacity(bytes.len() / 3), level);
                encoder.write_all(bytes)?;
                encoder.finish()
            }
        }
    }

    /// The bytes that were encoded with [`Self::PACKED`].
    ///
    /// # Errors
    /// When they were not.
    #[allow(dead_code, reason = "the build only packs")]
    pub fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
        zstd::stream::decode_all(packed)
    }
}
