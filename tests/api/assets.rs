//! Static files other than pages: hashed assets, icons, robots.txt and the web manifest.

use std::ffi::OsStr;
use std::path::Path;

use crate::harness::site::page;
use crate::harness::{Request, Response, Server, compression};

/// The paths of the scripts and fonts that a page loads.
fn assets(server: &Server, path: &str) -> Vec<String> {
    let page = page(server, path);
    let scripts = page.all("script").filter_map(|script| script.attribute("src"));
    let fonts = page
        .all("link")
        .filter(|link| link.attribute("as") == Some("font"));
    let fonts = fonts.filter_map(|link| link.attribute("href"));
    scripts
        .chain(fonts)
        .filter(|path| path.starts_with("/assets/"))
        .map(str::to_owned)
        .collect()
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension() == Some(OsStr::new(extension))
}

fn png_size(response: &Response) -> (u32, u32) {
    assert!(response.body.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(response.body[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// The initial congestion window: ten segments, which a new connection sends without waiting.
const FIRST_FLIGHT: usize = 14_600;

#[test]
fn headings_do_not_wait_for_a_second_round_trip() {
    let server = Server::start();
    let assets = assets(&server, "/");
    let font = assets.iter().find(|path| path.contains("besley")).unwrap();
    let response = server.get(font);
    let head: usize = response
        .headers
        .iter()
        .map(|(name, value)| name.len() + value.len() + ": \r\n".len())
        .sum();
    let bytes = "HTTP/1.1 200 OK\r\n\r\n".len() + head + response.body.len();
    assert!(bytes <= FIRST_FLIGHT, "{font} takes {bytes} bytes");
}

#[test]
fn hashed_assets_are_cached_forever() {
    let server = Server::start();
    let assets = assets(&server, "/");
    assert!(assets.iter().any(|path| has_extension(path, "js")), "{assets:?}");
    assert!(
        assets.iter().any(|path| has_extension(path, "woff2")),
        "{assets:?}"
    );
    for path in assets {
        let response = server.get(&path);
        let cache = response.expect("cache-control");
        assert!(
            cache.contains("immutable") && cache.contains("max-age=31536000"),
            "{path}: {cache}"
        );
        let expected = if has_extension(&path, "js") {
            "text/javascript; charset=utf-8"
        } else {
            "font/woff2"
        };
        assert_eq!(response.expect("content-type"), expected, "{path}");
    }
}

#[test]
fn hashed_assets_are_compressed() {
    let server = Server::start();
    let assets = assets(&server, "/");
    for path in assets.into_iter().filter(|path| has_extension(path, "js")) {
        let plain = server.get(&path);
        for coding in ["br", "gzip"] {
            let response = server.send(&Request::get(&path).header("Accept-Encoding", coding));
            assert_eq!(response.header("content-encoding"), Some(coding), "{path}");
            assert!(response.body.len() < plain.body.len(), "{path} {coding}");
            assert_eq!(compression::decoded(&response), plain.body, "{path} {coding}");
        }
    }
}

#[test]
fn icons_and_social_cards_have_the_expected_sizes() {
    let server = Server::start();
    for (path, size) in [
        ("/apple-touch-icon.png", (180, 180)),
        ("/icon-192.png", (192, 192)),
        ("/icon-512.png", (512, 512)),
        ("/og-image.png", (1200, 630)),
        ("/og/blog/taubenabwehr-altona.png", (1200, 630)),
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 200, "{path}");
        assert_eq!(response.expect("content-type"), "image/png", "{path}");
        assert_eq!(png_size(&response), size, "{path}");
    }
    let icon = server.get("/favicon.ico");
    assert_eq!(icon.status, 200);
    assert!(icon.body.starts_with(&[0, 0, 1, 0]), "favicon.ico is not an icon");
    let svg = server.get("/favicon.svg");
    assert_eq!(svg.status, 200);
    assert_eq!(svg.expect("content-type"), "image/svg+xml; charset=utf-8");
    assert!(svg.text().contains("<svg"));
}

#[test]
fn the_web_manifest_names_the_site_and_its_icons() {
    let server = Server::start();
    let response = server.get("/site.webmanifest");
    assert_eq!(response.status, 200);
    assert!(
        response
            .expect("content-type")
            .starts_with("application/manifest+json")
    );
    let manifest = response.json();
    assert_eq!(manifest["name"], "Taubenabwehr Hamburg");
    assert_eq!(manifest["lang"], "de");
    let icons = manifest["icons"].as_array().unwrap();
    assert!(icons.len() >= 2);
    for icon in icons {
        assert_eq!(server.get(icon["src"].as_str().unwrap()).status, 200, "{icon}");
    }
}

#[test]
fn robots_txt_names_the_sitemap() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    let response = server.get("/robots.txt");
    assert_eq!(response.status, 200);
    assert_eq!(response.expect("content-type"), "text/plain; charset=utf-8");
    let text = response.text();
    assert!(
        text.lines()
            .any(|line| line == "Sitemap: https://www.tauben.example/sitemap.xml"),
        "{text}"
    );
    assert!(text.lines().any(|line| line.trim() == "User-agent: *"), "{text}");
    assert!(!text.lines().any(|line| line.trim() == "Disallow: /"), "{text}");
}

#[test]
fn linked_icons_exist() {
    let server = Server::start();
    let page = page(&server, "/");
    for rel in ["icon", "apple-touch-icon", "manifest"] {
        let link = page.all("link").find(|link| link.attribute("rel") == Some(rel));
        let href = link
            .and_then(|link| link.attribute("href"))
            .unwrap_or_else(|| panic!("no link {rel}"));
        assert_eq!(server.get(href).status, 200, "{href}");
    }
}
