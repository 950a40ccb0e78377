//! Inquiries that may come from a robot: stored and answered like any other, but omitted from exports by default.

use serde_json::{Value, json};

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

/// Starts a server and posts two inquiries of visitors and three of robots.
fn server_with_inquiries() -> Server {
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

/// The last names in an export.
fn names(jsonl: &str) -> Vec<String> {
    let name = |line| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["last_name"].as_str().unwrap().to_owned()
    };
    jsonl.lines().map(name).collect()
}

const ALL: [&str; 5] = ["Bare", "Slow", "Quick", "Trapped", "Forged"];

#[test]
fn exports_leave_out_suspected_inquiries_with_a_note() {
    let server = server_with_inquiries();
    let dir = server.dir().clone();
    let mut server = Some(server);
    for is_running in [true, false] {
        let export = |flags: &[&str]| {
            let args = [&["--format", "jsonl"], flags].concat();
            let export = export(&dir, &args);
            (names(export.success()), export.stderr)
        };
        let (exported, note) = export(&[]);
        assert_eq!(exported, ALL[..2], "{is_running}");
        assert_eq!(
            note,
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
        // An empty range omits nothing and prints no note.
        assert_eq!(export(&["--until", "2020-01-01"]), (vec![], String::new()));
        drop(server.take());
    }
}

#[test]
fn a_suspected_inquiry_says_why() {
    let server = server_with_inquiries();
    let listed = run(server.dir().path(), &["inquiries", "--json"]).json::<serde_json::Value>();
    let why = ALL.map(|name| {
        let mut rows = listed.as_array().unwrap().iter();
        let row = rows.find(|row| row["last_name"] == name).unwrap();
        let show = ["inquiries", "show", row["id"].as_str().unwrap(), "--json"];
        run(server.dir().path(), &show).json::<serde_json::Value>()["suspicion"].clone()
    });
    let expected = [
        Value::Null,
        Value::Null,
        json!({ "kind": "quick", "seconds": 0.8 }),
        json!({ "kind": "field" }),
        json!({ "kind": "quick", "seconds": 0.0 }),
    ];
    assert_eq!(why, expected);
}

#[test]
fn the_columns_do_not_depend_on_the_selection() {
    let server = server_with_inquiries();
    let header = |flags: &[&str]| {
        let export = server.export(flags);
        export.success().lines().next().unwrap().to_owned()
    };
    assert_eq!(header(&[]), header(&["--include-suspected"]));
    assert_eq!(header(&[]), header(&["--only-suspected"]));
}

#[test]
fn responses_do_not_reveal_the_suspicion() {
    let server = Server::start();
    let outcome = |name: &str, report: &[(&str, &str)]| {
        let request = inquiry(name, report).header("Prefer", "return=representation");
        let mut response = server.send(&request);
        let mut body = response.json();
        for changing in ["id", "created_at", "last_name"] {
            assert!(body[0].as_object_mut().unwrap().remove(changing).is_some());
        }
        response
            .headers
            .retain(|(name, _)| !["date", "content-length", "x-request-id"].contains(&name.as_str()));
        let location = response.headers.iter_mut().find(|(name, _)| name == "location");
        let (_, token) = location.unwrap();
        *token = token.len().to_string();
        (response.status, response.headers, body)
    };
    let honest = outcome("Slow", &[SLOW]);
    assert_eq!(honest, outcome("Quick", &[QUICK]));
    assert_eq!(honest, outcome("Trap", &[TRAPPED]));
}

#[test]
fn repetitions_match_regardless_of_the_form_headers() {
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
fn inquiries_that_are_not_stored_are_not_logged() {
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
fn the_log_names_the_reason_but_not_the_person() {
    let log = server_with_inquiries().terminate().stderr;
    for reason in ["TooQuick", "TrapFilled", "Forged"] {
        assert!(log.contains(reason), "{reason}: {log}");
    }
    assert!(!log.contains("Trapped") && !log.contains("example.org"), "{log}");
}
