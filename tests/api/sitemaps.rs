//! The sitemaps and the feed are well-formed, complete and correct (`docs/behaviour.md`, "Pages and addresses").

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::harness::Server;
use crate::harness::site::{self, ARTICLES, MISSING, page};

/// The text of every element with this name. Panics unless the whole document is well-formed.
fn texts(xml: &str, wanted: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    loop {
        match reader
            .read_event()
            .unwrap_or_else(|error| panic!("{error}: {xml}"))
        {
            Event::Start(tag) => {
                open.push(tag.name().as_ref().to_owned());
                if open.last().is_some_and(|name| name == wanted) {
                    found.push(String::new());
                }
                check_attributes(&tag);
            }
            Event::Empty(tag) => check_attributes(&tag),
            Event::End(_) => drop(open.pop()),
            Event::Text(text) if open.last().is_some_and(|name| name == wanted) => {
                found.last_mut().unwrap().push_str(&text);
            }
            Event::GeneralRef(reference) if open.last().is_some_and(|name| name == wanted) => {
                let entity = format!("&{};", &*reference);
                found
                    .last_mut()
                    .unwrap()
                    .push_str(&html_escape::decode_html_entities(&entity));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} is not closed");
    found
}

fn check_attributes(tag: &quick_xml::events::BytesStart<'_>) {
    for attribute in tag.attributes() {
        attribute.unwrap_or_else(|error| panic!("{error}: {tag:?}"));
    }
}

/// The paths that a sitemap lists, without the public origin.
fn listed(server: &Server, sitemap: &str) -> BTreeSet<String> {
    let response = server.get(sitemap);
    assert_eq!(response.status, 200);
    assert_eq!(response.expect("content-type"), "application/xml; charset=utf-8");
    let origin = server.origin();
    texts(response.text(), "loc")
        .into_iter()
        .map(|address| {
            assert!(address.is_ascii(), "{address} is not escaped");
            address
                .strip_prefix(&origin)
                .unwrap_or_else(|| panic!("{address} is on another host"))
                .to_owned()
        })
        .collect()
}

#[test]
fn listed_pages_exist_and_are_canonical() {
    let server = Server::start();
    for path in listed(&server, "/sitemap.xml") {
        let page = page(&server, &path);
        assert_eq!(
            page.link("canonical"),
            Some(format!("{}{path}", server.origin()).as_str())
        );
    }
}

#[test]
fn exactly_the_indexable_pages_are_listed() {
    let server = Server::start();
    let listed = listed(&server, "/sitemap.xml");
    for path in site::pages() {
        assert_eq!(
            listed.contains(&path),
            !page(&server, &path).is_noindex(),
            "{path}"
        );
    }
    for path in &listed {
        assert!(!page(&server, path).is_noindex(), "{path}");
    }
    for path in MISSING {
        assert!(!listed.contains(path), "{path}");
    }
    for path in [
        "/search",
        "/blog/kategorie/ratgeber",
        "/blog/kategorie/taubennester",
    ] {
        assert!(page(&server, path).is_noindex(), "{path}");
    }
    for path in ["/", "/fragebogen", "/faq", "/blog", "/blog/kategorie/kosten"] {
        assert!(listed.contains(path), "{path}");
    }
    for id in ARTICLES {
        assert!(listed.contains(&format!("/blog/{id}")), "{id}");
    }
}

#[test]
fn both_sitemaps_list_the_same_pages() {
    let server = Server::start();
    assert_eq!(
        listed(&server, "/sitemap.xml"),
        listed(&server, "/sitemap-direct.xml")
    );
}

#[test]
fn the_sitemap_follows_its_schema() {
    let server = Server::start();
    let response = server.get("/sitemap.xml");
    let xml = response.text();
    assert!(xml.contains("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"));
    assert_eq!(texts(xml, "url").len(), texts(xml, "loc").len());
    assert!(xml.contains("/faq</loc>\n    <lastmod>"), "{xml}");
    let dates = texts(xml, "lastmod");
    assert!(dates.len() >= ARTICLES.len(), "only {} dates", dates.len());
    for date in dates {
        assert!(
            date.parse::<jiff::civil::Date>().is_ok() || date.parse::<jiff::Timestamp>().is_ok(),
            "{date}"
        );
    }
}

#[test]
fn every_listed_address_starts_with_the_public_url() {
    let server = Server::with(&["--public-url", "https://www.tauben.example/"]);
    for path in ["/sitemap.xml", "/sitemap-direct.xml"] {
        for address in texts(server.get(path).text(), "loc") {
            assert!(address.starts_with("https://www.tauben.example/"), "{address}");
        }
    }
    assert_has!(
        server.get("/blog/feed").text(),
        "https://www.tauben.example/blog/feed"
    );
    assert!(!server.get("/blog/feed").text().contains("127.0.0.1"));
}

#[test]
fn the_feed_contains_every_article() {
    let server = Server::start();
    let response = server.get("/blog/feed");
    assert_eq!(response.status, 200);
    assert_eq!(
        response.expect("content-type"),
        "application/atom+xml; charset=utf-8"
    );
    let xml = response.text();
    assert!(xml.contains("<feed xmlns=\"http://www.w3.org/2005/Atom\""));
    let entries = texts(xml, "entry").len();
    assert!(entries >= ARTICLES.len(), "only {entries} entries");
    // The first id and the first title are those of the feed.
    let ids = texts(xml, "id");
    assert_eq!(ids.len(), entries + 1);
    let unique = ids.iter().collect::<BTreeSet<_>>();
    assert_eq!(unique.len(), ids.len(), "duplicate ids");
    for id in ARTICLES {
        let address = format!("{}/blog/{id}", server.origin());
        assert!(ids.contains(&address), "{address}");
    }
    let titles = texts(xml, "title");
    for title in &titles[1..] {
        assert!(title.len() > 10, "{title}");
    }
    for time in texts(xml, "updated").iter().chain(&texts(xml, "published")) {
        assert!(time.parse::<jiff::Timestamp>().is_ok(), "{time}");
    }
}

#[test]
fn the_feed_is_newest_first_and_matches_the_pages() {
    let server = Server::start();
    let response = server.get("/blog/feed");
    let published = texts(response.text(), "published");
    assert!(
        published.is_sorted_by(|newer, older| newer >= older),
        "{published:?}"
    );
    let ids = texts(response.text(), "id");
    let titles = texts(response.text(), "title");
    let updated = texts(response.text(), "updated");
    let sitemap = server.get("/sitemap.xml");
    for (id, updated) in ids.iter().zip(&updated).skip(1) {
        let (_, entry) = sitemap.text().split_once(&format!("<loc>{id}</loc>")).unwrap();
        let (entry, _) = entry.split_once("</url>").unwrap();
        assert_eq!(
            updated,
            &format!("{}T00:00:00Z", texts(entry, "lastmod")[0]),
            "{id}"
        );
    }
    assert_eq!(updated.first(), updated[1..].iter().max());
    for (id, title) in ids.iter().zip(&titles).skip(1) {
        let path = id.strip_prefix(&server.origin()).unwrap();
        assert_eq!(&page(&server, path).only("h1").text, title, "{path}");
    }
}

#[test]
fn the_blog_links_to_the_feed() {
    let server = Server::start();
    let page = page(&server, "/blog");
    let feed = page
        .all("link")
        .find(|link| link.attribute("type") == Some("application/atom+xml"));
    let feed = feed.unwrap_or_else(|| panic!("no link to the feed"));
    assert_eq!(feed.attribute("rel"), Some("alternate"));
    assert!(
        feed.attribute("href")
            .is_some_and(|href| href.ends_with("/blog/feed"))
    );
}
