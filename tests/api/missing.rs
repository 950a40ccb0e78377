//! Missing pages return 404 with a page that links to related ones.

use crate::harness::Server;
use crate::harness::site::{self, page};

#[test]
fn unknown_routes_link_to_the_home_page() {
    let server = Server::start();
    for path in [
        "/gibt-es-nicht",
        "/gibt/es/nicht",
        "/FAQ",
        "/blog/a/b",
        "/index.html",
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}");
        let page = site::parse(&response, path);
        for target in ["/", "/sitemap"] {
            assert!(
                page.hrefs().any(|href| href == target),
                "{path} has no link to {target}"
            );
        }
        assert!(!page.text().contains("Artikel nicht gefunden"), "{path}");
    }
}

#[test]
fn unknown_articles_link_to_the_blog() {
    let server = Server::start();
    for path in ["/blog/gibt-es-nicht", "/blog/Taubenabwehr-Altona", "/blog/%C3%A4"] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}");
        let page = site::parse(&response, path);
        assert_eq!(
            page.title(),
            "Artikel nicht gefunden | Taubenabwehr Hamburg",
            "{path}"
        );
        let message = "Der von Ihnen gesuchte Artikel existiert leider nicht oder wurde entfernt.";
        assert!(page.text().contains(message), "{path}");
        let back = page.all("a").find(|link| link.text.contains("Zurück zum Blog"));
        assert_eq!(
            back.and_then(|link| link.attribute("href")),
            Some("/blog"),
            "{path}"
        );
    }
}

#[test]
fn unknown_categories_link_to_the_blog() {
    let server = Server::start();
    for path in [
        "/blog/kategorie/gibt-es-nicht",
        "/blog/kategorie/Balkon",
        "/blog/kategorie/sch%E4dlinge",
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}");
        let page = site::parse(&response, path);
        assert!(
            page.text()
                .contains("Keine Artikel in dieser Kategorie gefunden."),
            "{path}"
        );
        assert!(page.hrefs().any(|href| href == "/blog"), "{path}");
    }
}

#[test]
fn a_missing_script_is_answered_with_text() {
    let server = Server::start();
    for path in ["/assets/app.00000000.js", "/assets/gibt-es-nicht"] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(
            response.header("content-type"),
            Some("text/plain; charset=utf-8"),
            "{path}"
        );
        assert_eq!(response.text(), "Nicht gefunden.\n", "{path}");
    }
}

#[test]
fn missing_pages_ignore_if_none_match() {
    let server = Server::start();
    for path in site::MISSING {
        let first = server.get(path);
        let tag = first.header("etag").unwrap_or("*").to_owned();
        let again = server.send(&crate::harness::Request::get(path).header("If-None-Match", &tag));
        assert_eq!(again.status, 404, "{path}");
        assert_eq!(again.body, first.body, "{path}");
    }
}

#[test]
fn percent_encoded_umlauts_in_categories_work() {
    let server = Server::start();
    for path in [
        "/blog/kategorie/sch%C3%A4dlingsbek%C3%A4mpfung",
        "/blog/kategorie/sch%c3%a4dlingsbek%c3%a4mpfung",
    ] {
        let page = page(&server, path);
        assert!(
            page.only("h1")
                .text
                .to_lowercase()
                .contains("schädlingsbekämpfung"),
            "{path}"
        );
        let canonical = page.link("canonical").unwrap();
        assert!(canonical.is_ascii(), "{canonical}");
        assert!(
            site::plain(canonical).ends_with("/blog/kategorie/schädlingsbekämpfung"),
            "{canonical}"
        );
    }
}
