//! Tests of the client and the server of the control socket together.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use futures_util::TryStreamExt;
use taubenabwehr::control::*;
use taubenabwehr::domain::referral::{InquiryRecord, NewReferral};
use taubenabwehr::operate::CallError;
use taubenabwehr::store::{Location, Store, TimeRange};

use crate::inquiries::sample;

/// Starts a server on a store. It stops with the runtime.
fn start(data_dir: &Path) {
    let store = Arc::new(Store::open(data_dir).unwrap());
    let listener = ControlListener::bind(data_dir).unwrap();
    tokio::spawn(serve(listener, store, std::future::pending()));
}

/// All inquiries in a store.
async fn records(data_dir: &Path) -> Result<Vec<InquiryRecord>, CallError> {
    let location = Location::Directory(data_dir.to_owned());
    let asked = tokio::task::spawn_blocking(move || {
        let caller = Caller::new(&location)?;
        let mut inquiries = caller.stream(TimeRange::default())?;
        let mut records = Vec::new();
        while let Some(record) = caller.wait(inquiries.try_next())? {
            records.push(record);
        }
        Ok(records)
    });
    asked.await.unwrap()
}

/// Sends one request as it is; returns the first line of the response.
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
    start(dir.path());
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
async fn an_answer_that_breaks_off_is_an_error() {
    let kept = tempfile::tempdir().unwrap();
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
        let asked = records(dir.path()).await;
        server.join().unwrap();
        match asked {
            Ok(found) => assert!(whole && found == [record.clone(), record.clone()], "{answer:?}"),
            Err(CallError::Broken(_)) => assert!(!whole, "{answer:?}"),
            other => panic!("{answer:?}: {other:?}"),
        }
    }
}
