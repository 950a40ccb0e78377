//! Connection timeouts over real sockets, set so low that a test can wait for them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use taubenabwehr::base::metrics::Exposition;
use taubenabwehr::base::process::Shutdown;
use taubenabwehr::base::text::origin::Origin;
use taubenabwehr::config::Handling;
use taubenabwehr::config::settings::SiteSettings;
use taubenabwehr::server::tls::Acceptor;
use taubenabwehr::server::{ConnectionLimits, Limits, Listener};
use taubenabwehr::site::SiteSource;
use taubenabwehr::site::http::headers::SecurityHeaders;
use taubenabwehr::site::reload::SiteKeeper;
use taubenabwehr::web::App;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, timeout};

/// A timeout that expires soon, and one that outlasts every test.
pub const SHORT: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_mins(10);

/// How long a test waits for an expected event.
pub const TIMEOUT: Duration = Duration::from_secs(20);

const REQUEST: &[u8] = b"GET /faq HTTP/1.1\r\nHost: x\r\n\r\n";

/// Number of requests whose responses exceed all system buffers: about 15 MB, of which Linux buffers 4 MB.
const MANY: usize = 300;

/// Limits that no test reaches.
pub fn generous_limits() -> Limits {
    Limits {
        head_time: LONG,
        idle_time: LONG,
        proxy_idle_time: LONG,
        request_time: LONG,
        ..Limits::default()
    }
}

/// A server in this process, stopped when dropped.
pub struct Running {
    pub address: SocketAddr,
    pub app: Arc<App>,
    pub shutdown: Shutdown,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shutdown.request();
    }
}

/// Builds the app with the settings of the sample operator and without a store.
fn app(trusted: &[&str]) -> App {
    let settings = SiteSettings::embedded().unwrap();
    let origin = Origin::parse("http://localhost").unwrap();
    let security_headers = SecurityHeaders::new(&settings, &origin);
    let source = SiteSource {
        settings,
        origin: origin.clone(),
        is_demo: true,
    };
    let site = Arc::new(SiteKeeper::new(source, &Handling::default(), None).unwrap());
    App {
        trusted_proxies: trusted.iter().map(|network| network.parse().unwrap()).collect(),
        ..App::new(site, security_headers, origin)
    }
}

/// The refusals so far, by reason.
fn refused(app: &App) -> Vec<(String, u64)> {
    let text = Exposition::of(&app.metrics).finish();
    let counts = text.lines().filter_map(|line| {
        let (reason, count) = line
            .strip_prefix("taubenabwehr_http_refusals_total{reason=\"")?
            .split_once("\"} ")?;
        Some((reason.to_owned(), count.parse().unwrap()))
    });
    counts.filter(|&(_, count)| count > 0).collect()
}

/// Waits until exactly `count` connections were refused for a reason. A connection is closed before it is counted.
pub async fn wait_until_refused(app: &App, reason: &str, count: u64) {
    let expected = [(reason.to_owned(), count)];
    let counted = timeout(TIMEOUT, async {
        while refused(app) != expected {
            sleep(SHORT / 10).await;
        }
    });
    let is_counted = counted.await.is_ok();
    assert!(is_counted, "{:?} instead of {expected:?}", refused(app));
}

pub fn serving(limits: Limits, trusted: &[&str], tls: Option<Acceptor>) -> Running {
    let app = Arc::new(app(trusted));
    let listener = Listener::open(([127, 0, 0, 1], 0).into(), tls).unwrap();
    let address = listener.address;
    let limits = Arc::new(ConnectionLimits::new(limits));
    let shutdown = Shutdown::default();
    listener.serve(&app, &limits, &shutdown);
    Running {
        address,
        app,
        shutdown,
    }
}

fn start(limits: Limits, trusted: &[&str]) -> Running {
    serving(limits, trusted, None)
}

/// Connects a client with a small receive buffer.
async fn connect(server: &Running) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 * 1024).unwrap();
    socket.connect(server.address).await.unwrap()
}

/// Reads one response to [`REQUEST`] and returns its length.
async fn response(stream: &mut TcpStream) -> usize {
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

/// Waits until the server closes or resets the connection.
pub async fn wait_until_closed(stream: &mut (impl AsyncRead + Unpin)) {
    let rest = timeout(TIMEOUT, async {
        while matches!(stream.read(&mut [0; 4096]).await, Ok(1..)) {}
    });
    rest.await.expect("the connection is still open");
}

#[tokio::test]
async fn clients_that_never_read_are_disconnected() {
    let limits = Limits {
        request_time: SHORT,
        ..generous_limits()
    };
    let server = start(limits, &[]);
    let mut greedy = connect(&server).await;
    let requests = REQUEST.repeat(MANY);
    let sending = async { while greedy.write_all(&requests).await.is_ok() {} };
    timeout(TIMEOUT, sending).await.expect("the server waits forever");
    wait_until_refused(&server.app, "response_too_slow", 1).await;
}

#[tokio::test]
async fn slow_readers_hit_no_head_or_idle_timeout() {
    let limits = Limits {
        head_time: SHORT,
        idle_time: SHORT,
        ..generous_limits()
    };
    let server = start(limits, &[]);
    let mut client = connect(&server).await;
    client.write_all(REQUEST).await.unwrap();
    let length = response(&mut client).await;
    client.write_all(&REQUEST.repeat(MANY)).await.unwrap();
    sleep(3 * SHORT).await;
    let mut responses = vec![0; MANY * length];
    timeout(TIMEOUT, client.read_exact(&mut responses))
        .await
        .expect("the responses arrive in time")
        .expect("the connection stays open");
    assert!(responses.ends_with(b"</html>\n") || responses.ends_with(b"</html>"));
}

#[tokio::test]
async fn idle_connections_are_closed() {
    let limits = Limits {
        idle_time: SHORT,
        head_time: 3 * SHORT,
        ..generous_limits()
    };
    let server = start(limits, &[]);
    let mut client = connect(&server).await;
    for _ in 0..2 {
        client.write_all(REQUEST).await.unwrap();
        response(&mut client).await;
    }
    wait_until_closed(&mut client).await;
    // The idle connection was not counted as refused: the next refusal is the first one.
    let mut slow = connect(&server).await;
    slow.write_all(b"x").await.unwrap();
    wait_until_closed(&mut slow).await;
    wait_until_refused(&server.app, "head_too_slow", 1).await;
}

#[tokio::test]
async fn proxies_may_be_idle_for_longer() {
    let limits = Limits {
        idle_time: SHORT,
        ..generous_limits()
    };
    let server = start(limits, &["127.0.0.1/32"]);
    let mut proxy = connect(&server).await;
    proxy.write_all(REQUEST).await.unwrap();
    response(&mut proxy).await;
    sleep(3 * SHORT).await;
    proxy.write_all(REQUEST).await.unwrap();
    response(&mut proxy).await;
}

#[tokio::test]
async fn the_head_timeout_starts_with_the_first_byte() {
    let limits = Limits {
        head_time: SHORT,
        ..generous_limits()
    };
    let server = start(limits, &[]);
    // On a new connection, the server expects a head at once.
    wait_until_closed(&mut connect(&server).await).await;
    let mut client = connect(&server).await;
    client.write_all(REQUEST).await.unwrap();
    response(&mut client).await;
    // The timeout does not run while the connection is idle.
    sleep(2 * SHORT).await;
    let start = Instant::now();
    client.write_all(&REQUEST[..REQUEST.len() - 1]).await.unwrap();
    wait_until_closed(&mut client).await;
    assert!(start.elapsed() >= SHORT / 2, "{:?}", start.elapsed());
    wait_until_refused(&server.app, "head_too_slow", 2).await;
}
