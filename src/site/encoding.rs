//! Content codings: which ones the server offers, and how it compresses pages, which `build.rs` cannot compress since they
//! contain run-time settings.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// A content coding that the server offers (RFC 9110, section 8.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// RFC 7932
    Brotli,
    /// RFC 1952
    Gzip,
    /// The bytes as they are.
    Identity,
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
    /// All, in the order of preference: on this site Brotli beats gzip by 15 %.
    pub const ALL: [Self; 3] = [Self::Brotli, Self::Gzip, Self::Identity];

    /// Returns the token of `Accept-Encoding` and `Content-Encoding`, which is also the folder of the precompressed files.
    pub const fn token(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    /// Encodes `bytes`.
    ///
    /// # Errors
    /// When the encoder fails, which none does on memory of this size.
    pub fn encode(self, mut bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let is_quick = effort == Effort::Quick;
        match self {
            Self::Brotli => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: if is_quick { 4 } else { 11 },
                    lgwin: BROTLI_WINDOW,
                    size_hint: bytes.len(),
                    ..Default::default()
                };
                let mut out = Vec::new();
                brotli::BrotliCompress(&mut bytes, &mut out, &params)?;
                Ok(out)
            }
            Self::Gzip => {
                let level = Compression::new(if is_quick { 3 } else { 9 });
                let mut encoder = GzEncoder::new(Vec::new(), level);
                encoder.write_all(bytes)?;
                encoder.finish()
            }
            Self::Identity => Ok(bytes.to_vec()),
        }
    }
}
