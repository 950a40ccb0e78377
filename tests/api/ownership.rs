//! The data directory: it is private, only one server uses it at a time, and foreign files in it are not touched.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::harness::dir::mode;
use crate::harness::server::export;
use crate::harness::{Dir, Server, Setup, leave_out_on_postgres, record, run};
use crate::privacy::{OTHER_USER, as_other_user, is_root};

/// The directory of a stopped server with one inquiry.
fn used() -> Dir {
    let server = Server::start();
    assert_eq!(server.post(&record("Krause")).status, 201);
    let dir = server.dir().clone();
    assert_eq!(server.terminate().code, Some(0));
    dir
}

/// Every file below a directory, with its content.
fn content(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_second_server_on_the_same_data_is_refused() {
    leave_out_on_postgres!("a data directory");
    let first = Server::start();
    assert_eq!(first.post(&record("Krause")).status, 201);
    let second = Setup::new().dir(first.dir()).fail();
    second.fails_with("data");
    assert_eq!(
        first.post(&record("Danach")).status,
        201,
        "the first is not disturbed"
    );
    assert_eq!(first.stored().len(), 2);
}

#[test]
fn a_foreign_or_broken_file_is_refused_and_not_touched() {
    leave_out_on_postgres!("a data directory");
    let original = fs::read(used().store_file()).unwrap();
    let half = &original[..original.len() / 2];
    let mut flipped = original.clone();
    for byte in &mut flipped[..512] {
        *byte ^= 0x5a;
    }
    for (what, bytes) in [
        ("a text", &b"hello\n"[..]),
        (
            "a database of another kind",
            &[b"SQLite format 3\0".as_slice(), &[0; 4096]].concat(),
        ),
        ("zeros", &[0; 8192]),
        ("half of one", half),
        ("one with a broken head", &flipped),
        ("its first bytes only", &original[..64]),
    ] {
        let dir = used();
        fs::write(dir.store_file(), bytes).unwrap();
        let before = content(&dir.data());
        let line = Setup::new().dir(&dir).fail().failure().to_owned();
        assert!(
            line.contains("inquiries") || line.contains("data"),
            "{what}: {line}"
        );
        assert_eq!(content(&dir.data()), before, "{what} was changed by serve");
        export(&dir, &[]).failure();
        assert_eq!(content(&dir.data()), before, "{what} was changed by export");
    }
}

#[test]
fn a_place_that_is_no_directory_is_refused() {
    leave_out_on_postgres!("a data directory");
    for place in ["data", "data/below", "data/below/even"] {
        let setup = Setup::new();
        let file = setup.dir.write("data", "not a directory");
        let path = setup.dir.path().join(place);
        let setup = setup.args(&["--data-dir", path.to_str().unwrap()]);
        let line = setup.fail().failure().to_owned();
        assert!(line.contains("data"), "{place}: {line}");
        assert_eq!(fs::read_to_string(file).unwrap(), "not a directory", "{place}");
    }
}

#[test]
fn missing_directories_are_made() {
    leave_out_on_postgres!("a data directory");
    let setup = Setup::new();
    let path = setup.dir.path().join("a/b/c");
    let server = setup.args(&["--data-dir", path.to_str().unwrap()]).start();
    assert_eq!(server.post(&record("Krause")).status, 201);
    assert_eq!(mode(&path), 0o700);
}

#[test]
fn files_of_others_in_the_directory_stay_as_they_are() {
    leave_out_on_postgres!("a data directory");
    let setup = Setup::new();
    let path = setup.dir.write("data/notes.txt", "mine");
    let server = setup.start();
    assert_eq!(server.post(&record("Krause")).status, 201);
    let server = server.restart();
    assert_eq!(fs::read_to_string(path).unwrap(), "mine");
    assert_eq!(mode(&server.dir().data().join("notes.txt")) & 0o600, 0o600);
}

#[test]
fn a_directory_of_another_user_is_used_with_a_warning() {
    leave_out_on_postgres!("a data directory");
    // Only root can create one.
    if !is_root() {
        return;
    }
    let server = Setup::new()
        .args(&["--data-dir", "volume"])
        .shell(&format!(
            "chmod 755 .; mkdir volume; chmod 777 volume; {}",
            as_other_user()
        ))
        .start();
    let warning = server.logged("mode cannot be changed");
    assert_has!(warning, "WARN");
    assert_has!(warning, "volume");
    assert_eq!(server.post(&record("Krause")).status, 201);
    let volume = server.dir().path().join("volume");
    assert_eq!(mode(&volume), 0o777);
    assert_eq!(mode(&volume.join("inquiries.redb")), 0o600);
    assert!(!server.terminate().stderr.contains("root runs this server"));
    Server::start().logged("root runs this server");
}

#[test]
fn root_erases_for_the_server_s_user() {
    leave_out_on_postgres!("a data directory");
    if !is_root() {
        return;
    }
    let setup = Setup::new().shell(&format!("chown {OTHER_USER} .; {}", as_other_user()));
    let server = setup.start();
    let erased = server.store(&record("Krause"));
    let kept = server.store(&record("Meier"));
    assert_eq!(server.terminate().code, Some(0));

    let id = erased["id"].as_str().unwrap();
    run(setup.dir.path(), &["erase", "--yes", id]).success();
    let file = fs::metadata(setup.dir.store_file()).unwrap();
    let other: u32 = OTHER_USER.parse().unwrap();
    assert_eq!((file.uid(), file.gid()), (other, other));
    assert_eq!(mode(&setup.dir.store_file()), 0o600);

    let server = setup.start();
    assert_eq!(server.stored(), [kept]);
    assert_eq!(server.post(&record("Schulze")).status, 201);
}
