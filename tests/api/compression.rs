//! Pages are compressed as well as files, when they are first asked for.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Barrier;
use std::thread;

use crate::harness::{Request, Response, Server, compression, site};

const HOME: &str = "/";

/// Bytes in brotli of the home page's HTML with its styles, all that its first view needs but for the fonts.
const HOME_BUDGET: usize = 20 * 1024;

/// What must be left of it: ports in addresses and names of files alone make the page some 30 bytes larger or smaller.
const HOME_RESERVE: usize = 128;

fn get(server: &Server, path: &str, coding: &str) -> Response {
    server.send(&Request::get(path).header("Accept-Encoding", coding))
}

/// Returns the size of a text at the highest level of a coding.
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

#[test]
fn one_validator_stands_for_the_same_bytes_whoever_asks_at_the_same_time() {
    const CLIENTS: usize = 8;
    let server = Server::start();
    let paths: Vec<String> = site::pages().into_iter().take(6).collect();
    let texts: HashMap<&str, Vec<u8>> = paths
        .iter()
        .map(|path| (path.as_str(), server.get(path).body))
        .collect();
    let start = Barrier::new(CLIENTS);
    let ask = |client: usize| {
        start.wait();
        let coding = ["br", "gzip", "identity"][client % 3];
        let mut seen = Vec::new();
        for path in paths.iter().cycle().take(3 * paths.len()) {
            let response = get(&server, path, coding);
            let expected = (coding != "identity").then_some(coding);
            assert_eq!(response.header("content-encoding"), expected, "{path}");
            assert_eq!(
                response.expect("content-length"),
                response.body.len().to_string(),
                "{path} {coding}"
            );
            assert_eq!(
                compression::decoded(&response),
                texts[path.as_str()],
                "{path} {coding}"
            );
            seen.push((response.expect("etag").to_owned(), response.body));
        }
        seen
    };
    let seen: Vec<(String, Vec<u8>)> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| scope.spawn(move || ask(client)))
            .collect();
        clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect()
    });
    let mut bodies: HashMap<String, Vec<u8>> = HashMap::new();
    for (tag, body) in seen {
        assert_eq!(
            *bodies.entry(tag.clone()).or_insert_with(|| body.clone()),
            body,
            "{tag}"
        );
    }
}
