//! Where the bytes of a resource come from.

use std::fmt;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::embedded::{self, StaticContent, StaticFile};
use super::encode::Encoding;

/// Where the bytes of a resource come from.
#[derive(Debug)]
pub enum Source {
    /// A text that holds settings. Each time it is encoded, it is made again, so that a text takes no memory in a form that
    /// nobody asks for.
    Text(LazyText),
    /// A file, as the build made it.
    File {
        /// The start of the hash of its bytes.
        hash: u64,
        /// Its bytes.
        content: StaticContent,
    },
}

/// A function that makes a text; its error is for the log.
pub struct LazyText(Box<dyn Fn() -> Result<String, String> + Send + Sync>);

impl LazyText {
    /// Wraps a function.
    pub fn new(make: impl Fn() -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self(Box::new(make))
    }
}

impl fmt::Debug for LazyText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("LazyText")
    }
}

impl Source {
    /// Returns the encodings in which it may be sent.
    pub const fn encodings(&self) -> &'static [Encoding] {
        match self {
            Self::File {
                content: StaticContent::Incompressible(_),
                ..
            } => &[],
            Self::Text(_) | Self::File { .. } => &Encoding::ALL,
        }
    }

    /// Returns the encoding from which the bytes as they are can be had at the least cost.
    pub const fn kept_in(&self) -> Encoding {
        match self {
            // Unpacked three times as quickly as gzip.
            Self::Text(_) => Encoding::Zstd,
            // It is in the executable.
            Self::File { .. } => Encoding::PACKED,
        }
    }

    /// Returns the bytes in this encoding (`None`: as they are) with their hash, if they need not be made.
    pub fn ready(&self, encoding: Option<Encoding>) -> Option<(Bytes, u64)> {
        let Self::File { hash, content } = self else {
            return None;
        };
        let bytes = match (content, encoding) {
            (StaticContent::Incompressible(bytes), None) => bytes,
            (StaticContent::Encoded(encoded), Some(encoding)) => {
                let mut encoded = encoded.iter();
                &encoded.find(|(candidate, _)| *candidate == encoding)?.1
            }
            _ => return None,
        };
        Some((bytes.clone(), *hash))
    }

    /// Makes the bytes as they are, with their hash. `None` when that fails, which tests rule out: they make every text,
    /// and unpack every file.
    pub fn make(&self) -> Option<(Bytes, u64)> {
        match self {
            Self::Text(text) => match text.0() {
                Ok(text) => {
                    let hash = embedded::hash_prefix(&Sha256::digest(&text));
                    Some((Bytes::from(text), hash))
                }
                Err(error) => {
                    tracing::error!(error, "a page cannot be made");
                    None
                }
            },
            Self::File { hash, .. } => {
                let (packed, _) = self.ready(Some(Encoding::PACKED))?;
                Some((Bytes::from(Encoding::PACKED.unpack(&packed).ok()?), *hash))
            }
        }
    }
}

impl From<StaticFile> for Source {
    fn from(StaticFile { hash, content, .. }: StaticFile) -> Self {
        Self::File { hash, content }
    }
}
