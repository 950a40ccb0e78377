//! Every page as `curl` sees it: complete and in German without JavaScript (`docs/behaviour.md`, "Documents, not an app").

use std::collections::HashSet;

use crate::harness::site::{self, ARTICLES, HOME_TITLE, MISSING, SUFFIX, page};
use crate::harness::{Document, Server};

#[test]
fn every_page_is_german_html_with_one_heading() {
    let server = Server::start();
    for path in site::pages() {
        let page = page(&server, &path);
        assert_eq!(page.only("html").attribute("lang"), Some("de"), "{path}");
        assert!(!page.only("h1").text.is_empty(), "{path}");
        assert!(page.text().len() > 200, "{path} is nearly empty: {}", page.text());
        page.only("main");
        assert!(page.meta("viewport").is_some(), "{path}");
    }
}

#[test]
fn titles_are_unique_and_end_with_the_site_name() {
    let server = Server::start();
    let mut seen = HashSet::new();
    for path in site::pages() {
        let page = page(&server, &path);
        let title = page.title();
        if path == "/" {
            assert_eq!(title, HOME_TITLE);
        } else {
            let own = title
                .strip_suffix(SUFFIX)
                .unwrap_or_else(|| panic!("{path}: {title}"));
            assert!(own.len() > 2 && !own.contains(SUFFIX), "{path}: {title}");
        }
        assert!(seen.insert(title.to_owned()), "{path} shares its title {title}");
    }
}

#[test]
fn every_page_has_a_unique_description() {
    let server = Server::start();
    let mut seen = HashSet::new();
    for path in site::pages() {
        let page = page(&server, &path);
        let description = page
            .meta("description")
            .unwrap_or_else(|| panic!("{path} has no description"));
        assert!(description.len() > 30, "{path}: {description}");
        assert!(
            seen.insert(description.to_owned()),
            "{path} shares its description"
        );
        assert!(
            page.meta("keywords").is_some_and(|words| words.contains(',')),
            "{path} has no keywords"
        );
    }
}

#[test]
fn canonical_links_use_the_public_url() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    for path in site::pages() {
        let page = page(&server, &format!("{path}?utm_source=x"));
        let expected = format!("https://www.tauben.example{path}");
        assert_eq!(page.link("canonical"), Some(expected.as_str()));
        assert_eq!(page.meta("og:url"), Some(expected.as_str()));
    }
}

#[test]
fn every_page_has_a_social_card() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    for path in site::pages() {
        let page = page(&server, &path);
        assert!(
            page.meta("og:title").is_some_and(|title| title.len() > 2),
            "{path}"
        );
        assert!(
            page.meta("og:description").is_some_and(|text| text.len() > 30),
            "{path}"
        );
        assert!(page.meta("og:type").is_some(), "{path}");
        assert!(
            page.meta("twitter:card")
                .is_some_and(|card| card.starts_with("summary")),
            "{path}"
        );
        assert_eq!(page.meta("og:image:width"), Some("1200"), "{path}");
        assert_eq!(page.meta("og:image:height"), Some("630"), "{path}");
        let alt = page.meta("og:image:alt");
        assert!(alt.is_some_and(|text| text.len() > 2), "{path}");
        assert_eq!(page.meta("twitter:image:alt"), alt, "{path}");
        let image = page
            .meta("og:image")
            .unwrap_or_else(|| panic!("{path} has no og:image"));
        let image = image
            .strip_prefix("https://www.tauben.example")
            .unwrap_or_else(|| panic!("{path}: {image}"));
        let response = server.get(image);
        assert_eq!(response.status, 200, "{path}: {image}");
        assert!(
            response.expect("content-type").starts_with("image/"),
            "{path}: {image}"
        );
    }
    assert_eq!(
        page(&server, "/").meta("og:image"),
        Some("https://www.tauben.example/og-image.png")
    );
}

#[test]
fn articles_show_their_metadata() {
    let server = Server::start();
    for id in ARTICLES {
        let page = page(&server, &format!("/blog/{id}"));
        let heading = &page.only("h1").text;
        assert_eq!(page.title(), format!("{heading}{SUFFIX}"), "{id}");
        assert_eq!(page.meta("og:type"), Some("article"), "{id}");
        let text = page.text();
        let dates = ["13. März 2025", "1. April 2025"];
        assert!(
            dates.iter().any(|date| text.contains(date)),
            "{id} has no German date"
        );
        let (head, _) = text.split_once("Kurz gesagt").unwrap();
        assert!(
            head.contains("Aktualisiert am "),
            "{id} has no day of review at its top"
        );
        assert!(
            text.contains("Min. Lesezeit") || text.contains("Minuten"),
            "{id} has no reading time"
        );
        let first = "Was kostet es bei Ihnen? Angebote anfragen";
        assert!(
            text.contains(first),
            "{id} does not link to the questionnaire below its summary"
        );
        assert!(
            page.hrefs().any(|href| href == "/blog"),
            "{id} does not link back to the blog"
        );
    }
}

#[test]
fn articles_list_every_service_area() {
    let server = Server::start();
    for id in ARTICLES {
        let page = page(&server, &format!("/blog/{id}"));
        let tables: Vec<&str> = page.all("table").map(|table| table.text.as_str()).collect();
        let has_area = |area: &str| tables.iter().any(|table| table.contains(area));
        for area in ["Innenstadt", "Nord", "Süd", "Hafengebiet"] {
            assert!(has_area(area), "{id} has no service area {area}");
        }
    }
}

#[test]
fn articles_link_to_three_related_ones() {
    let server = Server::start();
    for id in ARTICLES {
        let page = page(&server, &format!("/blog/{id}"));
        let own = format!("/blog/{id}");
        let related: HashSet<&str> = page
            .hrefs()
            .filter(|href| {
                href.starts_with("/blog/") && !href.starts_with("/blog/kategorie/") && *href != own
            })
            .collect();
        assert!(related.len() >= 3, "{id} links only to {related:?}");
    }
}

#[test]
fn the_blog_links_to_categories_and_articles() {
    let server = Server::start();
    let page = page(&server, "/blog");
    let linked: HashSet<&str> = page.hrefs().collect();
    for slug in site::CATEGORIES {
        let path = site::encoded(&format!("/blog/kategorie/{slug}"));
        assert!(linked.contains(path.as_str()), "no link to {slug}");
    }
    for id in ["neueste-artikel", "kategorien"] {
        assert!(
            page.elements
                .iter()
                .any(|element| element.attribute("id") == Some(id)),
            "no #{id}"
        );
    }
    let articles = ARTICLES
        .iter()
        .filter(|id| linked.contains(format!("/blog/{id}").as_str()))
        .count();
    assert_eq!(articles, ARTICLES.len(), "articles that are linked");
    assert_eq!(page.all("article").count(), 9, "cards");
    assert!(page.text().contains("Weiterlesen"));
}

#[test]
fn the_home_page_is_complete_without_javascript() {
    let server = Server::start();
    let page = page(&server, "/");
    assert!(page.text().contains("Wo haben Sie ein Taubenproblem?"));
    for label in [
        "Haus",
        "Wohnung",
        "Büro",
        "Einzelhandel",
        "Gastronomie",
        "Industrie",
    ] {
        assert!(page.text().contains(label), "no {label}");
    }
    for id in ["services", "how-it-works", "about-us", "testimonials"] {
        assert!(has_id(&page, id), "no #{id}");
    }
    let services = page.all("a").filter(|link| link.text == "Mehr im Ratgeber");
    assert_eq!(services.count(), 7, "services that lead to articles");
    assert!(page.text().contains("Zum Inhalt springen"));
}

#[test]
fn missing_pages_look_like_the_site() {
    let server = Server::start();
    for path in MISSING {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}");
        let page = site::parse(&response, path);
        assert_eq!(page.only("html").attribute("lang"), Some("de"), "{path}");
        assert!(page.title().ends_with(SUFFIX), "{path}: {}", page.title());
        assert!(page.is_noindex(), "{path} may be indexed");
        assert!(!page.only("h1").text.is_empty(), "{path}");
    }
}

fn has_id(page: &Document, id: &str) -> bool {
    page.elements
        .iter()
        .any(|element| element.attribute("id") == Some(id))
}
