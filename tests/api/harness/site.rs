//! What the site consists of by the specification (sections 2 and 3) and the contract.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

use super::{Document, Response, Server};

/// Routes of the spec's table that are HTML pages.
pub const ROUTES: [&str; 10] = [
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
];

/// Ids of the articles.
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

/// Other ids that are linked, and the article that covers them.
pub const ALIASES: [(&str, &str); 4] = [
    ("hausverwaltung-tauben", "hausverwaltung-bei-tauben-einbinden"),
    ("taubenabwehr-produkte", "taubenspikes-testsieger"),
    ("taubenspikes-faq", "taubenspikes-testsieger"),
    ("taubenspikes-installation-tipps", "taubenspikes-vs-taubennetze"),
];

/// Slugs of the categories, decoded.
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

/// Suffix of every title but the home page's.
pub const SUFFIX: &str = " | Taubenabwehr Hamburg";

/// Title of the home page.
pub const HOME_TITLE: &str = "Professionelle Taubenabwehr & Taubenschutz Hamburg | Experten";

/// A path as it stands in a request or a link.
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

/// A path or address without percent-encoding.
pub fn plain(path: &str) -> Cow<'_, str> {
    percent_encoding::percent_decode_str(path).decode_utf8().unwrap()
}

/// Paths of all HTML pages that the spec and the contract name, encoded.
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

/// One path for each page that says that something does not exist.
pub const MISSING: [&str; 3] = [
    "/gibt-es-nicht",
    "/blog/gibt-es-nicht",
    "/blog/kategorie/gibt-es-nicht",
];

/// Gets a page that has to be there.
pub fn page(server: &Server, path: &str) -> Document {
    let response = server.get(path);
    assert_eq!(response.status, 200, "{path}");
    parse(&response, path)
}

/// The document in an answer, which has to be German HTML.
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
