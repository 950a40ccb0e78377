//! Fuzz targets: the bytes on an HTTP/1.1 connection, and redirect targets. Both run all of hyper and the handler on an in-memory
//! stream. The clock is paused and advances whenever all tasks are idle.

mod redirects;
mod responses;

use std::net::Ipv4Addr;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::{Builder, Runtime};

use taubenabwehr::base::text::origin::Origin;
use taubenabwehr::config::Handling;
use taubenabwehr::config::settings::SiteSettings;
use taubenabwehr::server::Limits;
use taubenabwehr::server::connection::ClientConnection;
use taubenabwehr::server::limits::{HEAD_TIME, REQUEST_TIME};
use taubenabwehr::server::tls::Protocol;
use taubenabwehr::site::SiteSource;
use taubenabwehr::site::http::headers::SecurityHeaders;
use taubenabwehr::site::reload::SiteKeeper;
use taubenabwehr::web::App;

use crate::harness as fuzz;
use responses::Response;

/// The app, shared by all cases so that pages are rendered only once.
pub static APP: LazyLock<Arc<App>> = LazyLock::new(|| Arc::new(app()));

/// Builds the app with the sample operator's settings and without a store.
fn app() -> App {
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
        trusted_proxies: vec!["192.0.2.0/24".parse().unwrap()],
        ..App::new(site, security_headers, origin)
    }
}

/// Bytes that the stream buffers in each direction. Small, so that each side has to wait at times.
pub const STREAM_CAPACITY: usize = 16 * 1024;

/// Maximum length of the pieces in which an input arrives. The actual length depends on the input.
const MAX_PIECE: usize = 61;

/// Time limit of a connection: 40 requests that each take the maximum time. No input contains more.
pub const MAX_DURATION: Duration = Duration::from_secs(40 * (REQUEST_TIME.as_secs() + HEAD_TIME.as_secs()));

/// Whether the client closes its side after sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    Stays,
    Leaves,
}

pub fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

/// Allows one connection at a time. A second one might wait for a page that the first one is rendering, and the paused clock of an
/// idle runtime would jump to its next deadline.
pub static TURN: Mutex<()> = Mutex::new(());

/// Sends bytes in pieces of this length on a new connection. Returns everything received until the connection ends.
fn exchange(runtime: &Runtime, bytes: &[u8], piece: usize, client: Client) -> Vec<u8> {
    let _turn = TURN.lock();
    let (client_end, server_end) = tokio::io::duplex(STREAM_CAPACITY);
    let (mut reading, mut writing) = tokio::io::split(client_end);
    runtime.block_on(async {
        let connection = ClientConnection {
            app: Arc::clone(&APP),
            peer: Ipv4Addr::LOCALHOST.into(),
            limits: Limits::default(),
        };
        let connection = connection.serve(server_end, Protocol::Http1, None, std::future::pending());
        let sending = async {
            for piece in bytes.chunks(piece) {
                // The server may close the connection before reading everything.
                if writing.write_all(piece).await.is_err() {
                    break;
                }
                tokio::task::yield_now().await;
            }
            if client == Client::Leaves {
                let _ = writing.shutdown().await;
            }
        };
        let receiving = async {
            let mut received = Vec::new();
            reading.read_to_end(&mut received).await.unwrap();
            received
        };
        let all = async { tokio::join!(connection, sending, receiving).2 };
        let received = tokio::time::timeout(MAX_DURATION, all).await;
        received.expect("the connection does not end")
    })
}

const TOKENS: &[&str] = &[
    "\r\n",
    "\n",
    "\r",
    "\0",
    " ",
    "\t",
    ":",
    "\r\n\r\n",
    "GET ",
    "HEAD ",
    "POST ",
    "OPTIONS ",
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "HTTP/1.0",
    "HTTP/1.1",
    "HTTP/2.0",
    "Host: x\r\n",
    "Host: \r\n",
    "Connection: close\r\n",
    "Connection: keep-alive\r\n",
    "Content-Length: 5\r\n",
    "Content-Length: 0\r\n",
    "Content-Length: 18446744073709551615\r\n",
    "Content-Length: -1\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip, chunked\r\n",
    "Expect: 100-continue\r\n",
    "Upgrade: h2c\r\n",
    "0\r\n\r\n",
    "5\r\nabcde\r\n",
    "ffffffffffffffff\r\n",
    "1;x=y\r\n",
    "//",
    "/\\",
    "..",
    "%2e%2e%2f",
    "%00",
    "%0d%0a",
    "%ff",
    "http://evil.example/",
    "*",
    "?",
    "#",
    "ä",
    "/faq/",
    "/Sitemap",
    ".XML",
    "/rest/v1/inquiries",
    "/healthz",
    "/blog/x",
    "/assets/x.js",
    "Accept-Encoding: br;q=0, gzip;q=nan, *;q=0.5\r\n",
    "If-None-Match: *\r\n",
    "Range: bytes=0-1\r\n",
    "Origin: null\r\n",
    "Origin: http://x\r\n",
    "Sec-Fetch-Site: cross-site\r\n",
    "Prefer: return=representation\r\n",
    "?select=id,first_name",
    "?select=%22*%22",
    "?columns=",
    "Accept: application/vnd.pgrst.object+json\r\n",
    "Content-Type: text/plain\r\n",
    "Content-Encoding: gzip\r\n",
    "Idempotency-Key: a b\r\n",
    "Idempotency-Key: a\r\n",
    "X-Forwarded-For: 1.2.3.4, x\r\n",
    "Form-Fill-Time: 5\r\n",
    "Form-Trap: x\r\n",
    "\"",
    "\\u0000",
    "{",
    "]",
    "Geheim",
];

#[test]
fn requests() {
    let runtime = runtime();
    fuzz::bytes("request", 250, TOKENS, |bytes| check(&runtime, bytes));
}

/// Checks that the responses do not depend on how the bytes arrive. hyper parses a partial head again only once it is complete,
/// so it may reject a malformed head at once, later or, if the head never ends, not at all. Which bytes form a request and how it
/// is answered never changes.
pub fn check(runtime: &Runtime, bytes: &[u8]) {
    let statuses = |piece, client| {
        let received = exchange(runtime, bytes, piece, client);
        let responses = responses::read(&received, bytes, client);
        let from_handler = responses.iter().filter(|response| response.is_from_handler());
        from_handler.map(|response| response.status).collect::<Vec<_>>()
    };
    let whole = statuses(usize::MAX, Client::Stays);
    let in_pieces = statuses(1 + bytes.len() % MAX_PIECE, Client::Stays);
    let mut leaving = statuses(usize::MAX, Client::Leaves);
    // A truncated request gets a different response than one that times out.
    leaving.pop();
    for other in [in_pieces, leaving] {
        let shared = whole.len().min(other.len());
        assert_eq!(
            other[..shared],
            whole[..shared],
            "the responses depend on how the bytes arrive"
        );
    }
}
