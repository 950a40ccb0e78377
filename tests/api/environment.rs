//! Every flag has an environment variable `TAUBENABWEHR_<FLAG>` (`docs/behaviour.md`, "Commands").

use crate::config::assert_has_settings;
use crate::desk;
use crate::harness::command::{clean, command, finish};
use crate::harness::{Dir, Server, Setup, leave_out_on_postgres, program, record};

/// Starts a server with these variables and no arguments.
fn server(dir: &Dir, variables: &[(&str, &str)]) -> Server {
    let setup = Setup::bare().dir(dir);
    let mut command = command(setup.dir.path());
    command
        .env("TAUBENABWEHR_LISTEN", "127.0.0.1:0")
        .envs(variables.iter().copied());
    Server::spawn(setup, command)
}

#[test]
fn serve_reads_all_settings_from_the_environment() {
    leave_out_on_postgres!("a data directory");
    let dir = Dir::new();
    let site = dir.write("site.toml", "name = 'Aus der Umgebung'\n");
    let server = server(
        &dir,
        &[
            // Secrets of containers end with a line break.
            ("TAUBENABWEHR_DATA_DIR", "elsewhere\n"),
            ("TAUBENABWEHR_PUBLIC_URL", "https://www.tauben.example\n"),
            ("TAUBENABWEHR_SITE", &format!("{site}\r\n")),
            ("TAUBENABWEHR_RATE_LIMIT", "1\n"),
            ("TAUBENABWEHR_TRUSTED_PROXY", "10.0.0.0/8,127.0.0.0/8"),
            ("TAUBENABWEHR_LOG_FORMAT", "json\n"),
        ],
    );
    assert_has_settings(&server, &dir, "Aus der Umgebung");
}

#[test]
fn the_environment_switches_the_demo_on_and_off() {
    for (value, is_demo) in [("true", true), ("false", false), ("1", true), ("0", false)] {
        let dir = Dir::new();
        let server = server(&dir, &[("TAUBENABWEHR_DEMO", value)]);
        assert_eq!(server.post(&record("Krause")).status, 201, "{value}");
        assert_eq!(!dir.has_store(), is_demo, "TAUBENABWEHR_DEMO={value}");
    }
}

#[test]
fn all_commands_accept_a_shared_environment() {
    // As in a container, where every command runs with the same variables.
    let dir = Dir::new();
    let server = server(
        &dir,
        &[
            ("TAUBENABWEHR_DATA_DIR", "data"),
            ("TAUBENABWEHR_RATE_LIMIT", "0"),
        ],
    );
    server.store(&record("Krause"));
    let run = |args: &[&str]| {
        let mut command = clean(std::process::Command::new(program()), dir.path());
        command.env("TAUBENABWEHR_LISTEN", server.address.to_string());
        command
            .env("TAUBENABWEHR_DATA_DIR", "data")
            .env("TAUBENABWEHR_DEMO", "false");
        finish(command.args(args))
    };
    assert!(run(&["export"]).success().contains("Krause"));
    run(&["healthcheck"]).success();
    assert!(run(&["--version"]).success().starts_with("taubenabwehr"));
}

/// A container shares the network of its machine, so that the desk's loopback address is reached.
#[test]
fn the_guides_variables_of_a_container_open_the_desk() {
    let guide = include_str!("../../docs/operation.md");
    let (_, flags) = guide.split_once("`--network host").unwrap();
    let flags = flags.split('`').next().unwrap().split_whitespace();
    // On any free port.
    let variables: Vec<(&str, String)> = flags
        .filter_map(|flag| flag.split_once('='))
        .map(|(name, address)| (name, format!("{}:0", address.split(':').next().unwrap())))
        .collect();
    assert_eq!(variables.len(), 2, "{variables:?}");
    let dir = Dir::new();
    let mut serve = command(dir.path());
    serve.envs(variables.iter().cloned());
    let server = Server::spawn(Setup::unconfigured(&dir), serve);
    let printed = finish(command(dir.path()).arg("desk").envs(variables));
    let path = printed.success().trim().split_once("/anmelden/");
    let (origin, code) = path.unwrap();
    let address = desk::address(&server);
    assert_eq!(origin, format!("http://{address}"));
    let entered = desk::post(address, &format!("/anmelden/{code}"), "", "");
    assert_eq!(entered.status, 303, "{}", entered.text());
}

#[test]
fn invalid_variables_are_reported_with_their_flag() {
    let dir = Dir::new();
    for (name, flag) in [
        ("TAUBENABWEHR_LISTEN", "--listen"),
        ("TAUBENABWEHR_RATE_LIMIT", "--rate-limit"),
        ("TAUBENABWEHR_TRUSTED_PROXY", "--trusted-proxy"),
        ("TAUBENABWEHR_LOG_FORMAT", "--log-format"),
    ] {
        finish(command(dir.path()).arg("serve").env(name, "nonsense")).misuse(flag);
    }
}

#[test]
fn lists_may_have_spaces_and_an_empty_variable_is_not_set() {
    let dir = Dir::new();
    let with = |name: &str, value: &str| {
        // It fails before it listens.
        let mut serve = command(dir.path());
        serve.args(["serve", "--site", "missing"]).env(name, value);
        finish(&mut serve)
    };
    for (name, value) in [
        ("TAUBENABWEHR_LISTEN", "127.0.0.1:0, 127.0.0.1:0"),
        ("TAUBENABWEHR_TRUSTED_PROXY", "127.0.0.1/32 , ::1/128"),
        ("TAUBENABWEHR_LISTEN", ""),
        ("TAUBENABWEHR_RATE_LIMIT", ""),
        ("TAUBENABWEHR_PUBLIC_URL", ""),
        ("TAUBENABWEHR_DEMO", ""),
        ("TAUBENABWEHR_LOG_FORMAT", ""),
    ] {
        let ended = with(name, value);
        ended.fails_with("missing");
    }
}
