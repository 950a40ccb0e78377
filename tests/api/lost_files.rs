//! Files of the data directory that are deleted, moved or replaced while a server runs. The server either continues or reports
//! within 15 seconds that it cannot. Nothing acknowledged is lost, and no second server starts on the directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{Dir, Server, Setup, leave_out_on_postgres, record, run, until, until_true};

/// How long the server may take to notice.
const NOTICE: Duration = Duration::from_secs(15);

/// An operation on a file.
type Deed = fn(&Path);

fn delete(path: &Path) {
    fs::remove_file(path).unwrap();
}

fn move_away(path: &Path) {
    fs::rename(path, away(path)).unwrap();
}

fn replace_by_a_copy(path: &Path) {
    let copy = away(path);
    fs::copy(path, &copy).unwrap();
    fs::rename(copy, path).unwrap();
}

fn replace_by_nothing(path: &Path) {
    delete(path);
    fs::write(path, "").unwrap();
}

fn away(path: &Path) -> PathBuf {
    path.parent().unwrap().parent().unwrap().join("away")
}

/// A server with one inquiry, and the names of all that it has acknowledged. A second inquiry was erased, so that every file
/// exists.
fn server() -> (Server, Vec<String>) {
    let server = Server::start();
    let erased = server.store_id(&record("Erased"));
    run(server.dir().path(), &["erase", &erased, "--yes"]).success();
    server.store(&record("Before"));
    (server, vec!["Before".to_owned()])
}

/// Sends inquiries until one is refused; appends the acknowledged ones.
fn send_until_refused(server: &Server, acknowledged: &mut Vec<String>) {
    let begun = Instant::now();
    let mut visitors = server.connect();
    loop {
        let name = format!("After {}", acknowledged.len());
        let response = visitors.send(&crate::harness::inquiry::post(&record(&name)));
        match response.status {
            201 => acknowledged.push(name),
            status => {
                assert_eq!(status, 503);
                break;
            }
        }
        assert!(begun.elapsed() < NOTICE, "inquiries are still taken");
    }
    until_true("the health check to say so", || {
        server.get("/healthz").status == 503
    });
    assert!(begun.elapsed() < NOTICE, "{:?}", begun.elapsed());
    server.logged("was moved, deleted or replaced");
}

/// The names that `export` finds, with or without a server.
fn names(dir: &Dir, args: &[&str]) -> Vec<String> {
    let export = run(dir.path(), &[&["export", "--format", "jsonl"], args].concat());
    let lines = export.success().lines();
    let mut names: Vec<String> = lines
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["last_name"].to_string())
        .map(|name| name.trim_matches('"').to_owned())
        .collect();
    names.sort();
    names
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

#[test]
fn a_store_that_is_lost_is_told_and_loses_nothing() {
    leave_out_on_postgres!("a data directory");
    let deeds: [(&str, Deed); 4] = [
        ("deleted", delete),
        ("moved", move_away),
        ("copied", replace_by_a_copy),
        ("emptied", replace_by_nothing),
    ];
    thread::scope(|scope| {
        for (name, deed) in deeds {
            scope.spawn(move || {
                let (server, mut acknowledged) = server();
                let file = server.dir().store_file();
                deed(&file);
                send_until_refused(&server, &mut acknowledged);
                let second = Setup::new().dir(server.dir()).fail();
                second.fails_with("in use");
                assert_eq!(server.get("/").status, 200, "{name}");
                assert_eq!(names(server.dir(), &[]), sorted(acknowledged.clone()), "{name}");
                let backup = ["backup", "--output", "saved"];
                assert!(
                    run(server.dir().path(), &backup).code == Some(0)
                        || server.dir().path().join("saved").exists(),
                    "{name}"
                );
                if name != "moved" {
                    // The operator restores the backup.
                    let dir = server.dir().clone();
                    assert_eq!(server.terminate().code, Some(0), "{name}");
                    let _ = fs::remove_file(&file);
                    run(dir.path(), &["restore", "saved"]).success();
                    let server = Setup::new().dir(&dir).start();
                    assert_eq!(names(&dir, &[]), sorted(acknowledged), "{name}");
                    assert_eq!(server.get("/healthz").status, 200, "{name}");
                    return;
                }
                fs::rename(away(&file), &file).unwrap();
                until_true("the server to be healthy", || {
                    server.get("/healthz").status == 200
                });
                server.store(&record("Danach"));
                acknowledged.push("Danach".to_owned());
                assert_eq!(names(server.dir(), &[]), sorted(acknowledged.clone()), "{name}");
                let dir = server.dir().clone();
                drop(server);
                assert_eq!(names(&dir, &[]), sorted(acknowledged), "{name}");
            });
        }
    });
}

#[test]
fn a_data_directory_that_is_lost_is_told_and_loses_nothing() {
    leave_out_on_postgres!("a data directory");
    for is_replaced in [false, true] {
        let (server, mut acknowledged) = server();
        let data = server.dir().data();
        let moved = server.dir().path().join("moved");
        fs::rename(&data, &moved).unwrap();
        if is_replaced {
            fs::create_dir(&data).unwrap();
        }
        send_until_refused(&server, &mut acknowledged);
        let there = moved.to_str().unwrap();
        let second = Setup::new().dir(server.dir()).args(&["--data-dir", there]).fail();
        second.fails_with("in use");
        assert_eq!(
            names(server.dir(), &["--data-dir", there]),
            sorted(acknowledged.clone())
        );
        if is_replaced {
            assert_eq!(
                fs::read_dir(&data).unwrap().count(),
                0,
                "nothing is made in a stranger's"
            );
            fs::remove_dir(&data).unwrap();
        }
        fs::rename(&moved, &data).unwrap();
        until_true("the server to be healthy", || {
            server.get("/healthz").status == 200
        });
        assert_eq!(names(server.dir(), &[]), sorted(acknowledged));
    }
}

#[test]
fn a_server_goes_on_without_its_other_files() {
    leave_out_on_postgres!("a data directory");
    let deeds: [(&str, Deed); 2] = [("deleted", delete), ("moved", move_away)];
    for file in ["erased.jsonl", "control.sock"] {
        for (name, deed) in deeds {
            let (server, _) = server();
            let path = server.dir().data().join(file);
            deed(&path);
            let begun = Instant::now();
            let stored = server.store(&record("After"));
            until("commands to work", || {
                run(server.dir().path(), &["export"])
                    .code
                    .filter(|&code| code == 0)
            });
            assert!(begun.elapsed() < NOTICE, "{file} {name}: {:?}", begun.elapsed());
            assert_eq!(server.get("/healthz").status, 200, "{file} {name}");
            let second = Setup::new().dir(server.dir()).fail();
            second.fails_with("in use");
            assert_eq!(names(server.dir(), &[]), ["After", "Before"], "{file} {name}");
            let id = stored["id"].as_str().unwrap();
            run(server.dir().path(), &["erase", id, "--yes"]).success();
            let erased = fs::read_to_string(server.dir().data().join("erased.jsonl")).unwrap();
            assert!(erased.contains(id), "{file} {name}: {erased}");
            assert_eq!(names(server.dir(), &[]), ["Before"], "{file} {name}");
        }
    }
}
