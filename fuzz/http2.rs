//! Fuzz target: the bytes on an HTTP/2 connection, as arbitrary bytes and as frames with arbitrary content. All of hyper and the
//! handler run on an in-memory stream with a paused clock. For any input, the connection must end in time and its responses must
//! consist of whole frames.

use std::net::Ipv4Addr;
use std::sync::Arc;

use proptest::prelude::*;
use taubenabwehr::server::Limits;
use taubenabwehr::server::connection::ClientConnection;
use taubenabwehr::server::tls::Protocol;
use taubenabwehr::web::Encrypted;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;

use crate::connection::{APP, Client, MAX_DURATION, STREAM_CAPACITY, TURN, runtime};
use crate::harness as fuzz;

/// The connection preface of every client.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A marker in the samples wherever a visitor types something. No response may contain it.
const SECRET: &[u8] = b"Geheim";

/// The maximum payload of a frame. A client may allow more, which the server does not use.
const MAX_PAYLOAD: usize = 16_384;

/// Frame types (RFC 9113, section 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PUSH_PROMISE: u8 = 5;
const GOAWAY: u8 = 7;

/// `:status: 500` in the static table (RFC 7541, appendix A).
const STATUS_500: u8 = 0x8e;

const TOKENS: &[&str] = &[
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\0\0\0\u{4}\0\0\0\0\0",
    "\0\0\0\u{4}\u{1}\0\0\0\0",
    "\0\0\u{8}\u{6}\0\0\0\0\x0012345678",
    "\0\0\u{4}\u{8}\0\0\0\0\0\u{7f}\u{7f}\u{7f}\u{7f}",
    "\0\0\u{4}\u{8}\0\0\0\0\u{1}\0\0\0\0",
    "\0\0\u{4}\u{3}\0\0\0\0\u{1}\0\0\0\u{8}",
    "\0\0\u{5}\u{2}\0\0\0\0\u{1}\0\0\0\u{1}\u{10}",
    "\0\0\0\u{9}\u{4}\0\0\0\u{1}",
    "\0\0\0\0\u{1}\0\0\0\u{1}",
    "\0\0\u{6}\u{4}\0\0\0\0\0\0\u{4}\0\0\0\0",
    "\0\0\u{6}\u{4}\0\0\0\0\0\0\u{1}\u{7f}\0\0\0",
    "\u{7f}\0\0",
    "\0\u{3}faq",
    "\u{4}\u{12}/rest/v1/inquiries",
    "\0\u{a}connection\u{5}close",
    "\0\u{2}te\u{8}trailers",
    "\0\u{11}transfer-encoding\u{7}chunked",
    "\0\u{6}Header\u{1}x",
    "\0\u{5}:path\u{1}/",
    "\u{3f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}",
    "Geheim",
];

#[test]
fn bytes() {
    let runtime = runtime();
    fuzz::bytes("frames", 250, TOKENS, |bytes| check(&runtime, bytes));
}

#[test]
fn frames() {
    let runtime = runtime();
    let input = prop::collection::vec(frame(), 1..12);
    fuzz::values("http2-frames", 250, &input, |frames| {
        let settings = [0, 0, 0, SETTINGS, 0, 0, 0, 0, 0];
        check(&runtime, &[PREFACE, &settings, &frames.concat()].concat());
    });
}

/// Without any response, the checks would prove nothing.
#[test]
fn a_page_is_answered() {
    let sample = include_bytes!("../tests/corpus/frames/page");
    let received = exchange(&runtime(), sample, Client::Stays);
    // `:status: 200`, followed by a page.
    let head = received
        .windows(10)
        .find(|window| window[3] == HEADERS && window[8] == 1);
    assert_eq!(head.unwrap()[9], 0x88);
    assert!(received.len() > 10_000, "{}", received.len());
}

/// Frames of every type, mostly on the first streams, with payloads that may or may not fit the type.
fn frame() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop_oneof![4 => Just(HEADERS), 2 => Just(DATA), 6 => 0..11_u8, 1 => any::<u8>()];
    let flags = prop_oneof![4 => prop::sample::select(&[0, 1, 4, 5][..]), 1 => any::<u8>()];
    let stream = prop_oneof![6 => prop::sample::select(&[0_u32, 1, 1, 1, 3, 3, 5, 7][..]), 1 => any::<u32>()];
    let head = prop::collection::vec(field(), 0..8).prop_map(|fields| fields.concat());
    let payload = prop_oneof![
        6 => head,
        3 => prop::collection::vec(any::<u8>(), 0..40),
        1 => prop::sample::select(&[4, 5, 6, 8, 12][..]).prop_map(|length| vec![0; length]),
        1 => prop::sample::select(&[4, 8][..]).prop_map(|length| vec![0x7f; length]),
    ];
    // Rarely a wrong length.
    let more = prop_oneof![15 => Just(0_u32), 1 => 1..40_u32];
    (kind, flags, stream, payload, more).prop_map(|(kind, flags, stream, payload, more)| {
        let length = (u32::try_from(payload.len()).unwrap() + more).to_be_bytes();
        let mut frame = length[1..].to_vec();
        frame.extend([kind, flags]);
        frame.extend(stream.to_be_bytes());
        frame.extend(payload);
        frame
    })
}

/// Encoded header fields: those of usual requests, and arbitrary ones.
fn field() -> impl Strategy<Value = Vec<u8>> {
    let usual: [&[u8]; 12] = [
        b"\x82",
        b"\x83",
        b"\x84",
        b"\x87",
        b"\x01\x01x",
        b"\x04\x04/faq",
        b"\x04\x12/rest/v1/inquiries",
        b"\x0f\x10\x10application/json",
        b"\x0f\x0d\x012",
        b"\x82\x84\x87\x01\x01x",
        b"\x83\x87\x01\x01x\x04\x12/rest/v1/inquiries\x0f\x10\x10application/json",
        b"\0\x06cookie\x06Geheim",
    ];
    let usual = prop::sample::select(usual.map(<[u8]>::to_vec).to_vec());
    let literal = (
        prop::collection::vec(any::<u8>(), 0..6),
        prop::collection::vec(any::<u8>(), 0..6),
    );
    let literal = literal.prop_map(|(name, value)| {
        let length = |bytes: &[u8]| u8::try_from(bytes.len()).unwrap();
        [&[0, length(&name)][..], &name, &[length(&value)], &value].concat()
    });
    prop_oneof![10 => usual, 1 => literal, 1 => any::<u8>().prop_map(|byte| vec![byte])]
}

/// Checks the responses to a client that stays and to one that leaves.
pub fn check(runtime: &Runtime, bytes: &[u8]) {
    for client in [Client::Stays, Client::Leaves] {
        let received = exchange(runtime, bytes, client);
        check_answers(&received, bytes, client);
    }
}

/// Sends bytes on a new connection. Returns everything received until the connection ends.
fn exchange(runtime: &Runtime, bytes: &[u8], client: Client) -> Vec<u8> {
    let _turn = TURN.lock();
    let (client_end, server_end) = tokio::io::duplex(STREAM_CAPACITY);
    let (mut reading, mut writing) = tokio::io::split(client_end);
    runtime.block_on(async {
        let connection = ClientConnection {
            app: Arc::clone(&APP),
            peer: Ipv4Addr::LOCALHOST.into(),
            limits: Limits::default(),
        };
        let end = std::future::pending();
        let connection = connection.serve(server_end, Protocol::Http2, Some(Encrypted), end);
        let sending = async {
            // The server may close the connection before reading everything.
            let _ = writing.write_all(bytes).await;
            if client == Client::Leaves {
                let _ = writing.shutdown().await;
            }
        };
        let receiving = async {
            let mut received = Vec::new();
            let _ = reading.read_to_end(&mut received).await;
            received
        };
        let all = async { tokio::join!(connection, sending, receiving).2 };
        let received = tokio::time::timeout(MAX_DURATION, all).await;
        received.expect("the connection does not end")
    })
}

/// Checks that the received bytes are whole frames, that none lacks a request, and that none reports a server error.
fn check_answers(received: &[u8], sent: &[u8], client: Client) {
    let mut rest = received;
    let mut is_first = true;
    let mut is_over = false;
    while let Some((head, after)) = rest.split_at_checked(9) {
        let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
        let kind = head[3];
        let stream = u32::from_be_bytes(head[5..9].try_into().unwrap());
        assert!(length <= MAX_PAYLOAD, "a frame of {length} bytes");
        let Some((payload, after)) = after.split_at_checked(length) else {
            break;
        };
        assert_eq!(
            kind == SETTINGS && head[4] == 0,
            is_first,
            "settings come first, and once"
        );
        assert!(kind <= 9 && kind != PUSH_PROMISE, "a frame of type {kind}");
        if matches!(kind, DATA | HEADERS) {
            assert!(stream % 2 == 1, "stream {stream} is not a client's");
            assert!(sent.len() > PREFACE.len(), "an answer without a request");
        }
        if kind == HEADERS {
            assert_ne!(payload.first(), Some(&STATUS_500), "the server fails");
        }
        if kind == DATA {
            let repeats = payload.windows(SECRET.len()).any(|window| window == SECRET);
            assert!(!repeats, "{:?}", String::from_utf8_lossy(payload));
        }
        is_over |= kind == GOAWAY;
        is_first = false;
        rest = after;
    }
    // A client that leaves may miss the end. For one that stays, only a GOAWAY may precede a truncated frame.
    assert!(rest.is_empty() || client == Client::Leaves || is_over, "{rest:?}");
}
