//! HTTP/2 behaves like HTTP/1.1. The client is Node.js.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::inquiry::{INQUIRIES, post};
use crate::harness::{Request, Response, TlsServer, record, until_true};

fn one(server: &TlsServer, request: Request) -> Response {
    server.send_http2(&[request]).remove(0)
}

#[test]
fn both_protocols_give_the_same_answers() {
    let server = TlsServer::with(&[]);
    let large = " ".repeat(16 * 1024 + 1);
    let json = |body: &str| {
        Request::new("POST", INQUIRIES)
            .header("content-type", "application/json")
            .body(body)
    };
    let requests = [
        Request::get("/"),
        Request::get("/faq?a=b"),
        Request::get("/FAQ/"),
        Request::get("/blog/feed"),
        Request::get("/nirgends"),
        Request::get("/healthz"),
        Request::get("/faq").header("accept-encoding", "br;q=0"),
        Request::get(&format!("/{}", "a".repeat(8000))),
        Request::new("HEAD", "/"),
        Request::new("HEAD", "/nirgends"),
        Request::new("POST", "/faq"),
        Request::new("DELETE", INQUIRIES),
        Request::new("OPTIONS", INQUIRIES),
        Request::get(INQUIRIES),
        Request::new("PATCH", "/fragebogen"),
        json("{"),
        json("[]"),
        json(&large),
        Request::new("POST", INQUIRIES)
            .header("content-type", "text/plain")
            .body("[]"),
        post(&record("Krause")).header("origin", "https://evil.example"),
        post(&record("Krause")).header("origin", "null"),
        post(&record("Krause")).header("sec-fetch-site", "cross-site"),
    ];
    let by_http2 = server.send_http2(&requests);
    for (request, by_http2) in requests.iter().zip(by_http2) {
        let what = format!("{} {:.40}", request.method, request.target);
        let by_http1 = server.send(request);
        assert_eq!(by_http2.status, by_http1.status, "{what}");
        assert_eq!(by_http2.text(), by_http1.text(), "{what}");
        let names = |response: &Response| {
            let names = response.headers.iter().map(|(name, _)| name.clone());
            // `Connection` is specific to HTTP/1.1, and HTTP/2 may omit the length of an empty body.
            let differ = ["connection", "content-length"];
            let mut names: Vec<_> = names.filter(|name| !differ.contains(&name.as_str())).collect();
            names.sort();
            names
        };
        assert_eq!(names(&by_http2), names(&by_http1), "{what}");
        let length = |response: &Response| response.header("content-length").unwrap_or("0").to_owned();
        assert_eq!(length(&by_http2), length(&by_http1), "{what}");
        for name in ["content-type", "location", "allow", "etag"] {
            assert_eq!(by_http2.header(name), by_http1.header(name), "{what}: {name}");
        }
    }
}

#[test]
fn an_inquiry_is_stored_from_the_sites_own_origin() {
    let server = TlsServer::with(&[]);
    let request = post(&record("Ötzi")).header("origin", &server.origin());
    let response = one(&server, request);
    assert_eq!(response.status, 201, "{}", response.text());
    assert!(response.expect("location").starts_with("/anfrage/"));
    assert_eq!(server.server.stored().len(), 1);
}

#[test]
fn a_host_that_contradicts_the_authority_is_refused() {
    let server = TlsServer::with(&[]);
    for (authority, host, status) in [
        ("localhost", None, 200),
        ("localhost", Some("LOCALHOST"), 200),
        ("localhost", Some("evil.example"), 400),
        ("a,b", None, 400),
    ] {
        let mut request = Request::get("/faq").header(":authority", authority);
        if let Some(host) = host {
            request = request.header("host", host);
        }
        let response = one(&server, request);
        assert_eq!(response.status, status, "{authority} {host:?}");
    }
}

#[test]
fn too_many_fields_are_refused() {
    let server = TlsServer::with(&[]);
    let with = |count: usize| {
        (0..count).fold(Request::get("/faq"), |request, number| {
            request.header(&format!("x-{number}"), "a")
        })
    };
    let statuses: Vec<_> = server
        .send_http2(&[with(60), with(65)])
        .iter()
        .map(|response| response.status)
        .collect();
    assert_eq!(statuses, [200, 431]);
    let large = Request::get("/faq").header("x-large", &"a".repeat(20_000));
    assert_eq!(one(&server, large).status, 431);
}

/// A connection preface with empty settings, and the head of a form that is never sent.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\
    \0\0\x06\x01\x04\0\0\0\x01\x83\x84\x87\x01\x01x";

/// Frames that request nothing: each is allowed, and some must be acknowledged.
const IDLE_FRAMES: [(&str, &[u8]); 6] = [
    ("PING", b"\0\0\x08\x06\0\0\0\0\0taubenab"),
    ("SETTINGS", b"\0\0\0\x04\0\0\0\0\0"),
    ("WINDOW_UPDATE", b"\0\0\x04\x08\0\0\0\0\0\0\0\0\x01"),
    ("PRIORITY", b"\0\0\x05\x02\0\0\0\0\x03\0\0\0\0\x10"),
    ("an empty DATA", b"\0\0\0\0\0\0\0\0\x01"),
    ("an unknown one", b"\0\0\0\xfa\0\0\0\0\0"),
];

#[test]
fn frames_that_ask_for_nothing_hold_up_nobody_and_take_no_memory() {
    /// The longest response time for a page during the flood, on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(5);
    /// The most memory that two connections may use, in KiB.
    const ROOM: u64 = 8 << 10;
    let server = TlsServer::with(&[]);
    let visit = || {
        let asked = Instant::now();
        let status = server.send(&Request::get("/faq")).status;
        (status, asked.elapsed())
    };
    visit();
    let before = server.server.memory("RssAnon:");
    for (kind, frame) in IDLE_FRAMES {
        let frames = frame.repeat(16 * 1024 / frame.len());
        let (goes_on, sent) = (AtomicBool::new(true), AtomicUsize::new(0));
        let flood = |reads: bool| {
            while goes_on.load(Ordering::Relaxed) {
                let mut stream = server.client.connect_http2();
                let short = Some(Duration::from_millis(50));
                stream.sock.set_read_timeout(short).unwrap();
                stream.sock.set_write_timeout(short).unwrap();
                let mut is_open = stream.write_all(PREFACE).is_ok();
                while is_open && goes_on.load(Ordering::Relaxed) {
                    is_open = stream.write_all(&frames).is_ok();
                    sent.fetch_add(1, Ordering::Relaxed);
                    if reads {
                        let _ = stream.read(&mut [0; 16 * 1024]);
                    }
                }
            }
        };
        let (visits, taken) = thread::scope(|scope| {
            scope.spawn(|| flood(true));
            scope.spawn(|| flood(false));
            let start = sent.load(Ordering::Relaxed);
            until_true("the flood", || sent.load(Ordering::Relaxed) > start + 20);
            let visits = [visit(), visit(), visit()];
            let taken = server.server.memory("RssAnon:").saturating_sub(before);
            goes_on.store(false, Ordering::Relaxed);
            (visits, taken)
        });
        for (status, took) in visits {
            assert!(
                status == 200 && took < PATIENCE,
                "{kind}: {status} after {took:?}"
            );
        }
        assert!(taken < ROOM, "{kind}: {taken} KiB");
    }
}
