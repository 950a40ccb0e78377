//! The limits on a TLS connection with HTTP/2, with timeouts set so low that a test can wait for them. Where a client library would
//! be too well-behaved, frames are written by hand.

use std::future::poll_fn;
use std::sync::Arc;

use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use hyper::{Request, StatusCode};
use taubenabwehr::config::CertificateFiles;
use taubenabwehr::server::Limits;
use taubenabwehr::server::tls::{Acceptor, Renewal, Resolver};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::connections::{
    Running, SHORT, TIMEOUT, generous_limits, serving, wait_until_closed, wait_until_refused,
};
use crate::sinks::Certificate;
use crate::sinks::tls_client::trusting;

/// The connection preface of a client, with empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

const PING: u8 = 6;

/// A server that accepts TLS.
struct Encrypted {
    server: Running,
    certificate: Certificate,
}

fn start(limits: Limits) -> Encrypted {
    let certificate = Certificate::of(&["localhost"]);
    let dir = tempfile::tempdir().unwrap();
    let files = CertificateFiles {
        certificate: dir.path().join("cert.pem"),
        key: dir.path().join("key.pem"),
    };
    std::fs::write(&files.certificate, &certificate.pem).unwrap();
    std::fs::write(&files.key, &certificate.key_pem).unwrap();
    let resolver = Arc::<Resolver>::default();
    Renewal::start(files, Arc::clone(&resolver)).unwrap();
    let acceptor = Acceptor::new(resolver).unwrap();
    Encrypted {
        server: serving(limits, &[], Some(acceptor)),
        certificate,
    }
}

async fn connect(to: &Encrypted) -> TlsStream<TcpStream> {
    let stream = TcpStream::connect(to.server.address).await.unwrap();
    let connector = TlsConnector::from(trusting(&to.certificate.authority, &["h2"]));
    connector
        .connect("localhost".try_into().unwrap(), stream)
        .await
        .unwrap()
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Sends bytes repeatedly until the server closes the connection.
async fn flood(stream: &mut TlsStream<TcpStream>, mut bytes: impl FnMut() -> Vec<u8>) {
    let (mut reading, mut writing) = tokio::io::split(stream);
    let sending = async { while writing.write_all(&bytes()).await.is_ok() {} };
    let receiving = async { while matches!(reading.read(&mut [0; 4096]).await, Ok(1..)) {} };
    let ended = timeout(TIMEOUT, async {
        tokio::select! {
            () = sending => {}
            () = receiving => {}
        }
    });
    ended.await.expect("the server takes it for ever");
}

/// Starts a well-behaved client, with a window of this size for each response.
async fn client(to: &Encrypted, window: u32) -> (SendRequest<Bytes>, JoinHandle<()>) {
    let stream = connect(to).await;
    let (client, connection) = h2::client::Builder::new()
        .initial_window_size(window)
        .handshake::<_, Bytes>(stream)
        .await
        .unwrap();
    let connection = tokio::spawn(async {
        let _ = connection.await;
    });
    (client, connection)
}

async fn get(client: &mut SendRequest<Bytes>) -> ResponseFuture {
    let request = Request::get("https://localhost/").body(()).unwrap();
    poll_fn(|context| client.poll_ready(context)).await.unwrap();
    client.send_request(request, true).unwrap().0
}

#[tokio::test]
async fn a_handshake_that_never_comes_is_not_waited_for() {
    let server = start(Limits {
        head_time: SHORT,
        ..generous_limits()
    });
    let mut silent = TcpStream::connect(server.server.address).await.unwrap();
    let read = timeout(TIMEOUT, silent.read(&mut [0])).await;
    assert!(matches!(read.expect("closed"), Ok(0) | Err(_)));
    wait_until_refused(&server.server.app, "handshake_too_slow", 1).await;
}

#[tokio::test]
async fn a_connection_that_asks_for_nothing_is_closed() {
    let server = start(Limits {
        head_time: SHORT,
        ..generous_limits()
    });
    wait_until_closed(&mut connect(&server).await).await;
    // Frames other than requests do not keep it open either.
    let mut stream = connect(&server).await;
    stream.write_all(PREFACE).await.unwrap();
    flood(&mut stream, || frame(PING, 0, 0, b"12345678")).await;
    wait_until_refused(&server.server.app, "head_too_slow", 2).await;
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let server = start(Limits {
        idle_time: SHORT,
        ..generous_limits()
    });
    let (mut client, connection) = client(&server, 1 << 20).await;
    for _ in 0..2 {
        let response = get(&mut client).await.await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let mut body = response.into_body();
        while let Some(part) = body.data().await {
            let part = part.unwrap();
            body.flow_control().release_capacity(part.len()).unwrap();
        }
    }
    // The client is notified, and closes the connection.
    timeout(TIMEOUT, connection)
        .await
        .expect("the connection is still open")
        .unwrap();
}

#[tokio::test]
async fn a_response_that_is_never_taken_ends_the_connection() {
    let server = start(Limits {
        request_time: SHORT,
        ..generous_limits()
    });
    // The client grants no window for bodies, and hides that by sending requests repeatedly.
    let (mut client, _connection) = client(&server, 0).await;
    let stuck = get(&mut client).await.await.unwrap();
    assert_eq!(client.current_max_send_streams(), 32);
    let end = timeout(TIMEOUT, async {
        while poll_fn(|context| client.poll_ready(context)).await.is_ok() {
            let request = Request::head("https://localhost/").body(()).unwrap();
            let Ok((response, _)) = client.send_request(request, true) else {
                break;
            };
            if response.await.is_err() {
                break;
            }
        }
    });
    end.await.expect("the connection is still open");
    drop(stuck);
    wait_until_refused(&server.server.app, "response_too_slow", 1).await;
}

#[tokio::test]
async fn requests_that_are_cancelled_while_they_are_answered_end_the_connection() {
    let server = start(generous_limits());
    // A client that grants no window receives only the head, and then cancels.
    let (mut client, _connection) = client(&server, 0).await;
    let mut taken = 0;
    let end = timeout(TIMEOUT, async {
        loop {
            if poll_fn(|context| client.poll_ready(context)).await.is_err() {
                break;
            }
            let request = Request::get("https://localhost/").body(()).unwrap();
            let Ok((response, mut cancel)) = client.send_request(request, true) else {
                break;
            };
            let Ok(response) = response.await else { break };
            cancel.send_reset(h2::Reason::CANCEL);
            drop(response);
            taken += 1;
        }
    });
    end.await.expect("the server takes it for ever");
    assert!((100..150).contains(&taken), "{taken}");
    wait_until_refused(&server.server.app, "too_many_cancelled", 1).await;
}

#[tokio::test]
async fn requests_under_way_are_answered_when_the_server_stops() {
    let server = start(generous_limits());
    let (mut client, _connection) = client(&server, 1 << 20).await;
    let response = get(&mut client).await;
    let response = response.await.unwrap();
    server.server.shutdown.request();
    let mut body = response.into_body();
    let mut length = 0;
    while let Some(part) = body.data().await {
        let part = part.unwrap();
        length += part.len();
        body.flow_control().release_capacity(part.len()).unwrap();
    }
    assert!(length > 10_000, "{length}");
    drop(client);
    assert!(server.server.shutdown.drain(TIMEOUT).await);
}
