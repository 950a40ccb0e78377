//! Clients that send requests and never read the responses: the memory held by requests and responses is bounded for everything
//! they may request, over both protocols, and is freed afterwards.

use std::future::poll_fn;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;

use crate::connection_limits::raise_descriptor_limit;
use crate::harness::inquiry::{INQUIRIES, post};
use crate::harness::tls::HOST;
use crate::harness::{Connection, Request, Response, Server, TlsServer, record, referral, until, until_true};

/// In KiB, the unit of a process's memory figures.
const MIB: u64 = 1024;

/// The memory limits for the connections of one client, and of four.
const PEAK_OF_ONE: u64 = 400 * MIB;
const PEAK_OF_FOUR: u64 = 600 * MIB;

/// The memory that may remain after a while, not counting the pages of the executable, which the system can reclaim.
const REST: u64 = 150 * MIB;
const WHILE: Duration = Duration::from_secs(20);

/// Connections per client, a few below the limit.
const PER_CLIENT: usize = 250;

/// Far more than a busy machine needs for its first responses.
const PATIENCE: Duration = Duration::from_mins(1);

/// Concurrent requests of a client, as many as the server allows.
const ALL_STREAMS: usize = 100;

/// The largest body, full of characters that grow when a page repeats them.
fn quotes() -> String {
    let name = "firstName=";
    format!("{name}{}", "\"".repeat(16 * 1024 - name.len()))
}

fn form() -> Request {
    Request::new("POST", "/fragebogen")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(quotes())
}

/// Everything that is held open to keep an attack going.
struct Stalled {
    _client: SendRequest<Bytes>,
    _responses: Vec<ResponseFuture>,
    /// The responses that have arrived. Dropping one would reset its stream and free its memory on the server.
    _come: Vec<Result<hyper::Response<RecvStream>, h2::Error>>,
    _bodies: Vec<SendStream<Bytes>>,
}

/// Whether the body of the request ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Yes,
    Never,
}

struct Attack {
    config: Arc<ClientConfig>,
    to: SocketAddr,
}

impl Attack {
    fn on(server: &TlsServer) -> Self {
        Self {
            config: server.config(&["h2"]),
            to: server.address,
        }
    }

    /// Sends the request `streams` times on a new connection, and reads nothing of the responses but their heads. Returns once
    /// `heads` of them have arrived.
    async fn stall(
        &self,
        from: Ipv4Addr,
        request: &Request,
        streams: usize,
        heads: usize,
        ends: Ends,
    ) -> Stalled {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        let stream = socket.connect(self.to).await.unwrap();
        let connector = TlsConnector::from(Arc::clone(&self.config));
        let stream = connector.connect(HOST.try_into().unwrap(), stream).await.unwrap();
        let (mut client, connection) = h2::client::Builder::new()
            .initial_window_size(0)
            .handshake::<_, Bytes>(stream)
            .await
            .unwrap();
        tokio::spawn(connection);
        let mut responses = Vec::new();
        let mut bodies = Vec::new();
        for _ in 0..streams {
            poll_fn(|context| client.poll_ready(context)).await.unwrap();
            let mut head = hyper::Request::builder()
                .method(request.method.as_str())
                .uri(format!("https://{HOST}{}", request.target));
            for (name, value) in &request.headers {
                head = head.header(name.as_str(), value.as_str());
            }
            let has_body = !request.body.is_empty();
            let (response, mut body) = client.send_request(head.body(()).unwrap(), !has_body).unwrap();
            if has_body {
                body.send_data(Bytes::from(request.body.clone()), ends == Ends::Yes)
                    .unwrap();
                bodies.push(body);
            }
            responses.push(response);
        }
        // Heads may arrive in any order.
        let mut come = Vec::new();
        let waiting = poll_fn(|context| {
            responses.retain_mut(|response| match std::pin::Pin::new(response).poll(context) {
                Poll::Ready(response) => {
                    come.push(response);
                    false
                }
                Poll::Pending => true,
            });
            if come.len() >= heads {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        });
        timeout(PATIENCE, waiting).await.expect("the first responses");
        Stalled {
            _client: client,
            _responses: responses,
            _come: come,
            _bodies: bodies,
        }
    }
}

/// The address of the client that opens a connection, by the connection's number.
fn client(number: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 1, u8::try_from(2 + number / PER_CLIENT).unwrap())
}

/// Opens all connections, with limited concurrency.
fn flood(
    runtime: &Runtime,
    server: &TlsServer,
    connections: std::ops::Range<usize>,
    request: impl Fn(usize) -> (Request, usize, usize, Ends),
) -> Vec<Stalled> {
    let attack = Arc::new(Attack::on(server));
    runtime.block_on(async {
        let mut set = JoinSet::new();
        let mut stalled = Vec::new();
        for number in connections {
            if set.len() == 32 {
                stalled.push(set.join_next().await.unwrap().unwrap());
            }
            let attack = Arc::clone(&attack);
            let (request, streams, heads, ends) = request(number);
            set.spawn(async move { attack.stall(client(number), &request, streams, heads, ends).await });
        }
        stalled.extend(set.join_all().await);
        stalled
    })
}

/// Asserts that another visitor gets pages, and an invalid form back.
fn assert_others_are_served(mut visitor: impl FnMut(&Request) -> Response) {
    assert_eq!(visitor(&Request::get("/")).status, 200);
    // A debug build may be busy with earlier requests for longer than the store's timeout.
    until_true("the store to be writable", || {
        visitor(&Request::get("/healthz")).status == 200
    });
    let wrong = visitor(&form());
    assert_eq!(wrong.status, 400);
    assert!(wrong.body.len() > 100_000, "{}", wrong.body.len());
}

/// Asserts that the memory is freed.
fn assert_given_back(server: &Server) {
    let start = Instant::now();
    let rest = until("the memory to come back", || {
        let rest = server.memory("RssAnon:");
        (rest < REST || start.elapsed() > WHILE).then_some(rest)
    });
    println!("{} MiB after {:?}", rest / MIB, start.elapsed());
    assert!(rest < REST, "{rest} KiB are kept");
}

#[test]
fn forms_whose_answers_nobody_takes() {
    raise_descriptor_limit();
    let server = TlsServer::with(&[]);
    let runtime = Runtime::new().unwrap();
    let mut stalled = Vec::new();
    for (clients, bound) in [(1, PEAK_OF_ONE), (4, PEAK_OF_FOUR)] {
        let start = Instant::now();
        let numbers = stalled.len()..clients * PER_CLIENT;
        // At most four of them are handled at once.
        let flood = flood(&runtime, &server, numbers, |_| (form(), 16, 4, Ends::Yes));
        stalled.extend(flood);
        assert_others_are_served(|request| server.send(request));
        let peak = server.server.memory("VmHWM:");
        println!(
            "{} connections after {:?}: {} MiB of {}",
            stalled.len(),
            start.elapsed(),
            peak / MIB,
            bound / MIB
        );
        assert!(peak < bound, "{peak} KiB");
    }
    drop(stalled);
    runtime.shutdown_background();
    assert_given_back(&server.server);
}

/// All kinds of requests, with the number of responses that are handled at once.
fn kinds(mut visitor: impl FnMut(&Request) -> Response) -> Vec<(Request, usize, Ends)> {
    let private = visitor(&post(&record("Krause"))).expect("location").to_owned();
    let token = private.rsplit('/').next().unwrap();
    let html = visitor(&Request::get("/")).text().to_owned();
    let asset = html.split('"').find(|part| {
        part.strip_suffix(".js")
            .is_some_and(|name| name.starts_with("/assets/"))
    });
    let long = "x".repeat(15_000);
    let json = |target: &str, body: &str| {
        Request::new("POST", target)
            .header("content-type", "application/json")
            .body(body)
    };
    let many_quotes = format!("[{{\"first_name\": \"{}\"}}]", "\\\"".repeat(8000));
    let get = |target: &str| (Request::get(target), 16, Ends::Yes);
    vec![
        get("/healthz"),
        get("/"),
        get("/fragebogen"),
        get("/nirgends"),
        get("/blog/feed"),
        get(asset.unwrap()),
        get("/rest/v1/inquiries"),
        get(&private),
        get("/anfrage/kein-code"),
        get(&format!("/danke?anfrage={token}")),
        // Waiting requests are refused once their heads use too much memory.
        (Request::get("/healthz").header("x-fill", &long), 1, Ends::Yes),
        (form(), 4, Ends::Yes),
        // The server waits for the first ones until they time out.
        (form(), 0, Ends::Never),
        (json(INQUIRIES, &many_quotes), 4, Ends::Yes),
        (json("/rest/v1/steps", "{\"step\": 1}"), 4, Ends::Yes),
    ]
}

#[test]
fn whatever_is_asked_for_and_not_taken() {
    const CONNECTIONS: usize = 24;
    /// The memory for the connections, plus what the server caches after decompressing and compressing it for the first time.
    const HELD: u64 = CONNECTIONS as u64 * MIB + 40 * MIB;
    raise_descriptor_limit();
    let server = TlsServer::with(&[]);
    let calm = server.server.memory("RssAnon:");
    for (request, heads, ends) in kinds(|request| server.send(request)) {
        let runtime = Runtime::new().unwrap();
        let stalled = flood(&runtime, &server, 0..CONNECTIONS, |number| {
            let encoding = ["identity", "gzip", "br"][number % 3];
            let request = request.clone().header("accept-encoding", encoding);
            (request, ALL_STREAMS, heads, ends)
        });
        let held = server.server.memory("RssAnon:").saturating_sub(calm);
        let what = format!("{} {:.30}: {} MiB", request.method, request.target, held / MIB);
        println!("{what}");
        assert!(held < HELD, "{what}");
        assert_eq!(server.send(&Request::get("/faq")).status, 200);
        drop(stalled);
        runtime.shutdown_background();
    }
    assert_given_back(&server.server);
}

#[test]
fn whatever_is_asked_for_by_http1_and_not_taken() {
    raise_descriptor_limit();
    let server = Server::start();
    let kinds = kinds(|request| server.send(request));
    let mut connections = Vec::new();
    for number in 0..4 * PER_CLIENT {
        let (request, _, ends) = &kinds[number % kinds.len()];
        let encoding = ["identity", "gzip", "br"][number / kinds.len() % 3];
        let mut bytes = request.clone().header("accept-encoding", encoding).bytes("x");
        if *ends == Ends::Never {
            bytes.pop();
        }
        let socket = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        socket.set_nonblocking(false).unwrap();
        socket
            .bind(&SocketAddr::from((client(number), 0)).into())
            .unwrap();
        socket.connect(&server.address.into()).unwrap();
        socket.set_nonblocking(true).unwrap();
        let mut stream = std::net::TcpStream::from(socket);
        for _ in 0..20 {
            // As much as the system accepts.
            if stream.write_all(&bytes).is_err() {
                break;
            }
        }
        connections.push(stream);
    }
    let mut visitor = Connection::open_from(Ipv4Addr::new(127, 0, 2, 1), server.address);
    assert_others_are_served(|request| visitor.send(request));
    let peak = server.memory("VmHWM:");
    println!("{} MiB", peak / MIB);
    assert!(peak < PEAK_OF_ONE, "{peak} KiB");
    drop(connections);
    assert_given_back(&server);
}

#[test]
fn whoever_takes_no_page_may_still_change_something() {
    let setup = referral::stop(referral::setup(&referral::config(&[])).start());
    let end = {
        let store = referral::open(&setup.dir);
        let token = store
            .secret()
            .newsletter_token(store.subscription_key("aenne@example.org"));
        format!("/newsletter/abmelden/{token}")
    };
    let server = TlsServer::start(setup, &[]);
    let page = server
        .send(&post(&record("Krause")))
        .expect("location")
        .to_owned();
    let (attack, runtime) = (Attack::on(&server), Runtime::new().unwrap());
    let get = Request::get(&page);
    let stall = || attack.stall(Ipv4Addr::LOCALHOST, &get, 16, 16, Ends::Yes);
    let stalled = runtime.block_on(async { [stall().await, stall().await] });
    let send = |path: &str, body: &str| {
        let form = Request::new("POST", path).header("content-type", "application/x-www-form-urlencoded");
        server.send(&form.body(body))
    };
    assert_eq!(server.send(&get).status, 429);
    assert_eq!(send(&page, "").status, 429, "nothing was changed");
    let ended = send(&end, "List-Unsubscribe=One-Click");
    assert_eq!((ended.status, ended.text()), (200, ""));
    assert_eq!(send(&format!("{page}/zurueckziehen"), "").status, 303);
    drop(stalled);
    runtime.shutdown_background();
    until_true("the pages to be gone", || server.send(&get).status == 200);
    assert_has!(
        send(&end, "List-Unsubscribe=One-Click").text(),
        "Sie sind abgemeldet"
    );
}
