//! No link is broken, and no page loads anything from another host.

use std::collections::{BTreeMap, BTreeSet};

use crate::harness::site::{self, page};
use crate::harness::{Document, Server};

/// Every address that a page makes the browser load.
fn loaded(page: &Document) -> Vec<String> {
    let mut loaded = Vec::new();
    for element in &page.elements {
        let attribute = match (
            element.name.as_str(),
            element.attribute("rel").unwrap_or_default(),
        ) {
            ("script" | "img" | "iframe" | "source" | "video", _) => "src",
            (
                "link",
                "stylesheet" | "preload" | "modulepreload" | "icon" | "apple-touch-icon" | "manifest",
            ) => "href",
            _ => continue,
        };
        loaded.extend(element.attribute(attribute).map(str::to_owned));
        for candidate in element.attribute("srcset").unwrap_or_default().split(',') {
            loaded.extend(candidate.split_whitespace().next().map(str::to_owned));
        }
    }
    loaded
}

/// Every document of the site by its path, including the "not found" pages.
fn documents(server: &Server) -> BTreeMap<String, Document> {
    let missing = site::MISSING.iter().map(|path| {
        let response = server.get(path);
        ((*path).to_owned(), site::parse(&response, path))
    });
    let pages = site::pages().into_iter().map(|path| {
        let page = page(server, &path);
        (path, page)
    });
    pages.chain(missing).collect()
}

#[test]
fn pages_load_only_existing_files_of_this_site() {
    let server = Server::start();
    let mut addresses = BTreeMap::new();
    for (path, page) in documents(&server) {
        for address in loaded(&page) {
            addresses.insert(address, path.clone());
        }
    }
    assert!(addresses.len() >= 3, "{addresses:?}");
    for (address, on) in addresses {
        if address.starts_with("data:") {
            continue;
        }
        assert!(
            address.starts_with('/') && !address.starts_with("//"),
            "{address} on {on}"
        );
        assert_eq!(server.get(&address).status, 200, "{address} on {on}");
    }
}

#[test]
fn external_links_are_secure_and_paid_ones_are_marked() {
    let server = crate::harness::Setup::new()
        .site("[links]\naffiliate_partner = 'partner-21'\n")
        .start();
    for (path, page) in documents(&server) {
        for link in page.all("a") {
            let href = link.attribute("href").unwrap_or_default();
            assert!(!href.starts_with("http://"), "{href} on {path}");
            if href.contains("partner-21") {
                let rel = link.attribute("rel").unwrap_or_default();
                assert!(
                    rel.contains("sponsored") && rel.contains("nofollow"),
                    "{href} on {path}: {rel}"
                );
            }
        }
    }
}

#[test]
fn the_sitemap_page_links_to_everything() {
    let server = Server::start();
    let page = page(&server, "/sitemap");
    let links: BTreeSet<&str> = page.hrefs().collect();
    let fixed = [
        "/",
        "/fragebogen",
        "/faq",
        "/blog",
        "/impressum",
        "/datenschutz",
        "/agb",
        "/sitemap.xml",
    ];
    for path in fixed {
        assert!(links.contains(path), "{path}");
    }
    for id in site::ARTICLES {
        assert!(links.contains(format!("/blog/{id}").as_str()), "{id}");
    }
}
