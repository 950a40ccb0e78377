//! Metrics, as a collector scrapes them.

mod format;
mod numbers;

use std::fmt::Debug;
use std::net::{Ipv4Addr, SocketAddr};
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::harness::http::{Connection, once};
use crate::harness::{Request, Response, Server, Setup, record, until};

/// A server with a metrics listener.
pub struct Watched {
    pub server: Server,
    address: SocketAddr,
}

impl Watched {
    pub fn start(setup: Setup) -> Self {
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

    /// The value of a counter.
    pub fn count(&self, series: &str) -> u64 {
        self.value(series)
    }

    /// How often something was refused for this reason.
    pub fn refusals(&self, reason: &str) -> u64 {
        self.count(&format!("http_refusals_total{{reason=\"{reason}\"}}"))
    }

    /// The value of a sample.
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
fn one_client_keeps_no_collector_out() {
    let watched = Watched::start(Setup::new());
    let begun = Instant::now();
    let _slow: Vec<_> = (0..16)
        .map(|_| {
            let mut slow = Connection::open_from(Ipv4Addr::new(127, 0, 0, 2), watched.address);
            // Writing to a connection that was already closed fails.
            let _ = slow.send_raw("GET /metrics HTTP/1.1\r\n");
            slow
        })
        .collect();
    watched.text();
    // Long before the slow connections time out.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
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
