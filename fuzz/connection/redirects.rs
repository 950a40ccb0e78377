//! Property: redirects from any path end after a few steps, stay on the site and keep the query.

use proptest::prelude::*;

use super::{Client, Response, exchange, responses, runtime};
use crate::harness as fuzz;

/// Parts of paths: separators in every spelling, other hosts, and everything that the redirects recognise.
const PIECES: &[&str] = &[
    "/",
    "/",
    "//",
    "\\",
    "/\\",
    "%2f",
    "%2F",
    "%5c",
    "%09",
    "%0d%0aLocation:",
    "%00",
    "..",
    ".",
    ";",
    ":",
    "@",
    "&",
    "evil.example",
    "https:",
    "sitemap",
    "Sitemap",
    "SITE_MAP",
    "site-map",
    ".xml",
    ".XML",
    ".xMl",
    "/sitemap.xml",
    "faq",
    "/faq/",
    "FAQ",
    "fragebogen",
    "FrageBogen",
    "/blog/",
    "blog",
    "feed",
    "kategorie",
    "/blog/taubenabwehr-produkte",
    "/blog/taubenspikes-faq",
    "taubenspikes-installation-tipps",
    "hausverwaltung-tauben",
    "ä",
    "%C3%84",
    "%c3",
    "ß",
    "İ",
    "assets",
    "rest/v1/",
    "healthz",
    "x",
    "~",
    "'",
];

/// Maximum number of redirects in a row. More would slow visitors down or be a loop.
const MAX_STEPS: usize = 3;

fn target() -> impl Strategy<Value = String> {
    let text =
        |range| prop::collection::vec(prop::sample::select(PIECES), range).prop_map(|pieces| pieces.concat());
    let origin = prop_oneof![9 => Just(""), 1 => Just("http://evil.example")];
    let query = prop::option::of((
        text(0..4),
        prop::sample::select(&["", "=", "?", "//", "%0a", "#"][..]),
    ));
    (origin, text(0..6), query).prop_map(|(origin, path, query)| {
        let query = query.map(|(start, end)| format!("?{start}{end}"));
        format!("{origin}/{path}{}", query.unwrap_or_default())
    })
}

#[test]
fn targets() {
    let runtime = runtime();
    fuzz::values("redirect", 500, &target(), |start| {
        let mut target = start.clone();
        for _ in 0..=MAX_STEPS {
            let request = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            let received = exchange(&runtime, request.as_bytes(), usize::MAX, Client::Stays);
            let responses = responses::read(&received, request.as_bytes(), Client::Stays);
            let [response] = &responses[..] else {
                panic!("{responses:?}")
            };
            let Some(location) = location(response) else {
                return;
            };
            assert!(
                responses::is_on_this_host(location),
                "{target} redirects to {location}"
            );
            assert_eq!(
                query(location),
                query(&target),
                "{target} redirects to {location}"
            );
            target = location.to_owned();
        }
        panic!("{start} is still redirected after {MAX_STEPS} steps, to {target}");
    });
}

fn location(response: &Response) -> Option<&str> {
    assert!(
        response.status == 301 || !(300..400).contains(&response.status),
        "{response:?}"
    );
    response.field("location")
}

/// The query of a target. Browsers do not send the fragment after `#`.
fn query(target: &str) -> Option<&str> {
    let (target, _) = target.split_once('#').unwrap_or((target, ""));
    target.split_once('?').map(|(_, query)| query)
}
