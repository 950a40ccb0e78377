//! Certificate files: what is accepted at start, and how they are reloaded.

use std::fs;

use tokio_rustls::rustls::{ProtocolVersion, version};

use crate::harness::server::Ended;
use crate::harness::tls::{HOST, TlsClient, install};
use crate::harness::{Dir, Setup, TlsServer, until};
use crate::sinks::Certificate;

/// Replaces a file atomically, as tools that renew certificates do.
fn replace(dir: &Dir, name: &str, content: &str) {
    let new = dir.write("new", content);
    fs::rename(new, dir.path().join(name)).unwrap();
}

fn replace_both(dir: &Dir, certificate: &Certificate) {
    replace(dir, "key.pem", &certificate.key_pem);
    replace(dir, "cert.pem", &certificate.pem);
}

fn wait_until_shown(server: &TlsServer, certificate: &Certificate) {
    let client = TlsClient::new(server.address, certificate);
    until("the new certificate", || client.handshake(None).ok());
}

#[test]
fn tls_1_2_and_1_3_are_spoken() {
    let server = TlsServer::with(&[]);
    let version = |version| server.handshake(version).unwrap().version;
    assert_eq!(version(None), ProtocolVersion::TLSv1_3);
    assert_eq!(version(Some(&version::TLS12)), ProtocolVersion::TLSv1_2);
}

#[test]
fn a_hangup_reads_the_files_again() {
    let server = TlsServer::with(&[]);
    let next = Certificate::of(&[HOST]);
    replace_both(server.server.dir(), &next);
    server.server.signal("HUP");
    wait_until_shown(&server, &next);
    server.server.logged("certificate read again");
    server.server.logged("there is no configuration file");
    assert!(!server.server.stderr().contains("ignored"));
}

#[test]
fn changed_files_are_read_again_without_a_signal() {
    let server = TlsServer::with(&[]);
    let mut connection = server.connect();
    let next = Certificate::of(&[HOST]);
    replace_both(server.server.dir(), &next);
    // The open connection keeps its certificate. Requests on it prevent it from being closed as idle.
    let request = crate::harness::Request::get("/healthz");
    let client = TlsClient::new(server.address, &next);
    until("the new certificate", || {
        assert_eq!(connection.send(&request).status, 200);
        client.handshake(None).ok()
    });
    server.server.logged("certificate read again");
}

#[test]
fn a_wrong_pair_changes_nothing() {
    let server = TlsServer::with(&[]);
    let dir = server.server.dir();
    let other = Certificate::of(&[HOST]);
    let hangup = |part: &str| {
        server.server.signal("HUP");
        let line = server.server.logged(part);
        assert!(line.contains("former certificate stays in use"), "{line}");
        server.handshake(None).unwrap();
    };
    replace(dir, "key.pem", &other.key_pem);
    hangup("the key does not belong to the certificate");
    replace(dir, "key.pem", "");
    hangup("holds no private key");
    replace(dir, "cert.pem", "nonsense");
    hangup("holds no certificate");
    fs::remove_file(dir.path().join("cert.pem")).unwrap();
    hangup("cannot read");
    replace_both(dir, &other);
    server.server.signal("HUP");
    wait_until_shown(&server, &other);
}

#[test]
fn an_expired_certificate_is_served_with_a_warning() {
    let server = TlsServer::with(&[]);
    let expired = Certificate::until(&[HOST], 2001);
    replace_both(server.server.dir(), &expired);
    server.server.signal("HUP");
    let line = server.server.logged("it has expired");
    assert_has!(line, "WARN");
    assert_has!(line, "until=2001-01-01");
    let setup = Setup::new();
    let files = install(&setup.dir, &expired);
    let server = setup.args(&["--tls-listen", "127.0.0.1:0"]).args(&files).start();
    server.logged("the certificate has expired");
}

#[test]
fn files_that_cannot_be_used_keep_the_server_from_starting() {
    let (certificate, other) = (Certificate::of(&[HOST]), Certificate::of(&[HOST]));
    for (pem, key, part) in [
        (&*certificate.pem, &*other.key_pem, "does not belong"),
        (&certificate.pem, "", "key.pem holds no private key"),
        ("", &certificate.key_pem, "cert.pem holds no certificate"),
        (
            &certificate.key_pem,
            &certificate.pem,
            "cert.pem holds no certificate",
        ),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            &certificate.key_pem,
            "cannot be read",
        ),
    ] {
        let setup = Setup::new();
        setup.dir.write("cert.pem", pem);
        setup.dir.write("key.pem", key);
        let args = [
            "--tls-listen",
            "127.0.0.1:0",
            "--tls-cert",
            "cert.pem",
            "--tls-key",
            "key.pem",
        ];
        let failed = setup.args(&args).fail();
        failed.fails_with(part);
    }
    let args = [
        "--tls-listen",
        "127.0.0.1:0",
        "--tls-cert",
        "missing.pem",
        "--tls-key",
        "key.pem",
    ];
    let failed = Setup::new().args(&args).fail();
    failed.fails_with("cannot read missing.pem");
}

#[test]
fn flags_that_make_no_sense_together_are_wrong_usage() {
    for (args, part) in [
        (&["--tls-listen", "127.0.0.1:0"][..], "needs a certificate"),
        (&["--tls-listen", "127.0.0.1:0", "--tls-cert", "a"], "together"),
        (&["--tls-listen", "127.0.0.1:0", "--tls-key", "a"], "together"),
        (
            &["--tls-listen", "nowhere", "--tls-cert", "a", "--tls-key", "b"],
            "nowhere",
        ),
    ] {
        Setup::new().args(args).fail().misuse(part);
    }
    let setup = Setup::new().env("TAUBENABWEHR_TLS_LISTEN", "127.0.0.1:0");
    setup.fail().misuse("needs a certificate");
    let setup = Setup::new().config("tls_listen = '127.0.0.1:0'\n");
    setup.fail().misuse("needs a certificate");
}

#[test]
fn config_check_reads_the_certificate() {
    let dir = Dir::new();
    install(&dir, &Certificate::of(&[HOST]));
    let toml = "tls_listen = '127.0.0.1:8443'\ntls_cert = 'cert.pem'\ntls_key = 'key.pem'\n";
    let path = dir.write("config.toml", toml);
    let check = || crate::harness::run(dir.path(), &["config", "check", "--config", &path]);
    check().success();
    replace(&dir, "key.pem", &Certificate::of(&[HOST]).key_pem);
    let line = check().failure().to_owned();
    assert!(line.contains("does not belong"), "{line}");
    dir.write("config.toml", "tls_listen = '127.0.0.1:8443'\n");
    let line = check().failure().to_owned();
    assert!(line.contains("needs a certificate"), "{line}");
}

#[test]
fn a_connection_ends_when_the_server_does() {
    let server = TlsServer::with(&[]);
    let mut connection = server.connect();
    let request = crate::harness::Request::get("/healthz");
    assert_eq!(connection.send(&request).status, 200);
    let Ended { code, stderr, .. } = server.server.terminate();
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stderr.contains("did not finish in time"), "{stderr}");
    assert!(connection.rest().is_empty());
}
