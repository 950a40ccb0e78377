//! The operator's desk (`docs/behaviour.md`, "The desk"): who is let in, what is shown, what is changed, what attackers get.

mod actions;
mod attacks;
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

/// The flag, with any free port.
const FLAG: [&str; 2] = ["--desk-listen", "127.0.0.1:0"];

/// A server with its desk, and the cookie of somebody who is logged in.
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

    /// Logs in at a server.
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

    /// Returns a page, which must answer 200.
    fn page(&self, path: &str) -> String {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        response.text().to_owned()
    }

    fn post(&self, path: &str, body: &str) -> Response {
        post(self.address, path, body, &self.cookie)
    }

    /// Sends a form that must change something.
    fn change(&self, path: &str, body: &str) {
        let response = self.post(path, body);
        assert_eq!(response.status, 303, "{path}: {}", response.text());
    }

    /// Returns what a command prints as JSON.
    fn json(&self, args: &[&str]) -> Value {
        run(self.server.dir().path(), &[args, &["--json"]].concat()).json()
    }
}

/// Returns the address that the server prints.
pub fn address(server: &Server) -> SocketAddr {
    until("the address of the desk", || {
        let stdout = server.stdout();
        let (_, desk) = stdout.split_once("has its desk on ")?;
        let (line, _) = desk.split_once('\n')?;
        let (_, address) = line.split_once("://")?;
        address.parse().ok()
    })
}

/// Returns the path of an address that logs in.
fn link(dir: &Dir) -> String {
    // To a database the command goes itself, perhaps before the server has noted where its desk is.
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

fn post(address: SocketAddr, path: &str, body: &str, cookie: &str) -> Response {
    http::once(address, &form(address, path, body, cookie))
}

/// Returns the cookie that a response sets, as a browser sends it.
fn cookie(response: &Response) -> String {
    let (cookie, _) = response.expect("set-cookie").split_once(';').unwrap();
    cookie.to_owned()
}
