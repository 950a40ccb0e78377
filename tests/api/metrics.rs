//! Metrics as a collector reads them: by a parser that refuses whatever the format does not allow, and by the reference
//! parser where there is one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::io::Write;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::str::FromStr;

use crate::harness::http::once;
use crate::harness::inquiry::{post, with};
use crate::harness::store::is_postgres;
use crate::harness::{Request, Response, Server, Setup, record, until};
use crate::sinks::{Behaviour, Security, SmtpSink, Step};

/// The reference parser reads standard input, and fails on anything wrong.
const REFERENCE: &str = "import sys\nfrom prometheus_client.openmetrics.parser import text_string_to_metric_families as read\n\
    assert len(list(read(sys.stdin.read()))) > 5";

/// A metric: its type, and its samples by name and labels as they are written.
#[derive(Debug, Default)]
struct Family {
    kind: String,
    unit: String,
    has_help: bool,
    samples: Vec<(String, String, f64)>,
}

/// Reads a text strictly.
fn parse(text: &str) -> BTreeMap<String, Family> {
    let body = text.strip_suffix("# EOF\n").expect("the end is marked");
    assert!(!body.contains("# EOF"), "{text}");
    let mut families = BTreeMap::<String, Family>::new();
    let mut current = String::new();
    let mut seen = BTreeSet::new();
    for line in body.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let (keyword, rest) = comment.split_once(' ').unwrap();
            let (name, value) = rest.split_once(' ').unwrap();
            if name != current {
                assert!(!families.contains_key(name), "{name} comes twice");
                name.clone_into(&mut current);
            }
            let family = families.entry(name.to_owned()).or_default();
            assert!(family.samples.is_empty(), "{line}");
            match keyword {
                "TYPE" => value.clone_into(&mut family.kind),
                "UNIT" => {
                    assert!(name.ends_with(&format!("_{value}")), "{line}");
                    value.clone_into(&mut family.unit);
                }
                "HELP" => family.has_help = !value.is_empty(),
                other => panic!("unknown keyword {other}"),
            }
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        let value: f64 = value.parse().unwrap_or_else(|_| panic!("no number: {line}"));
        let (name, labels) = match series.split_once('{') {
            Some((name, labels)) => (name, labels.strip_suffix('}').unwrap()),
            None => (series, ""),
        };
        let is_name = |name: &str| {
            !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        for label in labels.split(',').filter(|label| !label.is_empty()) {
            let (label, value) = label.split_once('=').unwrap();
            assert!(is_name(label), "{line}");
            assert!(
                value.len() > 2 && value.starts_with('"') && value.ends_with('"'),
                "{line}"
            );
        }
        let family = families
            .get_mut(&current)
            .unwrap_or_else(|| panic!("no type: {line}"));
        let suffix = name
            .strip_prefix(&current)
            .unwrap_or_else(|| panic!("{line} under {current}"));
        let allowed: &[&str] = match &*family.kind {
            "counter" => &["_total"],
            "gauge" => &[""],
            "info" => &["_info"],
            "histogram" => &["_bucket", "_count", "_sum"],
            other => panic!("unknown type {other}"),
        };
        assert!(
            is_name(name) && allowed.contains(&suffix) && family.has_help,
            "{line}"
        );
        assert!(value >= 0.0 && seen.insert(series.to_owned()), "{line}");
        family.samples.push((suffix.to_owned(), labels.to_owned(), value));
    }
    families
}

/// Checks that buckets grow, and that the last of each histogram is its count.
fn check_histogram(family: &Family) {
    let mut counts = BTreeMap::<String, f64>::new();
    let mut last = BTreeMap::<String, (f64, f64)>::new();
    for (suffix, labels, value) in &family.samples {
        match &**suffix {
            "_count" => drop(counts.insert(labels.clone(), *value)),
            "_bucket" => {
                let (ends, others): (Vec<_>, Vec<_>) =
                    labels.split(',').partition(|label| label.starts_with("le="));
                let end = ends[0].trim_start_matches("le=").trim_matches('"');
                let end: f64 = end.replace("+Inf", "inf").parse().unwrap();
                let others = others.join(",");
                if let Some((before, count)) = last.insert(others, (end, *value)) {
                    assert!(before < end && count <= *value, "{labels}");
                }
            }
            _ => {}
        }
    }
    assert_eq!(counts.len(), last.len());
    for (labels, count) in counts {
        assert_eq!(last[&labels], (f64::INFINITY, count), "{labels}");
    }
}

/// A server with a listener for metrics.
struct Watched {
    server: Server,
    address: SocketAddr,
}

impl Watched {
    fn start(setup: Setup) -> Self {
        let server = setup.args(&["--metrics-listen", "127.0.0.1:0"]).start();
        let address = until("the address of the metrics", || {
            let text = server.stdout();
            let line = text
                .lines()
                .find_map(|line| line.split_once("serving metrics on http://"));
            line.map(|(_, address)| address.strip_suffix("/metrics").unwrap().parse().unwrap())
        });
        Self { server, address }
    }

    fn ask(&self, request: &Request) -> Response {
        once(self.address, request)
    }

    fn text(&self) -> String {
        let response = self.ask(&Request::get("/metrics"));
        assert_eq!(response.status, 200);
        assert_eq!(
            response.expect("content-type"),
            "application/openmetrics-text; version=1.0.0; charset=utf-8"
        );
        response.text().to_owned()
    }

    /// Returns the value of a sample that counts something.
    fn count(&self, series: &str) -> u64 {
        self.value(series)
    }

    /// Returns the value of a sample.
    fn value<T: FromStr<Err: Debug>>(&self, series: &str) -> T {
        let text = self.text();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("taubenabwehr_{series} ")));
        line.unwrap_or_else(|| panic!("no {series} in {text}"))
            .parse()
            .unwrap()
    }
}

#[test]
fn the_text_follows_the_format() {
    let watched = Watched::start(Setup::new());
    for target in ["/", "/faq", "/nichts", "/healthz", "/rest/v1/nichts", "/Sitemap"] {
        watched.server.get(target);
    }
    watched.server.store(&record("Krause"));
    let text = watched.text();
    let families = parse(&text);
    for (name, kind, unit) in [
        ("build", "info", ""),
        ("start_timestamp_seconds", "gauge", "seconds"),
        ("http_requests", "counter", ""),
        ("http_request_duration_seconds", "histogram", "seconds"),
        ("http_connections", "gauge", ""),
        ("http_refusals", "counter", ""),
        ("inquiries", "counter", ""),
        ("store_commit_duration_seconds", "histogram", "seconds"),
        ("outbox_deliveries", "gauge", ""),
        ("outbox_oldest_waiting_seconds", "gauge", "seconds"),
    ] {
        let family = families
            .get(&format!("taubenabwehr_{name}"))
            .unwrap_or_else(|| panic!("no {name} in {text}"));
        assert_eq!((&*family.kind, &*family.unit), (kind, unit), "{name}");
        assert!(!family.samples.is_empty(), "{name}");
        if kind == "histogram" {
            check_histogram(family);
        }
    }
    // The database tells its size itself.
    let size = families.get("taubenabwehr_store_size_bytes");
    let size = size.map(|family| (&*family.kind, &*family.unit, family.samples.len()));
    let expected = (!is_postgres()).then_some(("gauge", "bytes", 1));
    assert_eq!(size, expected, "{text}");
    // Only what is asked for: there is no certificate.
    assert_eq!(families.len(), if is_postgres() { 10 } else { 11 }, "{text}");
    assert!(
        text.contains(&format!("version=\"{}\"", env!("CARGO_PKG_VERSION"))),
        "{text}"
    );
}

#[test]
fn the_reference_parser_reads_it() {
    let has_parser = Command::new("python3")
        .args(["-c", "import prometheus_client.openmetrics.parser"])
        .stderr(Stdio::null())
        .status();
    // `the_text_follows_the_format` checks the same where Python or its package is missing.
    if !has_parser.is_ok_and(|status| status.success()) {
        return;
    }
    let watched = Watched::start(Setup::new());
    watched.server.store(&record("Krause"));
    let mut python = Command::new("python3");
    let mut python = python
        .args(["-c", REFERENCE])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    python
        .stdin
        .take()
        .unwrap()
        .write_all(watched.text().as_bytes())
        .unwrap();
    assert!(python.wait().unwrap().success());
}

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
    let refusals = |reason: &str| watched.count(&format!("http_refusals_total{{reason=\"{reason}\"}}"));
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
        assert_eq!(refusals(reason), 0);
        server.send(&request);
        assert_eq!(refusals(reason), 1, "{reason}");
    }
    let keyed = inquiry().header("Idempotency-Key", "one");
    assert_eq!(server.send(&keyed).status, 201);
    assert_eq!(server.send(&keyed).status, 201);
    let other = post(&record("Meier")).header("Idempotency-Key", "one");
    assert_eq!(server.send(&other).status, 422);
    assert_eq!(refusals("key_reused"), 1);
    assert_eq!(server.send(&inquiry().header("Form-Trap", "filled")).status, 201);
    while server.send(&inquiry()).status == 201 {}
    assert!(refusals("rate_limit") >= 1);
    let inquiries = |result: &str| watched.count(&format!("inquiries_total{{result=\"{result}\"}}"));
    assert!(inquiries("accepted") >= 1);
    assert_eq!((inquiries("replayed"), inquiries("suspected")), (1, 1));
    assert!(watched.count("store_commit_duration_seconds_count") >= 1);
    if !is_postgres() {
        assert!(watched.count("store_size_bytes") > 4096);
    }
}

#[test]
fn open_connections_and_refused_ones_are_counted() {
    let watched = Watched::start(Setup::new());
    // One at a time is taken in advance while the server accepts.
    let idle = watched.count("http_connections");
    let mut open: Vec<_> = (0..256).map(|_| watched.server.connect()).collect();
    for connection in &mut open {
        assert_eq!(connection.send(&Request::get("/healthz")).status, 200);
    }
    assert!(watched.count("http_connections") >= 256);
    let mut refused = watched.server.connect();
    assert!(refused.rest().is_empty());
    assert_eq!(
        watched.count("http_refusals_total{reason=\"too_many_connections\"}"),
        1
    );
    drop(open);
    until("the connections to end", || {
        (watched.count("http_connections") <= idle + 1).then_some(())
    });
}

#[test]
fn deliveries_are_counted_by_state_and_age() {
    let sink = SmtpSink::start(Security::Clear);
    let setup = Setup::new();
    let text = format!(
        "[mail]\nserver = 'smtp://{}'\nfrom = 'site@example.org'\n[notify]\nmail = ['me@example.org']\n",
        sink.address
    );
    let file = setup.dir.write("config.toml", &text);
    let watched = Watched::start(setup.args(&["--config", &file]));
    assert!(watched.value::<f64>("outbox_oldest_waiting_seconds").abs() < f64::EPSILON);
    let state = |state: &str| watched.count(&format!("outbox_deliveries{{state=\"{state}\"}}"));
    assert_eq!((state("waiting"), state("delivered"), state("held")), (0, 0, 0));
    sink.always(Step::Mail, Behaviour::Refuse("451 later"));
    watched.server.store(&record("Krause"));
    until("mails to wait", || (state("waiting") >= 1).then_some(()));
    until("their age", || {
        (watched.value::<f64>("outbox_oldest_waiting_seconds") > 0.0).then_some(())
    });
    assert_eq!(state("delivered"), 0);
}

#[test]
fn nothing_else_is_there_and_nowhere_else() {
    let watched = Watched::start(Setup::new());
    assert_eq!(watched.server.get("/metrics").status, 404);
    for target in ["/", "/faq", "/healthz", "/metrics/", "/metricsx", "/Metrics"] {
        let response = watched.ask(&Request::get(target));
        assert_eq!(response.status, 404, "{target}");
        assert_eq!(response.header("location"), None);
    }
    let posted = watched.ask(&Request::new("POST", "/metrics").body("x"));
    assert_eq!((posted.status, posted.expect("allow")), (405, "GET, HEAD"));
    assert_eq!(watched.ask(&Request::get("/metrics?x=1")).status, 200);
    assert_eq!(watched.server.terminate().code, Some(0));
}

#[test]
fn a_demo_has_no_numbers_of_a_store() {
    let watched = Watched::start(Setup::new().args(&["--demo"]));
    let families = parse(&watched.text());
    assert!(families.contains_key("taubenabwehr_http_requests"));
    assert!(
        !families
            .keys()
            .any(|name| name.contains("store") || name.contains("outbox"))
    );
}

#[test]
fn what_visitors_send_makes_no_labels() {
    let watched = Watched::start(Setup::new());
    let before = watched.text().lines().count();
    watched.server.store(&record("Krause"));
    for target in [
        "/krause",
        "/krause@example.de",
        "/anfrage/krause",
        "/?name=krause",
    ] {
        watched
            .server
            .send(&Request::new("KRAUSE", target).header("User-Agent", "krause"));
    }
    let text = watched.text();
    assert_eq!(text.lines().count(), before);
    assert!(!text.to_lowercase().contains("krause"), "{text}");
}
