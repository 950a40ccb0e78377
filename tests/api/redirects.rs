//! Redirects: permanent, one hop, with the query kept, and never to another host (contract, "HTTP").

use crate::harness::site::{ALIASES, ARTICLES, CATEGORIES, encoded};
use crate::harness::{Request, Server};

/// Returns the target of a redirect; fails unless it is a 301.
fn target(server: &Server, path: &str) -> String {
    let response = server.get(path);
    assert_eq!(response.status, 301, "{path}");
    response.expect("location").to_owned()
}

#[test]
fn spellings_of_the_sitemap_lead_to_it() {
    let server = Server::start();
    for (path, expected) in [
        ("/Sitemap.xml", "/sitemap.xml"),
        ("/SITEMAP.XML", "/sitemap.xml"),
        ("/sitemap.XML", "/sitemap.xml"),
        ("/Sitemap-Direct.xml", "/sitemap-direct.xml"),
        ("/SITEMAP-DIRECT.XML", "/sitemap-direct.xml"),
        ("/sitemap_index.xml", "/sitemap.xml"),
        ("/wp-sitemap.xml", "/sitemap.xml"),
        ("/anything.xml", "/sitemap.xml"),
        ("/ANYTHING.XmL", "/sitemap.xml"),
        ("/blog/feed.xml", "/sitemap.xml"),
        ("/a/b/c.xml", "/sitemap.xml"),
        ("/faq.xml", "/sitemap.xml"),
        ("/.xml", "/sitemap.xml"),
        ("/%C3%9Cbersicht.xml", "/sitemap.xml"),
        ("/Sitemap", "/sitemap.xml"),
        ("/SITEMAP", "/sitemap.xml"),
        ("/sitemaps", "/sitemap.xml"),
        ("/sitemap/", "/sitemap.xml"),
        ("/Sitemap/", "/sitemap.xml"),
        ("/sitemap_index", "/sitemap.xml"),
        ("/sitemap.xml/", "/sitemap.xml"),
    ] {
        assert_eq!(target(&server, path), expected, "{path}");
    }
}

#[test]
fn what_exists_is_not_redirected() {
    let server = Server::start();
    for path in [
        "/",
        "/sitemap",
        "/sitemap.xml",
        "/sitemap-direct.xml",
        "/fragebogen",
        "/blog/feed",
    ] {
        assert_eq!(server.get(path).status, 200, "{path}");
        assert_eq!(server.get(&format!("{path}?a=b")).status, 200, "{path}");
    }
}

#[test]
fn the_questionnaire_is_found_in_any_letter_case() {
    let server = Server::start();
    for path in [
        "/Fragebogen",
        "/FRAGEBOGEN",
        "/fRAGEBOGEN",
        "/Fragebogen/",
        "/fragebogen/",
        "/FRAGEBOGEN//",
    ] {
        assert_eq!(target(&server, path), "/fragebogen", "{path}");
    }
    for path in ["/fragebogen2", "/Fragebogen/x", "/x/Fragebogen"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_trailing_slash_leads_to_the_path_without_it() {
    let server = Server::start();
    for path in ["/faq", "/blog", "/danke", "/gibt-es-nicht", "/blog/gibt-es-nicht"] {
        for slashes in ["/", "//", "///"] {
            assert_eq!(target(&server, &format!("{path}{slashes}")), path);
        }
    }
    for id in ARTICLES {
        assert_eq!(target(&server, &format!("/blog/{id}/")), format!("/blog/{id}"));
    }
    for slug in CATEGORIES {
        let path = encoded(&format!("/blog/kategorie/{slug}"));
        assert_eq!(target(&server, &format!("{path}/")), path);
    }
}

#[test]
fn other_ids_of_articles_lead_to_the_article_that_covers_them() {
    let server = Server::start();
    for (alias, id) in ALIASES {
        for slash in ["", "/"] {
            assert_eq!(
                target(&server, &format!("/blog/{alias}{slash}")),
                format!("/blog/{id}")
            );
        }
    }
}

#[test]
fn every_redirect_takes_one_hop_and_keeps_the_query() {
    let server = Server::start();
    let query = "?propertyType=residential-house&step=1&q=%C3%A4%20b+c&leer=&";
    let starts = [
        "/Fragebogen",
        "/FRAGEBOGEN/",
        "/fragebogen/",
        "/faq/",
        "/Sitemap",
        "/sitemap/",
        "/x.XML",
    ];
    let aliases = ALIASES.iter().map(|(alias, _)| format!("/blog/{alias}/"));
    for path in starts.iter().map(|&path| path.to_owned()).chain(aliases) {
        let location = target(&server, &format!("{path}{query}"));
        let end = location
            .strip_suffix(query)
            .unwrap_or_else(|| panic!("{path} loses the query: {location}"));
        assert!(!end.contains('?'), "{path}: {location}");
        assert_eq!(server.get(&location).status, 200, "{path} leads to {location}");
    }
    assert_eq!(target(&server, "/faq/?"), "/faq?");
}

#[test]
fn redirects_answer_head_as_well() {
    let server = Server::start();
    let response = server.send(&Request::new("HEAD", "/faq/"));
    assert_eq!(
        (response.status, response.header("location")),
        (301, Some("/faq"))
    );
}

#[test]
fn no_redirect_leaves_the_host() {
    let server = Server::start();
    for path in [
        "//evil.example/",
        "//evil.example//",
        "///evil.example/",
        "//evil.example/x.xml",
        "//evil.example/FRAGEBOGEN/",
        "//sitemap/",
        "/\\evil.example/",
        "/\\/evil.example/",
        "\\\\evil.example/",
        "/%2fevil.example/",
        "/%2F%2Fevil.example/",
        "/%5cevil.example/",
        "/%5C%5Cevil.example/",
        "/%09/evil.example/",
        "/%0d%0aLocation:%20https://evil.example/",
        "/.//evil.example/",
        "/..//evil.example/",
        "/evil.example//",
        "/@evil.example/",
        "/https://evil.example/",
        "/https:%2f%2fevil.example/",
        "//evil.example%2f/",
        "//user@evil.example/",
        "////",
        "//",
    ] {
        let response = server.get(path);
        let Some(location) = response.header("location") else {
            assert!(
                matches!(response.status, 200 | 400 | 404),
                "{path}: {}",
                response.status
            );
            continue;
        };
        let mut start = location.chars();
        assert_eq!(start.next(), Some('/'), "{path} leads to {location}");
        assert!(
            !matches!(start.next(), Some('/' | '\\')),
            "{path} leads to {location}"
        );
        assert!(
            !location.contains(['\r', '\n', '\t', '\\']),
            "{path} leads to {location}"
        );
        assert_ne!(
            server.get(location).status,
            301,
            "{path} leads to {location}, which is redirected again"
        );
    }
}

#[test]
fn a_redirect_in_absolute_form_stays_on_the_host_as_well() {
    let server = Server::start();
    let response = server.send(&Request::get("http://evil.example/faq/").header("Host", "evil.example"));
    assert_eq!(
        (response.status, response.header("location")),
        (301, Some("/faq"))
    );
}
