//! The forms in which one content is sent: plain and in every encoding, each with its headers made ahead.

use std::sync::OnceLock;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::{self, HeaderValue};
use sha2::{Digest, Sha256};

use super::embedded;
use super::encode::Encoding;

/// One content in its forms. A form that is not there yet is made when the first client asks for it.
#[derive(Debug)]
pub struct Forms {
    /// Everything but length, encoding and validator.
    pub headers: HeaderMap,
    /// In which encodings it may be sent.
    pub encodings: &'static [Encoding],
    hash: u64,
    plain: OnceLock<Variant>,
    /// One place per [`Encoding::ALL`].
    encoded: [OnceLock<Variant>; Encoding::ALL.len()],
}

/// Bytes in one encoding with the headers they are sent with.
#[derive(Debug, Clone)]
pub struct Variant {
    /// Strong validator, quotes included.
    pub etag: String,
    /// All headers but the length.
    pub headers: HeaderMap,
    /// The bytes.
    pub body: Bytes,
}

impl Forms {
    /// A text, compressed when it is first asked for in an encoding.
    pub fn text(headers: HeaderMap, text: String) -> Self {
        let forms = Self::new(
            headers,
            embedded::hash_prefix(&Sha256::digest(&text)),
            &Encoding::ALL,
        );
        let _ = forms.plain.set(forms.variant(None, Bytes::from(text)));
        forms
    }

    /// Bytes that do not shrink.
    pub fn plain(headers: HeaderMap, body: Bytes, hash: u64) -> Self {
        let forms = Self::new(headers, hash, &[]);
        let _ = forms.plain.set(forms.variant(None, body));
        forms
    }

    /// Bytes that the build compressed in some encodings.
    pub fn encoded(headers: HeaderMap, encoded: Vec<(Encoding, Bytes)>, hash: u64) -> Self {
        let forms = Self::new(headers, hash, &Encoding::ALL);
        for (encoding, body) in encoded {
            if let Some(place) = forms.encoded.get(encoding as usize) {
                let _ = place.set(forms.variant(Some(encoding), body));
            }
        }
        forms
    }

    fn new(mut headers: HeaderMap, hash: u64, encodings: &'static [Encoding]) -> Self {
        if !encodings.is_empty() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        Self {
            headers,
            encodings,
            hash,
            plain: OnceLock::new(),
            encoded: Default::default(),
        }
    }

    /// As it is.
    pub fn in_plain(&self) -> &Variant {
        self.plain.get_or_init(|| {
            let packed = self
                .encoded
                .get(Encoding::PACKED as usize)
                .and_then(OnceLock::get);
            let unpacked = packed.map(|packed| Encoding::unpack(&packed.body)).transpose();
            // What the build packed can be unpacked; a test does so with every file.
            self.variant(None, Bytes::from(unpacked.ok().flatten().unwrap_or_default()))
        })
    }

    /// In this encoding.
    pub fn in_encoding(&self, encoding: Encoding) -> &Variant {
        let Some(place) = self.encoded.get(encoding as usize) else {
            return self.in_plain();
        };
        place.get_or_init(|| {
            let plain = self.in_plain();
            match encoding.encode(&plain.body) {
                Ok(body) => self.variant(Some(encoding), Bytes::from(body)),
                Err(_) => plain.clone(),
            }
        })
    }

    /// Headers and tag for bytes in this encoding; the tag tells encodings apart, as strong tags must.
    fn variant(&self, encoding: Option<Encoding>, body: Bytes) -> Variant {
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
        Variant { etag, headers, body }
    }
}
