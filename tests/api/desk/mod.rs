//! The operator's desk (`docs/behaviour.md`, "The desk"): authentication, pages, changes and attacks.

mod actions;
mod attacks;
mod casework;
mod instances;
mod login;
mod pages;
mod photos;
mod reviews;

use std::net::SocketAddr;

use serde_json::Value;

use crate::harness::http::{self, Response};
use crate::harness::referral::config;
use crate::harness::{Dir, Request, Server, Setup, run, until};

/// The flag that enables it, on any free port.
const FLAG: [&str; 2] = ["--desk-listen", "127.0.0.1:0"];

/// A server with its desk, and the session cookie of a logged-in operator.
struct AtDesk {
    server: Server,
    address: SocketAddr,
    cookie: String,
}

fn setup(toml: &str) -> Setup {
    crate::harness::referral::setup(toml).args(&FLAG)
}

impl AtDesk {
    /// Starts a server with these firms.
    fn with(firms: &[&str]) -> Self {
        Self::of(setup(&config(firms)).start())
    }

    /// Logs in to the desk of a server.
    fn of(server: Server) -> Self {
        let address = address(&server);
        let begun = post(address, &link(server.dir()), "", "");
        assert_eq!(begun.status, 303, "{}", begun.text());
        Self {
            cookie: cookie(&begun),
            server,
            address,
        }
    }

    fn get(&self, path: &str) -> Response {
        get(self.address, path, &self.cookie)
    }

    /// The content of a page; the status must be 200.
    fn page(&self, path: &str) -> String {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        response.text().to_owned()
    }

    fn post(&self, path: &str, body: &str) -> Response {
        post(self.address, path, body, &self.cookie)
    }

    /// Submits a form that must make a change.
    fn change(&self, path: &str, body: &str) {
        let response = self.post(path, body);
        assert_eq!(response.status, 303, "{path}: {}", response.text());
    }

    /// The JSON that a command prints.
    fn json(&self, args: &[&str]) -> Value {
        run(self.server.dir().path(), &[args, &["--json"]].concat()).json()
    }
}

/// The address of the desk that the server prints.
pub fn address(server: &Server) -> SocketAddr {
    until("the address of the desk", || {
        let stdout = server.stdout();
        let (_, desk) = stdout.split_once("has its desk on ")?;
        let (line, _) = desk.split_once('\n')?;
        let (_, address) = line.split_once("://")?;
        address.parse().ok()
    })
}

/// The path of a login link.
fn link(dir: &Dir) -> String {
    // With a database, the command reads the address of the desk there, perhaps before the server has recorded it.
    let printed = until("an address with a code", || {
        let printed = run(dir.path(), &["desk"]);
        (printed.code == Some(0)).then_some(printed)
    });
    let (origin, code) = printed.success().trim().split_once("/anmelden/").unwrap();
    assert!(origin.starts_with("http") && code.len() >= 22, "{origin} {code}");
    format!("/anmelden/{code}")
}

fn get(address: SocketAddr, path: &str, cookie: &str) -> Response {
    http::once(address, &Request::get(path).header("Cookie", cookie))
}

fn form(address: SocketAddr, path: &str, body: &str, cookie: &str) -> Request {
    Request::new("POST", path)
        .header("Origin", &format!("http://{address}"))
        .header("Sec-Fetch-Site", "same-origin")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header("Content-Length", &body.len().to_string())
        .header("Cookie", cookie)
        .body(body)
}

/// Submits a form, with a cookie.
pub fn post(address: SocketAddr, path: &str, body: &str, cookie: &str) -> Response {
    http::once(address, &form(address, path, body, cookie))
}

/// The cookie that a response sets, in the form that a browser sends.
fn cookie(response: &Response) -> String {
    let (cookie, _) = response.expect("set-cookie").split_once(';').unwrap();
    cookie.to_owned()
}
