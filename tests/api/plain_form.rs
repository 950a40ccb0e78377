//! The questionnaire without JavaScript (contract, "The questionnaire without JavaScript").

use std::time::Duration;

use crate::harness::compression::decoded;
use crate::harness::{Document, Request, Response, Server, Setup, run, until};

const PATH: &str = "/fragebogen";

/// A form that is right, as a browser sends it.
const RIGHT: [(&str, &str); 13] = [
    ("propertyType", "residential-house"),
    ("postalCode", "20095"),
    ("problems", "nesting"),
    ("problems", "other"),
    ("problemOther", "Federn im Schacht"),
    ("locations", "balcony"),
    ("locationOther", ""),
    ("firstName", "Änne"),
    ("lastName", "Groß"),
    ("email", "aenne@example.org"),
    ("phone", "+49 40 123456-78"),
    ("homepage", ""),
    ("consent", "1"),
];

fn encoded<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    body.finish()
}

fn post(body: impl Into<Vec<u8>>) -> Request {
    Request::new("POST", PATH)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(body)
}

/// Returns a form that is right except for one field.
fn with(name: &str, value: &str) -> Request {
    let fields = RIGHT
        .iter()
        .map(|&(field, right)| (field, if field == name { value } else { right }));
    post(encoded(fields))
}

/// Returns a form that is right.
pub fn right() -> Request {
    post(encoded(RIGHT))
}

/// Checks that a response is the page of the form, and returns it.
pub fn page(response: &Response, status: u16) -> Document {
    assert_eq!(response.status, status, "{}", response.text());
    assert_eq!(response.expect("content-type"), "text/html; charset=utf-8");
    assert_eq!(response.expect("cache-control"), "no-store");
    let html = String::from_utf8(decoded(response)).unwrap();
    assert!(
        !html.contains("{{") && !html.contains("{%"),
        "an expression is left"
    );
    let page = Document::parse(&html);
    assert!(page.title().starts_with("Fehler: "), "{}", page.title());
    let form = page.only("form");
    assert_eq!(form.attribute("method"), Some("post"));
    assert_eq!(form.attribute("action"), Some(PATH));
    page
}

/// Returns the list of errors: the ids of fields with what is said of them.
fn summary(page: &Document) -> Vec<(String, String)> {
    let links = page.all("a").filter_map(|link| {
        let field = link.attribute("href")?.strip_prefix('#')?.to_owned();
        (field != "inhalt").then(|| (field, link.text.clone()))
    });
    links.collect()
}

/// Returns the value of a text field.
pub fn value<'a>(page: &'a Document, name: &str) -> &'a str {
    let input = page
        .all("input")
        .find(|input| input.attribute("name") == Some(name) && input.attribute("type") != Some("hidden"));
    input.unwrap().attribute("value").unwrap()
}

/// Returns the values of what is chosen under a name.
fn chosen<'a>(page: &'a Document, name: &str) -> Vec<&'a str> {
    let inputs = page
        .all("input")
        .filter(|input| input.attribute("name") == Some(name) && input.attributes.contains_key("checked"));
    inputs.map(|input| input.attribute("value").unwrap()).collect()
}

/// Returns the address that a stored inquiry leads to.
fn thanks(response: &Response) -> String {
    assert_eq!(response.status, 303, "{}", response.text());
    assert!(response.body.is_empty());
    assert_eq!(response.expect("cache-control"), "no-store");
    response.expect("location").to_owned()
}

#[test]
fn a_right_form_is_stored_and_leads_to_its_private_page() {
    let server = Server::start();
    let address = thanks(&server.send(&right()));
    let stored = server.stored();
    assert_eq!(stored.len(), 1);
    for (column, value) in [
        ("postal_code", "20095"),
        ("property_type", "residential"),
        ("types_of_problems", "nesting,other"),
        ("problem_locations", "balcony"),
        ("first_name", "Änne"),
        ("last_name", "Groß"),
        ("email_address", "aenne@example.org"),
        ("phone_number", "+49 40 123456-78"),
    ] {
        assert_eq!(stored[0][column], value, "{column}");
    }

    let response = server.get(&address);
    assert_eq!(response.status, 200);
    assert_eq!(response.expect("cache-control"), "no-store");
    assert_eq!(response.expect("referrer-policy"), "same-origin");
    assert!(response.expect("x-robots-tag").contains("noindex"));
    let page = Document::parse(response.text());
    let link = page
        .all("a")
        .find(|link| link.text == "Ihre Anfrage ansehen")
        .unwrap();
    let private = link.attribute("href").unwrap();
    assert!(private.starts_with("/anfrage/"), "{private}");
    let id = stored[0]["id"].as_str().unwrap();
    assert!(page.text().contains(&id[id.len() - 12..]), "the reference");

    let private = server.get(private);
    assert_eq!(private.status, 200);
    let private = Document::parse(private.text());
    assert_eq!(
        private.only("textarea").text,
        "Gebäude: Haus Problem: Federn im Schacht"
    );
}

#[test]
fn the_consent_that_the_page_shows_is_kept() {
    let server = Server::start();
    let page = Document::parse(server.get(PATH).text());
    let hidden = page
        .all("input")
        .find(|input| input.attribute("name") == Some("consent"));
    let version = hidden.unwrap().attribute("value").unwrap();
    thanks(&server.send(&with("consent", version)));
    // It came too quickly for a visitor.
    let exported = server.export(&["--format", "json", "--include-suspected"]);
    let exported: serde_json::Value = serde_json::from_str(exported.success()).unwrap();
    let id = exported[0]["id"].as_str().unwrap();
    let shown = run(server.dir().path(), &["inquiries", "show", id, "--json"]);
    let shown: serde_json::Value = serde_json::from_str(shown.success()).unwrap();
    assert_eq!(shown["consent"]["version"].to_string(), version, "{shown}");
}

#[test]
fn what_was_sent_twice_is_stored_once() {
    let server = Server::start();
    let address = thanks(&server.send(&right()));
    assert_eq!(thanks(&server.send(&right())), address);
    let server = server.kill().start();
    assert_eq!(thanks(&server.send(&right())), address, "after a crash, too");
    assert_eq!(server.stored().len(), 1);
    assert_ne!(thanks(&server.send(&with("problemOther", "Eier"))), address);
    assert_ne!(thanks(&server.send(&with("lastName", "Krause"))), address);
    assert_eq!(server.stored().len(), 3);
}

#[test]
fn many_at_once_are_stored_once() {
    let server = Server::start();
    let addresses: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| thanks(&server.send(&right()))))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(
        addresses.iter().all(|address| *address == addresses[0]),
        "{addresses:?}"
    );
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn whoever_took_an_inquiry_back_may_ask_anew() {
    let server = Server::start();
    let first = thanks(&server.send(&right()));
    let (_, token) = first.split_once('=').unwrap();
    let withdraw = Request::new("POST", &format!("/anfrage/{token}/zurueckziehen"))
        .header("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(server.send(&withdraw).status, 303);
    assert_eq!(server.stored().len(), 0);
    assert_ne!(thanks(&server.send(&right())), first);
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn each_wrong_answer_is_marked_and_named_at_the_top() {
    let server = Server::start();
    let long = "x".repeat(101);
    for (name, wrong, field, text) in [
        (
            "propertyType",
            "",
            "gebaeude",
            "Bitte wählen Sie einen Gebäudetyp aus",
        ),
        (
            "propertyType",
            "castle",
            "gebaeude",
            "Bitte wählen Sie einen Gebäudetyp aus",
        ),
        (
            "postalCode",
            "10115",
            "postleitzahl",
            "Bitte geben Sie eine gültige Hamburger Postleitzahl ein",
        ),
        (
            "problems",
            "pigeons",
            "probleme",
            "Die Auswahl der Probleme ist ungültig",
        ),
        (
            "locations",
            "moon",
            "stellen",
            "Die Auswahl der betroffenen Stellen ist ungültig",
        ),
        ("firstName", " ", "vorname", "Bitte geben Sie Ihren Vornamen ein"),
        (
            "firstName",
            &long,
            "vorname",
            "Bitte geben Sie höchstens 100 Zeichen ein, ohne Steuerzeichen.",
        ),
        ("lastName", "", "nachname", "Bitte geben Sie Ihren Nachnamen ein"),
        (
            "email",
            "aenne",
            "e-mail",
            "Bitte geben Sie eine gültige E-Mail-Adresse ein",
        ),
        (
            "phone",
            "12",
            "telefon",
            "Bitte geben Sie eine gültige deutsche Telefonnummer ein (z.B. +49 123 456789 oder 0123 456789).",
        ),
    ] {
        let page = page(&server.send(&with(name, wrong)), 400);
        assert_eq!(summary(&page), [(field.to_owned(), text.to_owned())], "{name}");
        let input = page
            .elements
            .iter()
            .find(|element| element.attribute("id") == Some(field));
        let input = input.unwrap_or_else(|| panic!("no element {field}"));
        assert_eq!(input.attribute("name"), Some(name));
        let marked: Vec<_> = page
            .elements
            .iter()
            .filter(|element| element.attribute("aria-invalid") == Some("true"))
            .collect();
        if matches!(name, "problems" | "locations") {
            assert!(marked.is_empty(), "a group of check boxes has no such attribute");
        } else {
            assert_eq!(marked.len(), 1, "{name}");
            let described = marked[0].attribute("aria-describedby").unwrap();
            let says = |id: &str| {
                let found = page
                    .elements
                    .iter()
                    .find(|element| element.attribute("id") == Some(id));
                found.is_some_and(|found| found.text == text)
            };
            assert!(described.split(' ').any(says), "{name}: {described}");
        }
    }
    assert_eq!(server.stored().len(), 0);
}

#[test]
fn the_top_says_what_the_toasts_say() {
    let server = Server::start();
    for (name, wrong, title) in [
        ("lastName", "", "Bitte füllen Sie alle Pflichtfelder aus"),
        ("phone", "12", "Ungültige Telefonnummer"),
        (
            "email",
            "aenne",
            "Bitte geben Sie eine gültige E-Mail-Adresse ein",
        ),
        ("propertyType", "", "Bitte wählen Sie einen Gebäudetyp aus"),
    ] {
        let response = server.send(&with(name, wrong));
        let page = response.text();
        let (_, rest) = page.split_once("Bitte prüfen Sie Ihre Angaben").unwrap();
        let (top, _) = rest.split_once("</ul>").unwrap();
        assert_eq!(top.matches(title).count(), 1, "{name}: {top}");
    }
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let server = Server::start();
    let page = page(&server.send(&post("")), 400);
    let fields: Vec<_> = summary(&page).into_iter().map(|(field, _)| field).collect();
    assert_eq!(
        fields,
        [
            "gebaeude",
            "postleitzahl",
            "vorname",
            "nachname",
            "e-mail",
            "telefon"
        ]
    );
}

#[test]
fn every_answer_is_kept_whatever_stands_in_it() {
    let server = Server::start();
    let page = page(&server.send(&with("phone", "12")), 400);
    assert_eq!(chosen(&page, "propertyType"), ["residential-house"]);
    assert_eq!(chosen(&page, "problems"), ["nesting", "other"]);
    assert_eq!(chosen(&page, "locations"), ["balcony"]);
    for (name, right) in RIGHT {
        if !matches!(
            name,
            "propertyType" | "problems" | "locations" | "phone" | "consent" | "homepage"
        ) {
            assert_eq!(value(&page, name), right, "{name}");
        }
    }
    for nasty in [
        "</textarea><script>alert(1)</script>",
        "\"' onfocus='alert(1)' x=\"",
        "{{ site.name }}{% if x %}",
        "&lt;b&gt; &amp;",
        "<!-- --> ]]> \u{2028}",
    ] {
        for name in [
            "postalCode",
            "problemOther",
            "locationOther",
            "firstName",
            "lastName",
            "email",
            "phone",
        ] {
            let fields = RIGHT.iter().map(|&(field, right)| {
                let value = match field {
                    _ if field == name => nasty,
                    "consent" => "1",
                    "propertyType" => "",
                    _ => right,
                };
                (field, value)
            });
            let response = server.send(&post(encoded(fields)));
            let html = String::from_utf8(decoded(&response)).unwrap();
            assert!(
                nasty.starts_with('{') || !html.contains(nasty),
                "{name}: {nasty} is not escaped"
            );
            let page = Document::parse(&html);
            assert_eq!(value(&page, name), nasty, "{name}");
            assert_eq!(
                page.all("script")
                    .filter(|script| script.text.contains("alert"))
                    .count(),
                0
            );
        }
        let page =
            Document::parse(&String::from_utf8(decoded(&server.send(&with("propertyType", nasty)))).unwrap());
        assert_eq!(chosen(&page, "propertyType"), [""; 0]);
    }
}

#[test]
fn a_link_chooses_in_advance() {
    let server = Server::start();
    let open = |query: &str| {
        let response = server.get(&format!("{PATH}{query}"));
        assert_eq!(response.status, 200);
        assert_eq!(response.expect("cache-control"), "no-cache", "{query}");
        Document::parse(response.text())
    };
    let page = open("?propertyType=commercial-restaurant&step=1");
    assert_eq!(chosen(&page, "propertyType"), ["commercial-restaurant"]);
    assert_eq!(chosen(&page, "locations"), [""; 0]);
    assert_eq!(chosen(&open("?problem=dach"), "locations"), ["roof"]);
    assert_eq!(
        chosen(&open("?propertyType=other&problem=x"), "propertyType"),
        [""; 0]
    );
    // A type alone is sent if no option is chosen.
    let page = open("?propertyType=multi");
    assert_eq!(chosen(&page, "propertyType"), [""; 0]);
    assert!(page.text().contains("Vorausgewählt: Wohngebäude."));
    let hidden = page.all("input").find(|input| {
        input.attribute("name") == Some("propertyType") && input.attribute("type") == Some("hidden")
    });
    assert_eq!(hidden.unwrap().attribute("value"), Some("residential"));
    // Another server, because nobody fills in the form within a second of opening it.
    let server = Server::start();
    thanks(&server.send(&with("propertyType", "residential")));
    assert_eq!(server.stored()[0]["property_type"], "residential");
}

#[test]
fn requests_that_are_no_form_of_ours_get_a_page() {
    let server = Server::start();
    let message = |request: &Request, status| {
        let response = server.send(request);
        let page = page(&response, status);
        assert!(page.text().contains("Ihre Anfrage wurde nicht gesendet"));
        assert_eq!(value(&page, "lastName"), "", "nothing of it is shown");
        response
    };
    message(&right().header("Origin", "https://evil.example"), 403);
    message(&right().header("Origin", "null"), 403);
    message(&right().header("Sec-Fetch-Site", "cross-site"), 403);
    let json = Request::new("POST", PATH)
        .header("Content-Type", "application/json")
        .body("[]");
    message(&json, 415);
    message(&Request::new("POST", PATH).body("a=b"), 415);
    message(&post("firstName=%FF"), 400);
    message(&with("problemOther", &"x".repeat(16 * 1024)), 413);
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        let response = message(&Request::new(method, PATH), 405);
        assert_eq!(response.expect("allow"), "GET, HEAD, POST");
    }
    assert_eq!(server.stored().len(), 0);
    let head = server.send(&Request::new("HEAD", PATH));
    assert_eq!((head.status, head.body.len()), (200, 0));
    // From here on everything is as before.
    thanks(&server.send(&right().header("Origin", &server.origin())));
    // Just below the limit.
    let fields = RIGHT.iter().copied().chain([("x", "y")]);
    let mut body = encoded(fields);
    body.push_str(&"y".repeat(16 * 1024 - body.len()));
    thanks(&server.send(&post(body)));
}

#[test]
fn the_limit_is_that_of_the_api() {
    let server = Setup::bare().args(&["--rate-limit", "1"]).start();
    let address = thanks(&server.send(&right()));
    let response = server.send(&with("lastName", "Krause"));
    let limited = page(&response, 429);
    let wait: u32 = response.expect("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(value(&limited, "lastName"), "Krause");
    assert_eq!(chosen(&limited, "problems"), ["nesting", "other"]);
    assert_eq!(server.post(&crate::harness::record("Krause")).status, 429);
    assert_eq!(
        thanks(&server.send(&right())),
        address,
        "a repetition is not limited"
    );
}

#[test]
fn robots_are_answered_like_visitors() {
    let server = Server::start();
    let is_like_others = |response: &Response| {
        let address = thanks(response);
        assert_eq!(address.len(), "/danke?anfrage=".len() + 43, "{address}");
    };
    is_like_others(&server.send(&with("homepage", "https://example.com")));
    assert_eq!(server.stored().len(), 0);
    // Of a client that never asked for the page nothing is known.
    is_like_others(&server.send(&with("lastName", "Unbekannt")));
    assert_eq!(server.stored().len(), 1);
    assert_eq!(server.get(PATH).status, 200);
    let quick = std::time::Instant::now();
    let response = server.send(&with("lastName", "Eilig"));
    is_like_others(&response);
    if quick.elapsed() < Duration::from_secs(1) {
        assert_eq!(server.stored().len(), 1);
        assert!(server.logged("TooQuick").contains("suspected"));
    }
    // The earliest visit counts.
    let page = || server.get(PATH).status;
    until("a second since the first visit", || {
        (quick.elapsed() > Duration::from_millis(1100)).then_some(())
    });
    assert_eq!(page(), 200);
    is_like_others(&server.send(&with("lastName", "Geduldig")));
    assert!(server.stored().iter().any(|row| row["last_name"] == "Geduldig"));
}

#[test]
fn a_wrong_token_gets_the_plain_thanks() {
    let server = Server::start();
    let plain = server.get("/danke");
    let address = thanks(&server.send(&right()));
    for query in [
        "anfrage=x",
        "anfrage=",
        "x=y",
        "anfrage=AaICgypJcu-XPZV7aUZtzWnXfVCnBu43HxPVTMy1PCo",
    ] {
        let response = server.get(&format!("/danke?{query}"));
        assert_eq!(response.status, 200);
        assert_eq!(response.text(), plain.text(), "{query}");
    }
    // A token with another proof.
    let (start, end) = address.split_at(address.len() - 8);
    let forged = format!("{start}{}", end.chars().rev().collect::<String>());
    let response = server.get(&forged);
    assert!(forged == address || response.text() == plain.text());
}

#[test]
fn a_demo_stores_nothing_and_says_thanks() {
    let server = Server::with(&["--demo"]);
    assert_eq!(thanks(&server.send(&right())), "/danke");
    let page = page(&server.send(&with("email", "x")), 400);
    assert_eq!(value(&page, "email"), "x");
}
