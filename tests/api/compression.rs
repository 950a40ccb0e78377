//! Pages and files are compressed on the first request.

use std::io::Write as _;

use crate::harness::{Request, Response, Server, compression};

const HOME: &str = "/";

/// The limit of the home page in bytes with brotli: HTML with inline styles, all that the first view needs but fonts.
const HOME_BUDGET: usize = 20 * 1024;

/// The margin that must remain: ports in addresses and file names change the size of the page by about 30 bytes.
const HOME_RESERVE: usize = 128;

fn get(server: &Server, path: &str, coding: &str) -> Response {
    server.send(&Request::get(path).header("Accept-Encoding", coding))
}

/// The size of a text at the highest level of a coding.
fn smallest(text: &[u8], coding: &str) -> usize {
    match coding {
        "br" => {
            let params = brotli::enc::BrotliEncoderParams {
                quality: 11,
                lgwin: 22,
                ..Default::default()
            };
            let mut out = Vec::new();
            brotli::BrotliCompress(&mut &text[..], &mut out, &params).unwrap();
            out.len()
        }
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap().len()
        }
        other => panic!("no highest level of {other}"),
    }
}

#[test]
fn the_home_page_stays_below_its_limit() {
    let size = get(&Server::start(), HOME, "br").body.len();
    assert!(size + HOME_RESERVE <= HOME_BUDGET, "{size} bytes in brotli");
}

#[test]
fn a_page_is_as_small_as_can_be() {
    let server = Server::start();
    for path in [
        HOME,
        "/fragebogen",
        "/blog/taubenabwehr-kosten-hamburg",
        "/gibt-es-nicht",
    ] {
        let plain = server.get(path).body;
        for coding in ["br", "gzip"] {
            let response = get(&server, path, coding);
            assert_eq!(compression::decoded(&response), plain, "{path} {coding}");
            let limit = smallest(&plain, coding) * 101 / 100;
            let size = response.body.len();
            assert!(size <= limit, "{path} {coding}: {size} bytes, expected {limit}");
        }
    }
}
