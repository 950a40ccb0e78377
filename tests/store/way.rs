//! A way to the server of a PostgreSQL engine, on which connections are lost around COMMIT.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::thread;

use taubenabwehr::store::Store;
use taubenabwehr::store::postgres::Connector;

use crate::engines::PostgresEngine;
use crate::support::FakeClock;

/// What happens to the next connection that sends COMMIT.
pub const NOTHING: u8 = 0;
pub const LOST_BEFORE: u8 = 1;
pub const LOST_BEHIND: u8 = 2;
/// It reaches the server only after another connection's.
pub const LATE: u8 = 3;
/// The server hears nothing more of the connection, not even its end: the machine of the instance hangs.
pub const HANGING: u8 = 4;

/// A way to the server on which connections are lost.
pub struct Way {
    address: String,
    fate: Arc<AtomicU8>,
    commits: Arc<Commits>,
}

/// What servers have answered to COMMIT.
#[derive(Default)]
struct Commits {
    answered: AtomicU32,
    has_late_ended: AtomicBool,
}

impl Way {
    fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let fate = Arc::new(AtomicU8::new(NOTHING));
        let shared = Arc::clone(&fate);
        let commits = Arc::new(Commits::default());
        let counted = Arc::clone(&commits);
        // They end with the connections that they relay.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(&server).unwrap();
                let (fate, commits) = (Arc::clone(&shared), Arc::clone(&counted));
                thread::spawn(move || relay(client, server, &fate, &commits));
            }
        });
        Self {
            address,
            fate,
            commits,
        }
    }

    /// Has the next COMMIT meet a fate.
    pub fn lose(&self, fate: u8) {
        self.fate.store(fate, Ordering::SeqCst);
    }

    pub fn is_lost(&self) -> bool {
        self.fate.load(Ordering::SeqCst) == NOTHING
    }

    /// Whether the server has ended the connection whose COMMIT came late.
    pub fn has_late_ended(&self) -> bool {
        self.commits.has_late_ended.load(Ordering::SeqCst)
    }
}

fn relay(mut client: TcpStream, mut server: TcpStream, fate: &AtomicU8, answered: &Arc<Commits>) {
    let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let is_cut = Arc::new(AtomicU8::new(0));
    let cut = Arc::clone(&is_cut);
    let counted = Arc::clone(answered);
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(read @ 1..) = answers.read(&mut buffer) {
            if has(&buffer[..read], b"COMMIT\0") {
                counted.answered.fetch_add(1, Ordering::SeqCst);
            }
            if [LATE, HANGING].contains(&cut.load(Ordering::SeqCst)) {
                continue;
            }
            // The answer stays here.
            if cut.load(Ordering::SeqCst) == LOST_BEHIND {
                if has(&buffer[..read], b"COMMIT") {
                    break;
                }
                continue;
            }
            if to_client.write_all(&buffer[..read]).is_err() {
                break;
            }
        }
        match cut.load(Ordering::SeqCst) {
            LATE => counted.has_late_ended.store(true, Ordering::SeqCst),
            // Nor does the instance hear of the server.
            HANGING => return,
            _ => {}
        }
        let _ = to_client.shutdown(Shutdown::Both);
        let _ = answers.shutdown(Shutdown::Both);
    });
    let mut buffer = vec![0; 1 << 20];
    while let Ok(read @ 1..) = client.read(&mut buffer) {
        let commits = has(&buffer[..read], b"COMMIT\0");
        if commits && fate.load(Ordering::SeqCst) != NOTHING {
            match fate.swap(NOTHING, Ordering::SeqCst) {
                LOST_BEFORE => break,
                LATE => {
                    is_cut.store(LATE, Ordering::SeqCst);
                    // The client commits on another connection as soon as it has lost this one.
                    let before = answered.answered.load(Ordering::SeqCst);
                    let _ = client.shutdown(Shutdown::Both);
                    send_late(&mut server, &buffer[..read], answered, before);
                    return;
                }
                HANGING => {
                    is_cut.store(HANGING, Ordering::SeqCst);
                    let _ = server.write_all(before_commit(&buffer[..read]));
                    while let Ok(1..) = client.read(&mut buffer) {}
                    return;
                }
                _ => {}
            }
            is_cut.store(LOST_BEHIND, Ordering::SeqCst);
        }
        if server.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Both);
    if is_cut.load(Ordering::SeqCst) == NOTHING {
        let _ = server.shutdown(Shutdown::Both);
    }
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|found| found == part)
}

/// Returns what leaves with COMMIT before it.
fn before_commit(end: &[u8]) -> &[u8] {
    // As PostgreSQL's protocol writes a statement without parameters: its kind, its length and its text.
    let commit = b"Q\0\0\0\x0bCOMMIT\0";
    let at = end.windows(commit.len()).position(|part| part == commit);
    &end[..at.unwrap()]
}

/// Sends what ends with COMMIT once more of them were answered than before.
fn send_late(server: &mut TcpStream, end: &[u8], commits: &Commits, before: u32) {
    while commits.answered.load(Ordering::SeqCst) == before {
        thread::yield_now();
    }
    server.write_all(end).unwrap();
    // The server reads to the end and then leaves.
    server.shutdown(Shutdown::Write).unwrap();
}

/// Opens a store behind a way on which connections are lost.
pub async fn open(engine: &PostgresEngine, clock: &FakeClock) -> (Store, Way) {
    let url = engine.schema().url();
    let (before, rest) = url.split_once('@').unwrap();
    let (server, rest) = rest.split_once('/').unwrap();
    let way = Way::to(server.to_owned());
    let url = format!("{before}@{}/{rest}", way.address);
    let connector = Connector::new(url.parse().unwrap()).unwrap();
    let store = Store::connect_now(connector, Some(clock.clock())).await.unwrap();
    (store, way)
}
