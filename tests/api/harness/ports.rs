//! Ports for programs that cannot be told to take any that is free.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Ports of this process; `scripts/postgres` takes its own from 20000 on.
const FIRST: u16 = 10_000;
const COUNT: u16 = 9_000;

/// How many ports lie between two that are returned.
const STEP: u16 = 10;

/// Returns a port that is free, as are some behind it. The system hands out none of these: a port that it did may be another client's
/// by the time that a program has started and takes it.
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
