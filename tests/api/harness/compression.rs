//! Decodes content codings.

use std::io::Read;

use super::Response;

/// The decoded body of a response.
pub fn decoded(response: &Response) -> Vec<u8> {
    let mut content = Vec::new();
    let body = response.body.as_slice();
    match response.header("content-encoding") {
        None => content.extend_from_slice(body),
        Some("gzip") => drop(
            flate2::read::GzDecoder::new(body)
                .read_to_end(&mut content)
                .unwrap(),
        ),
        Some("br") => drop(
            brotli::Decompressor::new(body, 4096)
                .read_to_end(&mut content)
                .unwrap(),
        ),
        Some(other) => panic!("unknown coding {other}"),
    }
    content
}
