//! A webhook receiver in threads of this process.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for a call: twice as long as a database keeps the lease of a killed server.
const TIMEOUT: Duration = Duration::from_secs(90);

#[derive(Debug, Clone)]
pub struct Call {
    /// Method, target and version.
    pub line: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// The receiver. It runs until the process ends.
pub struct WebhookSink {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    /// The whole reply to each call; `None` to send none.
    answer: Mutex<Option<String>>,
    calls: Mutex<Vec<Call>>,
    changed: Condvar,
}

impl WebhookSink {
    /// Starts a receiver that accepts every call.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            answer: Mutex::new(Some("HTTP/1.1 204 No Content\r\n\r\n".to_owned())),
            calls: Mutex::default(),
            changed: Condvar::new(),
        });
        let sink = Self {
            address,
            shared: Arc::clone(&shared),
        };
        thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || serve(&stream.unwrap(), &shared));
            }
        });
        sink
    }

    /// Sets the reply to all further calls; `None` to send none.
    pub fn answer(&self, answer: Option<&str>) {
        *self.shared.answer.lock().unwrap() = answer.map(str::to_owned);
    }

    /// The calls received so far.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.calls.lock().unwrap().clone()
    }

    /// Waits until `count` calls have been received.
    pub fn wait_for(&self, count: usize) -> Vec<Call> {
        let end = Instant::now() + TIMEOUT;
        let mut calls = self.shared.calls.lock().unwrap();
        while calls.len() < count {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{} calls", calls.len());
            calls = self.shared.changed.wait_timeout(calls, left).unwrap().0;
        }
        calls.clone()
    }
}

fn serve(mut stream: &TcpStream, shared: &Shared) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?);
    let line = read_line(&mut lines)?;
    let mut headers = BTreeMap::new();
    while let Some((name, value)) = read_line(&mut lines)?.split_once(": ") {
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    lines.read_exact(&mut body).ok()?;
    let call = Call { line, headers, body };
    shared.calls.lock().unwrap().push(call);
    shared.changed.notify_all();
    let answer = shared.answer.lock().unwrap().clone();
    if let Some(answer) = answer {
        stream.write_all(answer.as_bytes()).ok()?;
    }
    // Keeps the connection open until the client closes it.
    lines.read_to_end(&mut Vec::new()).ok().map(drop)
}

fn read_line(lines: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    lines.read_line(&mut line).ok()?;
    Some(line.trim_end().to_owned())
}
