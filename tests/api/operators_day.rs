//! Everyday tasks of an operator, by commands with and without a running server (`docs/operation.md`, "The operator's week").

use serde_json::Value;

use crate::harness::command::Finished;
use crate::harness::inquiry::with;
use crate::harness::referral::{config, setup, stop};
use crate::harness::{Dir, Setup, record, run, until_true};
use crate::sinks::{Behaviour, Security, SmtpSink, Step};

/// Two firms that match the inquiry, in this order, and one that works elsewhere.
fn firms() -> String {
    config(&["nord", "sued"])
        + "[[firm]]\nid = 'fern'\nname = 'Fern'\nemail = 'fern@firma.example'\npostal_codes = ['21']\n[matching]\noffers = 1\n"
}

/// Stores two inquiries, the first from `Kranichfeld`; calls `check` with the id of the first, with the server and without it.
fn each(check: impl Fn(&Dir, &str, bool)) {
    let server = setup(&firms()).start();
    let first = server.store_id(&record("Kranichfeld"));
    server.store(&with("email_address", "other@example.org"));
    check(server.dir(), &first, true);
    let Setup { dir, .. } = stop(server);
    check(&dir, &first, false);
}

fn json(dir: &Dir, args: &[&str]) -> Value {
    let all = [args, &["--json"]].concat();
    serde_json::from_str(run(dir.path(), &all).success()).unwrap()
}

fn configured(dir: &Dir, args: &[&str]) -> Finished {
    run(dir.path(), &[args, &["--config", "config.toml"]].concat())
}

/// Each firm that was asked about an inquiry, with its answer.
fn asked(dir: &Dir, id: &str) -> Vec<(String, String)> {
    let shown = json(dir, &["inquiries", "show", id]);
    let firms = shown["firms"].as_array().unwrap().iter();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    firms
        .map(|firm| (word(&firm["id"]), word(&firm["answer"])))
        .collect()
}

#[test]
fn whoever_calls_is_found() {
    each(|dir, id, _| {
        let reference = id.replace('-', "").split_off(20);
        for said in [
            "kranich",
            "FELD",
            "änne",
            "ÄNNE",
            "aenne@example",
            "+49 40 123-456 78",
            "040 12345678",
            "4012345678",
            &reference,
            &reference.to_uppercase(),
            &id[..13],
        ] {
            let found = json(dir, &["inquiries", "--search", said]);
            let ids: Vec<_> = found.as_array().unwrap().iter().map(|one| &one["id"]).collect();
            assert!(ids.contains(&&Value::from(id)), "{said}: {found}");
        }
        assert_eq!(
            json(dir, &["inquiries", "--search", "kranichfeld"])
                .as_array()
                .unwrap()
                .len(),
            1
        );
        for said in ["Storch", &reference[1..], "012345678901"] {
            assert_eq!(
                json(dir, &["inquiries", "--search", said]),
                Value::Array(Vec::new()),
                "{said}"
            );
        }
        let text = run(dir.path(), &["inquiries", "--search", "Kranichfeld"]);
        assert!(
            text.success().contains(id) && text.text().contains("Kranichfeld"),
            "{}",
            text.text()
        );
    });
}

#[test]
fn a_firm_is_asked_by_hand() {
    each(|dir, id, is_running| {
        // The second call, without a server, fails, since the firm was already asked.
        let reference = id.replace('-', "").split_off(20);
        let by_hand = configured(dir, &["inquiries", "ask", &reference, "--firm", "fern"]);
        if is_running {
            let line = by_hand.success();
            let end = line
                .strip_prefix(&format!("fern is asked about {id} and may answer until "))
                .unwrap();
            assert!(
                end.trim_end().len() <= "2026-11-25T19:56:49.343+01:00".len(),
                "{line}"
            );
        } else {
            by_hand.fails_with("asked before");
            assert_has!(
                configured(dir, &["inquiries", "ask", id, "--firm", "sued"]).success(),
                "sued"
            );
        }
        let firms = asked(dir, id);
        assert!(
            firms.contains(&("fern".to_owned(), "pending".to_owned())),
            "{firms:?}"
        );
    });
}

#[test]
fn a_firm_on_holiday_is_asked_nothing_and_hands_on_what_is_open() {
    each(|dir, id, is_running| {
        if !is_running {
            // It was resumed with the server running, and is paused without one.
            let paused = configured(dir, &["firms", "pause", "nord"]);
            assert_has!(paused.success(), "firms resume nord");
            return;
        }
        assert_eq!(asked(dir, id), [("nord".to_owned(), "pending".to_owned())]);
        let paused: Value = configured(
            dir,
            &["firms", "pause", "nord", "--until", "06.12.2030", "--json"],
        )
        .json();
        assert_eq!(
            (&paused["paused"], &paused["paused_until"], &paused["passed_on"]),
            (&true.into(), &"2030-12-06T23:00:00.000Z".into(), &1.into())
        );
        let now = [("nord", "silent"), ("sued", "pending")]
            .map(|(firm, state)| (firm.to_owned(), state.to_owned()));
        assert_eq!(asked(dir, id), now);
        let listed: Value = serde_json::from_str(configured(dir, &["firms", "--json"]).success()).unwrap();
        let nord = listed
            .as_array()
            .unwrap()
            .iter()
            .find(|firm| firm["firm"] == "nord")
            .unwrap();
        assert_eq!(nord["paused"], true, "{listed}");
        let resumed = configured(dir, &["firms", "resume", "nord"]);
        assert_has!(resumed.success(), "nord is asked again");
        for unknown in [
            &["firms", "pause", "west"][..],
            &["firms", "resume", "west"],
            &["firms", "statement", "--month", "2026-11", "--firm", "west"],
            &["inquiries", "ask", id, "--firm", "west"],
        ] {
            let line = configured(dir, unknown).failure().to_owned();
            assert!(line.contains("west"), "{line}");
            // Without the configuration file, the command asks the running server.
            let line = run(dir.path(), unknown).failure().to_owned();
            assert!(line.contains("west"), "{line}");
        }
        for known in ["nord", "sued"] {
            run(
                dir.path(),
                &["firms", "statement", "--month", "2026-11", "--firm", known],
            )
            .success();
        }
    });
}

#[test]
fn who_asks_a_paused_firm_by_hand_wants_its_answer() {
    let toml = config(&["nord", "sued"]);
    let server = setup(&toml).start();
    let stored = server.store(&record("Kranichfeld"));
    let id = stored["id"].as_str().unwrap();
    let answers = |dir: &Dir| {
        let asked = asked(dir, id).into_iter();
        asked.map(|(_, answer)| answer).collect::<Vec<_>>()
    };
    configured(server.dir(), &["firms", "pause", "nord"]).success();
    assert_eq!(answers(server.dir()), ["silent", "pending"]);
    configured(server.dir(), &["inquiries", "ask", id, "--firm", "nord"]).success();
    let stopped = stop(server);
    // The server handles the firms in order: once it has passed over the last one, it has handled the first one.
    let (nord, sued) = toml.split_at(toml.rfind("[[firm]]").unwrap());
    stopped
        .dir
        .write("config.toml", format!("{nord}{sued}paused = true\n"));
    let server = stopped.start();
    until_true("the firm that the file pauses", || {
        answers(server.dir())[1] == "silent"
    });
    assert_eq!(answers(server.dir()), ["pending", "silent"]);
    configured(server.dir(), &["firms", "pause", "nord"]).success();
    assert_eq!(answers(server.dir()), ["silent", "silent"]);
}

#[test]
fn a_mail_is_sent_to_try_the_server_and_what_it_answers_is_said() {
    let sink = SmtpSink::start(Security::Clear);
    let dir = Dir::new();
    let toml = format!(
        "[mail]\nserver = 'smtp://{}'\nfrom = 'anfrage@example.de'\n",
        sink.address
    );
    dir.write("config.toml", toml);
    let tried = configured(&dir, &["mail", "test", "team@example.de"]);
    assert!(tried.success().contains("250"), "{}", tried.text());
    let mails = sink.mails();
    assert_eq!(
        mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(),
        ["team@example.de"]
    );
    sink.always(Step::Rcpt, Behaviour::Refuse("550 5.1.1 no such mailbox"));
    let refused = configured(&dir, &["mail", "test", "nobody@example.de"]);
    refused.fails_with("550");
    configured(&dir, &["mail", "test", "no address"]).misuse("no address");
}
