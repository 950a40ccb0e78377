//! Certificates that the server orders from Pebble.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;

use crate::harness::{Dir, Server, Setup};
use crate::sinks::tls_client::get;
use crate::sinks::{CLOSED, Gate, Ports, pebble_is_installed};

const LONG: Duration = Duration::from_hours(24 * 90);

/// What a certificate's key begins with.
const KEY: &[u8] = b"BEGIN PRIVATE KEY";

fn setup(gate: &Gate) -> Setup {
    Setup::new()
        .args(&["--tls-listen", "127.0.0.1:0", "--acme", "localhost"])
        .args(&["--acme-contact", "technik@example.de"])
        .args(&["--acme-directory", &gate.directory()])
        .args(&["--acme-ca", gate.ca().to_str().unwrap()])
}

fn ports(server: &Server) -> Ports {
    Ports {
        http: server.address.port(),
        tls: server.tls_addresses()[0].port(),
    }
}

/// Asserts that some file of the folder holds the key, and that other users can read none of them.
fn assert_closed(folder: &Path) {
    let mut holds_key = false;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let found = fs::metadata(&path).unwrap();
        let mode = found.permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
        if found.is_file() {
            let text = fs::read(&path).unwrap();
            holds_key |= text.windows(KEY.len()).any(|part| part == KEY);
        }
    }
    assert!(holds_key);
}

/// Asserts that the account and the certificate are stored, and that other users cannot read them.
fn assert_kept(dir: &Dir) {
    let Some(schema) = dir.schema() else {
        return assert_closed(&dir.data());
    };
    let kept = schema.query("SELECT FROM acme");
    assert!(kept.len() >= 2, "{} names", kept.len());
    assert!(!dir.data().exists(), "keys are in the database alone");
}

#[test]
fn pages_are_served_until_there_is_a_certificate_and_then_by_tls() {
    if !pebble_is_installed() {
        return;
    }
    let gate = Gate::new();
    let server = setup(&gate).start();
    let https = server.tls_addresses()[0];
    assert_eq!(server.get("/").status, 200);
    let own = CertificateDer::from_pem_file(gate.ca()).unwrap();
    assert!(get(https, &own, "/").is_err());
    assert_eq!(server.get("/.well-known/acme-challenge/abc").status, 404);
    // Links name the domain.
    assert!(server.get("/").text().contains("https://localhost/"));

    let pebble = gate.start(ports(&server), LONG);
    server.logged("got a certificate for localhost");
    let root = pebble.root(&gate);
    assert!(get(https, &root, "/").unwrap().starts_with("HTTP/1.1 200 "));
    let redirect = server.get("/faq?a=b");
    assert_eq!(redirect.status, 308);
    let location = format!("https://127.0.0.1:{}/faq?a=b", https.port());
    assert_eq!(redirect.expect("location"), location);
    assert_eq!(server.get("/.well-known/acme-challenge/abc").status, 404);
    assert_eq!(server.get("/healthz").status, 200);
    assert_kept(server.dir());

    server.signal("HUP");
    assert!(get(https, &root, "/").unwrap().starts_with("HTTP/1.1 200 "));

    // After a restart the certificate is used at once, whatever state the directory is in.
    gate.close();
    let server = server.restart();
    let https = server.tls_addresses()[0];
    assert!(get(https, &root, "/").unwrap().starts_with("HTTP/1.1 200 "));
    assert_eq!(server.get("/").status, 308);
    server.logged("the certificate for localhost is valid");
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0));
    assert!(!ended.stderr.contains("PRIVATE"), "{}", ended.stderr);
}

#[test]
fn a_domain_that_leads_elsewhere_is_told_in_one_line_and_pages_go_on() {
    if !pebble_is_installed() {
        return;
    }
    let gate = Gate::new();
    let server = setup(&gate).start();
    let _pebble = gate.start(
        Ports {
            http: CLOSED,
            tls: CLOSED,
        },
        LONG,
    );
    let line = server.logged("cannot get a certificate for localhost");
    for part in [
        "ERROR",
        "HTTP-01",
        "the domain must lead to this machine",
        "the next try is at ",
    ] {
        assert!(line.contains(part), "{line} lacks {part}");
    }
    assert_eq!(server.get("/").status, 200);
    // A restart does not contact the directory again at once.
    let server = server.restart();
    server.logged("the last try to get a certificate failed; the next one is at ");
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn flags_that_make_no_sense_together_are_wrong_usage() {
    let tls = ["--tls-listen", "127.0.0.1:0"];
    let acme = ["--acme", "www.example.de"];
    for (args, part) in [
        (&[&acme[..]][..], "--tls-listen"),
        (
            &[&tls, &acme, &["--tls-cert", "a.pem", "--tls-key", "b.pem"]],
            "--tls-cert",
        ),
        (&[&tls, &acme, &["--demo"]], "--demo"),
        (&[&tls], "--acme"),
        (&[&tls, &["--acme", "*.example.de"]], "wildcard"),
        (&[&tls, &["--acme", "192.0.2.1"]], "domain"),
        (&[&tls, &["--acme", "https://www.example.de"]], "domain"),
        (&[&tls, &acme, &["--acme-contact", "technik"]], "mail address"),
        (
            &[&tls, &acme, &["--acme-directory", "http://a.example/"]],
            "https://",
        ),
    ] {
        let setup = Setup::new().args(&args.concat());
        setup.fail().misuse(part);
        assert!(!setup.dir.has_store(), "{args:?}");
    }
}

#[test]
fn roots_that_cannot_be_read_are_named() {
    let setup = Setup::new().args(&["--tls-listen", "127.0.0.1:0", "--acme", "a.example"]);
    let empty = setup.dir.write("empty.pem", "");
    for path in ["missing.pem", &empty] {
        let setup = setup.clone().args(&["--acme-ca", path]);
        let failed = setup.fail();
        let line = failed.failure();
        assert!(line.contains(path) && line.contains("--acme-ca"), "{line}");
        assert!(!setup.dir.has_store());
    }
}
