//! The representations of one resource: as it is and in every encoding, each with its headers made ahead of time.

use std::sync::OnceLock;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::{self, HeaderValue};
use sha2::{Digest, Sha256};

use super::embedded;
use super::encode::Encoding;

/// All representations of one resource. One that is missing is made when a client first asks for it.
#[derive(Debug)]
pub struct Representations {
    /// Everything but length, encoding and validator.
    pub headers: HeaderMap,
    /// The encodings in which the resource may be sent.
    pub encodings: &'static [Encoding],
    hash: u64,
    identity: OnceLock<Representation>,
    /// One slot per [`Encoding::ALL`].
    encoded: [OnceLock<Representation>; Encoding::ALL.len()],
}

/// Bytes in one encoding, with the headers that they are sent with.
#[derive(Debug, Clone)]
pub struct Representation {
    /// Strong validator, quotes included.
    pub etag: String,
    /// All headers but the length.
    pub headers: HeaderMap,
    /// The bytes.
    pub body: Bytes,
}

impl Representations {
    /// Creates those of a text, which is compressed when a client first asks for an encoding.
    pub fn text(headers: HeaderMap, text: String) -> Self {
        let hash = embedded::hash_prefix(&Sha256::digest(&text));
        let representations = Self::new(headers, hash, &Encoding::ALL);
        let identity = representations.representation(None, Bytes::from(text));
        let _ = representations.identity.set(identity);
        representations
    }

    /// Creates the only one of bytes that do not shrink.
    pub fn incompressible(headers: HeaderMap, body: Bytes, hash: u64) -> Self {
        let representations = Self::new(headers, hash, &[]);
        let identity = representations.representation(None, body);
        let _ = representations.identity.set(identity);
        representations
    }

    /// Creates those of bytes that the build compressed in some encodings.
    pub fn encoded(headers: HeaderMap, encoded: Vec<(Encoding, Bytes)>, hash: u64) -> Self {
        let representations = Self::new(headers, hash, &Encoding::ALL);
        for (encoding, body) in encoded {
            if let Some(slot) = representations.encoded.get(encoding as usize) {
                let _ = slot.set(representations.representation(Some(encoding), body));
            }
        }
        representations
    }

    fn new(mut headers: HeaderMap, hash: u64, encodings: &'static [Encoding]) -> Self {
        if !encodings.is_empty() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        Self {
            headers,
            encodings,
            hash,
            identity: OnceLock::new(),
            encoded: Default::default(),
        }
    }

    /// Returns the bytes as they are.
    pub fn identity(&self) -> &Representation {
        self.identity.get_or_init(|| {
            let packed = self
                .encoded
                .get(Encoding::PACKED as usize)
                .and_then(OnceLock::get);
            let unpacked = packed.map(|packed| Encoding::unpack(&packed.body)).transpose();
            // Unpacking cannot fail: a test unpacks every file of the build.
            self.representation(None, Bytes::from(unpacked.ok().flatten().unwrap_or_default()))
        })
    }

    /// Returns the bytes in this encoding.
    pub fn in_encoding(&self, encoding: Encoding) -> &Representation {
        let Some(slot) = self.encoded.get(encoding as usize) else {
            return self.identity();
        };
        slot.get_or_init(|| {
            let identity = self.identity();
            match encoding.encode(&identity.body) {
                Ok(body) => self.representation(Some(encoding), Bytes::from(body)),
                Err(_) => identity.clone(),
            }
        })
    }

    /// Adds headers and validator. Strong validators must differ between encodings.
    fn representation(&self, encoding: Option<Encoding>, body: Bytes) -> Representation {
        let mut headers = self.headers.clone();
        let etag = match encoding {
            Some(encoding) => {
                headers.insert(
                    header::CONTENT_ENCODING,
                    HeaderValue::from_static(encoding.token()),
                );
                format!("\"{:016x}-{}\"", self.hash, encoding.token())
            }
            None => format!("\"{:016x}\"", self.hash),
        };
        if let Ok(value) = HeaderValue::try_from(&etag) {
            headers.insert(header::ETAG, value);
        }
        Representation { etag, headers, body }
    }
}
