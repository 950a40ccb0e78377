//! Hostile input does not flood the log: fuzzing samples, corrupted ones, and frames that libraries warn about.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::harness::rng::Rng;
use crate::harness::{Setup, TlsServer};

/// The limit of log lines for all of it together.
const HANDFUL: usize = 5;

/// How many corrupted variants of each sample are sent.
const DAMAGED: usize = 6;

/// How long a hostile client waits for an answer.
const PATIENCE: Duration = Duration::from_millis(50);

/// How often a frame is repeated.
const FLOOD: usize = 5_000;

/// The connection preface of an HTTP/2 client, with empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// `GET /` on the first stream, encoded with the static table.
const GET: &[u8] = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x84\x87\x01\x01x";

/// Frames that are invalid, excessive, or both.
const FLOODS: &[&[u8]] = &[
    // An acknowledgement of a ping that was never sent.
    b"\0\0\x08\x06\x01\0\0\0\0hostile!",
    b"\0\0\x08\x06\0\0\0\0\0hostile!",
    b"\0\0\0\x04\0\0\0\0\0",
    b"\0\0\0\x04\x01\0\0\0\0",
    // Data, a reset and a window update for a closed stream.
    b"\0\0\x01\0\0\0\0\0\x01x",
    b"\0\0\x04\x03\0\0\0\0\x01\0\0\0\x08",
    b"\0\0\x04\x08\0\0\0\0\x01\0\0\0\x01",
    b"\0\0\x05\x02\0\0\0\0\x03\0\0\0\x01\x10",
    b"\0\0\x01\xee\0\0\0\0\0x",
];

fn samples(kind: &str) -> Vec<Vec<u8>> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(kind);
    let files = fs::read_dir(place).unwrap();
    files
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .collect()
}

/// The samples, unmodified and corrupted.
fn hostile(kind: &str, random: &mut Rng) -> Vec<Vec<u8>> {
    let mut all = samples(kind);
    assert!(all.len() > 10, "{kind}");
    for sample in all.clone() {
        for _ in 0..DAMAGED {
            let mut bytes = sample.clone();
            for _ in 0..=random.below(4) {
                let place = usize::try_from(random.below(bytes.len() as u64)).unwrap();
                bytes[place] = random.below(256).try_into().unwrap();
            }
            all.push(bytes);
        }
    }
    all
}

/// Sends bytes that the server may refuse, and reads the immediate response.
fn send(stream: &mut (impl Read + Write), bytes: &[u8]) {
    let _ = stream.write_all(bytes);
    let _ = stream.flush();
    let _ = stream.read(&mut [0; 4096]);
}

#[test]
fn hostile_connections_do_not_fill_the_log() {
    let tls = TlsServer::start(Setup::new(), &[]);
    let mut random = Rng::from_env();
    let mut frames = hostile("frames", &mut random);
    frames.extend(
        FLOODS
            .iter()
            .map(|frame| [PREFACE, GET, &frame.repeat(FLOOD)].concat()),
    );
    // Streams that are opened and reset repeatedly.
    let resets = (0..1000_u32).flat_map(|number| {
        let stream = (2 * number + 1).to_be_bytes();
        [
            &GET[..5],
            &stream,
            &GET[9..],
            &FLOODS[5][..5],
            &stream,
            &FLOODS[5][9..],
        ]
        .concat()
    });
    frames.push([PREFACE, &resets.collect::<Vec<_>>()].concat());
    let requests = hostile("request", &mut random);
    // The last line logged at start.
    tls.server.logged("certificate read");
    let before = tls.server.stderr().lines().count();
    let client = tls.client.clone();
    let plain = tls.server.address;
    thread::scope(|scope| {
        let share = frames.len().div_ceil(8);
        for frames in frames.chunks(share) {
            let client = &client;
            scope.spawn(move || {
                for bytes in frames {
                    let mut stream = client.connect_http2();
                    stream.sock.set_read_timeout(Some(PATIENCE)).unwrap();
                    send(&mut stream, bytes);
                }
            });
        }
        let share = requests.len().div_ceil(8);
        for requests in requests.chunks(share) {
            scope.spawn(move || {
                for bytes in requests {
                    for address in [plain, client.address] {
                        let mut stream = TcpStream::connect(address).unwrap();
                        stream.set_read_timeout(Some(PATIENCE)).unwrap();
                        send(&mut stream, bytes);
                    }
                }
            });
        }
    });
    assert_eq!(tls.server.get("/healthz").status, 200);
    let TlsServer { server, .. } = tls;
    let log = server.terminate().stderr;
    let lines: Vec<_> = log.lines().skip(before).collect();
    // They include the lines about the shutdown.
    assert!(!lines.is_empty(), "the shutdown is not in the log");
    assert!(
        lines.len() <= HANDFUL,
        "{} lines: {:#?}",
        lines.len(),
        lines.iter().take(20).collect::<Vec<_>>()
    );
}
