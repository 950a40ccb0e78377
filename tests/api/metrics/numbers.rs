//! The values of the metrics.

use super::Watched;
use crate::full_disk::leave_no_room;
use crate::harness::http::once;
use crate::harness::inquiry::{post, with};
use crate::harness::referral::{config, setup};
use crate::harness::store::is_postgres;
use crate::harness::{Request, Setup, record, until_true};
use crate::photos::pictures::small;
use crate::sinks::{Behaviour, Security, SmtpSink, Step};
use crate::{desk, photos};

#[test]
fn requests_are_counted_by_kind_and_status() {
    let watched = Watched::start(Setup::new());
    let server = &watched.server;
    let script = server
        .get("/")
        .text()
        .split("src=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    for (target, kind, status) in [
        ("/faq", "page", "2xx"),
        ("/fragebogen?plz=20095", "page", "2xx"),
        (&script, "asset", "2xx"),
        ("/sitemap.xml", "asset", "2xx"),
        ("/Sitemap", "other", "3xx"),
        ("/nichts", "other", "4xx"),
        ("/healthz", "health", "2xx"),
        ("/rest/v1/nichts", "api", "4xx"),
        ("/anfrage/nichts", "private", "4xx"),
    ] {
        let series = format!("http_requests_total{{kind=\"{kind}\",status=\"{status}\"}}");
        let before = watched.count(&series);
        let took = format!("http_request_duration_seconds_count{{kind=\"{kind}\"}}");
        let took_before = watched.count(&took);
        server.get(target);
        assert_eq!(watched.count(&series), before + 1, "{target}");
        assert_eq!(watched.count(&took), took_before + 1, "{target}");
    }
    let known = server.get("/faq").expect("etag").to_owned();
    server.send(&Request::get("/faq").header("If-None-Match", &known));
    assert_eq!(
        watched.count("http_requests_total{kind=\"page\",status=\"3xx\"}"),
        1
    );
}

#[test]
fn refusals_are_counted_by_their_reason() {
    let watched = Watched::start(Setup::bare().args(&["--rate-limit", "2"]));
    let server = &watched.server;
    let inquiry = || post(&record("Krause"));
    for (request, reason) in [
        (inquiry().header("Origin", "https://evil.example"), "cross_site"),
        (inquiry().body(vec![b' '; 17_000]), "body_too_large"),
        (post(&with("email_address", "nirgends")), "invalid"),
        (Request::new("POST", "/rest/v1/inquiries").body("x"), "wrong_type"),
        (
            Request::get(&format!("/{}", "x".repeat(9000))),
            "address_too_long",
        ),
    ] {
        assert_eq!(watched.refusals(reason), 0);
        server.send(&request);
        assert_eq!(watched.refusals(reason), 1, "{reason}");
    }
    let keyed = inquiry().header("Idempotency-Key", "one");
    assert_eq!(server.send(&keyed).status, 201);
    assert_eq!(server.send(&keyed).status, 201);
    let other = post(&record("Meier")).header("Idempotency-Key", "one");
    assert_eq!(server.send(&other).status, 422);
    assert_eq!(watched.refusals("key_reused"), 1);
    assert_eq!(server.send(&inquiry().header("Form-Trap", "filled")).status, 201);
    while server.send(&inquiry()).status == 201 {}
    assert!(watched.refusals("rate_limit") >= 1);
    // A cross-site request, and a client that has guessed too many tokens, both at private pages.
    let before = (watched.refusals("cross_site"), watched.refusals("rate_limit"));
    let form = |path: &str| Request::new("POST", path).header("Origin", "https://evil.example");
    assert_eq!(server.send(&form("/anfrage/x")).status, 403);
    while server.get("/anfrage/falsch").status == 404 {}
    assert_eq!(
        (watched.refusals("cross_site"), watched.refusals("rate_limit")),
        (before.0 + 1, before.1 + 1)
    );
    let inquiries = |result: &str| watched.count(&format!("inquiries_total{{result=\"{result}\"}}"));
    assert!(inquiries("accepted") >= 1);
    assert_eq!((inquiries("replayed"), inquiries("suspected")), (1, 1));
    assert!(watched.count("store_commit_duration_seconds_count") >= 1);
    if !is_postgres() {
        assert!(watched.count("store_size_bytes") > 4096);
    }
}

#[test]
fn refusals_of_the_desk_are_no_fault_of_the_store() {
    let watched = Watched::start(Setup::bare().args(&["--desk-listen", "127.0.0.1:0"]));
    let desk = desk::address(&watched.server);
    let ask = |request: Request| once(desk, &request).status;
    assert_eq!(ask(Request::get("/posteingang")), 403);
    assert_eq!(
        (watched.refusals("logged_out"), watched.refusals("cross_site")),
        (1, 0)
    );
    let foreign = Request::get("/posteingang").header("Sec-Fetch-Site", "cross-site");
    assert_eq!(ask(foreign), 403);
    assert_eq!(
        (watched.refusals("logged_out"), watched.refusals("cross_site")),
        (1, 1)
    );
    let guess = || Request::new("POST", "/anmelden/falsch").header("Content-Length", "0");
    while ask(guess()) == 404 {}
    assert_eq!(
        (
            watched.refusals("rate_limit"),
            watched.refusals("store_unavailable")
        ),
        (1, 0)
    );
}

#[test]
fn a_photo_that_cannot_be_stored_is_a_fault_of_the_store() {
    let watched = Watched::start(setup(&config(&["nord"])));
    let server = &watched.server;
    let (_, visitor) = server.inquire(&post(&record("Krause")));
    let upload = photos::request(server, &visitor, &[("balkon.jpg", &small())]);
    leave_no_room(server);
    let refused = server.send(&upload);
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert_eq!(
        (watched.refusals("store_unavailable"), watched.refusals("busy")),
        (1, 0)
    );
}

#[test]
fn open_connections_and_refused_ones_are_counted() {
    let watched = Watched::start(Setup::new());
    // The server may hold one connection that it has accepted in advance.
    let idle = watched.count("http_connections");
    let mut open: Vec<_> = (0..256).map(|_| watched.server.connect()).collect();
    for connection in &mut open {
        assert_eq!(connection.send(&Request::get("/healthz")).status, 200);
    }
    assert!(watched.count("http_connections") >= 256);
    let mut refused = watched.server.connect();
    assert!(refused.rest().is_empty());
    assert_eq!(watched.refusals("too_many_connections"), 1);
    drop(open);
    until_true("the connections to end", || {
        watched.count("http_connections") <= idle + 1
    });
}

#[test]
fn deliveries_are_counted_by_state_and_age() {
    let sink = SmtpSink::start(Security::Clear);
    let text = format!(
        "[mail]\nserver = 'smtp://{}'\nfrom = 'site@example.org'\n[notify]\nmail = ['me@example.org']\n",
        sink.address
    );
    let watched = Watched::start(Setup::new().config(&text));
    assert!(watched.value::<f64>("outbox_oldest_waiting_seconds").abs() < f64::EPSILON);
    let state = |state: &str| watched.count(&format!("outbox_deliveries{{state=\"{state}\"}}"));
    assert_eq!((state("waiting"), state("delivered"), state("held")), (0, 0, 0));
    sink.always(Step::Mail, Behaviour::Refuse("451 later"));
    watched.server.store(&record("Krause"));
    until_true("mails to wait", || state("waiting") >= 1);
    until_true("their age", || {
        watched.value::<f64>("outbox_oldest_waiting_seconds") > 0.0
    });
    assert_eq!(state("delivered"), 0);
}
