//! Tests of both sides together.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use taubenabwehr::control::*;
use taubenabwehr::domain::referral::{InquiryRecord, NewReferral, Refusal};
use taubenabwehr::operate::calls::{Erase, ReleaseInquiry};
use taubenabwehr::operate::{CallError, Refused};
use taubenabwehr::store::{Erasure, Location, Store, TimeRange};
use uuid::Uuid;

use crate::inquiries::{sample, sample_at};

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
    let listener = ControlListener::bind(data_dir).unwrap();
    let (stop, stopped) = oneshot::channel();
    let shutdown = async { drop(stopped.await) };
    let task = tokio::spawn(serve(listener, Arc::clone(&store), shutdown));
    Server { store, stop, task }
}

/// Returns the inquiries of a range.
async fn records(data_dir: &Path, range: TimeRange) -> Result<Vec<InquiryRecord>, CallError> {
    let location = Location::Directory(data_dir.to_owned());
    let asked = tokio::task::spawn_blocking(move || {
        let caller = Caller::new(&location)?;
        let mut inquiries = caller.stream(range)?;
        let mut records = Vec::new();
        while let Some(record) = caller.wait(inquiries.next())? {
            records.push(record);
        }
        Ok(records)
    });
    asked.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_gets_every_inquiry_of_the_range() {
    let dir = directory_in_memory();
    let server = start(dir.path());
    let all = TimeRange::default();
    assert_eq!(records(dir.path(), all).await.unwrap(), []);
    let mut expected = Vec::new();
    for n in 0..3000 {
        let created = format!("2026-11-{:02}T12:00:00Z", 1 + n / 1000);
        let inserted = server
            .store
            .insert(sample_at(&created, n), NewReferral::default(), None);
        let id = inserted.await.unwrap().into_inquiry().id;
        expected.push(server.store.record(id).await.unwrap().unwrap());
    }
    assert_eq!(records(dir.path(), all).await.unwrap(), expected);
    let second = TimeRange {
        since: Some("2026-11-02T13:00:00+01:00".parse().unwrap()),
        until: Some("2026-11-02T12:00:00.001Z".parse().unwrap()),
    };
    let of_second = expected[1000..2000].to_vec();
    assert_eq!(records(dir.path(), second).await.unwrap(), of_second);

    server.stop.send(()).unwrap();
    server.task.await.unwrap();
    assert!(!dir.path().join("control.sock").exists());
    drop(server.store);
    assert_eq!(records(dir.path(), second).await.unwrap(), of_second);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_cannot_be_read_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let server = start(dir.path());
    server.store.close(Duration::from_secs(100)).await;
    let error = records(dir.path(), TimeRange::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server refused: the store cannot be read now; see its log"
    );
}

/// Sends one request as it stands; the answer's first line.
async fn status(data_dir: &Path, request: String) -> String {
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
        ("POST /ReadFacts", "{}", "HTTP/1.1 200 OK"),
        ("POST /ReadFacts", "", "HTTP/1.1 400 Bad Request"),
        ("POST /ReadFacts", "{\"all\":true}", "HTTP/1.1 400 Bad Request"),
        ("POST /Records", "{}", "HTTP/1.1 200 OK"),
        ("POST /Records", "{\"since\":\"now\"}", "HTTP/1.1 400 Bad Request"),
        ("POST /Erase", "{}", "HTTP/1.1 400 Bad Request"),
        ("POST /Other", "{}", "HTTP/1.1 400 Bad Request"),
        ("DELETE /ReadFacts", "{}", "HTTP/1.1 405 Method Not Allowed"),
        ("GET /ReadFacts", "", "HTTP/1.1 405 Method Not Allowed"),
        ("nonsense", "", "HTTP/1.1 400 Bad Request"),
    ];
    for (request, body, expected) in cases {
        let length = body.len();
        let text = format!("{request} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n{body}");
        assert_eq!(status(dir.path(), text).await, expected, "{request:?} {body:?}");
    }
    let long = "POST /ReadFacts HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n";
    assert_eq!(
        status(dir.path(), long.to_owned()).await,
        "HTTP/1.1 400 Bad Request"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_reaches_the_command() {
    let dir = tempfile::tempdir().unwrap();
    let _server = start(dir.path());
    let location = Location::Directory(dir.path().to_owned());
    let asked = tokio::task::spawn_blocking(move || {
        let caller = Caller::new(&location).unwrap();
        let what = Erasure::Ids([Uuid::nil()].into());
        let released = caller.call(ReleaseInquiry {
            id: Uuid::nil(),
            read: None,
        });
        (caller.call(Erase { what }).unwrap_err(), released.unwrap_err())
    });
    let (erased, released) = asked.await.unwrap();
    assert!(matches!(erased, CallError::Refused(Refused::Unknown(id)) if id.is_nil()));
    let unknown = Refused::Change(Refusal::Unknown);
    assert!(matches!(released, CallError::Refused(refused) if refused == unknown));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_breaks_off_is_an_error() {
    let kept = directory_in_memory();
    let store = Store::open(kept.path()).unwrap();
    let inserted = store.insert(sample(1), NewReferral::default(), None).await;
    let record = store.record(inserted.unwrap().into_inquiry().id).await;
    let record = record.unwrap().unwrap();
    let line = serde_json::to_string(&record).unwrap() + "\n";
    let chunk = format!("{:x}\r\n{line}\r\n", line.len());
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let half = format!("{head}{chunk}3\r\n{{\"i\r\n0\r\n\r\n");
    for (answer, whole) in [
        (format!("{head}{chunk}{chunk}0\r\n\r\n"), true),
        (format!("{head}{chunk}{chunk}"), false),
        (format!("{head}{chunk}ff\r\n{{"), false),
        (half, false),
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
        let asked = records(dir.path(), TimeRange::default()).await;
        server.join().unwrap();
        match asked {
            Ok(found) => assert!(whole && found == [record.clone(), record.clone()], "{answer:?}"),
            Err(CallError::Broken(_)) => assert!(!whole, "{answer:?}"),
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
    let location = Location::Directory(dir.path().to_owned());
    let (caller, mut standing) = tokio::task::spawn_blocking(move || {
        let caller = Caller::new(&location).unwrap();
        let mut gone = caller.stream(TimeRange::default()).unwrap();
        assert!(caller.wait(gone.next()).unwrap().is_some());
        drop(gone);
        let standing = caller.stream(TimeRange::default()).unwrap();
        (caller, standing)
    })
    .await
    .unwrap();
    server.stop.send(()).unwrap();
    server.task.await.unwrap();
    let read = tokio::task::spawn_blocking(move || {
        let mut count = 0;
        loop {
            match caller.wait(standing.next()) {
                Ok(Some(_)) => count += 1,
                end => return (count, end.map(|_| ())),
            }
        }
    });
    let (count, end) = read.await.unwrap();
    assert!(count < 4000 && end.is_err(), "{count} {end:?}");
}
