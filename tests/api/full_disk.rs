//! A full disk: the server answers 503, loses no acknowledged inquiry, and recovers. On PostgreSQL it is the disk of the database,
//! simulated by refusing every write with the same error.

use std::fs;
use std::io::Write;
use std::process::Command;

use serde_json::Value;

use crate::harness::inquiry::{large, post, without_outcome};
use crate::harness::referral::Referred;
use crate::harness::server::stored;
use crate::harness::store::is_postgres;
use crate::harness::{
    Dir, Server, Setup, leave_out_on_postgres, leave_out_on_redb, record, run, until, until_true,
};
use crate::plain_form;
use crate::refusing::message;

/// The unit of `ulimit -f` in a POSIX shell, in bytes.
const BLOCK: u64 = 512;

/// Makes the database refuse every write of an instance, since each of its transactions writes to this table. The detail simulates
/// an error message that contains stored data.
const REFUSE: &str = "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
    RAISE SQLSTATE '53100' USING MESSAGE = 'could not extend file: No space left on device', \
    DETAIL = 'Failing row contains (geheim@geheim.example)'; END $$; \
    CREATE OR REPLACE TRIGGER full_disk BEFORE INSERT OR UPDATE ON writers FOR EACH STATEMENT EXECUTE FUNCTION refuse()";

/// Reverts [`REFUSE`].
const TAKE: &str = "DROP TRIGGER full_disk ON writers";

/// How many large inquiries fit into a database.
const ROOM: usize = 20;

/// A server whose store can grow little beyond its initial size.
fn confined() -> Server {
    let empty = Server::start();
    if is_postgres() {
        return empty;
    }
    let dir = empty.dir().clone();
    assert_eq!(empty.terminate().code, Some(0));
    let blocks = fs::metadata(dir.store_file()).unwrap().len() / BLOCK + 1024;
    // Only the soft limit, so that a test can raise it again.
    let commands = format!("ulimit -S -f {blocks}");
    Setup::new().dir(&dir).shell(&commands).start()
}

/// Fills up the store of a running server.
pub fn leave_no_room(server: &Server) {
    match server.dir().schema() {
        Some(schema) => schema.execute(REFUSE),
        // Nothing can be written beyond the first page of the file.
        None => limit_files(server, "4096"),
    }
}

/// Frees space for the store of a running server.
pub fn make_room(server: &Server) {
    match server.dir().schema() {
        Some(schema) => schema.execute(TAKE),
        None => limit_files(server, "unlimited"),
    }
}

/// Starts a server on a store that has space again.
fn start_with_room(dir: &Dir) -> Server {
    if let Some(schema) = dir.schema() {
        schema.execute(TAKE);
    }
    Setup::new().dir(dir).start()
}

/// Limits the file size of a running server, in bytes or `unlimited`.
fn limit_files(server: &Server, size: &str) {
    let process = server.id().to_string();
    let limited = Command::new("prlimit")
        .args(["--pid", &process, &format!("--fsize={size}:unlimited")])
        .status()
        .unwrap();
    assert!(limited.success());
}

/// Stores large inquiries until one is refused, and then leaves no space for small ones either; returns the acknowledged inquiries.
fn fill_up(server: &Server) -> Vec<Value> {
    let acknowledged = fill(server);
    leave_no_room(server);
    acknowledged
}

/// Stores large inquiries until one is refused; returns the acknowledged ones. There may be space left for a small one.
fn fill(server: &Server) -> Vec<Value> {
    let mut acknowledged = Vec::new();
    let request = post(&large()).header("Prefer", "return=representation");
    let mut connection = server.connect();
    for number in 0..20_000 {
        if number == ROOM && is_postgres() {
            leave_no_room(server);
        }
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
    // A login code is also a write.
    let refused = run(server.dir().path(), &["desk"]);
    refused.fails_with("see that the disk has room");
    assert_eq!(server.get("/").status, 200, "pages are served all the same");
    assert_eq!(server.post(&record("Krause")).status, 503);

    let dir = server.dir().clone();
    assert_eq!(server.terminate().code, Some(0), "it still ends in order");
    assert_eq!(stored(&dir), acknowledged);

    let server = start_with_room(&dir);
    assert_eq!(server.get("/healthz").status, 200);
    let after = server.store(&record("Danach"));
    assert_eq!(server.stored(), [acknowledged, vec![after]].concat());
}

#[test]
fn a_disk_that_has_room_again_is_used_again() {
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
    // The running server is not notified of the free space: the next health check or inquiry finds it.
    until_true("the server to be healthy", || {
        server.get("/healthz").status == 200
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
    let server = confined();
    let acknowledged = fill_up(&server).len();
    make_room(&server);
    let late = record("Krause");
    until_true("an inquiry to be stored", || {
        let response = server.post(&late);
        assert!(matches!(response.status, 201 | 503), "{}", response.text());
        response.status == 201
    });
    assert_eq!(server.stored().len(), acknowledged + 1);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_full_disk_can_still_be_exported() {
    let server = confined();
    let acknowledged = fill(&server);
    // The server reopens its file without further requests.
    let exported = until("an export", || {
        let export = server.export(&["--format", "json"]);
        (export.code == Some(0)).then(|| export.text().to_owned())
    });
    let exported: Vec<Value> = serde_json::from_str(&exported).unwrap();
    let exported: Vec<Value> = exported.into_iter().map(without_outcome).collect();
    assert_eq!(exported, acknowledged);
}

#[test]
fn a_server_starts_on_a_full_disk_of_a_database_and_recovers() {
    leave_out_on_redb!("a server that is not on the same machine as its disk");
    let before = Server::start();
    let acknowledged = before.store(&record("Krause"));
    leave_no_room(&before);
    let server = before.kill().start();
    message(&server.post(&record("Meier")), 503);
    assert_eq!(server.get("/healthz").status, 503);
    assert_eq!(server.get("/").status, 200, "pages are served all the same");
    make_room(&server);
    until_true("the server to be healthy", || {
        server.get("/healthz").status == 200
    });
    let after = server.store(&record("Danach"));
    assert_eq!(server.stored(), [acknowledged, after]);
}

/// A small file system in a file.
struct FileSystem {
    dir: tempfile::TempDir,
}

impl FileSystem {
    /// Mounts a file system, if this is possible here.
    fn mount() -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let image = dir.path().join("image");
        fs::File::create(&image).unwrap().set_len(24 << 20).unwrap();
        let made = Self { dir };
        fs::create_dir(made.path()).unwrap();
        let succeeds = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
        // Without blocks reserved for root.
        let is_mounted = succeeds(Command::new("mkfs.ext4").args(["-q", "-m", "0"]).arg(&image))
            && succeeds(
                Command::new("mount")
                    .args(["-o", "loop"])
                    .arg(&image)
                    .arg(made.path()),
            );
        if !is_mounted {
            eprintln!("left out: a file system of its own cannot be mounted here");
        }
        is_mounted.then_some(made)
    }

    fn path(&self) -> std::path::PathBuf {
        self.dir.path().join("mounted")
    }

    fn filler(&self) -> std::path::PathBuf {
        self.path().join("filler")
    }

    /// Uses up all free space.
    fn fill(&self) {
        let mut filler = fs::File::options()
            .create(true)
            .append(true)
            .open(self.filler())
            .unwrap();
        for size in [1 << 20, 4096, 1] {
            while filler.write_all(&vec![1; size]).is_ok() && filler.sync_all().is_ok() {}
        }
    }
}

impl Drop for FileSystem {
    fn drop(&mut self) {
        // A killed process releases it a moment later.
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).output();
    }
}

#[test]
fn on_a_full_file_system_everything_can_be_read_and_saved_to_another() {
    leave_out_on_postgres!("a data directory");
    let Some(disk) = FileSystem::mount() else { return };
    let Referred { server, visitor, .. } = Referred::to(&["nord"]);
    let dir = server.dir().clone();
    let file = dir.store_file();
    let setup = server.kill();
    let data = disk.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::copy(&file, data.join(file.file_name().unwrap())).unwrap();
    let there = ["--data-dir", data.to_str().unwrap()];
    let server = setup.args(&there).start();
    let on_disk = |args: &[&str]| run(dir.path(), &[args, &there].concat());
    let exported = || {
        let export = on_disk(&["export", "--format", "json", "--include-suspected"]);
        serde_json::from_str::<Vec<Value>>(export.success())
            .unwrap()
            .len()
    };

    // An inquiry to erase later.
    assert_eq!(server.post(&record("Vorher")).status, 201);
    let before = exported();
    disk.fill();
    let acknowledged = fill(&server).len();
    let mut largest = record(&"🕊".repeat(100));
    largest["first_name"] = "🕊".repeat(100).into();
    for _ in 0..5 {
        // Refused inquiries must not keep others from reading.
        assert_eq!(server.post(&largest).status, 503);
        assert_eq!(server.get(&visitor).status, 200);
        assert_eq!(exported(), before + acknowledged);
    }
    on_disk(&["backup", "--output", "saved"]);
    assert!(dir.path().join("saved").exists());
    let found = on_disk(&["export", "--format", "json"]);
    let id = serde_json::from_str::<Vec<Value>>(found.success()).unwrap()[1]["id"].clone();
    let is_erased = on_disk(&["erase", id.as_str().unwrap(), "--yes"]).code == Some(0);
    let left = before + acknowledged - usize::from(is_erased);
    assert_eq!(exported(), left);
    assert_eq!(server.get(&visitor).status, 200);

    fs::remove_file(disk.filler()).unwrap();
    until_true("the server to be healthy", || {
        server.get("/healthz").status == 200
    });
    until_true("an inquiry to be stored", || {
        server.post(&record("Danach")).status == 201
    });
    assert_eq!(exported(), left + 1);
    drop(server);
    assert_eq!(exported(), left + 1, "not durable");

    must_restore(&dir, "saved", before + acknowledged);
}

/// Restores a backup elsewhere and asserts the number of inquiries.
fn must_restore(dir: &Dir, backup: &str, count: usize) {
    let elsewhere = ["--data-dir", "elsewhere"];
    run(dir.path(), &[&["restore", backup], &elsewhere[..]].concat()).success();
    let export = run(
        dir.path(),
        &[
            &["export", "--format", "json", "--include-suspected"],
            &elsewhere[..],
        ]
        .concat(),
    );
    let found: Vec<Value> = export.json();
    assert_eq!(found.len(), count);
}
