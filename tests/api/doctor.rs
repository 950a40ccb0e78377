//! `doctor`: provokes each finding (`docs/behaviour.md`, "Doctor").

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener};
use std::sync::Arc;
use std::thread;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use taubenabwehr::domain::reckoning::Reckoning;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::harness::command::{Finished, command, finish, one_line};
use crate::harness::referral;
use crate::harness::tls::{HOST, install};
use crate::harness::{Dir, Setup, block_on, record, run, until_true};
use crate::sinks::{Behaviour, Certificate, Security, SmtpSink, Step, WebhookSink};

/// A port that nothing listens on and that no test uses.
const NOBODY: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 1));

const CHECKS: [&str; 11] = [
    "settings",
    "imprint",
    "public_address",
    "proxy",
    "certificate",
    "clock",
    "disk",
    "mail",
    "webhook",
    "deliveries",
    "backup",
];

/// The findings of `doctor`, and its exit status.
struct Diagnosis {
    findings: Vec<Value>,
    finished: Finished,
}

impl Diagnosis {
    fn of(dir: &Dir, args: &[&str], env: &[(&str, &str)]) -> Self {
        let mut command = command(dir.path());
        command.args(["doctor", "--json"]).args(args);
        let finished = finish(command.envs(env.iter().copied()));
        let findings: Vec<Value> = serde_json::from_str(finished.text()).unwrap();
        let has_error = findings.iter().any(|finding| finding["level"] == "error");
        assert_eq!(finished.code, Some(i32::from(has_error)), "{finished:?}");
        if has_error {
            one_line(&finished.stderr);
        }
        for finding in &findings {
            let keys: Vec<_> = finding.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["check", "level", "message", "advice"]);
            assert_eq!(finding["advice"].is_null(), finding["level"] == "ok", "{finding}");
        }
        Self { findings, finished }
    }

    /// The level of a check, which must occur once, and its message with the advice.
    fn on(&self, check: &str) -> (&str, String) {
        let found: Vec<_> = self
            .findings
            .iter()
            .filter(|finding| finding["check"] == check)
            .collect();
        assert_eq!(found.len(), 1, "{check}: {:?}", self.finished);
        let text = |key: &str| found[0][key].as_str().unwrap_or_default();
        (text("level"), format!("{} {}", text("message"), text("advice")))
    }

    fn expect(&self, check: &str, level: &str, part: &str) {
        let (found, text) = self.on(check);
        assert!(found == level && text.contains(part), "{check}: {found}, {text}");
    }
}

/// Answers every request with 200 and a date, over TLS if there is a certificate.
fn public(tls: Option<Arc<ServerConfig>>, date: Timestamp) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let date = date.strftime("%a, %d %b %Y %H:%M:%S GMT");
    let answer = format!("HTTP/1.1 200 OK\r\nDate: {date}\r\nContent-Length: 0\r\n\r\n");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            // A client that rejects the certificate disconnects.
            let _ = match &tls {
                None => stream
                    .read(&mut request)
                    .and_then(|_| stream.write_all(answer.as_bytes())),
                Some(tls) => {
                    let mut stream =
                        StreamOwned::new(ServerConnection::new(Arc::clone(tls)).unwrap(), stream);
                    stream.read(&mut request).and_then(|_| {
                        stream.write_all(answer.as_bytes())?;
                        stream.flush()
                    })
                }
            };
        }
    });
    address
}

/// A certificate for `localhost` that expires in this many hours, and its authority in PEM.
fn certificate(hours: i64) -> (Arc<ServerConfig>, String) {
    let end = Timestamp::now() + SignedDuration::from_hours(hours);
    let Certificate {
        server,
        authority_pem,
        ..
    } = Certificate::ending(&[HOST], end);
    (server, authority_pem)
}

#[test]
fn a_running_server_is_examined_check_by_check() {
    let server = Setup::new().start();
    let origin = server.origin();
    let listen = server.address.to_string();
    let args = ["--public-url", origin.as_str(), "--listen", &listen];
    let found = Diagnosis::of(server.dir(), &args, &[]);
    let checks: Vec<_> = found
        .findings
        .iter()
        .map(|finding| finding["check"].as_str().unwrap())
        .collect();
    assert_eq!(checks, CHECKS);
    found.expect("settings", "ok", "right");
    found.expect("imprint", "warning", "--site");
    found.expect("public_address", "ok", "answers");
    found.expect("proxy", "ok", "none is needed");
    found.expect("certificate", "warning", "http://");
    found.expect("clock", "ok", "agrees");
    found.expect("mail", "warning", "[mail]");
    found.expect("webhook", "ok", "not configured");
    found.expect("deliveries", "ok", "none has failed");
    found.expect("backup", "warning", "none was ever made");
    run(server.dir().path(), &["backup", "--output", "the.backup"]).success();
    let found = Diagnosis::of(server.dir(), &args, &[]);
    found.expect("backup", "ok", "the last backup dates from 20");
    let text = run(server.dir().path(), &[&["doctor"], &args[..]].concat());
    assert!(text.success().lines().count() == CHECKS.len() + 1, "{text:?}");
}

#[test]
fn without_a_server_the_store_is_read_and_the_address_is_missed() {
    let server = Setup::new().start();
    let dir = server.dir().clone();
    let origin = server.origin();
    assert_eq!(server.terminate().code, Some(0));
    let found = Diagnosis::of(&dir, &["--public-url", &origin], &[]);
    found.expect("public_address", "error", "does not answer");
    found.expect("clock", "warning", "not compared");
    found.expect("deliveries", "ok", "none has failed");
    let found = Diagnosis::of(&dir, &["--public-url", &origin, "--data-dir", "missing"], &[]);
    found.expect("disk", "error", "missing");
    found.expect("deliveries", "error", "does not exist");
    found.expect("backup", "error", "does not exist");
}

#[test]
fn wrong_settings_are_a_finding() {
    let dir = Dir::new();
    let config = dir.write("config.toml", "[mial]\n");
    let found = Diagnosis::of(&dir, &["--config", &config], &[]);
    found.expect("settings", "error", "config.toml:1");
    let site = dir.write("site.toml", "nam = 'x'");
    let found = Diagnosis::of(&dir, &["--site", &site], &[]);
    found.expect("settings", "error", "site.toml:1");
    let found = Diagnosis::of(&dir, &["--demo", "--listen", "127.0.0.1:1"], &[]);
    found.expect("settings", "warning", "demo");
    found.expect("public_address", "error", "127.0.0.1:1");
}

#[test]
fn a_certificate_is_looked_at_two_weeks_ahead() {
    for (hours, level, part) in [
        (24 * 30, "ok", "more than 14 days"),
        (24 * 13 - 1, "warning", "within 13 days"),
        (2, "warning", "within a day"),
        (-1, "error", "it is over"),
    ] {
        let dir = Dir::new();
        let (tls, authority) = certificate(hours);
        let authority = dir.write("authority.pem", authority);
        let address = public(Some(tls), Timestamp::now());
        let url = format!("https://localhost:{}", address.port());
        let found = Diagnosis::of(&dir, &["--public-url", &url], &[("SSL_CERT_FILE", &authority)]);
        found.expect("certificate", level, part);
        let reached = if level == "error" { "error" } else { "ok" };
        found.expect("public_address", reached, "localhost");
        found.expect("proxy", "warning", "--trusted-proxy");
        let trusting = ["--public-url", url.as_str(), "--trusted-proxy", "127.0.0.1/32"];
        let found = Diagnosis::of(&dir, &trusting, &[("SSL_CERT_FILE", &authority)]);
        found.expect("proxy", "ok", "127.0.0.1/32");
        let everybody = ["--public-url", url.as_str(), "--trusted-proxy", "0.0.0.0/0"];
        let found = Diagnosis::of(&dir, &everybody, &[("SSL_CERT_FILE", &authority)]);
        found.expect("proxy", "warning", "any client");
    }
    let dir = Dir::new();
    let (tls, _) = certificate(24 * 30);
    let (_, other) = certificate(24 * 30);
    let other = dir.write("other.pem", other);
    let url = format!("https://localhost:{}", public(Some(tls), Timestamp::now()).port());
    let found = Diagnosis::of(&dir, &["--public-url", &url], &[("SSL_CERT_FILE", &other)]);
    found.expect("certificate", "error", "browsers refuse it");
}

#[test]
fn a_clock_that_is_a_minute_off_is_seen() {
    let dir = Dir::new();
    for (seconds, level) in [(0, "ok"), (90, "warning"), (-90, "warning")] {
        let date = Timestamp::now() + SignedDuration::from_secs(seconds);
        let url = format!("http://{}", public(None, date));
        let found = Diagnosis::of(&dir, &["--public-url", &url], &[]);
        found.expect("clock", level, "that of the public address");
    }
}

#[test]
fn where_the_public_address_says_no_time_the_directory_is_asked() {
    let nobody = format!("http://{NOBODY}");
    for (seconds, level) in [(0, "ok"), (90, "warning"), (-90, "warning")] {
        let theirs = Timestamp::now() + SignedDuration::from_secs(seconds);
        let dir = Dir::new();
        let (tls, authority) = certificate(24 * 30);
        let authority = dir.write("authority.pem", authority);
        let directory = format!("https://localhost:{}/directory", public(Some(tls), theirs).port());
        let acme = ["--acme", "tauben.example.de", "--acme-directory", &directory];
        let more = ["--acme-ca", &authority, "--tls-listen", "127.0.0.1:8443"];
        let address = ["--public-url", &*nobody];
        let found = Diagnosis::of(&dir, &[&acme[..], &more, &address].concat(), &[]);
        found.expect("clock", level, "that of the ACME directory");
    }
}

#[test]
fn the_files_of_the_certificate_are_looked_at() {
    let dir = Dir::new();
    let this_year = i32::from(Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).year());
    let (good, other) = (Certificate::of(&[HOST]), Certificate::of(&[HOST]));
    let files = install(&dir, &good);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let shown = public(None, Timestamp::now());
    let shown = format!("http://{shown}");
    let args = [&files[..], &["--public-url", &shown]].concat();
    let found = || Diagnosis::of(&dir, &args, &[]);
    // With valid files, the public URL without TLS is reported.
    found().expect("certificate", "warning", "http://");
    dir.write("key.pem", &other.key_pem);
    found().expect(
        "certificate",
        "error",
        "the key does not belong to the certificate",
    );
    dir.write("key.pem", "");
    found().expect("certificate", "error", "key.pem holds no private key");
    std::fs::remove_file(dir.path().join("cert.pem")).unwrap();
    found().expect("certificate", "error", "cannot read");
    install(&dir, &Certificate::until(&[HOST], this_year));
    found().expect("certificate", "error", "cert.pem has expired");
    let soon = Timestamp::now() + SignedDuration::from_hours(13 * 24 - 1);
    install(&dir, &Certificate::ending(&[HOST], soon));
    found().expect("certificate", "warning", "cert.pem ends within 13 days");
    // The expiry of an untrusted certificate is also checked.
    let (tls, _) = certificate(24 * 30);
    let (_, trusted) = certificate(24 * 30);
    let trusted = dir.write("trusted.pem", trusted);
    let url = format!("https://localhost:{}", public(Some(tls), Timestamp::now()).port());
    let args = [&files[..], &["--public-url", &url]].concat();
    let found = Diagnosis::of(&dir, &args, &[("SSL_CERT_FILE", &trusted)]);
    found.expect("certificate", "error", "browsers refuse it");
    found.expect("certificate", "error", "cert.pem ends within 13 days");
}

fn config(dir: &Dir, mail: SocketAddr, webhook: SocketAddr, more: &str) -> String {
    dir.write("webhook-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    let toml = format!(
        "[mail]\nserver = 'smtp://{mail}'\nfrom = 'Taubenabwehr <anfrage@example.de>'\n{more}\n[notify]\n\
         mail = ['team@example.de']\nwebhook = 'http://{webhook}/hook'\nwebhook_secret_file = 'webhook-secret'\n"
    );
    dir.write("config.toml", toml)
}

#[test]
fn mail_server_and_webhook_are_connected_to_and_nothing_is_sent() {
    let (mail, webhook) = (SmtpSink::start(Security::Clear), WebhookSink::start());
    let dir = Dir::new();
    let path = config(&dir, mail.address, webhook.address, "");
    let found = Diagnosis::of(&dir, &["--config", &path], &[]);
    found.expect("settings", "ok", "config.toml is valid");
    found.expect("mail", "ok", "would take mail");
    found.expect("webhook", "ok", "can be connected to");
    assert!(mail.mails().is_empty() && webhook.calls().is_empty());

    mail.always(Step::Ehlo, Behaviour::Refuse("554 5.3.2 no"));
    let path = config(&dir, mail.address, NOBODY, "");
    let found = Diagnosis::of(&dir, &["--config", &path], &[]);
    found.expect("mail", "error", "554");
    found.expect("webhook", "error", "cannot connect");

    mail.recover();
    dir.write("password", "secret\n");
    let log_in = "username = 'anna'\npassword_file = 'password'\n";
    let path = config(&dir, mail.address, webhook.address, log_in);
    let found = Diagnosis::of(&dir, &["--config", &path], &[]);
    found.expect("mail", "ok", "would take mail");
    mail.always(Step::Auth, Behaviour::Refuse("535 5.7.8 no"));
    let found = Diagnosis::of(&dir, &["--config", &path], &[]);
    found.expect("mail", "error", "535 5.7.8");
    assert!(mail.mails().is_empty());
    assert!(
        !found.finished.text().contains("secret\""),
        "{:?}",
        found.finished
    );
}

#[test]
fn deliveries_that_have_failed_are_named() {
    let (mail, webhook) = (SmtpSink::start(Security::Clear), WebhookSink::start());
    mail.always(Step::Rcpt, Behaviour::Refuse("550 5.1.1 nobody"));
    let setup = Setup::new();
    let path = config(&setup.dir, mail.address, webhook.address, "");
    let server = setup.args(&["--config", &path]).start();
    server.store(&record("Kranichfeld"));
    until_true("a delivery to fail", || {
        let failed = run(server.dir().path(), &["deliveries", "--failed", "--json"]);
        failed.success() != "[]\n"
    });
    let found = Diagnosis::of(server.dir(), &["--config", &path], &[]);
    found.expect(
        "deliveries",
        "warning",
        "were given up; the last: the mail server refused",
    );
    let text = fs::read_to_string(server.dir().path().join("config.toml")).unwrap();
    assert!(text.contains("team@example.de") && !found.finished.text().contains("team@example.de"));
}

#[test]
fn a_clock_that_has_leapt_is_seen_until_the_operator_agrees() {
    let server = referral::setup("[retention]\ninquiries_days = 30\n").start();
    let setup = referral::stop(server);
    let store = referral::open(&setup.dir);
    let before = Timestamp::now() - SignedDuration::from_hours(400 * 24);
    block_on(store.note_clock(Reckoning::believing(before))).unwrap();
    drop(store);

    let server = setup.start();
    server.logged("the clock has leapt");
    let path = setup.dir.path().join("config.toml");
    let config = ["--config", path.to_str().unwrap()];
    let found = Diagnosis::of(server.dir(), &config, &[]);
    found.expect("retention", "warning", "--clock-is-right");
    let agreed = [&config[..], &["--clock-is-right"]].concat();
    for args in [&agreed[..], &config] {
        let found = Diagnosis::of(server.dir(), args, &[]);
        assert!(found.findings.iter().all(|found| found["check"] != "retention"));
    }
}
