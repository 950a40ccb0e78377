//! A TCP relay in front of the database that can close or hang.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::Dir;

/// The state of the relay.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// Forwards everything.
    Open,
    /// Refuses connections and ends existing ones.
    Closed,
    /// Accepts connections and bytes but forwards nothing, like a frozen server.
    Hanging,
}

/// A TCP relay. It ends with the process.
pub struct Gate {
    pub address: SocketAddr,
    mode: Arc<AtomicU8>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

/// The polling interval of the mode.
const PAUSE: Duration = Duration::from_millis(10);

impl Gate {
    /// Opens a relay to the database of a directory; also returns the URL through it.
    pub fn before(dir: &Dir, mode: Mode) -> (Self, String) {
        let url = dir.store();
        let (scheme, rest) = url.split_once("://").unwrap();
        let (authority, path) = rest.split_once('/').unwrap();
        let (user, host) = authority.rsplit_once('@').unwrap();
        let server = host.to_socket_addrs().unwrap().next().unwrap();
        let gate = Self::to(server, mode);
        let url = format!("{scheme}://{user}@{}/{path}", gate.address);
        (gate, url)
    }

    /// Opens a relay to a server.
    fn to(server: SocketAddr, mode: Mode) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let gate = Self {
            address: listener.local_addr().unwrap(),
            mode: Arc::new(AtomicU8::new(mode as u8)),
            streams: Arc::default(),
        };
        let (mode, streams) = (Arc::clone(&gate.mode), Arc::clone(&gate.streams));
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.unwrap();
                // The lock is held until the stream is in the list, so that closing the gate also closes it.
                let mut open = streams.lock().unwrap();
                if is(&mode, Mode::Closed) {
                    continue;
                }
                let server = TcpStream::connect(server).unwrap();
                open.extend([client.try_clone().unwrap(), server.try_clone().unwrap()]);
                drop(open);
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let mode = Arc::clone(&mode);
                    thread::spawn(move || relay(from, to, &mode));
                }
            }
        });
        gate
    }

    pub fn set(&self, mode: Mode) {
        self.mode.store(mode as u8, Ordering::SeqCst);
        if mode == Mode::Closed {
            for stream in self.streams.lock().unwrap().drain(..) {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }
}

fn is(mode: &AtomicU8, other: Mode) -> bool {
    mode.load(Ordering::SeqCst) == other as u8
}

fn relay(mut from: TcpStream, mut to: TcpStream, mode: &AtomicU8) {
    from.set_read_timeout(Some(PAUSE)).unwrap();
    let mut buffer = [0; 16 << 10];
    loop {
        while is(mode, Mode::Hanging) {
            thread::sleep(PAUSE);
        }
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => continue,
            Err(_) => break,
        };
        // The mode may have changed to hanging in the meantime.
        while is(mode, Mode::Hanging) {
            thread::sleep(PAUSE);
        }
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
