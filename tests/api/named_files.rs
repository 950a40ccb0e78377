//! Files named by the operator: pipes do not block, and secrets that others can read cause a warning.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::harness::command::{Finished, clean, finish, program};
use crate::harness::tls::{HOST, TlsClient, install};
use crate::harness::{Dir, Setup, TlsServer, until};
use crate::sinks::Certificate;

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs the program with a timeout, in case it waits for the other end of a pipe.
fn run_for_a_while(dir: &Dir, args: &[&str]) -> Finished {
    let mut command = Command::new("timeout");
    command.arg("60").arg(program());
    finish(clean(command, dir.path()).args(args))
}

#[test]
fn a_pipe_is_refused_wherever_a_file_is_named() {
    let dir = Dir::new();
    make_pipe(&dir.path().join("pipe"));
    install(&dir, &Certificate::of(&[HOST]));
    let mail = "[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'a@example.de'\n";
    for (name, text) in [
        (
            "password.toml",
            format!("{mail}username = 'a'\npassword_file = 'pipe'\n"),
        ),
        ("roots.toml", format!("{mail}ca_file = 'pipe'\n")),
        (
            "webhook.toml",
            "[notify]\nwebhook = 'http://127.0.0.1:1/'\nwebhook_secret_file = 'pipe'\n".to_owned(),
        ),
        ("site.toml", "site = 'pipe'\n".to_owned()),
        ("tls.toml", "tls_cert = 'pipe'\ntls_key = 'key.pem'\n".to_owned()),
        ("store.toml", "store_password_file = 'pipe'\n".to_owned()),
        (
            "acme.toml",
            "tls_listen = '127.0.0.1:0'\nacme = 'a.example'\nacme_ca = 'pipe'\n".to_owned(),
        ),
    ] {
        dir.write(name, text);
    }
    let plain = &["serve", "--listen", "127.0.0.1:0"][..];
    let tls = &["serve", "--tls-listen", "127.0.0.1:0"][..];
    let cases: &[(&[&str], &[&str])] = &[
        (plain, &["--config", "pipe"]),
        (plain, &["--config", "password.toml"]),
        (plain, &["--config", "roots.toml"]),
        (plain, &["--config", "webhook.toml"]),
        (plain, &["--config", "site.toml"]),
        (plain, &["--site", "pipe"]),
        (tls, &["--tls-cert", "pipe", "--tls-key", "key.pem"]),
        (tls, &["--tls-cert", "cert.pem", "--tls-key", "pipe"]),
        (tls, &["--acme", "a.example", "--acme-ca", "pipe"]),
        (&["config", "check"], &["--config", "pipe"]),
        (&["config", "check"], &["--config", "password.toml"]),
        (&["config", "check"], &["--config", "roots.toml"]),
        (&["config", "check"], &["--config", "webhook.toml"]),
        (&["config", "check"], &["--config", "site.toml"]),
        (&["config", "check"], &["--config", "tls.toml"]),
        (&["config", "check"], &["--config", "acme.toml"]),
        (&["check", "pipe"], &[]),
        (&["restore", "pipe"], &["--data-dir", "restored"]),
        (
            &["inquiries", "--store"],
            &["postgres://a@127.0.0.1:1/a?sslmode=verify-full&sslrootcert=pipe"],
        ),
        (
            &["inquiries", "--store", "postgres://a@127.0.0.1:1/a"],
            &["--store-password-file", "pipe"],
        ),
        (&["config", "check"], &["--config", "store.toml"]),
    ];
    for (command, args) in cases {
        let args = [*command, *args].concat();
        let failed = run_for_a_while(&dir, &args);
        failed.fails_with("regular file");
    }
}

#[test]
fn a_pipe_in_the_place_of_a_certificate_stops_no_renewal() {
    let server = TlsServer::with(&[]);
    let dir = server.server.dir();
    for name in ["cert.pem", "key.pem"] {
        fs::remove_file(dir.path().join(name)).unwrap();
        make_pipe(&dir.path().join(name));
    }
    server.server.signal("HUP");
    let line = server.server.logged("former certificate stays in use");
    assert!(line.contains("regular file"), "{line}");
    server.handshake(None).unwrap();
    let next = Certificate::of(&[HOST]);
    for (name, text) in [("key.pem", &next.key_pem), ("cert.pem", &next.pem)] {
        let new = dir.write("new", text);
        fs::rename(new, dir.path().join(name)).unwrap();
    }
    let client = TlsClient::new(server.address, &next);
    until("the new certificate", || client.handshake(None).ok());
}

#[test]
fn secrets_that_others_can_read_are_told_of() {
    let setup = Setup::new();
    let dir = setup.dir.clone();
    let [_, _, _, key] = install(&dir, &Certificate::of(&[HOST]));
    dir.write("mail-password", "geheim\n");
    dir.write("webhook-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    let config = dir.write(
        "config.toml",
        "tls_cert = 'cert.pem'\ntls_key = 'key.pem'\n[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'a@example.de'\n\
         username = 'a'\npassword_file = 'mail-password'\n[notify]\nwebhook = 'http://127.0.0.1:1/'\n\
         webhook_secret_file = 'webhook-secret'\n",
    );
    let paths = ["mail-password", "webhook-secret"].map(|name| dir.path().join(name));
    let paths = paths.map(|path| path.to_str().unwrap().to_owned());
    let paths = [&paths[..], &[key]].concat();
    for mode in [0o644, 0o640, 0o606, 0o600, 0o400] {
        for path in &paths {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let checked = run_for_a_while(&dir, &["config", "check", "--config", &config]);
        checked.success();
        let doctor = run_for_a_while(&dir, &["doctor", "--config", &config]);
        let server = setup.clone().args(&["--config", &config]).start();
        for path in &paths {
            let advice = format!("`chmod 600 {path}`");
            let is_open = mode & 0o077 != 0;
            assert_eq!(checked.stderr.contains(&advice), is_open, "{mode:o} {checked:?}");
            assert_eq!(doctor.text().contains(&advice), is_open, "{mode:o} {doctor:?}");
            if is_open {
                server.logged(&advice);
            }
        }
        let ended = server.terminate();
        let is_told = ended.stderr.contains("chmod");
        assert_eq!(is_told, mode & 0o077 != 0, "{mode:o} {ended:?}");
    }
}
