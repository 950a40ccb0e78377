//! Structured data in JSON-LD.

use serde_json::Value;

use crate::harness::site::{self, ARTICLES, page};
use crate::harness::{Document, Server, Setup};

/// Every text in a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The business on the home page: the only thing with a price range.
fn business(server: &Server) -> Option<Value> {
    page(server, "/")
        .things()
        .into_iter()
        .find(|thing| thing.get("priceRange").is_some())
}

#[test]
fn every_page_has_valid_structured_data() {
    let server = Server::start();
    for path in site::pages() {
        let data = page(&server, &path).structured_data();
        assert!(!data.is_empty(), "{path} has no structured data");
        for value in &data {
            let context = value["@context"].as_str().unwrap_or_default();
            assert!(context.starts_with("https://schema.org"), "{path}: {value}");
            for text in texts(value) {
                assert!(!text.contains("{{") && !text.contains("{%"), "{path}: {text}");
            }
        }
    }
}

#[test]
fn the_home_page_describes_the_business() {
    let server = Setup::new()
        .site(
            "[operator]\nlegal_name = 'Firma'\nstreet = 'Weg 1'\npostal_code = '20095'\ncity = 'Hamburg'\nphone = '+49 40 555666'\n\
             [business]\nprice_range = '€€€'\nlatitude = 53.5\nlongitude = 10.0\nopening_hours = ['Mo-Fr 08:00-18:00']\n\
             [links]\nsocial = ['https://social.example/tauben']\n",
        )
        .start();
    let business = business(&server).expect("a business");
    assert!(
        business["name"].as_str().is_some_and(|name| !name.is_empty()),
        "{business}"
    );
    assert_eq!(business["priceRange"], "€€€");
    assert!(
        business["telephone"]
            .as_str()
            .is_some_and(|phone| phone.contains("555666")),
        "{business}"
    );
    assert_eq!(business["address"]["postalCode"], "20095");
    assert_eq!(business["address"]["streetAddress"], "Weg 1");
    assert_eq!(business["address"]["addressLocality"], "Hamburg");
    assert_eq!(business["geo"]["latitude"].as_f64(), Some(53.5));
    assert_eq!(business["geo"]["longitude"].as_f64(), Some(10.0));
    assert!(
        texts(&business["sameAs"]).contains(&"https://social.example/tauben"),
        "{business}"
    );
    let hours = business["openingHours"].to_string() + &business["openingHoursSpecification"].to_string();
    assert!(hours.contains("08:00") && hours.contains("18:00"), "{business}");
    let description = business["description"].as_str().unwrap();
    assert!((1..=150).contains(&description.chars().count()), "{description}");
    assert!(
        description.ends_with('.'),
        "the sentence is cut off: {description}"
    );
}

#[test]
fn the_data_contains_no_ratings() {
    let server = Server::start();
    for path in site::pages() {
        for thing in page(&server, &path).things() {
            for key in ["aggregateRating", "reviewRating", "review"] {
                assert!(thing.get(key).is_none(), "{path}: {thing}");
            }
        }
    }
}

#[test]
fn the_site_declares_its_search() {
    let server = Server::start();
    let site = page(&server, "/").things_of("WebSite").pop().expect("a WebSite");
    let action = &site["potentialAction"];
    assert_eq!(action["@type"], "SearchAction");
    assert!(action["target"].to_string().contains("/search?q={"), "{site}");
    let search = page(&server, "/search?q=netz");
    let overview = search.all("a").find(|link| link.text == "Alle Artikel ansehen");
    assert_eq!(overview.and_then(|link| link.attribute("href")), Some("/blog"));
    assert!(search.is_noindex());
    assert_eq!(
        site["url"].as_str().unwrap().trim_end_matches('/'),
        server.origin()
    );
}

#[test]
fn articles_have_structured_data() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    for id in ARTICLES {
        let page = page(&server, &format!("/blog/{id}"));
        let posts = [page.things_of("BlogPosting"), page.things_of("Article")].concat();
        assert_eq!(posts.len(), 1, "{id}");
        assert_eq!(
            posts[0]["headline"].as_str(),
            Some(page.only("h1").text.as_str()),
            "{id}"
        );
        let date = posts[0]["datePublished"].as_str().unwrap();
        assert!(
            date.starts_with("2025-03-13") || date.starts_with("2025-04-01"),
            "{id}: {date}"
        );
        assert!(!posts[0]["author"].is_null(), "{id}");
        let text = posts[0].to_string();
        assert!(
            text.contains(&format!("https://www.tauben.example/blog/{id}")),
            "{id}"
        );
        assert_eq!(page.things_of("BreadcrumbList").len(), 1, "{id}");
    }
}

#[test]
fn absent_settings_are_omitted() {
    let server = Setup::new().site("name = 'Nur ein Name'\n").start();
    for thing in page(&server, "/").things() {
        for (key, value) in thing.as_object().unwrap() {
            let is_empty =
                value.is_null() || value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty);
            assert!(!is_empty, "{key} is empty in {thing}");
        }
        for key in [
            "telephone",
            "priceRange",
            "geo",
            "sameAs",
            "openingHours",
            "openingHoursSpecification",
        ] {
            assert!(thing.get(key).is_none(), "{key} in {thing}");
        }
    }
}

/// Whether a value is an absolute URL on the public host.
fn is_public(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|url| url.starts_with("https://www.tauben.example/"))
}

/// The only thing with this `@type` on a page.
fn only(page: &Document, kind: &str, path: &str) -> Value {
    let mut things = page.things_of(kind);
    assert_eq!(things.len(), 1, "{kind} on {path}");
    things.remove(0)
}

#[test]
fn every_page_has_the_types_of_its_kind() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    for path in site::pages() {
        let page = page(&server, &path);
        for kind in ["LocalBusiness", "WebSite", "BreadcrumbList"] {
            only(&page, kind, &path);
        }
        assert_eq!(
            page.things_of("FAQPage").len(),
            usize::from(path == "/faq"),
            "{path}"
        );
        let is_article = path.starts_with("/blog/") && !path.starts_with("/blog/kategorie/");
        assert_eq!(
            page.things_of("BlogPosting").len(),
            usize::from(is_article),
            "{path}"
        );
    }
}

#[test]
fn missing_pages_describe_no_content() {
    let server = Server::start();
    for path in site::MISSING {
        let page = site::parse(&server.get(path), path);
        for kind in ["BlogPosting", "FAQPage"] {
            assert!(page.things_of(kind).is_empty(), "{kind} on {path}");
        }
    }
}

#[test]
fn breadcrumbs_lead_from_the_home_page_to_the_page() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    for path in site::pages() {
        let list = only(&page(&server, &path), "BreadcrumbList", &path);
        let steps = list["itemListElement"].as_array().unwrap();
        for (index, step) in steps.iter().enumerate() {
            assert_eq!(step["@type"], "ListItem", "{path}");
            assert_eq!(step["position"], index + 1, "{path}");
            assert!(
                step["name"].as_str().is_some_and(|name| name.len() > 2),
                "{path}: {step}"
            );
            assert!(is_public(&step["item"]), "{path}: {step}");
            let target = step["item"].as_str().unwrap();
            let target = target.strip_prefix("https://www.tauben.example").unwrap();
            assert_eq!(server.get(target).status, 200, "{path}: {target}");
        }
        assert_eq!(steps[0]["item"], "https://www.tauben.example/", "{path}");
        let end = steps.last().unwrap()["item"].as_str().unwrap();
        assert_eq!(
            site::plain(end),
            site::plain(&format!("https://www.tauben.example{path}"))
        );
        assert_eq!(steps.len() > 1, path != "/", "{path}");
    }
}

#[test]
fn questions_match_the_page() {
    let server = Server::start();
    let page = page(&server, "/faq");
    let data = only(&page, "FAQPage", "/faq");
    let questions = data["mainEntity"].as_array().unwrap();
    assert_eq!(questions.len(), 10);
    for question in questions {
        assert_eq!(question["@type"], "Question");
        let name = question["name"].as_str().unwrap();
        assert!(page.text().contains(name), "{name} is not on the page");
        let answer = &question["acceptedAnswer"];
        assert_eq!(answer["@type"], "Answer");
        let text = answer["text"].as_str().unwrap();
        assert!(text.len() > 60, "{name}: {text}");
        assert!(
            !text.contains("](") && !text.contains("**"),
            "the answer to {name} contains Markdown: {text}"
        );
    }
}

#[test]
fn articles_have_the_recommended_properties() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    for id in ARTICLES {
        let path = format!("/blog/{id}");
        let page = page(&server, &path);
        let post = only(&page, "BlogPosting", &path);
        assert_eq!(post["description"].as_str(), page.meta("description"), "{id}");
        assert_eq!(post["inLanguage"], "de", "{id}");
        for key in ["image", "url", "mainEntityOfPage"] {
            assert!(is_public(&post[key]), "{id}: {key} is {}", post[key]);
        }
        assert!(
            post["dateModified"].as_str() >= post["datePublished"].as_str(),
            "{id}"
        );
        let sources = post["citation"].as_array().expect("sources");
        assert!(
            !sources.is_empty() && sources.iter().all(|one| one["name"].is_string()),
            "{id}: {sources:?}"
        );
        for key in ["author", "publisher"] {
            let someone = &post[key];
            assert!(
                ["Organization", "Person"]
                    .iter()
                    .any(|kind| someone["@type"] == *kind),
                "{id}: {someone}"
            );
            assert!(
                someone["name"].as_str().is_some_and(|name| !name.is_empty()),
                "{id}: {someone}"
            );
        }
        let image = post["image"].as_str().unwrap();
        let image = server.get(image.strip_prefix("https://www.tauben.example").unwrap());
        assert!(image.expect("content-type").starts_with("image/"), "{id}");
    }
}
