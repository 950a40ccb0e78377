//! Peers with endless responses: every request of the program ends by itself, and its memory stays bounded.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::harness::command::{command, run};
use crate::harness::tls::HOST;
use crate::harness::{Dir, Setup, record, until_true};
use crate::sinks::Certificate;

/// How much more memory the program may use than without the endless peer, in KiB.
const ROOM: u64 = 60 << 10;

/// Longer than all timeouts of `doctor` together, even on a busy machine.
const TIME: Duration = Duration::from_mins(2);

/// The pause of a peer after each 64 KiB, which limits it to 32 MiB/s: more than a fast connection, but not enough to starve other
/// tests of the processor.
const PAUSE: Duration = Duration::from_millis(2);

/// The start of a response, and the text that is repeated endlessly after it.
type Answer = (&'static str, &'static str);

const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// HTTP responses.
const HTTP: &[Answer] = &[
    ("", "x"),
    ("HTTP/1.1 200 OK\r\nX-Long: ", "x"),
    ("HTTP/1.1 200 OK\r\n", "X-Another: one\r\n"),
    ("", "HTTP/1.1 100 Continue\r\n\r\n"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n", "x"),
    ("HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n", "x"),
    (CHUNKED, "5\r\nhello\r\n"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", "x"),
    (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        "X-Another: one\r\n",
    ),
];

/// SMTP responses.
const SMTP: &[Answer] = &[
    ("", "x"),
    ("220-", "x"),
    ("", "220-and one more line of the greeting\r\n"),
];

/// Starts a server that sends this response. It ends with the process.
fn peer(tls: Option<Arc<ServerConfig>>, (first, again): Answer, is_asked: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            let tls = tls.clone();
            thread::spawn(move || match tls {
                None => talk(stream, first, again, is_asked),
                Some(tls) => {
                    let stream = StreamOwned::new(ServerConnection::new(tls).unwrap(), stream);
                    talk(stream, first, again, is_asked)
                }
            });
        }
    });
    address
}

/// Sends the response until the client disconnects.
fn talk(mut stream: impl Read + Write, first: &str, again: &str, is_asked: bool) -> Option<()> {
    if is_asked {
        // The content of the request does not matter.
        let _some = stream.read(&mut [0; 4096]).ok()?;
    }
    stream.write_all(first.as_bytes()).ok()?;
    let block = again.repeat(64 * 1024 / again.len());
    loop {
        stream.write_all(block.as_bytes()).ok()?;
        thread::sleep(PAUSE);
    }
}

fn config(dir: &Dir, mail: SocketAddr, webhook: SocketAddr) -> String {
    dir.write("webhook-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    dir.write(
        "config.toml",
        format!(
            "[mail]\nserver = 'smtp://{mail}'\nfrom = 'a@example.de'\n[notify]\nmail = ['team@example.de']\n\
             webhook = 'http://{webhook}/'\nwebhook_secret_file = 'webhook-secret'\n"
        ),
    )
}

/// Runs `doctor`; returns its peak memory in KiB.
fn doctor(dir: &Dir, args: &[&str]) -> u64 {
    let mut child = command(dir.path())
        .arg("doctor")
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let (mut peak, begun) = (0, Instant::now());
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let figure = line.map(|line| line.trim_matches(|c: char| !c.is_ascii_digit()).parse());
        peak = figure.map_or(peak, Result::unwrap);
        if begun.elapsed() > TIME {
            child.kill().unwrap();
            panic!("doctor {args:?} has not ended");
        }
        thread::sleep(Duration::from_millis(2));
    }
    peak
}

#[test]
fn doctor_ends_whatever_the_servers_say() {
    let certificate = Certificate::of(&[HOST, "127.0.0.1"]);
    let usual = {
        let dir = Dir::new();
        let nobody = "127.0.0.1:1".parse().unwrap();
        let path = config(&dir, nobody, nobody);
        doctor(&dir, &["--config", &path, "--public-url", "http://127.0.0.1:1"])
    };
    assert!(usual > 0);
    thread::scope(|scope| {
        for (number, &answer) in HTTP.iter().enumerate() {
            let certificate = &certificate;
            scope.spawn(move || {
                let dir = Dir::new();
                let ca = dir.write("ca.pem", &certificate.authority_pem);
                let mail = peer(None, SMTP[number % SMTP.len()], false);
                let path = config(&dir, mail, peer(None, answer, true));
                let public = format!("http://{}", peer(None, answer, true));
                let directory = peer(Some(Arc::clone(&certificate.server)), answer, true);
                let directory = format!("https://{HOST}:{}/directory", directory.port());
                let peak = doctor(
                    &dir,
                    &[
                        "--config",
                        &path,
                        "--public-url",
                        &public,
                        "--tls-listen",
                        "127.0.0.1:0",
                        "--acme",
                        "taube.test",
                        "--acme-directory",
                        &directory,
                        "--acme-ca",
                        &ca,
                    ],
                );
                assert!(peak < usual + ROOM, "{answer:?}: {peak} KiB, else {usual} KiB");
            });
        }
    });
}

#[test]
fn deliveries_and_orders_fail_whatever_the_servers_say() {
    let certificate = Certificate::of(&[HOST, "127.0.0.1"]);
    thread::scope(|scope| {
        for (number, &answer) in HTTP.iter().enumerate() {
            let certificate = &certificate;
            scope.spawn(move || {
                let setup = Setup::new();
                let dir = setup.dir.clone();
                let ca = dir.write("ca.pem", &certificate.authority_pem);
                let mail = peer(None, SMTP[number % SMTP.len()], false);
                let path = config(&dir, mail, peer(None, answer, true));
                let directory = peer(Some(Arc::clone(&certificate.server)), answer, true);
                let directory = format!("https://{HOST}:{}/directory", directory.port());
                let server = setup
                    .args(&[
                        "--config",
                        &path,
                        "--tls-listen",
                        "127.0.0.1:0",
                        "--acme",
                        "taube.test",
                    ])
                    .args(&["--acme-directory", &directory, "--acme-ca", &ca])
                    .start();
                let usual = server.memory("VmHWM:");
                server.store(&record("Kranichfeld"));
                // Mail fails whatever the response starts with; for a webhook, only the head of the response counts.
                until_true("every delivery to be tried", || {
                    let listed: Vec<Value> = run(dir.path(), &["deliveries", "--json"]).json();
                    let is_tried =
                        |delivery: &Value| delivery["attempts"] != 0 || delivery["state"] != "waiting";
                    listed.iter().all(is_tried)
                });
                server.logged("cannot get a certificate for taube.test");
                let peak = server.memory("VmHWM:");
                assert!(peak < usual + ROOM, "{answer:?}: {peak} KiB, before {usual} KiB");
            });
        }
    });
}
