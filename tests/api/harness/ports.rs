//! Ports for programs that cannot bind to any free port.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// The first port for tests; `scripts/postgres` uses ports from 20000 on.
const FIRST: u16 = 10_000;
const COUNT: u16 = 9_000;

/// The distance between two returned ports.
const STEP: u16 = 10;

/// A free port, followed by `behind` more. They are outside the ephemeral range: an ephemeral port could be given to another client
/// before the program binds it.
pub fn free_ports(behind: u16) -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    assert!(behind < STEP);
    let own = u16::try_from(std::process::id() % u32::from(COUNT / STEP)).unwrap();
    loop {
        let turn = (own + NEXT.fetch_add(1, Ordering::Relaxed)) % (COUNT / STEP);
        let port = FIRST + turn * STEP;
        let is_free = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
        if (port..=port + behind).all(is_free) {
            return port;
        }
    }
}
