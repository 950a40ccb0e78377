//! Tests of the client and the server of the control socket together.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::path::Path;
use std::sync::Arc;

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
        caller.records(TimeRange::default())?.collect()
    });
    asked.await.unwrap()
}

/// Sends one request as it is; returns the first line of the answer.
async fn reply(data_dir: &Path, request: String) -> String {
    let path = data_dir.join("control.sock");
    let asked = tokio::task::spawn_blocking(move || {
        let mut stream = std::os::unix::net::UnixStream::connect(path).unwrap();
        // The server may have refused the request before reading all of it.
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    });
    asked.await.unwrap().lines().next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_understood_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    start(dir.path());
    let refused = "{\"Err\":{\"Failed\":\"this server does not understand the request\"}}";
    let cases = [
        ("ReadFacts {}\n", "{\"Ok\":null}"),
        ("ReadFacts {}", refused),
        ("ReadFacts \n", refused),
        ("ReadFacts\n", refused),
        ("ReadFacts {\"all\":true}\n", refused),
        ("Records {}\n", "{\"Ok\":null}"),
        ("Records {\"since\":\"now\"}\n", refused),
        ("Erase {}\n", refused),
        ("Other {}\n", refused),
        ("\n", refused),
        ("", refused),
        ("\u{fffd} {}\n", refused),
    ];
    for (request, expected) in cases {
        assert_eq!(
            reply(dir.path(), request.to_owned()).await,
            expected,
            "{request:?}"
        );
    }
    let long = format!("ReadFacts {{{}}}\n", " ".repeat(5 << 20));
    assert_ne!(reply(dir.path(), long).await, "{\"Ok\":null}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_breaks_off_is_an_error() {
    let kept = tempfile::tempdir().unwrap();
    let store = Store::open(kept.path()).unwrap();
    let inserted = store.insert(sample(1), NewReferral::default(), None).await;
    let record = store.record(inserted.unwrap().into_inquiry().id).await;
    let record = record.unwrap().unwrap();
    let line = serde_json::to_string(&record).unwrap() + "\n";
    let head = "{\"Ok\":null}\n";
    for (answer, whole) in [
        (format!("{head}{line}{line}\n"), true),
        (format!("{head}{line}{line}"), false),
        (format!("{head}{line}{{"), false),
        (format!("{head}{line}{{\"i\n\n"), false),
        (head.to_owned(), false),
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
            Err(CallError::Broken(_) | CallError::Strange) => assert!(!whole, "{answer:?}"),
            other => panic!("{answer:?}: {other:?}"),
        }
    }
}
