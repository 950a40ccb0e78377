//! Counting pages, steps and inquiries without tracking visitors (`docs/behaviour.md`, "Counts and the report"). The counts are
//! read from the stopped server's store with the library.

use std::collections::BTreeMap;
use std::fs;

use jiff::civil::Date;
use serde_json::json;

use crate::harness::inquiry::post;
use crate::harness::referral::{open, stop};
use crate::harness::{Request, Server, Setup, block_on, leave_out_on_postgres, record, run};
use crate::plain_form;
use crate::refusing::message;

const PAGES: &str = "/rest/v1/pages";
const STEPS: &str = "/rest/v1/steps";

/// Stops a server and returns its counts, summed over all days.
fn counted(server: Server) -> BTreeMap<String, u64> {
    let setup = stop(server);
    let store = open(&setup.dir);
    let days = block_on(store.counts(Date::constant(2020, 1, 1))).unwrap();
    let mut all = BTreeMap::new();
    for (name, count) in days.into_iter().flat_map(|(_, counts)| counts) {
        *all.entry(name).or_default() += count;
    }
    all
}

fn expected(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
    counts
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect()
}

/// A navigation request, as browsers send it.
fn navigation(target: &str) -> Request {
    Request::get(target)
        .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
        .header("Sec-Fetch-Mode", "navigate")
        .header("Sec-Fetch-Dest", "document")
}

fn step(body: &str) -> Request {
    Request::new("POST", STEPS)
        .header("Content-Type", "application/json")
        .body(body)
}

#[test]
fn a_form_without_javascript_is_counted_once() {
    let server = Server::start();
    for _ in 0..2 {
        assert_eq!(server.send(&plain_form::right()).status, 303);
    }
    assert_eq!(counted(server), expected(&[("inquiry", 1)]));
}

#[test]
fn one_client_tells_of_no_more_than_visitors_do() {
    const SENT: u64 = 400;
    const BELIEVED: u64 = 300;
    let server = Setup::bare().start();
    let mut one = server.connect_as(1);
    let shown = Request::new("POST", PAGES)
        .header("Content-Type", "application/json")
        .body("{\"path\": \"/faq\"}");
    for _ in 0..SENT / 2 {
        assert_eq!(one.send(&step("{\"step\": 1}")).status, 204);
        assert_eq!(one.send(&shown).status, 204);
    }
    assert_eq!(server.connect_as(2).send(&step("{\"step\": 2}")).status, 204);
    let counts = expected(&[
        ("page:/faq", BELIEVED / 2),
        ("step:1", BELIEVED / 2),
        ("step:2", 1),
    ]);
    assert_eq!(counted(server), counts);
}

#[test]
fn pages_that_are_shown_are_counted() {
    let server = Server::start();
    let first = server.send(&navigation("/faq"));
    assert_eq!(first.status, 200);
    let again = navigation("/faq?utm_source=x").header("If-None-Match", first.expect("etag"));
    assert_eq!(server.send(&again).status, 304);
    let old = Request::get("/faq").header("Accept", "text/html");
    assert_eq!(server.send(&old).status, 200);
    let short = Request::get("/faq").header("Sec-Fetch-Mode", "navigate");
    assert_eq!(server.send(&short).status, 200);
    for target in [
        "/blog/kategorie/sch%C3%A4dlingsbek%C3%A4mpfung",
        "/blog/kategorie/sch%c3%a4dlings%62ek%c3%a4mpfung",
    ] {
        assert_eq!(server.send(&navigation(target)).status, 200);
    }
    let private = server.post(&record("Krause")).expect("location").to_owned();
    for request in [
        navigation(&private),
        navigation("/gibt-es-nicht"),
        navigation("/faq/"),
        navigation("/robots.txt"),
        navigation("/healthz"),
        navigation("/faq").header("Sec-GPC", "1"),
        navigation("/faq").header("DNT", "1"),
        navigation("/faq").header("Sec-Purpose", "prefetch"),
        navigation("/fragebogen").header("Sec-Purpose", "prefetch;prerender"),
        Request::get("/faq"),
        Request::get("/faq")
            .header("Sec-Fetch-Mode", "cors")
            .header("Accept", "text/html"),
        Request::new("HEAD", "/faq").header("Accept", "text/html"),
    ] {
        server.send(&request);
    }
    let counts = expected(&[
        ("inquiry:other", 1),
        ("page:/blog/kategorie/schädlingsbekämpfung", 2),
        ("page:/faq", 4),
    ]);
    assert_eq!(counted(server), counts);
}

#[test]
fn pages_that_were_loaded_ahead_are_counted_when_they_say_that_they_are_shown() {
    let server = Server::start();
    let shown = |body: &str| {
        Request::new("POST", PAGES)
            .header("Content-Type", "application/json")
            .body(body)
    };
    for path in [
        "/fragebogen",
        "/blog/kategorie/sch%C3%A4dlingsbek%C3%A4mpfung",
        "/fragebogen",
    ] {
        let response = server.send(&shown(&json!({ "path": path }).to_string()));
        assert_eq!((response.status, response.text()), (204, ""));
    }
    for path in [
        "",
        "/gibt-es-nicht",
        "/faq/",
        "/robots.txt",
        "/faq?x=1",
        "https://example.com/faq",
    ] {
        message(&server.send(&shown(&json!({ "path": path }).to_string())), 400);
    }
    for body in ["", "{", "{\"path\":1}", "{\"path\":\"/faq\",\"x\":1}", "[]"] {
        message(
            &server.send(&shown(body).header("Content-Length", &body.len().to_string())),
            400,
        );
    }
    for name in ["Sec-GPC", "DNT"] {
        assert_eq!(
            server
                .send(&shown("{\"path\":\"/faq\"}").header(name, "1"))
                .status,
            204
        );
    }
    message(
        &server.send(&shown("{\"path\":\"/faq\"}").header("Sec-Fetch-Site", "cross-site")),
        403,
    );
    message(&server.get(PAGES), 405);
    let counts = expected(&[
        ("page:/blog/kategorie/schädlingsbekämpfung", 1),
        ("page:/fragebogen", 2),
    ]);
    assert_eq!(counted(server), counts);
}

#[test]
fn steps_are_counted() {
    let server = Server::start();
    for number in [0, 4, 4] {
        let response = server.send(&step(&json!({ "step": number }).to_string()));
        assert_eq!((response.status, response.text()), (204, ""));
    }
    for body in [
        "",
        "{",
        "{\"step\":5}",
        "{\"step\":-1}",
        "{\"step\":\"1\"}",
        "{\"step\":1,\"x\":1}",
        "[]",
    ] {
        message(
            &server.send(&step(body).header("Content-Length", &body.len().to_string())),
            400,
        );
    }
    for name in ["Sec-GPC", "DNT"] {
        assert_eq!(server.send(&step("{\"step\":1}").header(name, "1")).status, 204);
    }
    message(
        &server.send(&step("{\"step\":1}").header("Sec-Fetch-Site", "cross-site")),
        403,
    );
    message(&server.send(&step(&" ".repeat(20_000))), 413);
    let mut wrong = step("{\"step\":1}");
    wrong.headers.clear();
    message(&server.send(&wrong), 415);
    message(&server.get(STEPS), 405);
    assert_eq!(counted(server), expected(&[("step:0", 1), ("step:4", 2)]));
}

#[test]
fn inquiries_are_counted_once_and_without_robots() {
    let server = Server::start();
    let request = post(&record("Krause")).header("Idempotency-Key", "key");
    for _ in 0..3 {
        assert_eq!(server.send(&request).status, 201);
    }
    assert_eq!(
        server
            .send(&post(&record("Robot")).header("Form-Trap", "on"))
            .status,
        201
    );
    let by_questionnaire = post(&record("Meier")).header("Form-Fill-Time", "30000");
    for _ in 0..2 {
        assert_eq!(server.send(&by_questionnaire).status, 201);
    }
    assert_eq!(counted(server), expected(&[("inquiry", 2), ("inquiry:other", 1)]));
}

#[test]
fn inquiries_of_those_who_object_are_stored_and_not_counted() {
    let server = Server::start();
    for name in ["Sec-GPC", "DNT"] {
        let request = post(&record(name)).header(name, "1");
        assert_eq!(server.send(&request).status, 201);
    }
    assert_eq!(
        server.send(&plain_form::right().header("Sec-GPC", "1")).status,
        303
    );
    assert_eq!(server.stored().len(), 3);
    assert_eq!(counted(server), expected(&[]));
}

#[test]
fn commands_beside_the_server_see_what_was_counted_just_now() {
    leave_out_on_postgres!("commands that ask the server");
    let server = Server::start();
    let directory = server.dir().path();
    let data = server.dir().data();
    let report = || {
        let args = [
            "report",
            "--output",
            "report.html",
            "--data-dir",
            data.to_str().unwrap(),
        ];
        run(directory, &args).success();
        fs::read_to_string(directory.join("report.html")).unwrap()
    };
    let counts = |page: &str| page.contains(">72<");
    assert!(!counts(&report()));
    for _ in 0..72 {
        assert_eq!(server.send(&navigation("/faq")).status, 200);
    }
    assert!(counts(&report()));
}

#[test]
fn counts_add_up_over_restarts() {
    let server = Server::start();
    assert_eq!(server.send(&navigation("/")).status, 200);
    let server = server.restart();
    assert_eq!(server.send(&navigation("/")).status, 200);
    assert_eq!(counted(server), expected(&[("page:/", 2)]));
}
