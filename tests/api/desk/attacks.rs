//! Attacks on the desk: each row of the table in `SECURITY.md` has a test.

use super::{AtDesk, form, get, link, post, setup};
use crate::harness::http::once;
use crate::harness::referral::{NAME, config};
use crate::harness::{Connection, Request, record};
use crate::sinks::{Behaviour, Security, SmtpSink, Step};

/// Every path that makes a change.
const CHANGES: [&str; 8] = [
    "/abmelden",
    "/zustellen",
    "/anfragen/019a3c5e-7b1c-7def-8000-0123456789ab/loeschen",
    "/anfragen/019a3c5e-7b1c-7def-8000-0123456789ab/person",
    "/anfragen/019a3c5e-7b1c-7def-8000-0123456789ab/fragen",
    "/betriebe/nord/pause",
    "/betriebe/nord/fortsetzen",
    "/abrechnung/2020-01/abschliessen",
];

#[test]
fn without_a_session_there_is_nothing() {
    let desk = AtDesk::with(&["nord"]);
    desk.server.store(&record(NAME));
    for path in [
        "/posteingang",
        "/betriebe",
        "/abrechnung",
        "/bericht",
        "/bericht/ansehen",
        "/zustand",
        "/x",
    ] {
        let page = get(desk.address, path, "");
        assert_eq!(page.status, 403, "{path}");
        assert!(!page.text().contains(NAME), "{path}");
    }
    for path in CHANGES {
        assert_eq!(post(desk.address, path, "sure=ja", "").status, 403, "{path}");
    }
    assert_ne!(desk.json(&["firms"])[0]["paused"], true);
}

#[test]
fn no_other_site_changes_anything() {
    let desk = AtDesk::with(&["nord"]);
    let forged = |header: &str, value: &str| {
        CHANGES
            .iter()
            .chain([&*link(desk.server.dir())].iter())
            .for_each(|path| {
                let request = form(desk.address, path, "sure=ja", &desk.cookie);
                let headers = request.headers.into_iter().filter(|(name, _)| name != header);
                let request = Request {
                    headers: headers.chain([(header.to_owned(), value.to_owned())]).collect(),
                    ..request
                };
                let refused = once(desk.address, &request);
                assert_eq!(refused.status, 403, "{path} {header}: {value}");
            });
    };
    forged("Origin", "https://evil.example");
    forged("Origin", "null");
    // Another program on the same machine is same-site with the cookie, but uses another port.
    forged("Origin", "http://127.0.0.1:3000");
    // The same host and port by another scheme.
    forged("Origin", &format!("https://{}", desk.address));
    forged("Origin", &format!("ftp://{}", desk.address));
    forged("Sec-Fetch-Site", "cross-site");
    forged("Content-Type", "text/plain");
    assert_eq!(desk.get("/posteingang").status, 200);
    assert_ne!(desk.json(&["firms"])[0]["paused"], true);
}

#[test]
fn a_form_without_fields_needs_no_type() {
    let desk = AtDesk::with(&["nord"]);
    desk.change("/betriebe/nord/pause", "");
    let empty = Request::new("POST", "/betriebe/nord/fortsetzen")
        .header("Content-Length", "0")
        .header("Cookie", &desk.cookie);
    for (header, value) in [
        ("Origin", "https://evil.example"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        let forged = empty.clone().header(header, value);
        assert_eq!(once(desk.address, &forged).status, 403, "{header}");
    }
    assert_eq!(desk.json(&["firms"])[0]["paused"], true);
    assert_eq!(once(desk.address, &empty).status, 303);
    assert_ne!(desk.json(&["firms"])[0]["paused"], true);
}

#[test]
fn no_other_site_has_anything_done_by_a_get() {
    let desk = AtDesk::with(&["nord"]);
    let asked = |path: &str, site: &str, mode: &str, dest: &str| {
        let request = Request::get(path)
            .header("Cookie", &desk.cookie)
            .header("Sec-Fetch-Site", site)
            .header("Sec-Fetch-Mode", mode)
            .header("Sec-Fetch-Dest", dest);
        once(desk.address, &request).status
    };
    let link = link(desk.server.dir());
    for path in ["/posteingang", "/betriebe", "/bericht/ansehen", "/zustand", &link] {
        for site in ["same-site", "cross-site"] {
            assert_eq!(asked(path, site, "no-cors", "image"), 403, "{path} {site}");
            assert_eq!(asked(path, site, "cors", "empty"), 403, "{path} {site}");
            assert_eq!(asked(path, site, "navigate", "iframe"), 403, "{path} {site}");
            // A link may open a page, but not one that logs in to the mail server.
            let expected = if path == "/zustand" { 403 } else { 200 };
            assert_eq!(
                asked(path, site, "navigate", "document"),
                expected,
                "{path} {site}"
            );
        }
        for site in ["same-origin", "none"] {
            assert_eq!(asked(path, site, "navigate", "document"), 200, "{path} {site}");
        }
    }
}

#[test]
fn each_page_has_one_address() {
    let desk = AtDesk::with(&["nord"]);
    for path in [
        "//zustand",
        "///zustand",
        "/zustand/",
        "//bericht/ansehen",
        "/bericht//ansehen",
        "//posteingang",
        "//",
        "/%7austand",
    ] {
        let request = Request::get(path)
            .header("Cookie", &desk.cookie)
            .header("Sec-Fetch-Site", "same-site")
            .header("Sec-Fetch-Mode", "navigate")
            .header("Sec-Fetch-Dest", "document");
        assert_eq!(once(desk.address, &request).status, 404, "{path}");
    }
    assert_eq!(desk.post("//abmelden", "").status, 404);
    assert_eq!(desk.get("/posteingang").status, 200);
}

#[test]
fn no_other_port_of_this_host_locks_anybody_out() {
    let desk = AtDesk::with(&["nord"]);
    let (name, _) = desk.cookie.split_once('=').unwrap();
    let forged = |count: usize| format!("{}{}", format!("{name}=x; ").repeat(count), desk.cookie);
    assert_eq!(get(desk.address, "/posteingang", &forged(1)).status, 200);
    assert_eq!(get(desk.address, "/posteingang", &forged(100)).status, 403);
    assert_eq!(post(desk.address, "/abmelden", "", &forged(1)).status, 303);
    assert_eq!(
        desk.get("/posteingang").status,
        403,
        "the right session has ended"
    );
}

#[test]
fn a_get_changes_nothing() {
    let desk = AtDesk::with(&["nord"]);
    for path in [
        "/abmelden",
        "/zustellen",
        "/betriebe/nord/pause",
        "/abrechnung/2020-01/abschliessen",
    ] {
        desk.get(path);
    }
    assert_eq!(desk.get("/posteingang").status, 200);
    assert_ne!(desk.json(&["firms"])[0]["paused"], true);
    let other = once(
        desk.address,
        &Request::new("DELETE", "/posteingang").header("Cookie", &desk.cookie),
    );
    assert_eq!((other.status, other.expect("allow")), (405, "GET, HEAD, POST"));
}

#[test]
fn nothing_is_framed_kept_or_run() {
    let desk = AtDesk::with(&["nord"]);
    let id = desk.server.store(&record("<script>alert(1)</script>"))["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let month = "/abrechnung/2020-01.html".to_owned();
    for path in [
        "/posteingang",
        "/betriebe",
        "/zustand",
        "/x",
        &month,
        &format!("/anfragen/{id}"),
        "/bericht/ansehen",
    ] {
        let page = desk.get(path);
        assert_eq!(page.expect("cache-control"), "no-store", "{path}");
        assert_eq!(page.expect("x-frame-options"), "DENY", "{path}");
        assert_eq!(page.expect("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(page.expect("referrer-policy"), "same-origin", "{path}");
        let policy = page.expect("content-security-policy");
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("script-src"), "{path}: {policy}");
        assert!(!page.text().contains("<script>alert"), "{path}");
    }
    for redirect in [desk.get("/"), desk.post("/zustellen", "")] {
        assert_eq!(redirect.expect("cache-control"), "no-store");
    }
}

#[test]
fn codes_cannot_be_guessed() {
    let desk = AtDesk::with(&["nord"]);
    let tries: Vec<u16> = (0..15)
        .map(|number| post(desk.address, &format!("/anmelden/falsch{number:016}"), "", "").status)
        .collect();
    assert_eq!(
        tries.iter().filter(|status| **status == 404).count(),
        10,
        "{tries:?}"
    );
    assert_eq!(
        tries.iter().filter(|status| **status == 429).count(),
        5,
        "{tries:?}"
    );
    // Guesses of other clients do not lock the operator out.
    assert_eq!(post(desk.address, &link(desk.server.dir()), "", "").status, 303);
    desk.server.logged("a wrong code was tried at the desk");
}

#[test]
fn a_name_that_leads_here_is_not_enough() {
    let desk = AtDesk::with(&["nord"]);
    let port = desk.address.port();
    let asked = |host: &str| {
        let request = Request::get("/posteingang")
            .header("Host", host)
            .header("Cookie", &desk.cookie);
        once(desk.address, &request).status
    };
    for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example"] {
        assert_eq!(asked(&format!("{host}:{port}")), 421, "{host}");
    }
    for host in [
        format!("localhost:{port}"),
        "localhost:9999".to_owned(),
        "[::1]:1".to_owned(),
    ] {
        assert_eq!(asked(&host), 200, "{host}");
    }
}

#[test]
fn neither_log_nor_store_can_let_anybody_in() {
    let setup = super::setup(&crate::harness::referral::config(&["nord"])).args(&["--access-log"]);
    let desk = AtDesk::of(setup.start());
    let code = link(desk.server.dir());
    get(desk.address, &code, "");
    post(desk.address, &code, "", "");
    let (_, session) = desk.cookie.split_once('=').unwrap();
    let code = code.strip_prefix("/anmelden/").unwrap();
    assert_has!(desk.server.logged("request"), "/anmelden/*");
    for secret in [code, session] {
        assert!(!desk.server.stderr().contains(secret), "{}", desk.server.stderr());
    }
    if desk.server.dir().schema().is_none() {
        let file = std::fs::read(desk.server.dir().data().join("inquiries.redb")).unwrap();
        for secret in [code, session] {
            assert!(!file.windows(secret.len()).any(|bytes| bytes == secret.as_bytes()));
        }
    }
}

/// Each view of the health page logs in to the mail server.
#[test]
fn the_health_of_the_site_is_examined_by_few_pages_at_a_time() {
    let sink = SmtpSink::start(Security::Clear);
    sink.always(Step::Greeting, Behaviour::Hang);
    let toml = config(&["nord"]).replace("127.0.0.1:1", &sink.address.to_string());
    let desk = AtDesk::of(setup(&toml).start());
    let health = Request::get("/zustand").header("Cookie", &desk.cookie);
    let asking: Vec<_> = (0..30)
        .map(|_| {
            let mut connection = Connection::open(desk.address);
            connection
                .send_raw(health.bytes(&desk.address.to_string()))
                .unwrap();
            connection
        })
        .collect();
    sink.wait_for_step(Step::Greeting, 4);
    for _ in 0..10 {
        assert_eq!(desk.server.get("/faq").status, 200);
    }
    assert_eq!(sink.most_open(), 4);
    drop(asking);
}
