//! `backup`, `restore` and `check`: everything is restored, and damaged backups are refused (`docs/behaviour.md`, "Backup, restore,
//! copy, check").

mod erased;
mod held;
mod versions;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::Value;

use crate::harness::command::{Finished, command, finish};
use crate::harness::dir::mode;
use crate::harness::inquiry::post;
use crate::harness::store::{is_postgres, leave_out_on_postgres, leave_out_on_redb};
use crate::harness::{Dir, Server, Setup, record, run, until_true};

fn backup(dir: &Dir) -> Finished {
    run(dir.path(), &["backup", "--output", "the.backup"])
}

fn check(dir: &Dir, args: &[&str]) -> Finished {
    run(dir.path(), &[&["check"], args].concat())
}

fn restore(dir: &Dir, args: &[&str]) -> Finished {
    at_new(dir, &[&["restore", "the.backup"], args].concat())
}

/// Runs a command on the restored store.
fn at_new(dir: &Dir, args: &[&str]) -> Finished {
    run(dir.path(), &[args, &["--store", &dir.second_store()]].concat())
}

/// Starts a server on the restored store.
fn serve(dir: &Dir, args: &[&str]) -> Server {
    Setup::new()
        .dir(dir)
        .args(&["--store", &dir.second_store()])
        .args(args)
        .start()
}

/// The directory of a stopped server with one inquiry, and its backup.
fn backed_up() -> (Dir, Value) {
    let server = Server::start();
    let stored = server.store(&record("Kranichfeld"));
    let dir = server.dir().clone();
    assert_eq!(server.terminate().code, Some(0));
    assert_eq!(backup(&dir).success(), "1 inquiry backed up to the.backup\n");
    (dir, stored)
}

#[test]
fn everything_comes_back_from_a_backup_of_a_running_server() {
    let server = Server::start();
    let dir = server.dir().clone();
    let request = post(&record("Kranichfeld"))
        .header("Idempotency-Key", "the-key")
        .header("Prefer", "return=representation");
    let first = server.send(&request).json()[0].clone();
    let location = server
        .send(&post(&record("Zaunkönig")))
        .expect("location")
        .to_owned();
    dir.write("the.backup", "what was there before");
    assert_eq!(backup(&dir).success(), "2 inquiries backed up to the.backup\n");
    assert_eq!(mode(&dir.path().join("the.backup")), 0o600);
    let stored = server.stored();
    server.store(&record("Danach"));
    assert_eq!(server.terminate().code, Some(0));

    let restored = restore(&dir, &[]);
    let (place, made_at) = restored.success().split_once(", as of 20").unwrap();
    assert!(place.starts_with("2 inquiries restored to "), "{restored:?}");
    assert!(!made_at.is_empty() && !place.contains("test@"), "{restored:?}");
    if !is_postgres() {
        let new = dir.path().join("new");
        assert!(place.ends_with("/new"), "{place}");
        assert_eq!(mode(&new.join("inquiries.redb")), 0o600);
        assert_eq!(mode(&new), 0o700);
        assert_eq!(fs::read_dir(new).unwrap().count(), 1);
    }
    let server = serve(&dir, &[]);
    let exported: Vec<Value> = at_new(&dir, &["export", "--format", "json"]).json();
    let found: Vec<&Value> = exported.iter().map(|inquiry| &inquiry["id"]).collect();
    assert_eq!(found, [&stored[0]["id"], &stored[1]["id"]]);
    // Idempotency keys and the secret of private pages are restored.
    assert_eq!(server.send(&request).json()[0], first);
    assert_eq!(server.get(&location).status, 200);
}

#[test]
fn a_backup_of_a_closed_store_is_the_same_and_takes_the_place_of_what_a_link_names() {
    let (dir, _) = backed_up();
    symlink("the.backup", dir.path().join("link")).unwrap();
    run(dir.path(), &["backup", "--output", "link"]).success();
    assert!(dir.path().join("link").is_symlink());
    let checked = check(&dir, &["link"]);
    assert!(checked.success().starts_with("a backup of 20"), "{checked:?}");
    assert!(checked.text().ends_with("every record can be read\n"));
    assert!(restore(&dir, &[]).success().starts_with("1 inquiry restored"));
}

#[test]
fn every_changed_byte_of_a_backup_is_noticed() {
    let (dir, _) = backed_up();
    let path = dir.path().join("the.backup");
    let whole = fs::read(&path).unwrap();
    assert!(whole.len() < 4000, "{} bytes take long", whole.len());
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        fs::write(&path, &changed).unwrap();
        let read = taubenabwehr::store::Backup::read(&path);
        assert!(read.is_err(), "byte {at}");
    }
    // A few positions through the commands, as an operator would notice.
    for at in [0, 19, 20, 24, whole.len() / 2, whole.len() - 1] {
        let mut changed = whole.clone();
        changed[at] ^= 0x10;
        fs::write(&path, &changed).unwrap();
        check(&dir, &["the.backup"]).failure();
        restore(&dir, &[]).failure();
        let kept = at_new(&dir, &["export", "--format", "json"]);
        assert!(
            kept.code == Some(1) || kept.text() == "[]\n",
            "byte {at}: {kept:?}"
        );
        assert!(!dir.path().join("new/inquiries.redb").exists(), "byte {at}");
        assert!(!dir.path().join("new").exists(), "byte {at}");
    }
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(
            taubenabwehr::store::Backup::read(&path).is_err(),
            "{length} bytes"
        );
    }
    fs::write(&path, [whole.as_slice(), b"more"].concat()).unwrap();
    check(&dir, &["the.backup"]).fails_with("is damaged");
    fs::write(&path, &whole).unwrap();
    check(&dir, &["the.backup"]).success();
}

#[test]
fn what_is_no_backup_of_this_version_is_refused_in_one_line() {
    let (dir, _) = backed_up();
    let whole = fs::read(dir.path().join("the.backup")).unwrap();
    let mut newer = whole.clone();
    newer[20] += 1;
    let cases: [(&[u8], &str); 5] = [
        (b"", "the.backup is empty"),
        (b"id,created_at\n", "the.backup is not a backup"),
        (b"taubenabwehr back", "the.backup is damaged (it was cut short)"),
        (&whole[..whole.len() / 2], "the.backup is damaged (its checksum"),
        (
            &newer,
            "the.backup was written by a newer taubenabwehr (version 6, this one knows up to 5)",
        ),
    ];
    for (content, expected) in cases {
        dir.write("the.backup", content);
        for finished in [check(&dir, &["the.backup"]), restore(&dir, &[])] {
            finished.fails_with(expected);
        }
    }
    if !is_postgres() {
        fs::copy(dir.store_file(), dir.path().join("the.backup")).unwrap();
        check(&dir, &["the.backup"]).fails_with("is not a backup");
    }
    let missing = check(&dir, &["missing"]);
    missing.fails_with("cannot read missing");
}

/// All inquiries in the store of a directory.
fn content(dir: &Dir) -> Value {
    serde_json::from_str(run(dir.path(), &["inquiries", "--json"]).success()).unwrap()
}

#[test]
fn a_target_that_is_in_use_or_has_inquiries_stays_as_it_is() {
    let (dir, stored) = backed_up();
    let target = ["restore", "the.backup"];
    let before = content(&dir);
    let refused = run(dir.path(), &target);
    refused.fails_with("1 inquir");
    assert_eq!(content(&dir), before);

    let empty = Server::start();
    let busy = empty.dir().clone();
    let file = dir.path().join("the.backup");
    // Instances and commands share a database.
    if !is_postgres() {
        let refused = run(busy.path(), &["restore", file.to_str().unwrap()]);
        refused.fails_with("in use");
    }
    // A stopped server without inquiries leaves a store that can be restored to.
    assert_eq!(empty.terminate().code, Some(0));
    run(busy.path(), &["restore", file.to_str().unwrap()]).success();
    assert_eq!(crate::harness::server::stored(&busy), [stored]);
}

#[test]
fn a_name_that_is_taken_by_something_else_is_refused_and_nothing_is_left() {
    let (dir, _) = backed_up();
    fs::create_dir(dir.path().join("folder")).unwrap();
    let own: &[&str] = if is_postgres() {
        &[]
    } else {
        &["data/inquiries.redb"]
    };
    for output in [own, &["folder", "missing/x"]].concat() {
        run(dir.path(), &["backup", "--output", output]).failure();
    }
    run(dir.path(), &["backup"]).misuse("--output");
    // Besides the folder there are the backup and, on redb, the data directory.
    let beside = if is_postgres() { 1 } else { 2 };
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1 + beside);
    run(dir.path(), &["check"]).success();
}

#[test]
fn an_interrupted_backup_leaves_the_older_file_and_nothing_else() {
    let (dir, _) = backed_up();
    let before = fs::read(dir.path().join("the.backup")).unwrap();
    for millis in [1, 5, 10, 20] {
        let mut child = command(dir.path())
            .args(["backup", "--output", "the.backup"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(millis));
        child.kill().unwrap();
        child.wait().unwrap();
        check(&dir, &["the.backup"]).success();
        run(dir.path(), &["check"]).success();
    }
    // If a run completed before it was killed, the backup also holds the time of the last one.
    let after = fs::read(dir.path().join("the.backup")).unwrap();
    assert!(after.len().abs_diff(before.len()) < 200, "{}", after.len());
}

#[test]
fn nothing_is_written_but_the_backup_and_what_is_restored() {
    let (dir, _) = backed_up();
    let beside = fs::read_dir(dir.path()).unwrap().count();
    let target = dir.second_store();
    for args in [
        &["backup", "--output", "the.backup"][..],
        &["check", "the.backup"],
        &["restore", "the.backup", "--store", &target],
    ] {
        let mut command = command(dir.path());
        // The directory for temporary files does not exist.
        command.args(args).env("TMPDIR", dir.path().join("missing"));
        finish(&mut command).success();
    }
    let new = usize::from(!is_postgres());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), beside + new);
}

#[test]
fn an_interrupted_restore_to_a_database_leaves_it_as_it_was() {
    leave_out_on_redb!("a transaction of a database");
    let (dir, stored) = backed_up();
    let schema = dir.second_schema().unwrap();
    assert!(at_new(&dir, &["inquiries"]).success().lines().count() <= 1);
    let locked = schema.lock("counts");
    let mut killed = command(dir.path())
        .args(["restore", "the.backup", "--store", &dir.second_store()])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let waits = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'counts'::regclass";
    until_true("the restore to wait", || !schema.query(waits).is_empty());
    killed.kill().unwrap();
    killed.wait().unwrap();
    drop(locked);
    restore(&dir, &[]).success();
    let exported: Vec<Value> = at_new(&dir, &["export", "--format", "json"]).json();
    assert_eq!(exported[0]["id"], stored["id"]);
}

#[test]
fn the_list_beside_a_lost_store_is_named() {
    leave_out_on_postgres!("a list beside the file");
    let (dir, _) = backed_up();
    let list = dir.write("new/erased.jsonl", "");
    let restored = restore(&dir, &[]);
    assert_has!(restored.success(), &format!("--erased {list}"));
}
