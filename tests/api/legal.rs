//! The legal pages are true of this operator's configuration, and their sections stay numbered whatever it is.

use crate::harness::site::page;
use crate::harness::{Document, Server, Setup};

/// Everything that a legal page can depend on.
const WITH_PARTNERS: &str = r#"
[operator]
legal_name = "Taubenfrei Nord GmbH"
represented_by = "Jörg Größe"
[links]
chat = "https://chat.example/tauben"
sister_sites = ["https://schwester.example"]
affiliate_partner = "taubenfrei-21"
[tags]
tag_manager = "GTM-TEST123"
conversion = "AW-123456789/abcDEF"
"#;

/// The pages, each with texts that appear only if a service is in use, and texts that appear only if none is.
const DEPENDENT: [(&str, &[&str], &[&str]); 4] = [
    (
        "/datenschutz",
        &[
            "Vertreten durch: Jörg Größe",
            "Google Ireland Limited",
            "Conversion-Ereignis",
            "https://chat.example/tauben",
            "Amazon Europe Core",
            "Vergleichsportale am Fuß",
        ],
        &[
            "sind nicht eingebunden",
            "kein Tag-Manager und keine Messung",
            "Ein Chat ist zurzeit nicht eingerichtet",
            "enthält diese Website zurzeit nicht",
        ],
    ),
    (
        "/cookie-einstellungen",
        &["Tag-Manager von Google"],
        &["kein Dienst eingerichtet"],
    ),
    ("/agb", &["als „Anzeige“ gekennzeichnet"], &[]),
    ("/impressum", &["Als Amazon-Partner"], &[]),
];

/// Returns the text of a page without header and footer.
fn text(server: &Server, path: &str) -> String {
    page(server, path).only("main").text.clone()
}

/// Returns the numbers in front of a page's section headings.
fn numbers(page: &Document) -> Vec<usize> {
    let sections = page.all("h2").filter(|heading| heading.attribute("id").is_some());
    sections
        .filter_map(|heading| heading.text.split_once(". ")?.0.parse().ok())
        .collect()
}

#[test]
fn what_is_in_use_is_described_and_what_is_not_is_denied() {
    let with = Setup::new().site(WITH_PARTNERS).start();
    let without = Setup::new().site("").start();
    for (path, in_use, not_in_use) in DEPENDENT {
        let (with, without) = (text(&with, path), text(&without, path));
        for part in in_use {
            assert!(with.contains(part), "{path} lacks {part:?}");
            assert!(!without.contains(part), "{path} says {part:?} of nothing");
        }
        for part in not_in_use {
            assert!(without.contains(part), "{path} lacks {part:?} without partners");
            assert!(!with.contains(part), "{path} denies {part:?}");
        }
    }
}

#[test]
fn an_inquiry_is_said_to_be_in_the_browser_before_it_is_sent() {
    let page = text(&Server::start(), "/datenschutz");
    assert!(page.contains("legt Ihr Browser die Anfrage in den Postausgang, bevor er sie sendet"));
}

#[test]
fn a_demo_says_that_it_keeps_nothing() {
    assert!(text(&Server::with(&["--demo"]), "/datenschutz").contains("Vorführbetrieb"));
    assert!(!text(&Server::start(), "/datenschutz").contains("Vorführbetrieb"));
}

#[test]
fn sections_are_numbered_without_a_gap_and_listed() {
    for site in [WITH_PARTNERS, ""] {
        let server = Setup::new().site(site).start();
        for (path, count) in [("/datenschutz", 13), ("/agb", 7)] {
            let page = page(&server, path);
            assert_eq!(numbers(&page), (1..=count).collect::<Vec<_>>(), "{path}");
        }
        for path in ["/datenschutz", "/agb", "/impressum", "/barrierefreiheit"] {
            let page = page(&server, path);
            let ids: Vec<&str> = page
                .elements
                .iter()
                .filter_map(|element| element.attribute("id"))
                .collect();
            for anchor in page.hrefs().filter_map(|href| href.strip_prefix('#')) {
                assert!(ids.contains(&anchor), "{path} lists #{anchor}");
            }
        }
    }
}

#[test]
fn the_terms_name_munich() {
    assert!(text(&Server::start(), "/agb").contains("ist München ausschließlicher Gerichtsstand"));
}
