//! The pages of the site (`docs/behaviour.md`, "Pages and addresses"), listed independently of the code under test.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

use super::{Document, Response, Server};

/// The fixed routes that are HTML pages.
pub const ROUTES: [&str; 11] = [
    "/",
    "/fragebogen",
    "/danke",
    "/faq",
    "/impressum",
    "/datenschutz",
    "/agb",
    "/cookie-einstellungen",
    "/blog",
    "/sitemap",
    "/search",
];

/// The ids of all articles.
pub const ARTICLES: [&str; 13] = [
    "hausverwaltung-bei-tauben-einbinden",
    "hamburg-taubenabwehr-dienst",
    "wer-zahlt-taubenbeseitigung",
    "professionelle-taubenkot-entfernung-hamburg",
    "taubenabwehr-balkon-hamburg",
    "taubenabwehr-kosten-hamburg",
    "taubenabwehr-eppendorf",
    "taubenabwehr-altona",
    "tauben-nisten-balkon-hamburg",
    "tauben-vergraemen-hamburg",
    "taubenspikes-testsieger",
    "taubenspikes-vs-taubennetze",
    "ultraschall-taubenabwehr",
];

/// Alternative ids that texts link to, each with the id of the article it leads to.
pub const ALIASES: [(&str, &str); 4] = [
    ("hausverwaltung-tauben", "hausverwaltung-bei-tauben-einbinden"),
    ("taubenabwehr-produkte", "taubenspikes-testsieger"),
    ("taubenspikes-faq", "taubenspikes-testsieger"),
    ("taubenspikes-installation-tipps", "taubenspikes-vs-taubennetze"),
];

/// The slugs of all categories, decoded.
pub const CATEGORIES: [&str; 13] = [
    "ratgeber",
    "hausverwaltung",
    "taubenabwehr",
    "hamburg",
    "kosten",
    "rechtliches",
    "reinigung",
    "gesundheit",
    "service",
    "balkon",
    "stadtteil",
    "taubennester",
    "schädlingsbekämpfung",
];

/// The suffix of every title except the home page's.
pub const SUFFIX: &str = " | Taubenabwehr Hamburg";

pub const HOME_TITLE: &str = "Professionelle Taubenabwehr & Taubenschutz Hamburg | Experten";

/// Percent-encodes a path, as requests and links need it.
pub fn encoded(path: &str) -> String {
    percent_encoding::utf8_percent_encode(path, RESERVED).to_string()
}

/// Everything but the unreserved characters of RFC 3986 and the slash.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Decodes the percent-encoding of a path or address.
pub fn plain(path: &str) -> Cow<'_, str> {
    percent_encoding::percent_decode_str(path).decode_utf8().unwrap()
}

/// The encoded paths of all HTML pages.
pub fn pages() -> Vec<String> {
    let articles = ARTICLES.iter().map(|id| format!("/blog/{id}"));
    let categories = CATEGORIES
        .iter()
        .map(|slug| encoded(&format!("/blog/kategorie/{slug}")));
    ROUTES
        .iter()
        .map(|&route| route.to_owned())
        .chain(articles)
        .chain(categories)
        .collect()
}

/// A path for each kind of "not found" page.
pub const MISSING: [&str; 3] = [
    "/gibt-es-nicht",
    "/blog/gibt-es-nicht",
    "/blog/kategorie/gibt-es-nicht",
];

/// Requests a page, which must exist.
pub fn page(server: &Server, path: &str) -> Document {
    let response = server.get(path);
    assert_eq!(response.status, 200, "{path}");
    parse(&response, path)
}

/// Parses a response, which must be an HTML document.
pub fn parse(response: &Response, path: &str) -> Document {
    assert_eq!(
        response.expect("content-type"),
        "text/html; charset=utf-8",
        "{path}"
    );
    let text = response.text();
    assert!(text.to_ascii_lowercase().starts_with("<!doctype html>"), "{path}");
    Document::parse(text)
}
