//! A disk that is full: an honest 503, no acknowledged inquiry lost, and a way back (contract, "HTTP").

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::harness::inquiry::{post, without_outcome};
use crate::harness::server::stored;
use crate::harness::{Server, Setup, needs_files, record, run, until};
use crate::plain_form;
use crate::refusing::message;

/// Size of the unit of `ulimit -f` in a POSIX shell, in bytes.
const BLOCK: u64 = 512;

/// A server whose files cannot grow much beyond what an empty store takes.
fn confined() -> Server {
    let empty = Server::start();
    let dir = empty.dir().clone();
    assert_eq!(empty.terminate().code, Some(0));
    let blocks = fs::metadata(dir.store_file()).unwrap().len() / BLOCK + 64;
    // Without the trap the signal for a file that grows too large would end the process.
    // Only the soft limit is set, so that a test can make room again.
    let commands = format!("trap '' XFSZ; ulimit -S -f {blocks}");
    Setup::new().dir(&dir).shell(&commands).start()
}

/// Sets how large the files of a running server may grow, in bytes or `unlimited`.
pub fn limit_files(server: &Server, size: &str) {
    let process = server.id().to_string();
    let limited = Command::new("prlimit")
        .args(["--pid", &process, &format!("--fsize={size}:unlimited")])
        .status()
        .unwrap();
    assert!(limited.success());
}

/// Stores large inquiries until the store takes no more, and then leaves no room for small ones either; gives what was
/// acknowledged.
fn fill_up(server: &Server) -> Vec<Value> {
    let acknowledged = fill(server);
    // Beyond the first page of the file nothing can be written.
    limit_files(server, "4096");
    acknowledged
}

/// Stores large inquiries until one is refused; gives what was acknowledged. There may be room for a small one.
fn fill(server: &Server) -> Vec<Value> {
    let mut acknowledged = Vec::new();
    let mut large = record(&"🕊".repeat(100));
    large["first_name"] = "🕊".repeat(100).into();
    large["email_address"] = format!("{}@example.org", "🕊".repeat(242)).into();
    let request = post(&large).header("Prefer", "return=representation");
    let mut connection = server.connect();
    for _ in 0..20_000 {
        let response = connection.send(&request);
        if response.status != 201 {
            let message = message(&response, 503);
            assert!(
                message.contains("nicht gespeichert") || message.contains("später"),
                "{message}"
            );
            assert!(response.expect("retry-after").parse::<u32>().unwrap() >= 1);
            return acknowledged;
        }
        acknowledged.push(response.json()[0].clone());
    }
    panic!("the disk never became full");
}

#[test]
fn a_full_disk_is_told_and_nothing_acknowledged_is_lost() {
    if needs_files("a full disk is the database's") {
        return;
    }
    let server = confined();
    assert_eq!(server.get("/healthz").status, 200);
    let acknowledged = fill_up(&server);
    assert!(!acknowledged.is_empty(), "the disk was full from the start");

    let response = server.send(&plain_form::right());
    let page = plain_form::page(&response, 503);
    assert!(response.expect("retry-after").parse::<u32>().unwrap() >= 1);
    assert_eq!(plain_form::value(&page, "lastName"), "Groß", "nothing is lost");

    assert_eq!(
        server.get("/healthz").status,
        503,
        "a server that cannot store is not healthy"
    );
    let address = server.address.to_string();
    run(server.dir().path(), &["healthcheck", "--listen", &address]).failure();
    assert_eq!(server.get("/").status, 200, "pages are served all the same");
    assert_eq!(server.post(&record("Krause")).status, 503);

    let dir = server.dir().clone();
    assert_eq!(server.terminate().code, Some(0), "it still ends in order");
    assert_eq!(stored(&dir), acknowledged);

    let server = Setup::new().dir(&dir).start();
    assert_eq!(server.get("/healthz").status, 200);
    let after = server.store(&record("Danach"));
    assert_eq!(server.stored(), [acknowledged, vec![after]].concat());
}

#[test]
fn an_inquiry_refused_by_a_full_disk_can_be_sent_again_with_its_key() {
    if needs_files("a full disk is the database's") {
        return;
    }
    let server = confined();
    let acknowledged = fill_up(&server).len();
    let request = post(&record("Krause")).header("Idempotency-Key", "key");
    message(&server.send(&request), 503);
    let dir = server.dir().clone();
    drop(server);
    let server = Setup::new().dir(&dir).start();
    for _ in 0..2 {
        assert_eq!(server.send(&request).status, 201);
    }
    assert_eq!(server.stored().len(), acknowledged + 1);
}

/// Takes the limit away from a running server.
fn make_room(server: &Server) {
    limit_files(server, "unlimited");
}

#[test]
fn a_disk_that_has_room_again_is_used_again() {
    if needs_files("a full disk is the database's") {
        return;
    }
    let server = confined();
    let acknowledged = fill_up(&server);
    let refused = post(&record("Krause"))
        .header("Idempotency-Key", "key")
        .header("Prefer", "return=representation");
    message(&server.send(&refused), 503);
    assert_eq!(server.get("/healthz").status, 503);
    for page in ["/", "/fragebogen", "/blog", "/sitemap.xml"] {
        assert_eq!(server.get(page).status, 200, "{page}");
    }
    make_room(&server);
    // Whether a health check or a visitor comes first: it is the same process, and nobody tells it.
    until("the server to be healthy", || {
        (server.get("/healthz").status == 200).then_some(())
    });
    let first = server.send(&refused);
    assert_eq!(first.status, 201, "{}", first.text());
    assert_eq!(server.send(&refused).text(), first.text(), "stored twice");
    let expected = [acknowledged, vec![first.json()[0].clone()]].concat();
    assert_eq!(server.stored(), expected);
    assert_eq!(server.kill().start().stored(), expected, "not durable");
}

#[test]
fn visitors_alone_find_a_disk_that_has_room_again() {
    if needs_files("a full disk is the database's") {
        return;
    }
    let server = confined();
    let acknowledged = fill_up(&server).len();
    make_room(&server);
    let late = record("Krause");
    until("an inquiry to be stored", || {
        let response = server.post(&late);
        assert!(matches!(response.status, 201 | 503), "{}", response.text());
        (response.status == 201).then_some(())
    });
    assert_eq!(server.stored().len(), acknowledged + 1);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_full_disk_can_still_be_exported() {
    if needs_files("a full disk is the database's") {
        return;
    }
    let server = confined();
    let acknowledged = fill(&server);
    // Nobody sends anything more: the server opens its file again by itself.
    let exported = until("an export", || {
        let export = server.export(&["--format", "json"]);
        (export.code == Some(0)).then(|| export.text().to_owned())
    });
    let exported: Vec<Value> = serde_json::from_str(&exported).unwrap();
    let exported: Vec<Value> = exported.into_iter().map(without_outcome).collect();
    assert_eq!(exported, acknowledged);
}
