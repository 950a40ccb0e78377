//! Data that was erased after a backup is erased again on restore.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{at_new, backup, restore};
use crate::harness::dir::mode;
use crate::harness::inquiry::post;
use crate::harness::referral::submit;
use crate::harness::store::is_postgres;
use crate::harness::{Dir, Server, record, run};
use crate::postgres::Schema;

/// The list of erased inquiries.
fn erased(dir: &Dir) -> Vec<Value> {
    match dir.schema() {
        Some(schema) => lines_of(&documented_list(schema)),
        None => erased_in(&dir.data().join("erased.jsonl")),
    }
}

/// The name of a file with the list of erased inquiries.
pub fn list(dir: &Dir) -> String {
    match dir.schema() {
        Some(schema) => dir.write("list.jsonl", documented_list(schema)),
        None => "data/erased.jsonl".to_owned(),
    }
}

/// The list of erased inquiries, produced by the query in the documentation.
fn documented_list(schema: &Schema) -> String {
    let page = include_str!("../../../docs/operation.md");
    let mut commands = page.lines();
    let query = commands.find_map(|line| line.strip_prefix("psql \"$STORE\" -XAtc \""));
    let (query, _) = query.unwrap().split_once("\" > erased.jsonl").unwrap();
    let query = query.replace("\\\"", "\"");
    let rows = schema.query(&format!("SELECT list.line::text FROM ({query}) AS list (line)"));
    rows.iter().map(|row| row.get::<_, String>(0) + "\n").collect()
}

fn erased_in(path: &Path) -> Vec<Value> {
    lines_of(&fs::read_to_string(path).unwrap_or_default())
}

/// Parses a list and sorts it by id.
fn lines_of(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut lines: Vec<Value> = lines.collect();
    lines.sort_by_key(|line| line["id"].as_str().unwrap().to_owned());
    lines
}

#[test]
fn what_was_erased_or_withdrawn_since_is_erased_again() {
    let server = Server::start();
    let dir = server.dir().clone();
    let gone = server.store(&record("Erste"));
    let withdrawn = server.send(&post(&record("Zweite")));
    let kept = server.store(&record("Dritte"));
    backup(&dir).success();
    run(dir.path(), &["erase", gone["id"].as_str().unwrap(), "--yes"]).success();
    let page = withdrawn.expect("location").to_owned();
    assert_eq!(submit(&server, &format!("{page}/zurueckziehen"), "").status, 303);
    let list = list(&dir);
    if !is_postgres() {
        assert_eq!(mode(&dir.path().join(&list)), 0o600);
    }
    let noted = erased(&dir);
    assert_eq!(noted.len(), 2);
    assert_eq!(noted[0]["id"], gone["id"]);
    for line in &noted {
        let keys: Vec<_> = line.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["id", "erased_at"]);
    }
    drop(server);

    let again = restore(&dir, &["--erased", &list]);
    assert_has!(again.success(), "2 of the list erased again");
    let exported: Vec<Value> = at_new(&dir, &["export", "--format", "json"]).json();
    assert_eq!(exported.len(), 1);
    assert_eq!(exported[0]["id"], kept["id"]);
    // The list is kept, since the next restore may use an even older backup.
    if let Some(schema) = dir.second_schema() {
        assert_eq!(lines_of(&documented_list(schema)), noted);
    } else {
        assert_eq!(erased_in(&dir.path().join("new/erased.jsonl")), noted);
        let bytes = fs::read(dir.path().join("new/inquiries.redb")).unwrap();
        assert!(!bytes.windows(5).any(|window| window == b"Erste"));
    }

    dir.write("wrong.jsonl", "notes\n");
    let wrong = run(
        dir.path(),
        &[
            "restore",
            "the.backup",
            "--data-dir",
            "other",
            "--erased",
            "wrong.jsonl",
        ],
    );
    wrong.fails_with("wrong.jsonl:1: expected");
    assert!(!dir.path().join("other").exists());
}

#[test]
fn a_person_that_is_erased_and_all_that_is_older_are_listed_and_a_refused_erasure_is_not() {
    let server = Server::start();
    let dir = server.dir().clone();
    let first = server.store(&record("Erste"));
    let second = server.store(&record("Zweite"));
    let unknown = "019a3c5e-7b1c-7def-8000-0123456789ab";
    run(
        dir.path(),
        &["erase", first["id"].as_str().unwrap(), unknown, "--yes"],
    )
    .failure();
    assert_eq!(erased(&dir).len(), 0);
    run(dir.path(), &["person", "aenne@example.org", "--erase", "--yes"]).success();
    let third = server.store(&record("Dritte"));
    assert_eq!(server.terminate().code, Some(0));
    run(dir.path(), &["erase", "--until", "2999-01-01", "--yes"]).success();
    let ids: Vec<Value> = erased(&dir).iter().map(|line| line["id"].clone()).collect();
    assert_eq!(
        ids,
        [&first, &second, &third].map(|inquiry| inquiry["id"].clone())
    );
}
