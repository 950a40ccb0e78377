//! Many IPv6 networks of one customer count as one client. The addresses are real, in a separate network namespace, which only root
//! can create.

use std::env;
use std::net::{Ipv6Addr, SocketAddr};
use std::process::Command;

use socket2::{Domain, Protocol, Socket, Type};

use crate::connection_limits::{is_served, raise_descriptor_limit};
use crate::harness::{Connection, Dir, Server, Setup};

/// Set for the child process of this test that runs inside the namespace.
const INSIDE: &str = "TAUBENABWEHR_TEST_INSIDE";

/// The test's own name, for the child process.
const NAME: &str = "networks::many_networks_of_one_customer_do_not_shut_others_out";

/// The limits of connections per network, per customer and per site.
const PER_CLIENT: usize = 256;
const PER_CUSTOMER: usize = 384;
const PER_SITE: usize = 512;

const SERVER: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);

/// An address by the number of its /48, of the /56 within it, and of the /64 within that.
fn address(site: u16, customer: u8, network: u8) -> Ipv6Addr {
    Ipv6Addr::new(
        0x2001,
        0xdb8,
        site,
        u16::from_be_bytes([customer, network]),
        0,
        0,
        0,
        2,
    )
}

fn connect(server: &Server, from: Ipv6Addr) -> Connection {
    let socket = Socket::new(Domain::IPV6, Type::STREAM, Some(Protocol::TCP)).unwrap();
    socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
    let to = SocketAddr::from((SERVER, server.address.port()));
    socket.connect(&to.into()).unwrap();
    Connection::over_tcp(socket.into())
}

#[test]
fn many_networks_of_one_customer_do_not_shut_others_out() {
    if env::var_os(INSIDE).is_some() {
        return inside();
    }
    let can = Command::new("unshare").args(["-n", "ip", "link"]).output();
    if !can.is_ok_and(|output| output.status.success()) {
        return println!("left out: this user may not make a network namespace");
    }
    let status = Command::new("unshare")
        .arg("-n")
        .arg(env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(INSIDE, "1")
        .status()
        .unwrap();
    assert!(status.success());
}

fn inside() {
    raise_descriptor_limit();
    ip(&["link", "set", "lo", "up"]);
    add(SERVER);
    // Eight networks of a customer with a /56.
    let home: Vec<_> = (0..8).map(|network| address(1, 0, network)).collect();
    // Eight networks of a customer with a /48.
    let business: Vec<_> = (0..8).map(|customer| address(2, customer, 0)).collect();
    let visitors: Vec<_> = (0x20..0x26).map(|site| address(site, 0, 0)).collect();
    for &address in home.iter().chain(&business).chain(&visitors) {
        add(address);
    }
    for (networks, allowed) in [
        (&home[..1], PER_CLIENT),
        (&home, PER_CUSTOMER),
        (&business, PER_SITE),
    ] {
        for threads in ["1", "2"] {
            shut_out(threads, networks, allowed, &visitors);
        }
    }
}

/// Opens and keeps as many connections as these networks may have, and asserts that each visitor is still served.
fn shut_out(threads: &str, networks: &[Ipv6Addr], allowed: usize, visitors: &[Ipv6Addr]) {
    let setup = Setup::unconfigured(&Dir::new());
    let server = setup.args(&["--listen", "[::]:0", "--threads", threads]).start();
    let mut connections: Vec<_> = networks
        .iter()
        .flat_map(|&network| vec![network; PER_CLIENT])
        .map(|network| connect(&server, network))
        .collect();
    let mut answered = 0;
    connections.retain_mut(|connection| {
        let is_served = is_served(connection);
        answered += usize::from(is_served);
        is_served
    });
    assert_eq!(answered, allowed, "{networks:?}");
    let visits: Vec<_> = visitors
        .iter()
        .map(|&visitor| {
            let mut visit = connect(&server, visitor);
            assert!(is_served(&mut visit), "a visitor during the attack");
            visit
        })
        .collect();
    assert_eq!(visits.len(), visitors.len());
    assert!(is_served(connections.last_mut().unwrap()), "others are kept");
}

fn add(address: Ipv6Addr) {
    ip(&["address", "add", &format!("{address}/64"), "dev", "lo", "nodad"]);
}

fn ip(args: &[&str]) {
    let output = Command::new("ip").args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "ip {args:?}: {said}");
}
