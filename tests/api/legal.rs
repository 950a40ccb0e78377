//! The legal pages match the operator's configuration, and their sections are numbered without gaps.

use crate::harness::site::page;
use crate::harness::{Document, Server, Setup};
use crate::settings::FULL;

/// Pages with the texts that appear only with partners, and those that appear only without them.
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

/// The text of a page without header and footer.
fn text(server: &Server, path: &str) -> String {
    page(server, path).only("main").text.clone()
}

/// The numbers of a page's section headings.
fn numbers(page: &Document) -> Vec<usize> {
    let sections = page.all("h2").filter(|heading| heading.attribute("id").is_some());
    sections
        .filter_map(|heading| heading.text.split_once(". ")?.0.parse().ok())
        .collect()
}

#[test]
fn legal_pages_describe_exactly_what_is_in_use() {
    let with = Setup::new().site(FULL).start();
    let without = Setup::new().site("").start();
    for (path, in_use, not_in_use) in DEPENDENT {
        let (with, without) = (text(&with, path), text(&without, path));
        for part in in_use {
            assert!(with.contains(part), "{path} lacks {part:?} with partners");
            assert!(
                !without.contains(part),
                "{path} contains {part:?} without partners"
            );
        }
        for part in not_in_use {
            assert!(without.contains(part), "{path} lacks {part:?} without partners");
            assert!(!with.contains(part), "{path} contains {part:?} with partners");
        }
    }
}

#[test]
fn the_privacy_notice_mentions_storage_in_the_browser() {
    let page = text(&Server::start(), "/datenschutz");
    assert!(page.contains("legt Ihr Browser die Anfrage in den Postausgang, bevor er sie sendet"));
}

#[test]
fn the_privacy_notice_mentions_the_demo() {
    assert!(text(&Server::with(&["--demo"]), "/datenschutz").contains("Vorführbetrieb"));
    assert!(!text(&Server::start(), "/datenschutz").contains("Vorführbetrieb"));
}

#[test]
fn sections_are_listed_and_numbered_without_gaps() {
    for site in [FULL, ""] {
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
                assert!(
                    ids.contains(&anchor),
                    "{path} links to the missing anchor #{anchor}"
                );
            }
        }
    }
}

#[test]
fn the_terms_name_the_place_of_jurisdiction() {
    assert!(text(&Server::start(), "/agb").contains("ist München ausschließlicher Gerichtsstand"));
}
