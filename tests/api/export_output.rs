//! The destinations of `export`, and its consistency while the server is busy (`docs/behaviour.md`, "Export").

use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::harness::command::{command, finish};
use crate::harness::dir::mode;
use crate::harness::inquiry::{large, post};
use crate::harness::server::export;
use crate::harness::store::is_postgres;
use crate::harness::{Dir, Server, Setup, leave_out_on_postgres, record, run, until_true};

/// The names of the entries beside the data directory.
fn names(dir: &Dir) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "data")
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_written_whole_and_for_the_operator_only() {
    let server = Server::start();
    server.store(&record("Krause"));
    for format in ["csv", "json", "jsonl", "xlsx"] {
        let name = format!("export.{format}");
        let path = server.dir().path().join(&name);
        let export = server.export(&["--format", format, "--output", path.to_str().unwrap()]);
        assert_eq!(export.success(), "", "{format}");
        assert_eq!(mode(&path), 0o600, "{format}");
        if format != "xlsx" {
            assert_eq!(
                fs::read(&path).unwrap(),
                server.export(&["--format", format]).stdout,
                "{format}"
            );
        }
    }
    let expected = ["export.csv", "export.json", "export.jsonl", "export.xlsx"];
    assert_eq!(names(server.dir()), expected, "something was left behind");
}

#[test]
fn a_file_that_is_there_is_replaced_in_one_step() {
    let server = Server::start();
    server.store(&record("Krause"));
    let path = server.dir().write("export.csv", "x".repeat(100_000));
    let old = fs::File::open(&path).unwrap();
    server.export(&["--output", &path]).success();
    assert_eq!(fs::read(&path).unwrap(), server.export(&[]).stdout);
    assert_eq!(mode(path.as_ref()), 0o600);
    assert_eq!(
        old.metadata().unwrap().len(),
        100_000,
        "whoever reads the old file still has all of it"
    );
}

#[test]
fn a_killed_command_leaves_nothing_behind() {
    let server = Server::start();
    server.store(&record("Krause"));
    let dir = server.dir();
    for args in [
        &["export"][..],
        &["export", "--format", "xlsx"],
        &["report"],
        &["newsletter", "export"],
        &["firms", "statement", "--month", "2026-01"],
        &["backup"],
    ] {
        let args = [args, &["--output", "written"]].concat();
        for millis in [1, 5, 10, 20] {
            let mut killed = command(dir.path())
                .args(&args)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            thread::sleep(Duration::from_millis(millis));
            killed.kill().unwrap();
            killed.wait().unwrap();
            let left = names(dir).into_iter().filter(|name| name != "written");
            assert_eq!(left.collect::<Vec<_>>(), [""; 0], "{args:?}");
        }
    }
}

#[test]
fn a_failed_export_leaves_everything_as_it_was() {
    let server = Server::start();
    server.store(&record("Krause"));
    server.dir().write("file", "mine");
    fs::create_dir(server.dir().path().join("folder")).unwrap();
    for output in ["missing/export.csv", "folder", "file/export.csv"] {
        let path = server.dir().path().join(output);
        server.export(&["--output", path.to_str().unwrap()]).failure();
    }
    assert_eq!(names(server.dir()), ["file", "folder"]);
    let nowhere = Dir::new();
    let kept = nowhere.write("kept.csv", "mine");
    // Nothing listens on port 1.
    let store = if is_postgres() {
        "postgres://test@127.0.0.1:1/postgres".to_owned()
    } else {
        nowhere.store()
    };
    export(&nowhere, &["--output", &kept, "--store", &store]).failure();
    assert_eq!(fs::read_to_string(&kept).unwrap(), "mine");
}

#[test]
fn outputs_that_cannot_be_written_are_named() {
    let server = Server::start();
    server.store(&record("Krause"));
    let dir = server.dir().path().to_str().unwrap().to_owned();
    for (output, expected) in [
        ("", "DIR/ is a directory; name a file in it as --output"),
        (
            "no/out.csv",
            "cannot write DIR/no/out.csv: No such file or directory (os error 2); make room there, or choose another --output",
        ),
    ] {
        let export = server.export(&["--output", &format!("{dir}/{output}")]);
        let line = export.failure().replace(&dir, "DIR");
        assert!(line.contains(expected), "{line}");
    }
    for format in ["csv", "json", "jsonl", "xlsx"] {
        let full = server.export(&["--format", format, "--output", "/dev/full"]);
        full.fails_with("cannot write /dev/full: ");
        server
            .export(&["--format", format, "--output", "/dev/null"])
            .success();
    }
}

#[test]
fn a_link_stays_and_what_it_points_to_is_replaced() {
    let server = Server::start();
    let (real, link) = (
        server.dir().write("real", "old"),
        server.dir().path().join("link"),
    );
    std::os::unix::fs::symlink(&real, &link).unwrap();
    server.export(&["--output", link.to_str().unwrap()]).success();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().starts_with("id,"));
}

#[test]
fn a_missing_data_directory_is_an_error_and_stays_missing() {
    leave_out_on_postgres!("a data directory");
    let dir = Dir::new();
    for format in ["csv", "json", "jsonl", "xlsx"] {
        let line = export(&dir, &["--format", format]).failure().to_owned();
        assert!(line.contains("data"), "{line}");
    }
    assert!(names(&dir).is_empty(), "{:?}", names(&dir));
}

#[test]
fn a_reader_that_stops_early_is_no_disaster() {
    let server = Server::start();
    for number in 0..50 {
        server.store(&record(&format!("Nr. {number}")));
    }
    let program = crate::harness::program();
    let line = format!("'{}' export | head -n 1", program.display());
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &line]);
    let finished =
        crate::harness::command::finish(&mut crate::harness::command::clean(command, server.dir().path()));
    assert_eq!(finished.code, Some(0));
    assert!(finished.text().starts_with("id,created_at"));
    assert!(
        finished.stderr.lines().count() <= 1 && !finished.stderr.contains("panic"),
        "{}",
        finished.stderr
    );
}

/// An export larger than a pipe, whose reader has not started, as in `export | less`.
fn paused_export(dir: &Dir) -> std::process::Child {
    command(dir.path())
        .arg("export")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Stores more inquiries than fit into a pipe and its buffers; returns their number.
fn store_much(server: &Server) -> usize {
    let request = post(&large());
    let mut connection = server.connect();
    let count = 1500;
    for _ in 0..count {
        assert_eq!(connection.send(&request).status, 201);
    }
    count
}

/// The whole output of a paused export, and whether it succeeded.
fn resume(mut export: std::process::Child) -> (String, bool) {
    let mut text = String::new();
    export.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    (text, export.wait().unwrap().success())
}

/// Whether the pipe of an export is full.
fn is_full(export: &std::process::Child) -> bool {
    let pipe = export.stdout.as_ref().unwrap();
    rustix::io::ioctl_fionread(pipe).unwrap() >= 64 << 10
}

#[test]
fn a_paused_export_does_not_keep_a_server_from_starting() {
    let server = Server::start();
    let dir = server.dir().clone();
    let count = store_much(&server);
    assert_eq!(server.terminate().code, Some(0));
    let export = paused_export(&dir);
    until_true("the export to wait for its reader", || is_full(&export));
    let server = Setup::new().dir(&dir).start();
    server.store(&record("Danach"));
    let (text, is_success) = resume(export);
    assert!(is_success);
    assert_eq!(text.lines().count(), 1 + count);
}

/// Whether erased data is still readable: from a deleted file that the server has open, or in a transaction.
fn holds_old_state(server: &Server) -> bool {
    if let Some(schema) = server.dir().schema() {
        return schema.has_open_transaction();
    }
    let open = fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap();
    let mut links = open.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
    links.any(|path| path.to_string_lossy().contains("(deleted)"))
}

#[test]
fn a_paused_export_does_not_keep_what_is_erased() {
    let server = Server::start();
    let count = store_much(&server);
    let export = paused_export(server.dir());
    // An export that starts during an erasure sees only what is left.
    until_true("the export to wait for its reader", || is_full(&export));
    run(server.dir().path(), &["erase", "--yes", "--until", "2100-01-01"]).success();
    // The snapshot is released as soon as the command has read everything.
    until_true("the old state to be closed", || !holds_old_state(&server));
    let (text, is_success) = resume(export);
    assert!(is_success);
    assert_eq!(text.lines().count(), 1 + count);
}

#[test]
fn an_export_needs_no_temporary_directory() {
    let server = Server::start();
    // More than the command keeps in memory.
    let count = store_much(&server) + store_much(&server);
    let mut export = command(server.dir().path());
    export.args(["export"]).env("TMPDIR", "/nowhere");
    let text = finish(&mut export).success().to_owned();
    assert!(text.len() > 2 << 20, "{} bytes", text.len());
    assert_eq!(text.lines().count(), 1 + count);
}
