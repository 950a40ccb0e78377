//! `taubenabwehr erase`: permanent erasure, with and without a server (`docs/behaviour.md`, "Retention and erasure").

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use jiff::{SignedDuration, Timestamp, tz};
use serde_json::Value;

use crate::harness::command::{Finished, clean, finish};
use crate::harness::inquiry::{post, with};
use crate::harness::server::stored;
use crate::harness::store::is_postgres;
use crate::harness::{Dir, Server, Setup, leave_out_on_postgres, program, record, run};

const UNKNOWN: &str = "019a3c5e-7b1c-7def-8000-0123456789ab";

fn erase(dir: &Dir, args: &[&str]) -> Finished {
    run(dir.path(), &[&["erase"], args].concat())
}

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}

/// Whether a text is in the store's file or in a row of the database.
fn holds(dir: &Dir, text: &str) -> bool {
    if let Some(schema) = dir.schema() {
        let rows = format!("SELECT FROM inquiries WHERE position('{text}'::bytea IN v) > 0");
        return !schema.query(&rows).is_empty();
    }
    let bytes = fs::read(dir.store_file()).unwrap();
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// An inquiry with its own email address.
fn addressed(address: &str) -> Value {
    with("email_address", address)
}

/// The directory of a stopped server with these inquiries.
fn used(records: &[Value]) -> (Dir, Vec<Value>) {
    let server = Server::start();
    let stored = records.iter().map(|record| server.store(record)).collect();
    let dir = server.dir().clone();
    assert_eq!(server.terminate().code, Some(0));
    (dir, stored)
}

#[test]
fn without_a_server_they_are_gone_from_the_store() {
    let addresses = [
        "erste@tauben.example",
        "zweite@tauben.example",
        "dritte@tauben.example",
    ];
    let (dir, records) = used(&addresses.map(addressed));
    let erased = id(&records[0]);
    for args in [
        &["note", erased, "Ruft am Mittwoch an"][..],
        &["correct", erased, "--phone", "040 7777777"],
    ] {
        run(dir.path(), &[&["inquiries"], args].concat()).success();
    }
    let gone = [addresses[0], addresses[2], "Ruft am Mittwoch an", "040 7777777"];
    assert!(gone.iter().all(|text| holds(&dir, text)));
    let args = [id(&records[0]), id(&records[2]), id(&records[0]), "--yes"];
    assert_eq!(erase(&dir, &args).success(), "2 inquiries erased\n");
    assert_eq!(stored(&dir), records[1..2]);
    assert!(!gone.iter().any(|text| holds(&dir, text)));
    assert!(holds(&dir, addresses[1]), "the file is read wrongly here");
    assert_eq!(
        erase(&dir, &[id(&records[1]), "--yes"]).success(),
        "1 inquiry erased\n"
    );
    if !is_postgres() {
        assert_eq!(
            fs::read_dir(dir.data()).unwrap().count(),
            2,
            "something was left behind, beside the list of what was erased"
        );
    }
    let server = Setup::new().dir(&dir).start();
    let after = server.store(&record("Danach"));
    assert_eq!(server.stored(), [after]);
}

#[test]
fn with_a_server_they_are_gone_from_the_store_at_once() {
    let server = Server::start();
    let gone = server.store(&addressed("erste@tauben.example"));
    let kept = server.store(&addressed("zweite@tauben.example"));
    let dir = server.dir().clone();
    assert!(holds(&dir, "erste@tauben.example"));
    assert_eq!(erase(&dir, &[id(&gone), "--yes"]).success(), "1 inquiry erased\n");
    assert!(!holds(&dir, "erste@tauben.example"));
    assert!(holds(&dir, "zweite@tauben.example"));
    // With a database, the command erases by itself.
    if !is_postgres() {
        server.logged("erased");
    }
    assert!(!server.stderr().contains(id(&gone)), "{}", server.stderr());
    let after = server.store(&record("Danach"));
    let expected = [kept, after];
    assert_eq!(server.stored(), expected);
    assert_eq!(server.get("/healthz").status, 200);
    let server = server.kill().start();
    assert_eq!(server.stored(), expected, "not durable");
}

#[test]
fn an_unknown_id_is_named_and_nothing_erased() {
    let server = Server::start();
    let records = [server.store(&record("Erste")), server.store(&record("Zweite"))];
    let dir = server.dir().clone();
    let args = [id(&records[0]), UNKNOWN, id(&records[1]), "--yes"];
    let with_server = erase(&dir, &args).failure().to_owned();
    assert!(with_server.contains(UNKNOWN), "{with_server}");
    assert_eq!(server.stored(), records);
    assert_eq!(server.terminate().code, Some(0));
    assert_eq!(
        erase(&dir, &args).failure(),
        with_server,
        "the same words without a server"
    );
    assert_eq!(stored(&dir), records);
}

#[test]
fn until_is_exclusive_and_a_date_is_midnight_in_berlin() {
    let day = Timestamp::now()
        .to_zoned(tz::get!("Europe/Berlin"))
        .date()
        .yesterday()
        .unwrap();
    let midnight = day.to_zoned(tz::get!("Europe/Berlin")).unwrap().timestamp();
    let times = [-2, -1, 0, 1].map(|millis| midnight + SignedDuration::from_millis(millis));
    for with_server in [true, false] {
        let server = Server::start();
        let records = times.map(|time| server.store(&with("created_at", time.to_string())));
        let dir = server.dir().clone();
        let server = with_server.then_some(server);
        let until = format!("--until={}", times[1]);
        assert_eq!(erase(&dir, &[&until, "--yes"]).success(), "1 inquiry erased\n");
        assert_eq!(stored(&dir), records[1..]);
        let date = day.to_string();
        assert_eq!(
            erase(&dir, &["--until", &date, "--yes"]).success(),
            "1 inquiry erased\n"
        );
        assert_eq!(
            erase(&dir, &["--until", &date, "--yes"]).success(),
            "0 inquiries erased\n"
        );
        assert_eq!(stored(&dir), records[2..]);
        drop(server);
    }
}

#[test]
fn nobody_erases_by_a_slip() {
    let server = Server::start();
    let kept = server.store(&record("Krause"));
    let dir = server.dir().clone();
    for args in [&[id(&kept)][..], &["--until", "2099-01-01"]] {
        let line = erase(&dir, args).failure().to_owned();
        assert!(line.contains("--yes"), "{line}");
    }
    for args in [
        &["--yes"][..],
        &["--yes", "--until", "2099-01-01", id(&kept)],
        &["--yes", "Krause"],
        &["--yes", ""],
        &["--yes", "--until", "tomorrow"],
        &["--yes", "--until", ""],
        &["--yes", "--since", "2026-01-01"],
        &["--yes", "--until", "2099-01-01", "--until", "2099-01-01"],
    ] {
        erase(&dir, args).misuse("--help");
    }
    assert_eq!(server.stored(), [kept]);
}

/// Runs the command on a terminal with `typed` as input; returns the exit code and the output.
fn on_a_terminal(dir: &Dir, args: &str, typed: &str) -> (Option<i32>, String) {
    let line = format!("{} erase {args}", program().display());
    let mut script = clean(Command::new("script"), dir.path());
    script.args(["-qec", &line, "/dev/null"]);
    let mut child = script
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Kept open until the end: closing it would close the terminal.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn on_a_terminal_it_asks() {
    let (dir, records) = used(&[record("Erste"), record("Zweite")]);
    let (code, shown) = on_a_terminal(&dir, id(&records[0]), "n\n");
    assert_eq!(code, Some(1), "{shown}");
    assert_has!(shown, "Erase 1 inquiry for good? [y/N] ");
    assert_has!(shown, "nothing was erased");
    let (code, shown) = on_a_terminal(&dir, "--until 2099-07-01", "\n");
    assert_eq!(code, Some(1), "{shown}");
    assert_has!(
        shown,
        "Erase 2 inquiries for good, all made before 2099-07-01T00:00:00+02:00? [y/N] "
    );
    assert_eq!(stored(&dir), records);
    let (code, shown) = on_a_terminal(&dir, id(&records[0]), "y\n");
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("1 inquiry erased"), "{shown}");
    assert_eq!(stored(&dir), records[1..]);
}

#[test]
fn a_repeated_post_does_not_bring_it_back() {
    let server = Server::start();
    let request = post(&record("Krause"))
        .header("Idempotency-Key", "key")
        .header("Prefer", "return=representation");
    let first = server.send(&request);
    assert_eq!(
        erase(server.dir(), &[id(&first.json()[0]), "--yes"]).success(),
        "1 inquiry erased\n"
    );
    let server = server.restart();
    let again = server.send(&request);
    assert_eq!((again.status, again.text()), (first.status, first.text()));
    let other = post(&record("Anders")).header("Idempotency-Key", "key");
    assert_eq!(server.send(&other).status, 422);
    assert!(server.stored().is_empty());
}

#[test]
fn without_room_nothing_is_erased() {
    leave_out_on_postgres!("a data directory");
    let (dir, records) = used(&[record("Krause")]);
    let mut shell = clean(Command::new("sh"), dir.path());
    let commands = "trap '' XFSZ; ulimit -S -f 16; exec \"$0\" \"$@\"";
    shell
        .args(["-c", commands])
        .arg(program())
        .args(["erase", "--yes", id(&records[0])]);
    let line = finish(&mut shell).failure().to_owned();
    assert!(line.contains("nothing was erased"), "{line}");
    assert_eq!(stored(&dir), records);
    let names = fs::read_dir(dir.data())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let is_half = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".new");
    assert!(
        !names.into_iter().any(|name| is_half(&name)),
        "half a file was left behind"
    );
}
