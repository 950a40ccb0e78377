//! Directories and files that are missing, in use, foreign, or from another version.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use redb::{Database, TableDefinition};
use taubenabwehr::store::redb::LOCK_WAIT;
use taubenabwehr::store::{OpenError, Store};

use crate::support::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The text of an error, with the directory's name abbreviated.
fn error(result: Result<Store, OpenError>, dir: &Path) -> String {
    result
        .unwrap_err()
        .to_string()
        .replace(dir.to_str().unwrap(), "DIR")
}

#[test]
fn directory_and_file_are_made_for_this_user_only() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("a/b/data");
    drop(Store::open(&data).unwrap());
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&file(&data)), 0o600);
    let names: Vec<_> = fs::read_dir(&data)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["inquiries.redb"]);
}

#[test]
fn a_directory_of_ours_alone_is_closed_to_others() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        drop(Store::open(dir.path()).unwrap());
        assert_eq!(mode(dir.path()), 0o700);
    }
    fs::set_permissions(file(dir.path()), Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
    fs::write(dir.path().join("notes.txt"), "").unwrap();
    drop(Store::open(dir.path()).unwrap());
    assert_eq!(mode(dir.path()), 0o755);
    assert_eq!(mode(&file(dir.path())), 0o600);
}

#[test]
fn a_command_makes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing");
    assert_eq!(
        error(Store::open_existing(&missing), dir.path()),
        "the data directory DIR/missing does not exist; check --data-dir (TAUBENABWEHR_DATA_DIR), name a database by --store \
         (TAUBENABWEHR_STORE), or name the configuration file by --config (TAUBENABWEHR_CONFIG): without any of them, \
         /etc/taubenabwehr/config.toml is taken if this user may read it"
    );
    assert!(!missing.exists());
    assert_eq!(
        error(Store::open_existing(dir.path()), dir.path()),
        "there is no file DIR/inquiries.redb; check --data-dir, or start the server once"
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn what_stands_in_the_way_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let other = dir.path().join("file");
    fs::write(&other, "").unwrap();
    let expected = "DIR/file is not a directory; choose another --data-dir";
    assert_eq!(error(Store::open(&other), dir.path()), expected);
    assert_eq!(error(Store::open_existing(&other), dir.path()), expected);
    let below = error(Store::open(&other.join("data")), dir.path());
    assert_eq!(
        below,
        "DIR/file/data is not a directory; choose another --data-dir"
    );

    let data = dir.path().join("data");
    fs::create_dir_all(file(&data)).unwrap();
    let expected = "DIR/data/inquiries.redb is not a file; move it away or choose another --data-dir";
    assert_eq!(error(Store::open(&data), dir.path()), expected);
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let path = Path::new("/proc/taubenabwehr");
    let text = Store::open(path).unwrap_err().to_string();
    assert!(text.contains("/proc/taubenabwehr"), "{text}");
    assert!(!text.contains('\n'), "{text}");
}

#[tokio::test]
async fn a_file_in_use_is_waited_for_and_then_named() {
    let dir = tempfile::tempdir().unwrap();
    let first = Store::open(dir.path()).unwrap();
    let expected =
        "DIR/inquiries.redb is in use by another process; stop that one, or choose another --data-dir";
    assert_eq!(error(Store::open_existing(dir.path()), dir.path()), expected);
    let started = Instant::now();
    assert_eq!(error(Store::open(dir.path()), dir.path()), expected);
    assert!(started.elapsed() >= LOCK_WAIT);
    // The process that has it open is not disturbed.
    first.put(sample(1), None).await.unwrap();

    let waiting = std::thread::spawn({
        let path = dir.path().to_owned();
        move || open_patiently(&path)
    });
    std::thread::sleep(Duration::from_millis(200));
    drop(first);
    assert_eq!(all(&waiting.join().unwrap()).await.len(), 1);
}

#[test]
fn many_that_open_at_once_get_one_store() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let data = dir.path().join(round.to_string());
        let opening: Vec<_> = (0..4)
            .map(|_| {
                let data = data.clone();
                std::thread::spawn(move || {
                    let clock = FakeClock::default().clock();
                    let store = Store::open_with_clock(&data, Duration::ZERO, clock);
                    std::thread::sleep(Duration::from_millis(50));
                    store.map(|_| ()).map_err(|error| error.is_in_use())
                })
            })
            .collect();
        let results: Vec<_> = opening.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(results.iter().any(Result::is_ok), "{results:?}");
        assert!(results.iter().all(|result| *result != Err(false)), "{results:?}");
    }
}

#[tokio::test]
async fn what_a_crash_while_making_the_file_left_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(new_file(dir.path()), "half a file").unwrap();
    fs::write(file(dir.path()), "").unwrap();
    assert_eq!(all(&Store::open(dir.path()).unwrap()).await, []);
    assert!(!new_file(dir.path()).exists());
}

#[tokio::test]
async fn a_newer_file_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.put(sample(1), None).await.unwrap();
    drop(store);
    {
        const FACTS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("facts");
        let database = Database::open(file(dir.path())).unwrap();
        let transaction = database.begin_write().unwrap();
        transaction
            .open_table(FACTS)
            .unwrap()
            .insert(b"schema".as_slice(), 99_u64.to_be_bytes().as_slice())
            .unwrap();
        transaction.commit().unwrap();
    }
    for opened in [Store::open(dir.path()), Store::open_existing(dir.path())] {
        assert_eq!(
            error(opened, dir.path()),
            "DIR cannot be used: a newer taubenabwehr wrote it (format 99, this one reads 1); update this program"
        );
    }
}

#[test]
fn a_file_of_others_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path());
    let expected = "DIR/inquiries.redb does not hold inquiries; move it away or choose another --data-dir";
    for content in [
        "SQLite format 3\0 and more",
        "a text that is longer than the first bytes",
    ] {
        fs::write(&path, content).unwrap();
        assert_eq!(error(Store::open(dir.path()), dir.path()), expected);
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
    fs::remove_file(&path).unwrap();
    drop(Database::create(&path).unwrap());
    assert_eq!(error(Store::open(dir.path()), dir.path()), expected);
}
