//! A firm whose mail server rejects its address (`docs/behaviour.md`, "Matching").

use mail_parser::MessageParser;
use serde_json::Value;

use crate::harness::command::Finished;
use crate::harness::inquiry::post;
use crate::harness::referral::{config, setup};
use crate::harness::{Server, record, run, until, until_true};
use crate::sinks::{Security, SmtpSink};

const REFUSAL: &str = "550 5.1.1 no such user";

/// A configuration with these firms, whose mails go to the sink.
fn toml(sink: &SmtpSink, firms: &[&str]) -> String {
    let toml = config(firms).replace("127.0.0.1:1", &sink.address.to_string());
    format!("{toml}[notify]\nmail = ['team@example.de']\n")
}

/// Stores an inquiry; returns its id and the path of its page.
fn submit(server: &Server, name: &str) -> (String, String) {
    let (stored, page) = server.inquire(&post(&record(name)));
    (stored["id"].as_str().unwrap().to_owned(), page)
}

fn command(server: &Server, args: &[&str]) -> Finished {
    run(
        server.dir().path(),
        &[args, &["--config", "config.toml"]].concat(),
    )
}

fn json(server: &Server, args: &[&str]) -> Value {
    serde_json::from_str(command(server, &[args, &["--json"]].concat()).success()).unwrap()
}

fn answers(server: &Server, id: &str) -> Vec<(String, String)> {
    let shown = json(server, &["inquiries", "show", id]);
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let firms = shown["firms"].as_array().unwrap().iter();
    firms
        .map(|firm| (word(&firm["id"]), word(&firm["answer"])))
        .collect()
}

fn has_asked(server: &Server, id: &str, expected: &[(&str, &str)]) -> bool {
    let found = answers(server, id);
    let found = found
        .iter()
        .map(|(firm, answer)| (firm.as_str(), answer.as_str()));
    found.eq(expected.iter().copied())
}

/// The entry of a firm in the output of `firms`.
fn firm(server: &Server, id: &str) -> Value {
    let firms = json(server, &["firms"]);
    let mut firms = firms.as_array().unwrap().iter();
    firms.find(|firm| firm["firm"] == id).unwrap().clone()
}

/// The number of mails that report an unreachable firm.
fn notices(sink: &SmtpSink) -> usize {
    let mails = sink.mails();
    let is_notice = |mail: &&crate::sinks::Mail| {
        let message = MessageParser::new().parse(&mail.content).unwrap();
        let subject = message.subject().unwrap();
        mail.to == "team@example.de" && subject == "Firma nord & Söhne ist per E-Mail nicht zu erreichen"
    };
    mails.iter().filter(is_notice).count()
}

#[test]
fn a_firm_whose_address_is_refused_is_passed_on_and_asked_no_more() {
    let sink = SmtpSink::start(Security::Clear);
    sink.refuse("nord@firma.example", REFUSAL);
    let file = toml(&sink, &["nord", "sued", "west", "ost"]);
    let server = setup(&file).start();
    let (first, page) = submit(&server, "Kranichfeld");
    let passed_on = [
        ("nord", "unreachable"),
        ("sued", "pending"),
        ("west", "pending"),
        ("ost", "pending"),
    ];
    until_true("the request is passed on", || {
        has_asked(&server, &first, &passed_on)
    });
    until_true("the operator is told", || notices(&sink) == 1);

    let page = server.get(&page);
    assert!(page.text().contains("Wir haben 3 Betriebe"), "{}", page.text());
    assert!(!page.text().contains("Firma nord"), "{}", page.text());
    let nord = firm(&server, "nord");
    assert!(nord["unreachable_since"].is_string(), "{nord}");
    assert_eq!((&nord["silent"], &nord["asked"]), (&0.into(), &0.into()));
    assert_eq!(firm(&server, "sued")["unreachable_since"], Value::Null);
    let turns = [
        "firms",
        "match",
        "--postal-code",
        "20095",
        "--property-type",
        "residential",
    ];
    let turns = command(&server, &turns);
    assert_has!(turns.success(), "not asked: nord (unreachable");
    let doctor = command(&server, &["doctor"]);
    assert_has!(doctor.text(), "firm nord is unreachable since");

    let (second, _) = submit(&server, "Storch");
    assert!(!answers(&server, &second).iter().any(|(firm, _)| firm == "nord"));
    for id in [&first, &second] {
        let by_hand = command(&server, &["inquiries", "ask", id, "--firm", "nord"]);
        by_hand.fails_with("cannot be reached");
    }

    // The address is still rejected, and the operator is notified once more.
    command(&server, &["firms", "resume", "nord"]).success();
    assert_eq!(firm(&server, "nord")["unreachable_since"], Value::Null);
    command(&server, &["inquiries", "ask", &first, "--firm", "nord"]).success();
    until_true("the operator is told again", || notices(&sink) == 2);
    assert!(firm(&server, "nord")["unreachable_since"].is_string());

    server.reload(file.replace("nord@firma", "neu@firma"), "read again");
    assert_eq!(firm(&server, "nord")["unreachable_since"], Value::Null);
    command(&server, &["inquiries", "ask", &second, "--firm", "nord"]).success();
    until_true("its request is delivered", || {
        sink.mails().iter().any(|mail| mail.to == "neu@firma.example")
    });
    assert_eq!(notices(&sink), 2);
}

#[test]
fn a_request_that_arrives_after_all_is_open_again() {
    let sink = SmtpSink::start(Security::Clear);
    sink.refuse("nord@firma.example", REFUSAL);
    let server = setup(&toml(&sink, &["nord"])).start();
    let (id, page) = submit(&server, "Kranichfeld");
    let state = || {
        json(&server, &["inquiries"])[0]["state"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    until_true("nobody is left", || state() == "unmatched");
    assert!(!server.get(&page).text().contains("Firma nord"));
    for (to, subject) in [
        ("aenne@example.org", "noch kein Betrieb"),
        ("team@example.de", "Kein Betrieb"),
    ] {
        let text = until(subject, || sink.text(to, subject));
        assert!(
            text.contains("keinen passenden Fachbetrieb") || text.contains("Kein eingetragener Betrieb"),
            "{text}"
        );
        assert!(!text.contains("Firma nord"), "{text}");
    }
    // A robot sees the same page as a visitor.
    let suspected = server.send(&post(&record("Storch")).header("Form-Trap", "filled"));
    assert_eq!(suspected.expect("firms-asked"), "?0");
    sink.recover();
    command(&server, &["deliveries", "retry", &id]).success();
    until_true("its request is delivered", || state() == "asked");
    assert!(has_asked(&server, &id, &[("nord", "pending")]));
    assert_eq!(
        json(&server, &["inquiries", "--state", "unmatched"]),
        Value::Array(vec![])
    );
    assert!(server.get(&page).text().contains("Firma nord"));
}
