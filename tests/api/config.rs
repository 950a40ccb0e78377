//! The configuration file: precedence, paths, mistakes, and `config check` (`docs/behaviour.md`, "Configuration").

use std::path::Path;
use std::process::Command;

use crate::harness::command::{Finished, clean, command, finish};
use crate::harness::inquiry::post;
use crate::harness::site::page;
use crate::harness::{Dir, Server, Setup, leave_out_on_postgres, program, record, run};

/// A command with this configuration file.
fn configured(dir: &Dir, toml: &str) -> Command {
    let path = dir.write("config.toml", toml);
    let mut command = command(dir.path());
    command.args(["--config", &path]);
    command
}

/// Starts a server with only this configuration file, on any free port.
fn server(dir: &Dir, toml: &str) -> Server {
    let setup = Setup::bare().dir(dir);
    Server::spawn(setup, configured(dir, &format!("listen = '127.0.0.1:0'\n{toml}")))
}

fn check(dir: &Dir, toml: &str) -> Finished {
    finish(configured(dir, toml).args(["config", "check"]))
}

/// A `[mail]` table without secrets.
const MAIL: &str = "[mail]\nserver = 'smtp://mail.example.de'\nfrom = 'A <a@example.de>'\n";

fn firm(id: &str) -> String {
    format!("[[firm]]\nid = '{id}'\nname = 'Firma'\nemail = 'firma@example.de'\npostal_codes = ['2']\n")
}

#[test]
fn a_flag_beats_the_environment_the_environment_the_file_the_file_the_default() {
    leave_out_on_postgres!("a data directory");
    for (flag, variable, in_file, expected) in [
        (true, true, true, "by-flag"),
        (true, true, false, "by-flag"),
        (true, false, true, "by-flag"),
        (true, false, false, "by-flag"),
        (false, true, true, "by-variable"),
        (false, true, false, "by-variable"),
        (false, false, true, "by-file"),
        (false, false, false, "./data"),
    ] {
        let dir = Dir::new();
        let mut command = configured(&dir, if in_file { "data_dir = 'by-file'" } else { "" });
        command.arg("export");
        if flag {
            command.args(["--data-dir", "by-flag"]);
        }
        if variable {
            command.env("TAUBENABWEHR_DATA_DIR", "by-variable");
        }
        // It refuses a missing directory and names it.
        let finished = finish(&mut command);
        let message = finished.failure();
        assert!(
            message.contains(&format!("{expected} does not exist")),
            "flag {flag}, variable {variable}, file {in_file}: {message}"
        );
    }
}

#[test]
fn serve_reads_all_settings_from_the_file() {
    leave_out_on_postgres!("a data directory");
    let dir = Dir::new();
    dir.write("site.toml", "name = 'Aus der Datei'\n");
    let server = server(
        &dir,
        "data_dir = 'elsewhere'\npublic_url = 'https://www.tauben.example'\nsite = 'site.toml'\nrate_limit = 1\n\
         trusted_proxy = ['10.0.0.0/8', '127.0.0.0/8']\nlog_format = 'json'\n",
    );
    assert_has_settings(&server, &dir, "Aus der Datei");
}

/// Asserts that a server uses settings that all differ from the defaults, and this site name.
pub fn assert_has_settings(server: &Server, dir: &Dir, name: &str) {
    let page = page(server, "/faq");
    assert_eq!(page.link("canonical"), Some("https://www.tauben.example/faq"));
    assert!(page.title().ends_with(&format!(" | {name}")), "{}", page.title());
    let from = |client: &str| {
        server
            .send(&post(&record("Krause")).header("X-Forwarded-For", client))
            .status
    };
    assert_eq!(
        [from("198.51.100.1"), from("198.51.100.1"), from("198.51.100.2")],
        [201, 429, 201]
    );
    assert!(dir.path().join("elsewhere").is_dir() && !dir.data().exists());
    assert!(server.logged("listening").starts_with('{'));
}

#[test]
fn switches_and_lists_of_the_file_can_be_overridden() {
    let dir = Dir::new();
    let mut command = configured(
        &dir,
        "listen = '127.0.0.1:0'\ndemo = true\nrate_limit = 1\ntrusted_proxy = ['127.0.0.0/8']",
    );
    command
        .env("TAUBENABWEHR_DEMO", "false")
        .env("TAUBENABWEHR_TRUSTED_PROXY", "10.0.0.0/8,192.0.2.0/24");
    let server = Server::spawn(Setup::bare().dir(&dir), command);
    let from = |client: &str| {
        server
            .send(&post(&record("Krause")).header("X-Forwarded-For", client))
            .status
    };
    // The header is not trusted, so both requests count as one client.
    assert_eq!([from("198.51.100.1"), from("198.51.100.2")], [201, 429]);
    assert!(dir.has_store());

    let dir = Dir::new();
    let demo = self::server(&dir, "demo = true");
    assert_eq!(demo.post(&record("Krause")).status, 201);
    assert!(!dir.has_store());
}

#[test]
fn paths_are_relative_to_the_file() {
    leave_out_on_postgres!("a data directory");
    let dir = Dir::new();
    dir.write(
        "etc/config.toml",
        "listen = '127.0.0.1:0'\ndata_dir = '../var'\nsite = 'site.toml'\n",
    );
    dir.write("etc/site.toml", "name = 'Nebenan'\n");
    let other = Dir::new();
    let absolute = dir.path().join("etc/config.toml");
    for (directory, path) in [
        (dir.path(), Path::new("etc/config.toml")),
        (other.path(), &absolute),
    ] {
        let mut command = command(directory);
        command.env("TAUBENABWEHR_CONFIG", path);
        let server = Server::spawn(Setup::bare(), command);
        assert!(page(&server, "/faq").title().ends_with(" | Nebenan"));
        server.terminate();
    }
    assert!(dir.path().join("var").is_dir() && !dir.data().exists());
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 0);
}

#[test]
fn every_command_takes_the_file_before_or_behind_its_name() {
    let dir = Dir::new();
    let server = server(&dir, "data_dir = 'elsewhere'\nrate_limit = 0");
    let id = server.store_id(&record("Krause"));
    let path = dir.write(
        "commands.toml",
        format!("data_dir = 'elsewhere'\nlisten = '{}'\n", server.address),
    );
    let before = run(dir.path(), &["--config", &path, "export"]);
    assert!(before.success().contains("Krause"));
    let behind = run(dir.path(), &["export", "--config", &path]);
    assert!(behind.success().contains("Krause"));
    run(dir.path(), &["healthcheck", "--config", &path]).success();
    let erased = run(dir.path(), &["erase", &id, "--yes", "--config", &path]);
    assert_eq!(erased.success(), "1 inquiry erased\n");
    run(dir.path(), &["config", "check", "--config", &path]).success();
    run(dir.path(), &["--config", &path, "completions", "bash"]).success();
}

#[test]
fn mistakes_are_refused_by_every_command_with_file_and_line() {
    let duplicate = format!("{MAIL}{}\n{}", firm("a"), firm("a"));
    for (toml, line, parts) in [
        ("\nlisten = 'nowhere'", 2, &["listen", "Address and port"][..]),
        ("dta_dir = 'x'", 1, &["dta_dir", "`data_dir`", "`firm`"]),
        ("rate_limit = 'many'", 1, &["number"]),
        ("demo = 1", 1, &["true or false"]),
        (
            "trusted_proxy = [\n  '10.0.0.0/8',\n  'proxy',\n]",
            3,
            &["trusted_proxy"],
        ),
        (
            "[mail]\n\nserver = 'mail.example.de'",
            3,
            &["mail.server", "smtp://"],
        ),
        (
            "[matching]\noffers = 4",
            2,
            &["matching.offers", "between 1 and 3"],
        ),
        (&firm("a"), 1, &["[[firm]]", "[mail]"]),
        (&duplicate, 11, &["another firm", "unique"]),
        (
            "[retention]\ninquiries_days = -1",
            2,
            &["retention.inquiries_days", "36500"],
        ),
        ("demo = true\n[mail", 2, &[]),
    ] {
        let dir = Dir::new();
        for arguments in [
            &["serve"][..],
            &["export"],
            &["healthcheck"],
            &["config", "check"],
        ] {
            let finished = finish(configured(&dir, toml).args(arguments));
            let message = finished.failure();
            assert!(
                message.contains(&format!("config.toml:{line}: ")),
                "{toml}: {message}"
            );
            for part in parts {
                assert!(message.contains(part), "{toml}: {message} lacks {part}");
            }
        }
        assert!(!dir.data().exists(), "{toml}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let dir = Dir::new();
    for path in ["missing.toml", "."] {
        let finished = run(dir.path(), &["serve", "--config", path]);
        let message = finished.failure();
        assert!(
            message.contains(path) && message.contains("--config"),
            "{message}"
        );
    }
    run(dir.path(), &["--config", "missing.toml", "completions", "bash"]).success();
}

#[test]
fn check_says_by_exit_code_and_one_line_whether_a_file_is_right() {
    let dir = Dir::new();
    let all = format!(
        "{MAIL}{}\n{}paused = true\n[retention]\ninquiries_days = 180\n",
        firm("a"),
        firm("b")
    );
    let finished = check(&dir, &all);
    assert!(
        finished.success().ends_with(
            "config.toml is valid: 2 firms (1 paused), mail by mail.example.de:587, operator not notified, inquiries \
             kept for 180 days\n"
        ),
        "{}",
        finished.text()
    );
    let finished = check(&dir, "[retention]\ninquiries_days = 1\n");
    assert!(
        finished.success().ends_with(", inquiries kept for 1 day\n"),
        "{}",
        finished.text()
    );
    assert_eq!(
        (finished.text().lines().count(), finished.stderr.as_str()),
        (1, "")
    );
    for (server, advice) in [
        ("smtp://mail.example.de:465", Some("write smtps://")),
        ("smtps://mail.example.de:587", Some("write smtp://")),
        ("smtps://mail.example.de:25", Some("write smtp://")),
        ("smtps://mail.example.de", None),
        ("smtp://mail.example.de:2525", None),
    ] {
        // Some editors begin files with a byte order mark.
        let finished = check(
            &dir,
            &format!(
                "{}[mail]\nserver = '{server}'\nfrom = 'a@example.de'\n",
                '\u{feff}'
            ),
        );
        finished.success();
        let warning = finished.stderr.strip_prefix("warning: ");
        assert_eq!(
            warning.is_some(),
            advice.is_some(),
            "{server}: {}",
            finished.stderr
        );
        assert!(
            advice.is_none_or(|advice| finished.stderr.contains(advice)),
            "{}",
            finished.stderr
        );
    }
    assert!(!dir.data().exists());
    run(dir.path(), &["config", "check"]).misuse("--config");
    run(dir.path(), &["config"]).misuse("check");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/config.toml");
    run(
        dir.path(),
        &["config", "check", "--config", sample.to_str().unwrap()],
    )
    .success();
}

#[test]
fn check_reads_the_files_that_are_named() {
    let dir = Dir::new();
    dir.write("wrong-site.toml", "nam = 'A'");
    let pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
    dir.write("ca.pem", pem);
    dir.write("no.pem", "hello");
    dir.write("empty", "");
    dir.write("password", "geheim\n");
    dir.write("key", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    dir.write("short-key", "whsec_Z2VoZWlt\n");
    let mail = |rest: &str| format!("{MAIL}{rest}");
    let hook = "[notify]\nwebhook = 'https://crm.example.de/hook'\n";
    for (toml, expected) in [
        (mail("ca_file = 'ca.pem'"), None),
        (mail("username = 'a'\npassword_file = 'password'"), None),
        (format!("{hook}webhook_secret_file = 'key'"), None),
        (
            "site = 'wrong-site.toml'".to_owned(),
            Some("wrong-site.toml:1: unknown field `nam`"),
        ),
        (
            "\nsite = 'no-site.toml'".to_owned(),
            Some("config.toml:2: `site` names"),
        ),
        (mail("ca_file = 'no.pem'"), Some("config.toml:4: `mail.ca_file`")),
        (
            mail("ca_file = 'none.pem'"),
            Some("config.toml:4: `mail.ca_file`"),
        ),
        (
            mail("username = 'a'"),
            Some("config.toml:4: `mail.username` needs a password"),
        ),
        (
            mail("password_file = 'password'"),
            Some("config.toml:4: `mail.password_file` needs `mail.username`"),
        ),
        (
            mail("username = 'a'\npassword_file = 'none'"),
            Some("config.toml:5: `mail.password_file`"),
        ),
        (
            mail("username = 'a'\npassword_file = 'empty'"),
            Some("config.toml:5: `mail.password_file`"),
        ),
        (
            hook.to_owned(),
            Some("config.toml:2: `notify.webhook` needs `notify.webhook_secret_file`"),
        ),
        (
            format!("{hook}webhook_secret_file = 'none'"),
            Some("config.toml:3: `notify.webhook_secret_file`"),
        ),
        (
            format!("{hook}webhook_secret_file = 'password'"),
            Some("config.toml:3: `notify.webhook_secret_file`"),
        ),
        (
            format!("{hook}webhook_secret_file = 'short-key'"),
            Some("config.toml:3: `notify.webhook_secret_file`"),
        ),
    ] {
        let finished = check(&dir, &toml);
        let Some(expected) = expected else {
            finished.success();
            continue;
        };
        let message = finished.failure();
        assert!(message.contains(expected), "{toml}: {message}");
        assert!(
            !message.contains("geheim") && !message.contains("Z2VoZWlt"),
            "{message}"
        );
    }
}

#[test]
fn the_password_may_come_from_the_environment_or_the_service_manager() {
    let dir = Dir::new();
    let toml = format!("{MAIL}username = 'a'");
    let check =
        |name: &str, value: &str| finish(configured(&dir, &toml).args(["config", "check"]).env(name, value));
    check("TAUBENABWEHR_MAIL_PASSWORD", "geheim").success();
    check("TAUBENABWEHR_MAIL_PASSWORD", "").failure();
    dir.write("credentials/mail-password", "geheim\n");
    let credentials = dir.path().join("credentials");
    check("CREDENTIALS_DIRECTORY", credentials.to_str().unwrap()).success();
    check("CREDENTIALS_DIRECTORY", "/nowhere").failure();
}

#[test]
fn the_samples_are_printed_and_right() {
    let dir = Dir::new();
    let print = |args: &[&str]| {
        let printed = run(dir.path(), &[&["config", "sample"], args].concat());
        printed.success().to_owned()
    };
    dir.write("config.toml", print(&[]));
    run(dir.path(), &["config", "check", "--config", "config.toml"]).success();
    assert_eq!(print(&["config"]), print(&[]));
    dir.write("site.toml", print(&["site"]));
    dir.write("config.toml", "site = 'site.toml'");
    run(dir.path(), &["config", "check", "--config", "config.toml"]).success();
    // Neither command needs a valid configuration.
    dir.write("config.toml", "wrong");
    run(dir.path(), &["config", "sample", "--config", "config.toml"]).success();
}

#[test]
fn a_firm_that_works_where_no_inquiry_comes_from_is_named() {
    let dir = Dir::new();
    let config = format!(
        "{MAIL}{}",
        firm("a").replace("postal_codes = ['2'", "postal_codes = ['25', '22'")
    );
    let finished = check(&dir, &config);
    let text = finished.success();
    assert_has!(
        text,
        "no inquiry comes from 25 of firm a: the site takes postal codes from 20000 to 22999"
    );
}

#[test]
fn the_path_of_a_missing_secret_is_named() {
    let dir = Dir::new();
    let message = |value: &str| {
        let config = format!("{MAIL}username = 'a'\npassword_file = '{value}'");
        dir.write("config.toml", &config);
        // This also works if the configuration file is named without a directory.
        run(dir.path(), &["config", "check", "--config", "config.toml"])
            .failure()
            .to_owned()
    };
    let missing = dir.path().join("missing");
    for value in ["missing", "./missing", missing.to_str().unwrap()] {
        let line = message(value);
        assert!(
            line.contains("`mail.password_file`") && line.contains(missing.to_str().unwrap()),
            "{line}"
        );
    }
    // A secret instead of a file name.
    let config = "[notify]\nwebhook = 'https://crm.example.de/'\nwebhook_secret_file = 'whsec_Z2VoZWlt'";
    let line = check(&dir, config).failure().to_owned();
    assert!(
        line.contains("`notify.webhook_secret_file`") && !line.contains("Z2VoZWlt"),
        "{line}"
    );
}

/// Runs in its own mount namespace, with nothing else in `/etc`.
#[test]
fn a_command_that_is_told_nothing_finds_the_installed_configuration() {
    leave_out_on_postgres!("a data directory");
    let server = Server::start();
    server.store(&record("Krause"));
    let dir = server.dir().clone();
    assert_eq!(server.terminate().code, Some(0));
    let elsewhere = Dir::new();
    let installed = |config: &str, then: &str| {
        elsewhere.write("installed.toml", config);
        let script = format!(
            "mount -t tmpfs none /etc && mkdir /etc/taubenabwehr && cp installed.toml /etc/taubenabwehr/config.toml && {then}"
        );
        let mut shell = clean(Command::new("unshare"), elsewhere.path());
        shell.args(["--mount", "--map-root-user", "sh", "-c", &script, "sh"]);
        finish(shell.arg(program()))
    };
    if installed("", "exit 0").code != Some(0) {
        eprintln!("SKIPPED: this user may not mount anything in a namespace");
        return;
    }
    let config = format!("data_dir = '{}'", dir.data().display());
    let listed = installed(&config, "\"$1\" inquiries --json");
    assert!(
        listed.success().contains("20095") || listed.success().contains("\"id\""),
        "{listed:?}"
    );
    installed("wrong", "\"$1\" inquiries").failure();
    installed(&config, "\"$1\" config check").success();
    // An explicit store takes precedence.
    for then in [
        "\"$1\" inquiries --data-dir nowhere",
        "TAUBENABWEHR_DATA_DIR=nowhere \"$1\" inquiries",
        "\"$1\" inquiries --store redb:nowhere",
    ] {
        let line = installed(&config, then).failure().to_owned();
        for way in [
            "nowhere",
            "--data-dir",
            "--store",
            "--config",
            "TAUBENABWEHR_CONFIG",
            "/etc/taubenabwehr/config.toml",
        ] {
            assert!(line.contains(way), "{line} does not name {way}");
        }
    }
    // If there is also a data directory, a line says which of the two is used.
    let beside = installed(&config, "mkdir data && \"$1\" inquiries --json");
    assert!(beside.success().contains("\"id\""), "{beside:?}");
    let lines: Vec<_> = beside.stderr.lines().collect();
    assert!(
        matches!(lines[..], [line] if line.contains("/etc/taubenabwehr/config.toml") && line.contains("data")),
        "{beside:?}"
    );
    std::fs::remove_dir(elsewhere.path().join("data")).unwrap();
    // A server also finds it, with or without `serve`.
    for serve in ["serve", ""] {
        let line = installed("wrong", &format!("\"$1\" {serve} --listen 127.0.0.1:0"))
            .failure()
            .to_owned();
        assert!(line.contains("/etc/taubenabwehr/config.toml:1"), "{line}");
    }
    let serve = format!(
        "\"$1\" --listen 127.0.0.1:0 2>log & \
         until [ -S '{data}/control.sock' ] || ! kill -0 $!; do sleep 0.05; done; [ -S '{data}/control.sock' ] && kill $!",
        data = dir.data().display()
    );
    installed(&config, &serve).success();
    assert!(!elsewhere.path().join("data").exists());
}
