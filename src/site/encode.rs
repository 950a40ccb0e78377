//! Content codings: which ones the server offers, and how it compresses pages, which `build.rs` cannot compress since they
//! contain run-time settings.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// A content coding that the server offers, best first (on this site brotli beats zstd by 6 % and gzip by 15 %).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// RFC 7932
    Brotli,
    /// RFC 8878
    Zstd,
    /// RFC 1952
    Gzip,
}

/// Window of 2^18 bytes: no page or bundle is much larger than that, and the encoder's memory grows with it.
const BROTLI_WINDOW: i32 = 18;

impl Encoding {
    /// All, in the order of preference.
    pub const ALL: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// The coding in which the executable holds what it reads itself.
    pub const PACKED: Self = Self::Gzip;

    /// Returns the token of `Accept-Encoding` and `Content-Encoding`, which is also the folder of the precompressed files.
    pub const fn token(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// Compresses `bytes` while a visitor waits: a page takes about a millisecond.
    ///
    /// # Errors
    /// When the encoder fails, which none does on memory of this size.
    pub fn encode(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Brotli => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: 5,
                    lgwin: BROTLI_WINDOW,
                    size_hint: bytes.len(),
                    ..Default::default()
                };
                let mut out = Vec::with_capacity(bytes.len() / 3);
                brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
                Ok(out)
            }
            Self::Zstd => zstd::bulk::compress(bytes, 9),
            Self::Gzip => {
                let out = Vec::with_capacity(bytes.len() / 3);
                let mut encoder = GzEncoder::new(out, Compression::new(6));
                encoder.write_all(bytes)?;
                encoder.finish()
            }
        }
    }

    /// Decompresses bytes that the build compressed with [`Self::PACKED`].
    ///
    /// # Errors
    /// When they were not.
    pub fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
        // A page shrinks to about a fifth.
        let mut out = Vec::with_capacity(packed.len() * 5);
        GzDecoder::new(packed).read_to_end(&mut out)?;
        Ok(out)
    }
}
