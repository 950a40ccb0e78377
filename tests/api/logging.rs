//! The log in both formats, text and JSON.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

use serde_json::Value;

use crate::harness::inquiry::post;
use crate::harness::{Server, Setup, record};
use crate::privacy::exercise;

#[test]
fn every_line_of_a_json_log_is_an_object() {
    let server = Setup::bare()
        .args(&["--log-format", "json", "--demo", "--rate-limit", "1"])
        .args(&["--trusted-proxy", "127.0.0.0/8"])
        .start();
    exercise(&server);
    let ended = server.terminate();
    assert!(ended.stderr.lines().count() >= 3, "{}", ended.stderr);
    for line in ended.stderr.lines() {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let time = event["timestamp"].as_str().unwrap();
        assert!(time.parse::<jiff::Timestamp>().is_ok(), "{line}");
        assert!(
            event["level"].is_string() && event["message"].is_string(),
            "{line}"
        );
    }
}

#[test]
fn start_and_stop_are_logged() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    let line = server.logged("listening");
    assert!(line.contains(&server.address.to_string()), "{line}");
    let version = taubenabwehr::base::process::BuildInfo::of_this_executable().to_string();
    assert!(line.contains(&version), "{line}");
    let ended = server.terminate();
    assert!(ended.stderr.contains("stopped"), "{}", ended.stderr);
}

/// The sample settings, which operators start from.
const SAMPLE: &str = include_str!("../../content/site.toml");

/// Settings that have only such values in common with the sample as two real operators could share.
const OWN: &str = r#"
[operator]
legal_name = "Taubenfrei Nord GmbH"
represented_by = "Jörg Größe"
street = "Straße 7"
postal_code = "20095"
city = "Hamburg"
email = "post@taubenfrei.example"
phone = "+49 40 98765432"
register_court = "Amtsgericht Hamburg"
register_number = "HRB 424242"
vat_id = "DE987654321"
"#;

#[test]
fn the_log_says_when_nobody_will_be_told() {
    let mail = "[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'anfrage@example.de'\n";
    let told = format!("{mail}[notify]\nmail = ['team@example.de']\n");
    let firms = crate::harness::referral::config(&["nord"]);
    for (toml, is_warned) in [("", true), (mail, true), (&told, false), (&firms, false)] {
        let log = crate::harness::referral::setup(toml).start().terminate().stderr;
        assert_eq!(
            log.contains("nobody will be told of inquiries"),
            is_warned,
            "{toml}: {log}"
        );
    }
    let log = Server::with(&["--demo"]).terminate().stderr;
    assert!(!log.contains("nobody will be told"), "{log}");
}

/// Starts and stops a server. Returns the log lines that warn about the sample operator.
fn sample_warnings(setup: &Setup) -> Vec<String> {
    let ended = setup.start().terminate();
    let lines = ended.stderr.lines();
    lines
        .filter(|line| line.contains("sample operator"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn sample_settings_cause_a_warning() {
    for (origin, setup) in [
        ("embedded", Setup::new()),
        ("a demo", Setup::new().args(&["--demo"])),
        ("copied unchanged", Setup::new().site(SAMPLE)),
    ] {
        let warnings = sample_warnings(&setup);
        let [line] = warnings.as_slice() else {
            panic!("{origin}: {warnings:?}");
        };
        for part in ["WARN", "sample site.toml", "--site", "legal_name"] {
            assert!(line.contains(part), "{origin}: {line} lacks {part}");
        }
    }
}

#[test]
fn single_sample_values_are_named() {
    let email = SAMPLE.lines().find(|line| line.starts_with("email")).unwrap();
    let half = OWN.replace("email = \"post@taubenfrei.example\"", email);
    let warnings = sample_warnings(&Setup::new().site(&half));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("keys=\"email\""), "{warnings:?}");
}

#[test]
fn own_settings_cause_no_sample_warning() {
    for own in [OWN, "name = 'Eigen'\n"] {
        for format in ["text", "json"] {
            let setup = Setup::new().site(own).args(&["--log-format", format]);
            assert_eq!(sample_warnings(&setup), [""; 0], "{own}");
        }
    }
}

#[test]
fn an_unread_log_does_not_block_the_server() {
    let setup = Setup::new().args(&["--demo"]);
    let pipe = setup.dir.path().join("log");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Opened for reading as well, so that opening does not wait for a reader.
    let mut server = setup.shell(&format!("exec 2<>'{}'", pipe.display())).start();
    // Each inquiry logs one line; together they exceed the pipe and the server's buffer.
    let request = post(&record("Krause"));
    let mut connection = server.connect();
    for _ in 0..3000 {
        assert_eq!(connection.send(&request).status, 201);
    }
    let mut log = BufReader::new(File::open(&pipe).unwrap());
    let mut line = String::new();
    while !line.contains("were dropped") {
        line.clear();
        assert_ne!(
            log.read_line(&mut line).unwrap(),
            0,
            "no line reports the dropped ones"
        );
    }
    server.signal("TERM");
    assert_eq!(server.ended().code, Some(0));
    let mut rest = String::new();
    log.read_to_string(&mut rest).unwrap();
    assert!(rest.trim_end().ends_with("stopped"), "{rest}");
}
