//! Redirects are permanent, take one hop, keep the query and never leave the host (`docs/behaviour.md`, "Redirects").

use crate::harness::site::{ALIASES, ARTICLES, CATEGORIES, encoded};
use crate::harness::{Request, Server};

/// The target of a path's redirect. Panics unless the status is 301.
fn target(server: &Server, path: &str) -> String {
    let response = server.get(path);
    assert_eq!(response.status, 301, "{path}");
    response.expect("location").to_owned()
}

#[test]
fn sitemap_spellings_redirect_to_the_sitemap() {
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
fn existing_paths_are_not_redirected() {
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
fn the_questionnaire_path_ignores_case() {
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
fn trailing_slashes_are_removed() {
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
fn article_aliases_redirect_to_the_article() {
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
fn redirects_take_one_hop_and_keep_the_query() {
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
        assert_eq!(
            server.get(&location).status,
            200,
            "{path} redirects to {location}"
        );
    }
    assert_eq!(target(&server, "/faq/?"), "/faq?");
}

#[test]
fn redirects_never_leave_the_host() {
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
        assert_eq!(start.next(), Some('/'), "{path} redirects to {location}");
        assert!(
            !matches!(start.next(), Some('/' | '\\')),
            "{path} redirects to {location}"
        );
        assert!(
            !location.contains(['\r', '\n', '\t', '\\']),
            "{path} redirects to {location}"
        );
        assert_ne!(
            server.get(location).status,
            301,
            "{path} redirects to {location}, which redirects again"
        );
    }
}

#[test]
fn absolute_targets_are_redirected_to_a_path() {
    let server = Server::start();
    let response = server.send(&Request::get("http://evil.example/faq/").header("Host", "evil.example"));
    assert_eq!(
        (response.status, response.header("location")),
        (301, Some("/faq"))
    );
}
