//! The times of a connection, set so low that a test can wait for them; through real sockets.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::*;
use crate::config::origin::Origin;
use crate::config::settings::SiteSettings;
use crate::headers::Defences;
use crate::site::Site;

/// A time that is over soon, and one that is not over in any test.
const SHORT: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_mins(10);

/// Longest that a test waits for what has to happen.
const PATIENCE: Duration = Duration::from_secs(20);

const REQUEST: &[u8] = b"GET /faq HTTP/1.1\r\nHost: x\r\n\r\n";

/// Requests whose answers no system keeps for a client that does not read: some 15 MB, of which Linux takes 4.
const MANY: usize = 300;

/// No limit that a test could meet.
fn patient() -> Limits {
    Limits {
        head_time: LONG,
        idle_time: LONG,
        proxy_idle_time: LONG,
        request_time: LONG,
        ..Limits::default()
    }
}

/// A running server in this process, which ends with the test.
struct Running {
    address: SocketAddr,
    server: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// What requests are answered from: the site of the sample operator, without a store.
pub fn app(trusted: &[&str]) -> App {
    let settings = SiteSettings::embedded().unwrap();
    let origin = Origin::parse("http://localhost").unwrap();
    let defences = Defences::new(&settings, origin.as_str());
    App {
        site: Site::prepare(&settings, &origin, true, &defences).unwrap(),
        defences,
        store: None,
        rate_limit: None,
        trusted_proxies: trusted.iter().map(|network| network.parse().unwrap()).collect(),
        origin,
    }
}

fn start(limits: Limits, trusted: &[&str]) -> Running {
    let app = app(trusted);
    let listener = listen(([127, 0, 0, 1], 0).into()).unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(serve(listener, Arc::new(app), limits, std::future::pending()));
    Running { address, server }
}

/// A client whose system keeps little for it.
async fn connect(server: &Running) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 * 1024).unwrap();
    socket.connect(server.address).await.unwrap()
}

/// Reads one answer to [`REQUEST`] and gives its length.
async fn answer(stream: &mut TcpStream) -> usize {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let text = String::from_utf8(head).unwrap().to_ascii_lowercase();
    assert!(text.starts_with("http/1.1 200"), "{text}");
    let (_, length) = text.split_once("content-length: ").unwrap();
    let (length, _) = length.split_once('\r').unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).await.unwrap();
    text.len() + body.len()
}

/// Waits until the server closes, which may be a reset.
async fn closed(stream: &mut TcpStream) {
    let rest = timeout(PATIENCE, async {
        while matches!(stream.read(&mut [0; 4096]).await, Ok(1..)) {}
    });
    rest.await.expect("the connection is still open");
}

#[tokio::test]
async fn who_does_not_read_the_answer_is_cut_off() {
    let limits = Limits {
        request_time: SHORT,
        ..patient()
    };
    let server = start(limits, &[]);
    let mut greedy = connect(&server).await;
    let requests = REQUEST.repeat(MANY);
    let sending = async { while greedy.write_all(&requests).await.is_ok() {} };
    timeout(PATIENCE, sending)
        .await
        .expect("the server waits for ever");
}

#[tokio::test]
async fn who_reads_the_answer_slowly_is_not_cut_off_by_other_limits() {
    let limits = Limits {
        head_time: SHORT,
        idle_time: SHORT,
        ..patient()
    };
    let server = start(limits, &[]);
    let mut client = connect(&server).await;
    client.write_all(REQUEST).await.unwrap();
    let length = answer(&mut client).await;
    client.write_all(&REQUEST.repeat(MANY)).await.unwrap();
    sleep(3 * SHORT).await;
    let mut answers = vec![0; MANY * length];
    timeout(PATIENCE, client.read_exact(&mut answers))
        .await
        .expect("the answers come")
        .expect("the connection is kept");
    assert!(answers.ends_with(b"</html>\n") || answers.ends_with(b"</html>"));
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let limits = Limits {
        idle_time: SHORT,
        ..patient()
    };
    let server = start(limits, &[]);
    let mut client = connect(&server).await;
    for _ in 0..2 {
        client.write_all(REQUEST).await.unwrap();
        answer(&mut client).await;
    }
    closed(&mut client).await;
}

#[tokio::test]
async fn a_proxy_may_keep_its_connections_for_longer() {
    let limits = Limits {
        idle_time: SHORT,
        ..patient()
    };
    let server = start(limits, &["127.0.0.1/32"]);
    let mut proxy = connect(&server).await;
    proxy.write_all(REQUEST).await.unwrap();
    answer(&mut proxy).await;
    sleep(3 * SHORT).await;
    proxy.write_all(REQUEST).await.unwrap();
    answer(&mut proxy).await;
}

#[tokio::test]
async fn a_head_is_timed_from_its_first_byte() {
    let limits = Limits {
        head_time: SHORT,
        ..patient()
    };
    let server = start(limits, &[]);
    // A new connection is there for a request.
    closed(&mut connect(&server).await).await;
    let mut client = connect(&server).await;
    client.write_all(REQUEST).await.unwrap();
    answer(&mut client).await;
    // Idle is not slow.
    sleep(2 * SHORT).await;
    let start = Instant::now();
    client.write_all(&REQUEST[..REQUEST.len() - 1]).await.unwrap();
    closed(&mut client).await;
    assert!(start.elapsed() >= SHORT / 2, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_request_that_goes_on_for_ever_is_cut_off() {
    let limits = Limits {
        request_time: SHORT,
        ..patient()
    };
    let server = start(limits, &[]);
    let mut client = connect(&server).await;
    let head = b"POST /rest/v1/inquiries HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n[";
    client.write_all(head).await.unwrap();
    closed(&mut client).await;
}
