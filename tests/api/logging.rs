//! The log: for people or for machines, and never about persons.

use serde_json::Value;

use crate::harness::inquiry::{post, post_bytes, with};
use crate::harness::{Server, Setup, record};

/// Everything that happens to a server, with a word in every field that must not get into the log.
fn exercise(server: &Server) {
    let mut secret = record("Geheimnachname");
    secret["first_name"] = "Geheimvorname".into();
    secret["email_address"] = "geheim@geheim.example".into();
    secret["phone_number"] = "040 77766655".into();
    secret["postal_code"] = "22987".into();
    let sent = |request: crate::harness::Request| {
        let request = request
            .header("X-Forwarded-For", "198.51.100.77")
            .header("User-Agent", "Geheimbrowser");
        server.send(&request.header("Referer", "https://geheim.example/"))
    };
    sent(post(&secret).header("Idempotency-Key", "geheimschluessel"));
    sent(post(&secret).header("Idempotency-Key", "geheimschluessel"));
    secret["last_name"] = "Geheimanders".into();
    sent(post(&secret).header("Idempotency-Key", "geheimschluessel"));
    sent(post(&with("email_address", "geheim@")));
    sent(post(&with("geheim", "geheim")));
    sent(post(&secret).header("Origin", "https://geheim.example"));
    sent(post_bytes(format!("[{secret}")));
    sent(post_bytes(secret.to_string().repeat(200)));
    sent(crate::harness::Request::get(
        "/fragebogen?email=geheim@geheim.example",
    ));
    sent(crate::harness::Request::get("/geheim"));
    let mut broken = server.connect();
    broken
        .send_raw(post(&secret).bytes("geheim").split_last().unwrap().1)
        .unwrap();
    drop(broken);
    let mut nonsense = server.connect();
    nonsense.send_raw("GEHEIM geheim\r\n\r\n").unwrap();
    nonsense.rest();
}

#[test]
fn nothing_about_a_person_is_logged() {
    for format in ["text", "json"] {
        for demo in [false, true] {
            let mut setup = Setup::new().args(&["--log-format", format, "--trusted-proxy", "127.0.0.0/8"]);
            if demo {
                setup = setup.args(&["--demo"]);
            }
            let server = setup.start();
            exercise(&server);
            let ended = server.terminate();
            let log = (ended.stdout + &ended.stderr).to_lowercase();
            for word in ["geheim", "77766655", "22987", "198.51.100.77"] {
                assert!(!log.contains(word), "{word} is in the log: {log}");
            }
        }
    }
}

#[test]
fn every_line_of_a_json_log_is_an_object() {
    let server = Setup::new().args(&["--log-format", "json", "--demo"]).start();
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
fn a_text_log_in_a_file_holds_no_colours() {
    let server = Server::start();
    let ended = server.terminate();
    assert!(!ended.stderr.is_empty());
    assert!(!ended.stderr.contains('\u{1b}'), "{:?}", ended.stderr);
}

#[test]
fn start_and_end_are_logged() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    let line = server.logged("listening");
    assert!(line.contains(&server.address.to_string()), "{line}");
    let ended = server.terminate();
    assert!(ended.stderr.contains("stopped"), "{}", ended.stderr);
}

#[test]
fn the_sample_operator_is_pointed_out() {
    let sample = Server::start();
    sample.logged("--site");
    let own = Setup::new().site("name = 'Eigen'\n").start();
    own.logged("listening");
    let ended = own.terminate();
    assert!(!ended.stderr.contains("sample"), "{}", ended.stderr);
}
