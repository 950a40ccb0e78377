//! `--store`: how it selects the store, and which parts of it are never shown (`docs/behaviour.md`, "Two stores").

use std::fs;
use std::process::{Command, Stdio};

use crate::harness::command::{command, finish};
use crate::harness::{Dir, leave_out_on_redb, run, until_true};
use crate::postgres::Schema;

/// An unreachable database: nothing listens on this port.
const AWAY: &str = "postgres://anna:geheim@127.0.0.1:1/site";

/// A command without the store that the harness sets.
fn bare(dir: &Dir) -> Command {
    let mut command = command(dir.path());
    command.env_remove("TAUBENABWEHR_STORE");
    command
}

#[test]
fn a_store_beats_a_directory_from_a_weaker_source() {
    let dir = Dir::new();
    let in_file = dir.write("in-file.toml", "data_dir = 'of-the-file'\n");
    let both_in_file = dir.write(
        "both.toml",
        "data_dir = 'of-the-file'\nstore = 'redb:store-of-the-file'\n",
    );
    for (flags, environment, expected) in [
        (&["--store", "redb:a"][..], &[][..], "a"),
        (&["--store", "redb:a"], &[("DATA_DIR", "b")], "a"),
        (&["--store", "redb:a", "--config", &in_file], &[], "a"),
        (&[], &[("STORE", "redb:a"), ("DATA_DIR", "b")], "a"),
        (&["--config", &in_file], &[("STORE", "redb:a")], "a"),
        (&["--data-dir", "b"], &[("STORE", "redb:a")], "b"),
        (&["--data-dir", "b", "--config", &both_in_file], &[], "b"),
        (&["--config", &both_in_file], &[("DATA_DIR", "b")], "b"),
        (&["--config", &both_in_file], &[], "store-of-the-file"),
    ] {
        let mut command = bare(&dir);
        command.arg("inquiries").args(flags);
        for (name, value) in environment {
            command.env(format!("TAUBENABWEHR_{name}"), value);
        }
        let failed = finish(&mut command);
        let expected = format!("{expected} does not exist");
        failed.fails_with(&expected);
    }
}

#[test]
fn both_flags_at_once_are_wrong_usage() {
    let dir = Dir::new();
    for args in [
        &["serve", "--store", "redb:a", "--data-dir", "b"][..],
        &["--store", "redb:a", "--data-dir", "b"],
        &["export", "--data-dir", "b", "--store", "redb:a"],
        &[
            "inquiries",
            "--data-dir",
            "b",
            "release",
            "--store",
            "redb:a",
            "019a3c5e-7b1c-7def-8000-0123456789ab",
        ],
    ] {
        finish(bare(&dir).args(args)).misuse("--data-dir");
    }
}

#[test]
fn every_command_takes_it() {
    let dir = Dir::new();
    let id = "019a3c5e-7b1c-7def-8000-0123456789ab";
    for args in [
        &["export"][..],
        &["erase", "--yes", id],
        &["inquiries"],
        &["inquiries", "show", id],
        &["deliveries"],
        &["deliveries", "retry"],
        &["firms"],
        &["person", "anna@example.de"],
        &["report", "--output", "report.html"],
        &["newsletter", "export"],
        &["backup", "--output", "backup"],
        &["check"],
    ] {
        let failed = finish(bare(&dir).args(args).args(["--store", AWAY]));
        let line = failed.failure();
        assert!(
            line.contains("127.0.0.1:1") && !line.contains("geheim"),
            "{args:?}: {line}"
        );
        let failed = finish(bare(&dir).args(args).args(["--store", "redb:missing"]));
        failed.fails_with("missing");
    }
    assert!(!dir.path().join("missing").exists());
}

#[test]
fn what_is_wrong_is_said_without_showing_it() {
    let dir = Dir::new();
    for wrong in [
        "mysql://anna:geheim@db/site",
        "geheim",
        "redb:",
        "postgres://anna:geheim@db:port/site",
        "postgres://anna:ge/heim@db/site",
        "postgres://anna:geheim@db/site?sslmode=geheim1",
        "postgres://anna:geheim@db/site?colour=red",
        "postgres://anna:geheim@db/site?sslmode=verify-ca",
        "postgres://anna:geheim@db/site?passfile=/geheim1",
    ] {
        for args in [&["serve", "--store", wrong][..], &["export", "--store", wrong]] {
            let refused = finish(bare(&dir).args(args));
            refused.misuse("--store");
            assert!(!refused.stderr.contains("anna"), "{wrong}: {}", refused.stderr);
        }
        let file = dir.write("config.toml", format!("\nstore = '{wrong}'\n"));
        let refused = run(dir.path(), &["config", "check", "--config", &file]);
        let line = refused.failure();
        assert!(
            line.contains(":2: `store` is wrong") && !line.contains("anna"),
            "{line}"
        );
    }
    let file = dir.write(
        "config.toml",
        "store = 'postgres://db/site?sslmode=verify-full&sslrootcert=/missing.pem'",
    );
    // The file is judged by itself, whatever store the environment has.
    let check = ["config", "check", "--config", &file];
    let refused = finish(bare(&dir).args(check).env("TAUBENABWEHR_STORE", AWAY));
    refused.fails_with("/missing.pem");
    let help = finish(
        bare(&dir)
            .args(["serve", "--help"])
            .env("TAUBENABWEHR_STORE", AWAY),
    );
    assert!(!help.success().contains("geheim") && help.text().contains("--store"));
}

#[test]
fn a_password_shows_neither_among_arguments_nor_in_the_log() {
    let dir = Dir::new();
    for (args, shown) in [
        (
            &["--store", AWAY][..],
            "--store postgres://anna:***@127.0.0.1:1/site",
        ),
        (
            &["--store=postgres://127.0.0.1:1/site?user=anna&password=geheim"],
            "--store=postgres://127.0.0.1:1/site?user=anna&password=***",
        ),
    ] {
        let mut command = bare(&dir);
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(args);
        let out = fs::File::create(dir.path().join("log")).unwrap();
        command.stdout(Stdio::null()).stderr(out);
        let mut child = command.spawn().unwrap();
        let log = || fs::read_to_string(dir.path().join("log")).unwrap();
        // It starts although the database is unreachable.
        until_true("it listens", || log().contains("listening"));
        let arguments = fs::read(format!("/proc/{}/cmdline", child.id())).unwrap();
        let arguments = String::from_utf8(arguments).unwrap().replace('\0', " ");
        let name = fs::read_to_string(format!("/proc/{}/comm", child.id())).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(arguments.trim_end().ends_with(shown), "{arguments}");
        assert_eq!(name.trim_end(), "taubenabwehr");
        assert!(!log().contains("geheim"), "{}", log());
    }
}

#[test]
fn a_role_that_may_make_no_tables_is_told_what_it_lacks() {
    leave_out_on_redb!("the rights of a database's role");
    let dir = Dir::new();
    let schema = Schema::new().unwrap();
    let role = format!("role_{}", uuid::Uuid::now_v7().simple());
    schema.execute(&format!(
        "CREATE ROLE {role}; DO $$ BEGIN EXECUTE 'GRANT USAGE ON SCHEMA ' || current_schema() || ' TO {role}'; END $$"
    ));
    let url = schema.url_with(&[("role", &role)]);
    let failed = finish(bare(&dir).args(["check", "--store", &url]));
    failed.fails_with("GRANT CREATE ON SCHEMA");
    schema.execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
}
