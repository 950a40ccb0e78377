//! Inquiries that may be a robot's: kept and answered like any other, left out of exports unless asked for.

use serde_json::Value;

use crate::harness::inquiry::post;
use crate::harness::server::export;
use crate::harness::{Request, Server, Setup, record, run};

const QUICK: (&str, &str) = ("Form-Fill-Time", "800");
const SLOW: (&str, &str) = ("Form-Fill-Time", "45000");
const TRAPPED: (&str, &str) = ("Form-Trap", "filled");

fn inquiry(name: &str, report: &[(&str, &str)]) -> Request {
    report
        .iter()
        .fold(post(&record(name)), |request, (header, value)| {
            request.header(header, value)
        })
}

/// A server that has taken two inquiries of visitors and three of robots.
fn visited() -> Server {
    let server = Server::start();
    for (name, report) in [
        ("Bare", &[][..]),
        ("Slow", &[SLOW]),
        ("Quick", &[QUICK]),
        ("Trapped", &[SLOW, TRAPPED]),
        ("Forged", &[("Form-Fill-Time", "soon")]),
    ] {
        assert_eq!(server.send(&inquiry(name, report)).status, 201, "{name}");
    }
    server
}

fn names(jsonl: &str) -> Vec<String> {
    let name = |line| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["last_name"].as_str().unwrap().to_owned()
    };
    jsonl.lines().map(name).collect()
}

const ALL: [&str; 5] = ["Bare", "Slow", "Quick", "Trapped", "Forged"];

#[test]
fn exports_leave_them_out_and_say_so() {
    let server = visited();
    let dir = server.dir().clone();
    let mut server = Some(server);
    for is_running in [true, false] {
        let export = |flags: &[&str]| {
            let args = [&["--format", "jsonl"], flags].concat();
            let export = export(&dir, &args);
            (names(export.success()), export.stderr)
        };
        let (left, told) = export(&[]);
        assert_eq!(left, ALL[..2], "{is_running}");
        assert_eq!(
            told,
            "note: 3 inquiries that may be a robot's were left out; look at them with --only-suspected\n"
        );
        assert_eq!(
            export(&["--include-suspected"]),
            (ALL.map(String::from).into(), String::new())
        );
        assert_eq!(
            export(&["--only-suspected"]),
            (ALL.map(String::from)[2..].into(), String::new())
        );
        // Outside the range nothing is left out, and nothing is said.
        assert_eq!(export(&["--until", "2020-01-01"]), (vec![], String::new()));
        drop(server.take());
    }
}

#[test]
fn every_format_has_the_same_columns_with_and_without_them() {
    let server = visited();
    let header = |flags: &[&str]| {
        let export = server.export(flags);
        export.success().lines().next().unwrap().to_owned()
    };
    assert_eq!(header(&[]), header(&["--include-suspected"]));
    assert_eq!(header(&[]), header(&["--only-suspected"]));
}

#[test]
fn the_sender_sees_no_difference() {
    let server = Server::start();
    let answer = |name: &str, report: &[(&str, &str)]| {
        let request = inquiry(name, report).header("Prefer", "return=representation");
        let mut answer = server.send(&request);
        let mut body = answer.json();
        for changing in ["id", "created_at", "last_name"] {
            assert!(body[0].as_object_mut().unwrap().remove(changing).is_some());
        }
        answer
            .headers
            .retain(|(name, _)| name != "date" && name != "content-length");
        (answer.status, answer.headers, body)
    };
    let honest = answer("Slow", &[SLOW]);
    assert_eq!(honest, answer("Quick", &[QUICK]));
    assert_eq!(honest, answer("Trap", &[TRAPPED]));
}

#[test]
fn a_repetition_stays_the_same_request_whatever_it_reports() {
    let server = Server::start();
    let body = post(&record("Krause")).header("Idempotency-Key", "k");
    let first = body.clone().header(QUICK.0, QUICK.1);
    assert_eq!(server.send(&first).status, 201);
    assert_eq!(server.send(&body).status, 201);
    assert_eq!(
        names(
            server
                .export(&["--format", "jsonl", "--include-suspected"])
                .success()
        )
        .len(),
        1
    );
    assert_eq!(server.stored().len(), 0);
}

#[test]
fn the_mark_outlives_kill_9_and_is_erased_with_its_inquiry() {
    let server = Server::start();
    assert_eq!(server.send(&inquiry("Quick", &[QUICK])).status, 201);
    let server = server.kill().start();
    assert_eq!(names(server.export(&["--format", "jsonl"]).success()), [""; 0]);
    assert_eq!(
        names(
            server
                .export(&["--format", "jsonl", "--only-suspected"])
                .success()
        ),
        ["Quick"]
    );
    let erase = run(server.dir().path(), &["erase", "--until", "2999-01-01", "--yes"]);
    assert_eq!(erase.success(), "1 inquiry erased\n");
    assert_eq!(
        names(
            server
                .export(&["--format", "jsonl", "--include-suspected"])
                .success()
        ),
        [""; 0]
    );
}

#[test]
fn what_is_not_stored_is_not_logged() {
    let server = Setup::bare().args(&["--rate-limit", "1"]).start();
    let keyed = inquiry("Trapped", &[TRAPPED]).header("Idempotency-Key", "k");
    for _ in 0..3 {
        assert_eq!(server.send(&keyed).status, 201);
        assert_eq!(server.send(&inquiry("Quick", &[QUICK])).status, 429);
    }
    let log = server.terminate().stderr;
    assert_eq!(log.matches("suspected").count(), 1, "{log}");
}

#[test]
fn the_log_says_why_and_not_who() {
    let log = visited().terminate().stderr;
    for reason in ["TooQuick", "TrapFilled", "Forged"] {
        assert!(log.contains(reason), "{reason}: {log}");
    }
    assert!(!log.contains("Trapped") && !log.contains("example.org"), "{log}");
}
