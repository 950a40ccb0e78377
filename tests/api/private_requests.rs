//! The requirements for requests of private pages, and the headers of every response (`docs/behaviour.md`, "Private pages").

use crate::harness::hanging_store::HangingStore;
use crate::harness::referral::{NAME, Referred, config, form, submit};
use crate::harness::{Document, Request, Response, Server, Setup, policy, record, until_true};
use crate::refusing::message;

/// A well-formed token that is not genuine.
const GUESS: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Paths with tokens that are not genuine.
fn guesses() -> Vec<String> {
    let mut paths = Vec::new();
    for token in [GUESS, "x", "%41", "ä", &"A".repeat(500)] {
        let token = token.replace('ä', "%C3%A4");
        paths.push(format!("/anfrage/{token}"));
        paths.push(format!("/anfrage/{token}/zurueckziehen"));
        paths.push(format!("/betrieb/{token}"));
        paths.push(format!("/newsletter/bestaetigen/{token}"));
        paths.push(format!("/newsletter/abmelden/{token}"));
    }
    paths
}

fn heading(response: &Response) -> String {
    crate::harness::heading(response.text())
}

fn assert_private(response: &Response) {
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex"),
        ("referrer-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(response.expect(name), value, "{}", response.status);
    }
    let styles = policy::sources(response, "style-src").join(" ");
    assert!(styles.starts_with("'self' 'sha256-"), "{styles}");
    // A page may load one script of the site, which shows and uploads photos; all other pages load none.
    let sends_photos = response.expect("content-security-policy").contains("script-src");
    let (scripts, pictures) = if sends_photos {
        ("script-src 'self'; connect-src 'self'; ", " blob:")
    } else {
        ("", "")
    };
    assert_eq!(
        response.expect("content-security-policy"),
        format!(
            "default-src 'none'; {scripts}style-src {styles}; img-src 'self' data:{pictures}; font-src 'self'; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        )
    );
    assert!(response.expect("permissions-policy").contains("camera=()"));
    for name in [
        "etag",
        "content-encoding",
        "set-cookie",
        "last-modified",
        "speculation-rules",
    ] {
        assert_eq!(response.header(name), None, "{name}");
    }
    if !response.body.is_empty() {
        assert_eq!(response.expect("content-type"), "text/html; charset=utf-8");
        let scripts = response.text().matches("<script").count();
        assert_eq!(scripts, usize::from(sends_photos));
        let has_form = response.text().contains("enctype=\"multipart/form-data\"");
        assert_eq!(has_form, sends_photos);
        assert_eq!(policy::of_styles(response.text()).join(" "), styles);
        let robots = Document::parse(response.text());
        assert_eq!(robots.meta("robots"), Some("noindex, nofollow"));
    }
}

#[test]
fn every_response_keeps_the_address_secret() {
    let case = Referred::to(&["nord"]);
    let visitor = &case.visitor;
    let withdrawal = format!("{visitor}/zurueckziehen");
    let send = |method: &str, path: &str| {
        case.server
            .send(&Request::new(method, path).header("Accept-Encoding", "br, gzip"))
    };
    for path in [visitor, &withdrawal, &case.firms[0]] {
        for (method, status) in [("GET", 200), ("HEAD", 200)] {
            let response = send(method, path);
            assert_eq!(response.status, status, "{method} {path}");
            assert_private(&response);
        }
        let head = send("HEAD", path);
        assert_eq!(
            head.expect("content-length"),
            send("GET", path).body.len().to_string()
        );
    }
    for response in [
        submit(&case.server, visitor, "addition=x"),
        submit(&case.server, visitor, ""),
        submit(&case.server, &case.firms[0], "answer=accept"),
        submit(&case.server, &case.firms[0], "answer=decline"),
        case.server.get(&format!("/anfrage/{GUESS}")),
        case.server.get(&format!("{visitor}/?a=b")),
    ] {
        assert_private(&response);
    }
    let secure = Server::with(&["--public-url", "https://www.tauben.example"]);
    let response = secure.get(&format!("/anfrage/{GUESS}"));
    let policy = response.expect("content-security-policy");
    assert!(policy.ends_with("; upgrade-insecure-requests"), "{policy}");
    assert!(response.header("strict-transport-security").is_some());
}

#[test]
fn no_list_of_pages_names_them() {
    let server = Server::start();
    for path in [
        "/sitemap.xml",
        "/sitemap-direct.xml",
        "/sitemap",
        "/robots.txt",
        "/blog/feed",
        "/",
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 200);
        for private in ["/anfrage", "/betrieb", "/newsletter/"] {
            assert!(!response.text().contains(private), "{path} names {private}");
        }
    }
}

#[test]
fn wrong_tokens_are_not_found() {
    let server = Server::start();
    for path in guesses() {
        let response = server.get(&path);
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(heading(&response), "Diese Seite gibt es nicht mehr", "{path}");
        assert_eq!(
            submit(&server, &path, "answer=accept&addition=x").status,
            404,
            "{path}"
        );
    }
    for path in [
        "/anfrage",
        "/anfrage/",
        "/betrieb",
        "/newsletter",
        "/anfrage/a/b",
        "/betrieb/a/b",
    ] {
        let response = server.get(path);
        assert!(
            matches!(response.status, 301 | 404),
            "{path}: {}",
            response.status
        );
    }
}

#[test]
fn a_token_is_good_for_its_own_page_only() {
    let case = Referred::to(&["nord", "sued"]);
    let visitor = case.visitor.strip_prefix("/anfrage/").unwrap();
    let firm = case.firms[0].strip_prefix("/betrieb/").unwrap();
    for path in [
        format!("/betrieb/{visitor}"),
        format!("/anfrage/{firm}"),
        format!("/newsletter/abmelden/{visitor}"),
        format!("/newsletter/bestaetigen/{firm}"),
    ] {
        assert_eq!(case.server.get(&path).status, 404, "{path}");
    }
    // The id of an inquiry is not enough to open its page.
    let mut tampered = case.visitor.clone().into_bytes();
    let last = tampered.len() - 2;
    tampered[last] = if tampered[last] == b'A' { b'B' } else { b'A' };
    assert_eq!(
        case.server.get(std::str::from_utf8(&tampered).unwrap()).status,
        404
    );
}

#[test]
fn a_slash_at_the_end_is_dropped() {
    let case = Referred::to(&["nord"]);
    for (path, target) in [
        (format!("{}/", case.visitor), case.visitor.clone()),
        (
            format!("{}//?gespeichert", case.visitor),
            format!("{}?gespeichert", case.visitor),
        ),
        (format!("{}/", case.firms[0]), case.firms[0].clone()),
    ] {
        let response = case.server.get(&path);
        assert_eq!((response.status, response.expect("location")), (301, &*target));
    }
    assert_eq!(
        submit(&case.server, &format!("{}/", case.visitor), "addition=x").status,
        405
    );
}

#[test]
fn other_methods_are_refused() {
    let case = Referred::to(&["nord"]);
    for path in [
        &case.visitor,
        &case.firms[0],
        &format!("/newsletter/abmelden/{GUESS}"),
    ] {
        for method in ["PUT", "PATCH", "DELETE", "OPTIONS"] {
            let response = case.server.send(&Request::new(method, path));
            message(&response, 405);
            assert_eq!(response.expect("allow"), "GET, HEAD, POST");
            assert_eq!(response.expect("cache-control"), "no-store");
        }
    }
}

#[test]
fn only_our_own_forms_change_anything() {
    let case = Referred::to(&["nord"]);
    let withdrawal = format!("{}/zurueckziehen", case.visitor);
    let request = |path: &str, name: &str, value: &str| {
        let mut request = form(&case.server, path, "answer=accept&addition=Fremdes");
        request
            .headers
            .retain(|(given, _)| !given.eq_ignore_ascii_case(name));
        case.server.send(&request.header(name, value))
    };
    for path in [&case.visitor, &withdrawal, &case.firms[0]] {
        for (name, value, status) in [
            ("Origin", "https://evil.example", 403),
            ("Origin", "null", 403),
            ("Sec-Fetch-Site", "cross-site", 403),
            ("Content-Type", "text/plain", 415),
            ("Content-Type", "application/json", 415),
            ("Content-Type", "multipart/form-data; boundary=x", 415),
            ("Content-Encoding", "gzip", 415),
        ] {
            let response = request(path, name, value);
            assert_eq!(response.status, status, "{path} {name}: {value}");
            assert_eq!(heading(&response), "Das hat nicht geklappt");
            assert_private(&response);
        }
        let body = format!("addition=x&answer=accept&filler={}", "y".repeat(16 * 1024));
        let response = submit(&case.server, path, &body);
        assert_eq!(response.status, 413);
        assert_eq!(response.expect("connection"), "close");
    }
    // A body without a content type is not a form, unless it is empty.
    let undeclared = Request::new("POST", &case.visitor).body("addition=Fremdes");
    assert_eq!(case.server.send(&undeclared).status, 415);
    let page = case.visitors_page();
    assert!(!page.contains("Fremdes") && page.contains("angefragt"), "{page}");
    // A client without `Origin`, and the charset that some browsers add.
    let mut plain = form(&case.server, &case.visitor, "addition=Eigenes");
    plain
        .headers
        .retain(|(name, _)| name != "Origin" && name != "Content-Type" && name != "Sec-Fetch-Site");
    let plain = plain.header("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8");
    assert_eq!(case.server.send(&plain).status, 303);
    assert!(case.visitors_page().contains("Eigenes"));
}

#[test]
fn a_form_without_fields_needs_no_type() {
    let case = Referred::to(&["nord"]);
    let withdrawal = format!("{}/zurueckziehen", case.visitor);
    let empty = Request::new("POST", &withdrawal).header("Content-Length", "0");
    let forged = empty.clone().header("Origin", "https://evil.example");
    assert_eq!(case.server.send(&forged).status, 403);
    for (name, value) in [("Content-Type", "text/plain"), ("Content-Type", "")] {
        assert_eq!(case.server.send(&empty.clone().header(name, value)).status, 415);
    }
    assert_eq!(case.server.send(&empty).status, 303);
    assert!(case.visitors_page().contains("zurückgezogen"));
}

#[test]
fn guessing_is_limited_but_right_tokens_work() {
    let setup = Setup::bare().args(&["--rate-limit", "3"]);
    let server = setup.config(config(&["nord"])).start();
    let visitor = server.post(&record(NAME)).expect("location").to_owned();
    for path in &guesses()[..3] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    for path in guesses() {
        for request in [Request::get(&path), form(&server, &path, "answer=accept")] {
            let refused = server.send(&request);
            assert_eq!(refused.status, 429, "{path}");
            assert_eq!(heading(&refused), "Zu viele Aufrufe");
            assert_private(&refused);
            let wait: u32 = refused.expect("retry-after").parse().unwrap();
            assert!((1..=60).contains(&wait), "{wait}");
        }
    }
    for _ in 0..10 {
        assert_eq!(
            server.get(&visitor).status,
            200,
            "who has the token is not kept out"
        );
    }
    assert_eq!(submit(&server, &visitor, "addition=x").status, 303);
    let mut other = server.connect_as(1);
    assert_eq!(
        other.send(&Request::get(&guesses()[0])).status,
        404,
        "others are not limited"
    );
    // Guesses do not count towards the limit of inquiries: two more are accepted.
    for _ in 0..2 {
        assert_eq!(server.post(&record(NAME)).status, 201);
    }
}

#[test]
fn changes_are_limited_apart_from_inquiries() {
    let setup = Setup::bare().args(&["--rate-limit", "2"]);
    let server = setup.config(config(&["nord"])).start();
    let visitor = server.post(&record(NAME)).expect("location").to_owned();
    for number in 0..6 {
        let saved = submit(&server, &visitor, &format!("addition={number}"));
        assert_eq!(saved.status, 303, "{number}");
    }
    let refused = submit(&server, &visitor, "addition=x");
    assert_eq!(refused.status, 429);
    assert_eq!(heading(&refused), "Zu viele Aufrufe");
    assert_private(&refused);
    let wait: u32 = refused.expect("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    // Reading is not limited, nor are other clients or the next inquiry.
    let page = server.get(&visitor);
    assert!(
        page.status == 200 && page.text().contains(">5<"),
        "{}",
        page.text()
    );
    let mut other = server.connect_as(1);
    assert_eq!(other.send(&form(&server, &visitor, "addition=y")).status, 303);
    assert_eq!(server.post(&record(NAME)).status, 201);
}

#[test]
fn in_demo_mode_there_are_none() {
    let server = Server::with(&["--demo"]);
    assert_eq!(server.post(&record(NAME)).header("location"), None);
    for path in guesses() {
        assert_eq!(server.get(&path).status, 404, "{path}");
        assert_eq!(submit(&server, &path, "answer=accept").status, 404, "{path}");
    }
}

#[test]
fn while_the_disk_hangs_changes_are_refused_in_time() {
    let (store, setup) = HangingStore::new();
    let server = setup.start();
    let visitor = server.post(&record(NAME)).expect("location").to_owned();
    store.hang();
    let refused = submit(&server, &visitor, "addition=Nachtrag");
    assert_eq!(refused.status, 503);
    assert_eq!(heading(&refused), "Im Moment nicht erreichbar");
    assert_private(&refused);
    assert!(refused.expect("retry-after").parse::<u32>().unwrap() >= 1);
    store.recover();
    until_true("the addition to be stored", || {
        submit(&server, &visitor, "addition=Nachtrag").status == 303
    });
    assert!(server.get(&visitor).text().contains("Nachtrag"));
}
