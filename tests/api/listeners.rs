//! Several listeners, and how each is announced.

use std::net::{SocketAddr, TcpListener};

use crate::harness::http::once;
use crate::harness::{Dir, Request, Server, Setup, run, until};

/// The addresses that a server has announced, once there are `count` of them.
pub fn announced(server: &Server, count: usize) -> Vec<SocketAddr> {
    let found = until("every address", || {
        let text = server.stdout();
        let lines = text
            .lines()
            .filter_map(|line| line.split_once("listening on http://"));
        let found: Vec<_> = lines.map(|(_, address)| address.parse().unwrap()).collect();
        (found.len() >= count).then_some(found)
    });
    assert_eq!(found.len(), count);
    found
}

#[test]
fn every_address_is_announced_and_served_by_every_thread() {
    let setup = Setup::new().args(&["--listen", "127.0.0.2:0", "--listen", "[::1]:0", "--threads", "2"]);
    let server = setup.start();
    let found = announced(&server, 3);
    assert_eq!(found[0], server.address);
    let hosts: Vec<_> = found.iter().map(|address| address.ip().to_string()).collect();
    assert_eq!(hosts, ["127.0.0.1", "127.0.0.2", "::1"]);
    for address in found {
        for _ in 0..8 {
            assert_eq!(once(address, &Request::get("/faq")).status, 200, "{address}");
        }
    }
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

#[test]
fn environment_and_file_name_several_addresses() {
    let dir = Dir::new();
    let file = dir.write(
        "config.toml",
        "listen = ['127.0.0.1:0', '127.0.0.2:0']\nrate_limit = 0\n",
    );
    let server = Setup::unconfigured(&dir).args(&["--config", &file]).start();
    assert_eq!(announced(&server, 2).len(), 2);
    server.terminate();
    let setup = Setup::unconfigured(&dir).env("TAUBENABWEHR_LISTEN", "127.0.0.1:0,127.0.0.2:0,127.0.0.3:0");
    let server = setup.args(&["--config", &file]).start();
    assert_eq!(announced(&server, 3).len(), 3);
}

#[test]
fn one_address_that_is_taken_ends_the_start() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for flag in ["--listen", "--metrics-listen"] {
        let failed = Setup::new().args(&[flag, &address]).fail();
        let line = failed.failure();
        assert!(line.contains(&format!("cannot listen on {address}")), "{line}");
        assert_has!(line, &format!("choose another address with {flag}"));
    }
}

#[test]
fn the_health_check_asks_the_first_address() {
    let server = Server::start();
    let listen = format!("{},127.0.0.1:1", server.address);
    run(server.dir().path(), &["healthcheck", "--listen", &listen]).success();
    let other = format!("127.0.0.1:1,{}", server.address);
    run(server.dir().path(), &["healthcheck", "--listen", &other]).failure();
}
