//! Content codings: which ones the server offers, and how it compresses pages, which `build.rs` cannot compress since they
//! contain run-time settings.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// A content coding that the server offers, best first (on this site brotli beats gzip by 15 %).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// RFC 7932
    Brotli,
    /// RFC 1952
    Gzip,
}

/// How much time compressing may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// About a millisecond for a page that one visitor gets.
    Quick,
    /// Up to two tenths of a second for what everybody gets.
    Best,
}

/// Bits of the window of Brotli: it holds the whole of nearly every page, and the encoder's memory grows with it.
const BROTLI_WINDOW: i32 = 17;

impl Encoding {
    /// All, in the order of preference.
    pub const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// The coding that the server decodes itself, for clients that accept none.
    pub const PACKED: Self = Self::Gzip;

    /// Returns the token of `Accept-Encoding` and `Content-Encoding`, which is also the folder of the precompressed files.
    pub const fn token(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// Compresses `bytes`.
    ///
    /// # Errors
    /// When the encoder fails, which none does on memory of this size.
    pub fn encode(self, bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let is_quick = effort == Effort::Quick;
        let mut out = Vec::new();
        match self {
            Self::Brotli => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: if is_quick { 4 } else { 11 },
                    lgwin: BROTLI_WINDOW,
                    size_hint: bytes.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
            }
            Self::Gzip => {
                let level = Compression::new(if is_quick { 3 } else { 9 });
                let mut encoder = GzEncoder::new(out, level);
                encoder.write_all(bytes)?;
                out = encoder.finish()?;
            }
        }
        out.shrink_to_fit();
        Ok(out)
    }

    /// Decompresses bytes.
    ///
    /// # Errors
    /// When they are not in this coding, or it is Brotli: nothing is read from that, and its decoder would only be ballast.
    pub fn unpack(self, packed: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Brotli => Err(io::ErrorKind::Unsupported.into()),
            Self::Gzip => {
                // A page shrinks to about a fifth.
                let mut out = Vec::with_capacity(packed.len() * 5);
                GzDecoder::new(packed).read_to_end(&mut out)?;
                Ok(out)
            }
        }
    }
}
