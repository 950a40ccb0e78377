//! The command line: help, version, completions, health check, exit codes (`docs/behaviour.md`, "Commands").

use std::fs;
use std::process::Command;

use regex::Regex;

use crate::harness::command::{clean, finish};
use crate::harness::{Dir, Server, Setup, leave_out_on_postgres, program, record, run};

const COMMANDS: [&str; 21] = [
    "serve",
    "backup",
    "restore",
    "check",
    "doctor",
    "copy",
    "export",
    "erase",
    "inquiries",
    "deliveries",
    "firms",
    "mail",
    "person",
    "reviews",
    "desk",
    "report",
    "newsletter",
    "healthcheck",
    "config",
    "completions",
    "manual",
];

/// Starts the program with these arguments alone.
fn spawn(args: &[&str]) -> Server {
    let setup = Setup::bare();
    let mut command = crate::harness::command::command(setup.dir.path());
    command.args(args);
    Server::spawn(setup, command)
}

#[test]
fn help_lists_every_command() {
    let dir = Dir::new();
    for flag in ["--help", "-h", "help"] {
        let finished = run(dir.path(), &[flag]);
        let text = finished.success();
        for command in COMMANDS {
            assert!(text.contains(command), "{flag} does not mention {command}");
        }
        assert!(text.contains("--listen"), "{flag}");
    }
    let help = run(dir.path(), &["--help"]);
    // The process that decodes photos is internal, so its command is hidden.
    assert!(!help.success().contains("develop-photo"));
    assert!(
        help.success().contains("TAUBENABWEHR_"),
        "the help does not mention the environment variables"
    );
}

#[test]
fn version_flags_print_version_commit_and_day() {
    let dir = Dir::new();
    let line = Regex::new(&format!(
        r"^taubenabwehr {} \(([0-9a-f]{{12}}|unknown) (\d{{4}}-\d{{2}}-\d{{2}}|unknown)\)\n$",
        regex::escape(env!("CARGO_PKG_VERSION"))
    ))
    .unwrap();
    for flag in ["--version", "-V"] {
        let finished = run(dir.path(), &[flag]);
        assert!(line.is_match(finished.success()), "{}", finished.text());
    }
}

#[test]
fn completions_are_valid_shell_scripts() {
    let dir = Dir::new();
    for shell in ["bash", "zsh", "fish"] {
        let finished = run(dir.path(), &["completions", shell]);
        let script = finished.success();
        for word in [
            "taubenabwehr",
            "export",
            "erase",
            "inquiries",
            "release",
            "healthcheck",
        ] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    let path = dir.write(
        "completions.bash",
        &run(dir.path(), &["completions", "bash"]).stdout,
    );
    let finished = finish(Command::new("bash").args(["-n", &path]));
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
    run(dir.path(), &["completions", "cobol"]).misuse("cobol");
    run(dir.path(), &["completions"]).misuse("SHELL");
}

#[test]
fn invalid_usage_exits_with_code_2() {
    let dir = Dir::new();
    for args in [
        &["nonsense"][..],
        &["--nonsense"],
        &["serve", "--nonsense"],
        &["serve", "nonsense"],
        &["serve", "--listen", "nonsense"],
        &["serve", "--log-format", "nonsense"],
        &["serve", "--public-url", "nonsense"],
        &["export", "--format", "nonsense"],
        &["erase", "--yes", "nonsense"],
        &["erase", "--yes", "--until", "nonsense"],
        &["healthcheck", "--listen", "nonsense"],
        &["config", "nonsense"],
    ] {
        run(dir.path(), args).misuse("nonsense");
    }
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().count(),
        0,
        "invalid usage created a file"
    );
}

#[test]
fn the_health_check_reports_by_exit_code() {
    let server = Server::start();
    let address = server.address.to_string();
    let dir = server.dir().clone();
    assert_eq!(
        run(dir.path(), &["healthcheck", "--listen", &address]).success(),
        ""
    );
    server.terminate();
    let line = run(dir.path(), &["healthcheck", "--listen", &address])
        .failure()
        .to_owned();
    assert!(line.contains(&address), "{line}");
}

#[test]
fn the_health_check_accepts_the_wildcard_address() {
    let server = spawn(&["serve", "--listen", "0.0.0.0:0"]);
    let address = format!("0.0.0.0:{}", server.address.port());
    run(server.dir().path(), &["healthcheck", "--listen", &address]).success();
}

#[test]
fn serve_is_the_default_command() {
    let server = spawn(&["--listen", "127.0.0.1:0", "--rate-limit", "0"]);
    assert_eq!(server.get("/").status, 200);
    assert_eq!(server.post(&record("Krause")).status, 201);
    assert_eq!(server.stored().len(), 1, "the default data directory is ./data");
}

#[test]
fn only_the_address_is_printed() {
    let server = Server::start();
    assert_eq!(server.get("/").status, 200);
    let origin = server.origin();
    let ended = server.terminate();
    assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
    assert!(
        ended
            .stdout
            .trim_end()
            .ends_with(&format!("listening on {origin}")),
        "{}",
        ended.stdout
    );
}

#[test]
fn the_executable_is_self_contained() {
    let setup = Setup::new();
    let alone = setup.dir.path().join("alone");
    fs::create_dir(&alone).unwrap();
    let copy = alone.join("taubenabwehr");
    fs::copy(program(), &copy).unwrap();
    let mut command = clean(Command::new(&copy), &alone);
    command
        .env_clear()
        .args(["serve", "--listen", "127.0.0.1:0", "--demo"]);
    let server = Server::spawn(setup, command);
    for path in ["/", "/faq", "/blog", "/favicon.svg", "/sitemap.xml"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    assert_eq!(
        fs::read_dir(&alone).unwrap().count(),
        1,
        "the program created a file next to itself"
    );
}

#[test]
fn ipv6_addresses_are_supported() {
    let server = spawn(&["serve", "--listen", "[::1]:0", "--demo"]);
    assert!(server.address.is_ipv6());
    let page = crate::harness::site::page(&server, "/faq");
    assert_eq!(
        page.link("canonical"),
        Some(format!("{}/faq", server.origin()).as_str())
    );
}

#[test]
fn a_data_directory_may_stand_before_and_behind_an_action() {
    leave_out_on_postgres!("a data directory");
    let server = Server::start();
    server.store(&record("Krause"));
    let dir = server.dir().clone();
    let data = dir.data();
    let data = data.to_str().unwrap();
    let elsewhere = Dir::new();
    let listed: serde_json::Value =
        run(elsewhere.path(), &["inquiries", "--json", "--data-dir", data]).json();
    assert_eq!(listed[0]["state"], "received");
    let id = listed[0]["id"].as_str().unwrap();
    for args in [
        ["inquiries", "--data-dir", data, "show", id],
        ["inquiries", "show", "--data-dir", data, id],
        ["inquiries", "show", id, "--data-dir", data],
    ] {
        let shown = run(elsewhere.path(), &args);
        assert!(shown.success().contains("Krause"), "{args:?}");
    }
    let retried = run(elsewhere.path(), &["deliveries", "retry", "--data-dir", data]);
    assert_eq!(retried.success(), "0 deliveries will be tried again\n");
    let listed = run(elsewhere.path(), &["--data-dir", data, "inquiries"]);
    assert!(listed.success().contains(id));
    run(elsewhere.path(), &["--data-dir", data, "export"]).misuse("behind the command");
}
