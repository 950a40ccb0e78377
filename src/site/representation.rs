//! Bytes in one encoding, with the headers that they are sent with.

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::{self, HeaderValue};

use super::encode::{Effort, Encoding};
use super::validator::Validator;

/// Bytes in one encoding, with the headers that they are sent with.
#[derive(Debug)]
pub struct Representation {
    /// What clients ask again with.
    pub validator: Validator,
    /// All headers but the length.
    pub headers: HeaderMap,
    /// The bytes.
    pub body: Bytes,
}

impl Representation {
    /// Adds validator and encoding to the headers of the resource. `hash` is that of the bytes before they were encoded.
    pub fn new(mut headers: HeaderMap, body: Bytes, hash: u64, coding: Option<(Encoding, Effort)>) -> Self {
        let validator = Validator { hash, coding };
        if let Some((encoding, _)) = coding {
            let token = HeaderValue::from_static(encoding.token());
            headers.insert(header::CONTENT_ENCODING, token);
        }
        headers.insert(header::ETAG, validator.to_header());
        Self {
            validator,
            headers,
            body,
        }
    }
}
