//! Tests of both sides together.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use taubenabwehr::control::*;
use taubenabwehr::domain::inquiry::{ExportRow, NewInquiry, Row};
use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::operate::*;
use taubenabwehr::store::{Selection, Store, Suspected, TimeRange};

/// An inquiry; each number gives another.
fn sample(number: u64) -> NewInquiry {
    sample_at("2026-11-08T12:00:00.123Z", number)
}

/// An inquiry made at a time.
fn sample_at(created_at: &str, number: u64) -> NewInquiry {
    let body = serde_json::json!({
        "created_at": created_at,
        "postal_code": "20095",
        "property_type": "residential",
        "first_name": "Anna",
        "last_name": format!("Meier {number}"),
        "email_address": "anna@example.de",
        "phone_number": "+49 40 1234567",
    });
    NewInquiry::parse(body.to_string().as_bytes(), created_at.parse().unwrap()).unwrap()
}

/// A directory in memory, where there is one: none of this needs a real disk.
fn directory_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// A server over a store, until it is told to stop.
struct Server {
    store: Arc<Store>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

fn start(data_dir: &Path) -> Server {
    let store = Arc::new(Store::open(data_dir).unwrap());
    let listener = Listener::bind(data_dir).unwrap();
    let (stop, stopped) = oneshot::channel();
    let shutdown = async { drop(stopped.await) };
    let task = tokio::spawn(serve(listener, Arc::clone(&store), shutdown));
    Server { store, stop, task }
}

async fn lines(data_dir: &Path, selection: Selection) -> Result<(u64, Vec<String>), AskError> {
    let data_dir = data_dir.to_owned();
    let asked = tokio::task::spawn_blocking(move || {
        let mut inquiries = client::ask(&data_dir, &Request::Inquiries(selection))?;
        let mut lines = Vec::new();
        while let Some(line) = inquiries.next_line()? {
            lines.push(String::from_utf8(line.to_vec()).unwrap());
        }
        Ok((inquiries.total()?, lines))
    });
    asked.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_gets_every_inquiry_of_the_range() {
    let dir = directory_in_memory();
    let server = start(dir.path());
    assert_eq!(
        lines(dir.path(), Selection::default()).await.unwrap(),
        (0, vec![])
    );
    let mut expected = Vec::new();
    for n in 0..3000 {
        let created = format!("2026-11-{:02}T12:00:00Z", 1 + n / 1000);
        let stored = server
            .store
            .insert(sample_at(&created, n), NewReferral::default(), None)
            .await
            .unwrap()
            .into_inquiry();
        let row = ExportRow::new(Row::from(&stored), "received", "", "", "", "");
        expected.push(serde_json::to_string(&row).unwrap() + "\n");
    }
    let (total, all) = lines(dir.path(), Selection::default()).await.unwrap();
    assert_eq!(total, 3000);
    assert_eq!(all, expected);
    let second = Selection {
        range: TimeRange {
            since: Some("2026-11-02T13:00:00+01:00".parse().unwrap()),
            until: Some("2026-11-02T12:00:00.001Z".parse().unwrap()),
        },
        suspected: Suspected::LeftOut,
    };
    assert_eq!(
        lines(dir.path(), second).await.unwrap(),
        (3000, expected[1000..2000].to_vec())
    );

    server.stop.send(()).unwrap();
    server.task.await.unwrap();
    assert!(!dir.path().join("control.sock").exists());
    assert!(matches!(
        lines(dir.path(), second).await,
        Err(AskError::NoServer(_))
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_cannot_be_read_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let server = start(dir.path());
    server.store.close(Duration::from_secs(100)).await;
    let error = lines(dir.path(), Selection::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server refused: the store cannot be read now; see its log"
    );
}

/// Sends one request as it stands; the answer's first line.
async fn status(data_dir: &Path, request: &'static str) -> String {
    let path = data_dir.join("control.sock");
    let asked = tokio::task::spawn_blocking(move || {
        let mut stream = std::os::unix::net::UnixStream::connect(path).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    });
    asked.await.unwrap().lines().next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_understood_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let _server = start(dir.path());
    let cases = [
        (
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 16\r\n\r\n{\"inquiries\":{}}",
            "HTTP/1.1 200 OK",
        ),
        (
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 39\r\n\r\n{\"inquiries\":{\"range\":{\"since\":\"now\"}}}",
            "HTTP/1.1 400 Bad Request",
        ),
        ("GET /other HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 404 Not Found"),
        (
            "DELETE / HTTP/1.1\r\nHost: x\r\n\r\n",
            "HTTP/1.1 405 Method Not Allowed",
        ),
        (
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            "HTTP/1.1 405 Method Not Allowed",
        ),
        (
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n{\"erase\":{}}",
            "HTTP/1.1 400 Bad Request",
        ),
        (
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n",
            "HTTP/1.1 400 Bad Request",
        ),
        ("nonsense\r\n\r\n", "HTTP/1.1 400 Bad Request"),
    ];
    for (request, expected) in cases {
        assert_eq!(status(dir.path(), request).await, expected, "{request:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_breaks_off_is_an_error() {
    let line = "{\"id\":\"1\"}\n";
    let chunk = format!("{:x}\r\n{line}\r\n", line.len());
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx-total-count: 9\r\n\r\n";
    let half = format!("{head}{chunk}3\r\n{{\"i\r\n0\r\n\r\n");
    for (answer, whole) in [
        (format!("{head}{chunk}{chunk}0\r\n\r\n"), true),
        (format!("{head}{chunk}{chunk}"), false),
        (format!("{head}{chunk}ff\r\n{{"), false),
        (half, false),
        (head.replace("x-total-count: 9\r\n", "") + "0\r\n\r\n", false),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let listener = std::os::unix::net::UnixListener::bind(dir.path().join("control.sock")).unwrap();
        let sent = answer.clone();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            assert!(stream.read(&mut request).unwrap() > 0);
            stream.write_all(sent.as_bytes()).unwrap();
        });
        let asked = lines(dir.path(), Selection::default()).await;
        server.join().unwrap();
        match asked {
            Ok((9, lines)) => assert!(whole && lines == [line, line], "{answer:?}"),
            Err(AskError::Broken(_)) => assert!(!whole, "{answer:?}"),
            other => panic!("{answer:?}: {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_away_or_stands_still_holds_nothing_up() {
    let dir = tempfile::tempdir().unwrap();
    let server = start(dir.path());
    // No more at once than the store's queue holds.
    for some in 0..8 {
        let inserts: Vec<_> = (some * 500..(some + 1) * 500)
            .map(|n| {
                let store = Arc::clone(&server.store);
                tokio::spawn(async move { store.insert(sample(n), NewReferral::default(), None).await })
            })
            .collect();
        for insert in inserts {
            insert.await.unwrap().unwrap();
        }
    }
    let path = dir.path().to_owned();
    let standing = tokio::task::spawn_blocking(move || {
        let mut gone = client::ask(&path, &Request::Inquiries(Selection::default())).unwrap();
        assert!(gone.next_line().unwrap().is_some());
        drop(gone);
        client::ask(&path, &Request::Inquiries(Selection::default())).unwrap()
    });
    let mut standing = standing.await.unwrap();
    server.stop.send(()).unwrap();
    server.task.await.unwrap();
    let read = tokio::task::spawn_blocking(move || {
        let mut count = 0;
        loop {
            match standing.next_line() {
                Ok(Some(_)) => count += 1,
                end => return (count, end.map(|_| ())),
            }
        }
    });
    let (count, end) = read.await.unwrap();
    assert!(count < 4000 && end.is_err(), "{count} {end:?}");
}
