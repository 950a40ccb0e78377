//! `--site FILE`: the operator's own settings, read at run time (`docs/behaviour.md`, "The operator's data").

use crate::harness::site::{self, HOME_TITLE, MISSING, page};
use crate::harness::{Document, Request, Server, Setup};

/// Settings that enable everything optional.
pub const FULL: &str = r#"
name = "Taubenfrei Nord"
[operator]
legal_name = "Taubenfrei Nord GmbH & Co. KG"
represented_by = "Jörg Größe"
street = "Straße 7"
postal_code = "20259"
city = "Hamburg"
email = "post@taubenfrei.example"
phone = "+49 40 98765432"
register_court = "Amtsgericht Nordstadt"
register_number = "HRB 424242"
vat_id = "DE987654321"
[business]
price_range = "€"
latitude = 53.6
longitude = 10.1
opening_hours = ["Mo-Fr 09:00-17:00", "Sa 10:00-12:00"]
[links]
chat = "https://chat.example/tauben"
social = ["https://social.example/tauben"]
sister_sites = ["https://schwester.example"]
affiliate_partner = "taubenfrei-21"
[tags]
tag_manager = "GTM-TEST123"
conversion = "AW-123456789/abcDEF"
"#;

/// Every document of the site with its path, including the "not found" pages.
fn documents(server: &Server) -> Vec<(String, Document)> {
    let pages = site::pages()
        .into_iter()
        .chain(MISSING.iter().map(|&path| path.to_owned()));
    pages
        .map(|path| {
            let response = server.get(&path);
            let page = site::parse(&response, &path);
            (path, page)
        })
        .collect()
}

#[test]
fn the_imprint_names_the_operator() {
    let server = Setup::new().site(FULL).start();
    let page = page(&server, "/impressum");
    for value in [
        "Taubenfrei Nord GmbH & Co. KG",
        "Jörg Größe",
        "Straße 7",
        "20259",
        "post@taubenfrei.example",
        "+49 40 98765432",
        "Amtsgericht Nordstadt",
        "HRB 424242",
        "DE987654321",
    ] {
        assert!(page.text().contains(value), "the imprint lacks {value}");
    }
    assert!(
        page.hrefs().any(|href| href == "tel:+494098765432"),
        "no tel: link"
    );
    assert!(
        page.hrefs().any(|href| href == "mailto:post@taubenfrei.example"),
        "no mailto: link"
    );
    assert!(
        !page.text().contains("Mustermann"),
        "the sample operator is still there"
    );
}

#[test]
fn titles_end_with_the_site_name() {
    let server = Setup::new().site(FULL).start();
    for (path, page) in documents(&server) {
        if path == "/" {
            assert_eq!(page.title(), HOME_TITLE);
        } else {
            assert!(
                page.title().ends_with(" | Taubenfrei Nord"),
                "{path}: {}",
                page.title()
            );
        }
        assert!(page.text().contains("Taubenfrei Nord"), "{path}");
    }
    assert_eq!(server.get("/site.webmanifest").json()["name"], "Taubenfrei Nord");
    assert!(server.get("/blog/feed").text().contains("<title>Taubenfrei Nord"));
}

#[test]
fn the_privacy_notice_names_the_operator() {
    let server = Setup::new().site(FULL).start();
    let page = page(&server, "/datenschutz");
    for value in ["Taubenfrei Nord GmbH & Co. KG", "post@taubenfrei.example"] {
        assert!(page.text().contains(value), "{value}");
    }
}

#[test]
fn sister_sites_are_linked_on_every_page() {
    let server = Setup::new().site(FULL).start();
    for (path, page) in documents(&server) {
        assert!(
            page.hrefs()
                .any(|href| href.starts_with("https://schwester.example")),
            "{path}"
        );
    }
}

#[test]
fn absent_settings_leave_no_trace() {
    let server = Setup::new().site("").start();
    for (path, page) in documents(&server) {
        assert!(
            !page.text().contains("Chatten Sie jetzt mit uns"),
            "a chat button on {path}"
        );
        for link in page.all("a").chain(page.all("link")) {
            let href = link.attribute("href").unwrap_or_default();
            assert!(
                !matches!(href, "" | "tel:" | "mailto:" | "null" | "None" | "undefined"),
                "{href:?} on {path}"
            );
        }
        for word in [
            "Mustermann",
            "Musterstraße",
            "Muster Taubenabwehr",
            "undefined",
            "NaN",
            "[object",
        ] {
            assert!(!page.text().contains(word), "{word:?} on {path}");
        }
    }
    let imprint = page(&server, "/impressum");
    for label in [
        "Registergericht",
        "Registernummer",
        "Umsatzsteuer-Identifikationsnummer",
        "Vertreten durch",
    ] {
        assert!(
            !imprint.text().contains(label),
            "the imprint shows {label} without a value"
        );
    }
}

#[test]
fn tags_are_optional_and_never_load_without_consent() {
    let without = Setup::new().site("").start();
    for path in site::pages() {
        let response = without.get(&path);
        assert!(
            !response.text().contains("GTM-") && !response.text().contains("AW-"),
            "{path}"
        );
        assert!(
            !response.expect("content-security-policy").contains("google"),
            "{path}"
        );
        assert!(!response.text().contains("googletagmanager.com"), "{path}");
    }
    let with = Setup::new().site(FULL).start();
    let response = with.get("/danke");
    assert!(
        response.text().contains("GTM-TEST123"),
        "the page does not know the tag id"
    );
    assert_has!(
        response.expect("content-security-policy"),
        "https://www.googletagmanager.com"
    );
    for (path, page) in documents(&with) {
        for script in page.all("script") {
            let source = script.attribute("src").unwrap_or("/");
            assert!(
                source.starts_with('/') && !source.starts_with("//"),
                "{source} on {path} before consent"
            );
        }
        assert_eq!(page.all("iframe").count(), 0, "{path}");
    }
}

#[test]
fn hostile_values_are_escaped_everywhere() {
    let hostile = r#"</script></title><b id=injected>"'&amp; {{ origin }} {% if %}"#;
    let toml = |key: &str| format!("{key} = '''{hostile}'''\n");
    let text = [
        toml("name"),
        "[operator]\n".to_owned(),
        toml("legal_name"),
        toml("represented_by"),
        toml("street"),
        toml("city"),
        toml("register_court"),
        toml("register_number"),
        toml("vat_id"),
        "phone = '+49 40 555666'\n[business]\n".to_owned(),
        toml("price_range"),
    ];
    let server = Setup::new().site(&text.concat()).start();
    for (path, page) in documents(&server) {
        for element in &page.elements {
            assert_ne!(
                element.attribute("id"),
                Some("injected"),
                "<{}> on {path}",
                element.name
            );
        }
        page.structured_data();
        if path != "/" {
            assert!(
                page.title().ends_with(&format!(" | {hostile}")),
                "{path}: {}",
                page.title()
            );
        }
        for script in page
            .all("script")
            .filter(|script| script.attribute("type") == Some("application/json"))
        {
            serde_json::from_str::<serde_json::Value>(&script.text).unwrap();
        }
    }
    let imprint = page(&server, "/impressum");
    assert!(imprint.text().contains(hostile), "{}", imprint.text());
    assert_eq!(server.get("/site.webmanifest").json()["name"], hostile);
    let feed = server.get("/blog/feed");
    assert!(!feed.text().contains("<b id"), "the feed contains markup");
    let data = page(&server, "/")
        .things()
        .into_iter()
        .find(|thing| thing.get("priceRange").is_some())
        .unwrap();
    assert_eq!(data["priceRange"], hostile);
}

#[test]
fn the_public_url_is_used_everywhere() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    for path in site::pages()
        .iter()
        .map(String::as_str)
        .chain(["/sitemap.xml", "/blog/feed", "/robots.txt"])
    {
        let text = server.get(path).text().to_owned();
        assert!(text.contains("https://www.tauben.example"), "{path}");
        assert!(
            !text.contains(&server.address.to_string()),
            "{path} contains the listen address"
        );
    }
    let default = Server::start();
    let canonical = format!("{}/faq", default.origin());
    assert_eq!(page(&default, "/faq").link("canonical"), Some(canonical.as_str()));
}

#[test]
fn the_host_header_does_not_affect_pages() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    let response = server.send(&Request::get("/faq").header("Host", "evil.example"));
    assert_eq!(response.status, 200);
    assert!(!response.text().contains("evil.example"));
}

#[test]
fn claims_are_replaced_or_switched_off_and_testimonials_marked() {
    let embedded = page(&Server::start(), "/");
    for part in [
        "98\u{a0}%",
        "4,9 von 5",
        "4,8 von 5",
        "über 200",
        "Beispiele: Diese Berichte",
    ] {
        assert!(embedded.text().contains(&part.replace('\u{a0}', " ")), "{part}");
    }
    let claims = "[claims]\nprojects = false\nsuccess = false\n[claims.satisfied]\nvalue = '96 %'\nbasis = 'Umfrage'\nperiod = '2026'\n";
    let server = Setup::new().site(&format!("{FULL}{claims}")).start();
    let own = page(&server, "/");
    assert!(own.text().contains("(Umfrage, 2026)") && own.text().contains("96 %"));
    for part in ["über 200", "98 %", "Beispiele: Diese Berichte"] {
        assert!(!own.text().contains(part), "{part}");
    }
    assert!(!page(&server, "/faq").text().contains("95 %"));
    let ended = server.terminate();
    let line = ended
        .stderr
        .lines()
        .find(|line| line.contains("not shown: claims"))
        .unwrap();
    assert!(
        line.contains("rating_firms") && !line.contains("satisfied") && !line.contains("projects"),
        "{line}"
    );
}

#[test]
fn the_banner_asks_where_the_settings_say_so() {
    let banner = |setup: Setup| {
        let response = setup.start().get("/");
        let html = response.text();
        ["auto", "always"].map(|mode| html.contains(&format!("\"banner\":\"{mode}\"")))
    };
    assert_eq!(banner(Setup::new()), [false, true], "the embedded sample");
    assert_eq!(banner(Setup::new().site(FULL)), [true, false]);
    assert_eq!(
        banner(Setup::new().site("[tags]\nbanner = 'always'")),
        [false, true]
    );
}
