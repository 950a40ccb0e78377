//! The baseline for `scripts/bench`: a server that uses only hyper.
//!
//! - `bare_server pages DIR` serves the same bytes as the real server. For each page, `DIR` contains `N.head`, with the path on the
//!   first line and one header on each further line, and `N.body`.
//! - `bare_server inserts DIR` stores each posted body in a redb file without validation, and responds with 201 once it is durable.
//!   Like the server, it commits all waiting bodies in one transaction.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a benchmark ends where anything fails"
)]

use std::collections::HashMap;
use std::convert::Infallible;
use std::fs;
use std::iter;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use redb::{Database, TableDefinition};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Maximum inserts per transaction, as in the server.
const BATCH: usize = 512;

/// Capacity of the writer's queue, as in the server.
const QUEUE: usize = 1024;

/// Cache size of redb, as in the server.
const CACHE_BYTES: usize = 8 << 20;

const TABLE: TableDefinition<u128, &[u8]> = TableDefinition::new("inquiries");

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, directory] = arguments.as_slice() else {
        panic!("usage: bare_server pages|inserts DIR");
    };
    let service = match what.as_str() {
        "pages" => Service::Pages(pages(Path::new(directory))),
        _ => Service::Inserts(writer(Path::new(directory))),
    };
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(serve(Arc::new(service)));
}

enum Service {
    Pages(HashMap<String, (HeaderMap, Bytes)>),
    Inserts(SyncSender<Insert>),
}

struct Insert {
    body: Bytes,
    done: oneshot::Sender<()>,
}

async fn serve(service: Arc<Service>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("listening on http://{}", listener.local_addr().unwrap());
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let service = Arc::clone(&service);
                async move { Ok::<_, Infallible>(respond(&service, request).await) }
            });
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            let _ = connection.await;
        });
    }
}

async fn respond(service: &Service, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    match service {
        Service::Pages(pages) => match pages.get(request.uri().path()) {
            Some((headers, body)) => {
                response.headers_mut().clone_from(headers);
                *response.body_mut() = Full::new(body.clone());
            }
            None => *response.status_mut() = StatusCode::NOT_FOUND,
        },
        Service::Inserts(queue) => {
            let body = request.into_body().collect().await.unwrap().to_bytes();
            let (done, is_done) = oneshot::channel();
            queue.try_send(Insert { body, done }).unwrap();
            is_done.await.unwrap();
            *response.status_mut() = StatusCode::CREATED;
        }
    }
    response
}

fn pages(directory: &Path) -> HashMap<String, (HeaderMap, Bytes)> {
    let files = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let heads = files.filter(|path| path.extension().is_some_and(|extension| extension == "head"));
    let pages = heads.map(|path| {
        let head = fs::read_to_string(&path).unwrap();
        let mut lines = head.lines();
        let target = lines.next().unwrap().to_owned();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            let name: HeaderName = name.parse().unwrap();
            (name, HeaderValue::try_from(value).unwrap())
        });
        let body = fs::read(path.with_extension("body")).unwrap();
        (target, (headers.collect(), Bytes::from(body)))
    });
    pages.collect()
}

fn writer(directory: &Path) -> SyncSender<Insert> {
    let database = redb::Builder::new()
        .set_cache_size(CACHE_BYTES)
        .create(directory.join("bare.redb"))
        .unwrap();
    let (queue, inserts) = sync_channel(QUEUE);
    thread::spawn(move || write(&database, &inserts));
    queue
}

fn write(database: &Database, inserts: &Receiver<Insert>) {
    let mut id = 0;
    while let Ok(first) = inserts.recv() {
        let mut waiting = Vec::new();
        let mut transaction = database.begin_write().unwrap();
        // The same durability as the server.
        transaction.set_two_phase_commit(true);
        {
            let mut table = transaction.open_table(TABLE).unwrap();
            for insert in iter::once(first).chain(inserts.try_iter()).take(BATCH) {
                id += 1;
                table.insert(id, insert.body.as_ref()).unwrap();
                waiting.push(insert.done);
            }
        }
        transaction.commit().unwrap();
        for done in waiting {
            let _ = done.send(());
        }
    }
}
