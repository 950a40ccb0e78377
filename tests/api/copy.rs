//! Copying a store to another one, on every pair of engines (`docs/behaviour.md`, "Backup, restore, copy, check").

use std::fs;
use std::process::Stdio;

use jiff::Timestamp;
use redb::{Database, ReadableTable, TableDefinition};
use serde_json::Value;
use taubenabwehr::domain::ledger::Month;

use crate::harness::command::command;
use crate::harness::referral::{self, Referred, config, stop};
use crate::harness::store::is_postgres;
use crate::harness::{Dir, Server, Setup, inquiry, record, run, until_true};

fn copy(from: &str, to: &str) -> crate::harness::command::Finished {
    run(Dir::new().path(), &["copy", "--from", from, "--to", to])
}

/// An empty store on each available engine.
fn targets() -> Vec<(Dir, String)> {
    let mut targets = Vec::new();
    let file = Dir::new();
    let url = file.directory_url();
    targets.push((file, url));
    let other = Dir::new();
    if other.schema().is_some() {
        let url = other.store();
        targets.push((other, url));
    }
    targets
}

/// The JSON that a command prints about a store.
fn json(store: &str, args: &[&str]) -> Value {
    let all = [args, &["--json", "--store", store]].concat();
    serde_json::from_str(run(Dir::new().path(), &all).success()).unwrap()
}

/// The output of all commands that describe a store.
fn told(store: &str) -> Vec<Value> {
    let inquiries = json(store, &["inquiries"]);
    let ids: Vec<String> = inquiries
        .as_array()
        .unwrap()
        .iter()
        .map(|inquiry| inquiry["id"].as_str().unwrap().to_owned())
        .collect();
    assert!(!ids.is_empty());
    let mut told = vec![inquiries, json(store, &["firms"]), json(store, &["deliveries"])];
    told.extend(ids.iter().map(|id| json(store, &["inquiries", "show", id])));
    told.push(json(store, &["reviews"]));
    told.push(run(Dir::new().path(), &["person", "+49 40 7777777", "--store", store]).json());
    let month = Month::of(Timestamp::now()).to_string();
    let statement = [
        "firms",
        "statement",
        "--month",
        &month,
        "--format",
        "json",
        "--store",
        store,
    ];
    let statement = run(Dir::new().path(), &statement);
    told.push(statement.json());
    told.push(exported(store));
    told
}

fn exported(store: &str) -> Value {
    run(
        Dir::new().path(),
        &["export", "--format", "json", "--store", store],
    )
    .json()
}

#[test]
fn everything_goes_along() {
    let referred = Referred::with(&config(&["nord", "sued"]), &["nord", "sued"]);
    let keyed = inquiry::post(&record("Mit Schlüssel")).header("Idempotency-Key", "copied-key");
    let keyed = keyed.header("Prefer", "return=representation");
    let first = referred.server.send(&keyed);
    assert_eq!(first.status, 201);
    let withdrawn = referred.server.send(&inquiry::post(&record("Weg")));
    let withdrawn = withdrawn.expect("location").to_owned();
    let path = format!("{withdrawn}/zurueckziehen");
    assert_eq!(referral::submit(&referred.server, &path, "").status, 303);
    referred.finish(0);
    let review = "review=nord&stars=4&text=Gut&name=Anna&consent=yes";
    assert_eq!(
        referral::submit(&referred.server, &referred.visitor, review).status,
        303
    );
    let config = fs::read_to_string(referred.server.dir().path().join("config.toml")).unwrap();
    let (visitor, firms) = (referred.visitor.clone(), referred.firms.clone());
    let source = stop(referred.server).dir;
    let id = json(&source.store(), &["inquiries"])[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    for args in [
        &["inquiries", "note", &id, "Ruft am Mittwoch an"][..],
        &["inquiries", "correct", &id, "--phone", "040/7777777"],
        &["inquiries", "done", &id],
        &["firms", "credit", &id, "--firm", "nord", "--reason", "Doppelt"],
    ] {
        run(source.path(), args).success();
    }
    let before = told(&source.store());
    let all = Value::from(before.clone()).to_string();
    for word in [
        "Ruft am Mittwoch an",
        "\"field\":\"phone",
        "\"done_at\":\"",
        "\"reason\":\"Doppelt\"",
    ] {
        assert!(all.contains(word), "{word}: {all}");
    }

    for (dir, target) in targets() {
        let copied = copy(&source.store(), &target);
        let text = copied.success();
        assert!(text.contains("2 inquiries copied"), "{text}");
        assert!(text.contains("both hold the same (SHA-256 "), "{text}");
        assert_eq!(told(&target), before);
        assert_eq!(told(&source.store()), before);
        run(dir.path(), &["check", "--store", &target]).success();

        // Private pages, keys and answers are preserved.
        let path = dir.write("config.toml", &config);
        let setup = Setup::new()
            .dir(&dir)
            .args(&["--config", &path, "--store", &target]);
        let server = setup.start();
        let page = server.get(&visitor);
        assert_eq!(page.status, 200);
        assert!(page.text().contains("angenommen"), "{}", page.text());
        assert!(server.get(&firms[0]).text().contains(referral::NAME));
        assert!(server.get(&withdrawn).text().contains("zurückgezogen"));
        let again = server.send(&keyed);
        assert_eq!((again.status, again.text()), (201, first.text()));
        assert_eq!(again.expect("location"), first.expect("location"));
        let other = inquiry::post(&record("Anders")).header("Idempotency-Key", "copied-key");
        assert_eq!(server.send(&other).status, 422);
        stop(server);

        // Copy back from the target.
        let back = Dir::new();
        copy(&target, &back.store()).success();
        assert_eq!(told(&back.store()), told(&target));

        // A backup has the same, but does not deliver anything by itself.
        let restored = Dir::new();
        let backup = restored.path().join("the.backup").display().to_string();
        run(dir.path(), &["backup", "--output", &backup, "--store", &target]).success();
        run(
            restored.path(),
            &["restore", &backup, "--store", &restored.store()],
        )
        .success();
        let casework = |store: &str| {
            let shown = json(store, &["inquiries", "show", &id]);
            ["notes", "done_at", "corrections", "firms"].map(|key| shown[key].clone())
        };
        assert_eq!(casework(&restored.store()), casework(&target));
    }
}

#[test]
fn a_source_may_be_served_meanwhile() {
    let server = Server::start();
    for number in 0..20 {
        server.store(&record(&format!("Meier {number}")));
    }
    for (_dir, target) in targets() {
        let copied = copy(&server.dir().store(), &target);
        assert_has!(copied.success(), "20 inquiries copied");
        assert_eq!(json(&target, &["inquiries"]).as_array().unwrap().len(), 20);
    }
    server.store(&record("Danach"));
}

#[test]
fn a_target_with_inquiries_stays_as_it_is() {
    let server = Server::start();
    server.store(&record("Quelle"));
    let source = stop(server).dir;
    for (dir, target) in targets() {
        let server = Setup::new().dir(&dir).args(&["--store", &target]).start();
        server.store(&record("Ziel"));
        stop(server);
        let before = told(&target);
        let refused = copy(&source.store(), &target);
        refused.fails_with("1 inquiry, which stays as it is");
        assert_eq!(told(&target), before);
    }
}

#[test]
fn advice_names_the_flags_of_the_command() {
    let dir = Dir::new();
    let told = |from: &str, to: &str| copy(from, to).failure().to_owned();
    let missing = format!("redb:{}", dir.path().join("missing").display());
    let nothing = told(&missing, &dir.directory_url());
    assert!(
        nothing.contains("check --from") && !nothing.contains("--data-dir"),
        "{nothing}"
    );
    let server = Server::start();
    server.store(&record("Quelle"));
    let source = stop(server).dir;
    let file = format!("redb:{}", dir.write("file", ""));
    let no_directory = told(&source.store(), &file);
    assert!(no_directory.contains("choose another --to"), "{no_directory}");
    let same = told(&source.store(), &source.store());
    assert!(same.contains("--from and --to name the same"), "{same}");
}

#[test]
fn what_is_not_there_is_not_copied() {
    let (dir, target) = targets().remove(0);
    let missing = format!("redb:{}", dir.path().join("missing").display());
    copy(&missing, &target).failure();
    assert!(!dir.path().join("missing").exists());
    run(dir.path(), &["copy", "--from", &missing]).misuse("--to");
    run(dir.path(), &["copy", "--from", "mysql://x", "--to", &target]).misuse("--from");
}

/// Kills a copy after it has begun and before it completes.
fn interrupt(source: &Dir, dir: &Dir, target: &str) {
    for _ in 0..100 {
        // The lock keeps the copy from reading the source to its end. A redb file cannot be locked like this, so its copy sometimes
        // completes first.
        let locked = source.schema().map(|schema| schema.lock("inquiries"));
        let mut copying = command(dir.path())
            .args(["copy", "--from", &source.store(), "--to", target])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        until_true("the copy to begin", || has_begun(dir, target));
        copying.kill().unwrap();
        let ended = copying.wait_with_output().unwrap();
        // If it reported success, it was killed after it had completed.
        if !ended.status.success() && ended.stdout.is_empty() {
            return;
        }
        drop(locked);
        fs::remove_dir_all(dir.data()).unwrap();
    }
    panic!("no copy could be interrupted");
}

/// Whether a target is marked as incomplete.
fn has_begun(dir: &Dir, target: &str) -> bool {
    if target == dir.directory_url() {
        return dir.data().join("inquiries.redb.copying").exists();
    }
    let schema = dir.schema().unwrap();
    let has_tables = "SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'facts'";
    !schema.query(has_tables).is_empty() && !schema.query("SELECT FROM facts WHERE k = 'copying'").is_empty()
}

#[test]
fn an_interrupted_copy_is_refused_and_can_start_over() {
    let server = Server::start();
    for number in 0..300 {
        assert_eq!(server.post(&record(&format!("Meier {number}"))).status, 201);
    }
    let source = stop(server).dir;
    for (dir, target) in targets() {
        interrupt(&source, &dir, &target);
        for args in [
            &["inquiries"][..],
            &["export"],
            &["check"],
            &["deliveries"],
            &["backup", "--output", "x"],
            &["erase", "--until", "2100-01-01", "--yes"],
            &["person", "a@example.org"],
        ] {
            let all = [args, &["--store", &target]].concat();
            let refused = run(dir.path(), &all);
            refused.fails_with("a copy into");
        }
        let start = Setup::new().dir(&dir).args(&["--store", &target]).fail();
        start.fails_with("a copy into");

        copy(&source.store(), &target).success();
        assert_eq!(json(&target, &["inquiries"]).as_array().unwrap().len(), 300);
        assert_eq!(exported(&target), exported(&source.store()));
    }
}

#[test]
fn what_cannot_be_read_is_not_copied() {
    let server = Server::start();
    // The first and the last inquiry are read whenever a file is opened, so the one between them is damaged.
    for name in ["Amsel", "Kranichfeld", "Zaunkönig"] {
        server.store(&record(name));
    }
    let source = stop(server).dir;
    damage(&source, "Kranichfeld");
    for (_dir, target) in targets() {
        let refused = copy(&source.store(), &target);
        refused.fails_with("`taubenabwehr check`");
        // The target also counts as incomplete.
        run(Dir::new().path(), &["inquiries", "--store", &target]).failure();
    }
    let checked = run(source.path(), &["check"]);
    let advice = if is_postgres() { "schema" } else { "data directory" };
    assert_eq!(checked.code, Some(1));
    assert!(checked.stderr.contains(advice), "{}", checked.stderr);
    let backup = run(source.path(), &["backup", "--output", "x"]);
    backup.fails_with("check`");
    assert!(!backup.stderr.contains("/.taubenabwehr"), "{backup:?}");
}

/// Truncates the inquiry that contains `text`.
fn damage(source: &Dir, text: &str) {
    if let Some(schema) = source.schema() {
        return schema.execute(&format!(
            "UPDATE inquiries SET v = substring(v FOR length(v) - 1) WHERE position('{text}'::bytea IN v) > 0"
        ));
    }
    let inquiries = TableDefinition::<&[u8], &[u8]>::new("inquiries");
    let file = Database::open(source.store_file()).unwrap();
    let write = file.begin_write().unwrap();
    {
        let mut table = write.open_table(inquiries).unwrap();
        let holds = |value: &[u8]| value.windows(text.len()).any(|part| part == text.as_bytes());
        let mut all = table.iter().unwrap().map(Result::unwrap);
        let found = all.find(|(_, value)| holds(value.value())).unwrap();
        let (id, value) = (found.0.value().to_vec(), found.1.value().to_vec());
        drop((found, all));
        table.insert(&id[..], &value[..value.len() - 1]).unwrap();
    }
    write.commit().unwrap();
}
