//! A visitor's page (`docs/behaviour.md`, section of that name).

use std::fs;

use serde_json::Value;

use crate::harness::inquiry::{post, with};
use crate::harness::referral::{NAME, Referred, config, open, setup, stop, submit};
use crate::harness::{Server, block_on, heading, leave_out_on_postgres, record, run};

#[test]
fn it_shows_whom_the_inquiry_went_to_and_what_they_answered() {
    let case = Referred::to(&["nord", "sued", "west", "ost"]);
    let page = case.visitors_page();
    assert_eq!(heading(&page), "Wir haben 3 Betriebe für Sie gefragt");
    assert_eq!(page.matches("angefragt</p>").count(), 3);
    assert!(page.contains("Firma nord &amp; Söhne") && !page.contains("Firma ost"));
    for hidden in [
        "nord@firma.example",
        "98765",
        "https://nord.example",
        NAME,
        "aenne@example.org",
    ] {
        assert!(!page.contains(hidden), "{hidden} is shown: {page}");
    }
    assert_eq!(case.answer(0, "accept").status, 303);
    assert_eq!(case.answer(1, "decline").status, 303);
    let page = case.visitors_page();
    assert_eq!(heading(&page), "Ein Betrieb hat Ihre Anfrage angenommen");
    for shown in [
        "angenommen",
        "abgelehnt",
        "nord@firma.example",
        "tel:+494098765",
        "https://nord.example",
    ] {
        assert!(page.contains(shown), "{shown} is not shown: {page}");
    }
    for hidden in ["sued@firma.example", "west@firma.example"] {
        assert!(!page.contains(hidden), "{hidden} is shown");
    }
    // The next firm was asked instead of the one that declined.
    assert!(page.contains("Firma ost"), "{page}");
}

#[test]
fn a_firm_that_accepted_keeps_its_name_when_it_leaves_the_configuration() {
    let case = Referred::to(&["nord", "sued", "west"]);
    assert_eq!(case.answer(0, "accept").status, 303);
    case.server.reload(config(&["sued"]), "read again");
    crate::harness::until("the page to follow", || {
        let page = case.visitors_page();
        page.contains(">west</h3>").then(|| {
            assert!(page.contains(">Firma nord &amp; Söhne</h3>"), "{page}");
        })
    });
}

#[test]
fn without_firms_it_says_who_calls_and_how() {
    for toml in [
        "",
        "[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'anfrage@example.de'\n",
    ] {
        let server = setup(toml).start();
        let response = server.send(&post(&record(NAME)));
        let page = server.get(response.expect("location"));
        let page = page.text();
        assert_eq!(heading(page), "Ihre Anfrage ist eingegangen");
        assert_has!(page, "Wir melden uns bei Ihnen, per Telefon oder E-Mail");
        assert!(!page.contains("Wir wählen jetzt"), "{page}");
        let thanks = server.get("/danke");
        let thanks = thanks.text();
        assert!(thanks.contains("Wir melden uns bei Ihnen"), "{thanks}");
        assert!(!thanks.contains("Wir fragen passende Betriebe"), "{thanks}");
    }
    let with_firms = setup(&config(&["nord"])).start();
    assert_has!(with_firms.get("/danke").text(), "Wir fragen passende Betriebe");
}

#[test]
fn calls_are_no_longer_allowed_and_the_inquiry_stays() {
    let case = Referred::to(&["nord"]);
    assert_eq!(case.answer(0, "accept").status, 303);
    let dir = case.server.dir().path();
    let shown = || {
        let mut shown = run(dir, &["person", "aenne@example.org"]).json::<Value>();
        // Only their number: the mail server refuses every attempt.
        shown[0]["deliveries"] = shown[0]["deliveries"].as_array().unwrap().len().into();
        shown[0].take()
    };
    let mut expected = shown();
    assert!(case.visitors_page().contains("Anrufe nicht mehr erlauben"));
    assert!(case.page(&case.firms[0]).contains("Anrufen: "));
    for _ in 0..2 {
        let revoked = submit(&case.server, &case.visitor, "revoke_calls=yes");
        assert_eq!(revoked.status, 303, "{}", revoked.text());
        let since = shown()["consent"]["revoked_at"].clone();
        if expected["consent"]["revoked_at"].is_null() {
            assert!(since.is_string());
            expected["consent"]["revoked_at"] = since;
        }
        // Nothing else changes, including the proof; no mail is sent, and a second press has no further effect.
        assert_eq!(shown(), expected);
    }
    assert!(!case.visitors_page().contains("Anrufe nicht mehr erlauben"));
    let firm = case.page(&case.firms[0]);
    assert!(
        firm.contains("Bitte nicht mehr anrufen") && !firm.contains("Anrufen: "),
        "{firm}"
    );
    // Without a consent there is nothing to withdraw.
    let without = case.server.send(&post(&record("Ohne")));
    assert!(
        !case
            .page(without.expect("location"))
            .contains("Anrufe nicht mehr erlauben")
    );
}

#[test]
fn a_suspected_inquiry_looks_like_any_other() {
    let server = setup(&config(&["nord"])).start();
    let request = post(&record(NAME)).header("Form-Trap", "on");
    let response = server.send(&request);
    assert_eq!(response.status, 201);
    let page = server.get(response.expect("location"));
    assert_eq!(heading(page.text()), "Ihre Anfrage ist eingegangen");
    assert!(!page.text().contains("Firma nord"));
}

#[test]
fn a_replay_leads_to_the_same_page() {
    let server = Server::start();
    let request = post(&record(NAME)).header("Idempotency-Key", "key");
    let first = server.send(&request);
    let again = server.send(&request);
    assert_eq!(first.expect("location"), again.expect("location"));
    let other = server.post(&with("last_name", "Anders"));
    assert_ne!(first.expect("location"), other.expect("location"));
    assert_eq!(first.expect("location").len(), "/anfrage/".len() + 43);
}

#[test]
fn additions_are_kept_cleaned_and_escaped() {
    let case = Referred::to(&["nord"]);
    let sent = "addition=%3Cb%3EErster%20Stock%3C/b%3E%0D%0AB%C3%BCro%00&addition=zweites&fremd=1";
    let response = submit(&case.server, &case.visitor, sent);
    let location = response.expect("location");
    assert_eq!(
        (response.status, location),
        (303, &*format!("{}?gespeichert", case.visitor))
    );
    let page = case.page(location);
    assert!(page.contains("Gespeichert."), "{page}");
    assert!(!case.visitors_page().contains("Gespeichert."));
    for page in [page, case.page(&case.firms[0])] {
        assert!(page.contains("&lt;b&gt;Erster Stock&lt;/b&gt;\nBüro"), "{page}");
        assert!(!page.contains("<b>Erster") && !page.contains("zweites"));
    }
}

#[test]
fn a_firm_reads_the_storey_before_it_answers() {
    let case = Referred::to(&["nord"]);
    let sent = submit(
        &case.server,
        &case.visitor,
        "storey=3.+Stock&addition=Leiter+fehlt",
    );
    assert_eq!(sent.status, 303);
    assert_has!(case.page(&case.firms[0]), "Stockwerk: 3. Stock\nLeiter fehlt");
    let page = case.visitors_page();
    assert!(page.contains(r#"name="storey" value="3. Stock""#), "{page}");
    assert!(page.contains(">Leiter fehlt</textarea>"), "{page}");
    // Without the field, as an API client may send it, only the text counts.
    assert_eq!(
        submit(&case.server, &case.visitor, "addition=Stockwerk:+4").status,
        303
    );
    assert!(case.visitors_page().contains(r#"value="4""#));
    assert_eq!(
        submit(&case.server, &case.visitor, "storey=&addition=").status,
        303
    );
    assert!(!case.page(&case.firms[0]).contains("Stockwerk"));
}

#[test]
fn an_addition_that_is_too_long_is_kept_in_the_form_only() {
    let case = Referred::to(&["nord"]);
    let text = |length: usize| "%C3%BC".repeat(length);
    let saved = submit(&case.server, &case.visitor, &format!("addition={}", text(2000)));
    assert_eq!(saved.status, 303);
    let refused = submit(&case.server, &case.visitor, &format!("addition={}", text(2001)));
    assert_eq!(refused.status, 400);
    let page = refused.text();
    assert!(
        page.contains("zu lang") && page.contains(&"ü".repeat(2001)),
        "{page}"
    );
    assert!(!case.visitors_page().contains(&"ü".repeat(2001)));
}

#[test]
fn withdrawing_asks_first_and_leaves_nothing() {
    let case = Referred::to(&["nord", "sued"]);
    assert_eq!(case.answer(0, "accept").status, 303);
    let added = submit(&case.server, &case.visitor, "addition=Dachgauben");
    assert_eq!(added.status, 303);
    let question = case.page(&format!("{}/zurueckziehen", case.visitor));
    assert!(question.contains("Möchten Sie Ihre Anfrage zurückziehen?"));
    let page = case.visitors_page();
    assert!(
        page.contains("Dachgauben"),
        "the question changed something: {page}"
    );

    for _ in 0..2 {
        let response = case.withdraw();
        response.leads_to(&case.visitor);
    }
    let gone = ["Dachgauben", "20095", NAME, "nord@firma.example"];
    for path in [case.visitor.clone(), format!("{}/zurueckziehen", case.visitor)] {
        let page = case.page(&path);
        assert_eq!(heading(&page), "Ihre Anfrage ist zurückgezogen");
        for word in gone {
            assert!(!page.contains(word), "{word} is left: {page}");
        }
    }
    for firm in &case.firms {
        let page = case.page(firm);
        assert_eq!(heading(&page), "Die Anfrage wurde zurückgezogen");
        for word in gone {
            assert!(!page.contains(word), "{word} is left: {page}");
        }
    }
    let late = submit(&case.server, &case.visitor, "addition=Nachtrag");
    late.leads_to(&case.visitor);
    let page = case.page(&case.visitor);
    assert_eq!(heading(&page), "Ihre Anfrage ist zurückgezogen");
    assert!(!page.contains("Nachtrag"), "{page}");
    assert_eq!(case.answer(1, "accept").status, 303);
    assert_eq!(
        heading(&case.page(&case.firms[1])),
        "Die Anfrage wurde zurückgezogen"
    );
    assert!(case.server.stored().is_empty());

    let setup = stop(case.server);
    // A database keeps traces until it is vacuumed (`docs/operation.md`).
    leave_out_on_postgres!("what is left in a file");
    let file = fs::read(setup.dir.store_file()).unwrap();
    for word in [NAME, "Dachgauben", "aenne@example.org", "123456-78"] {
        let found = file.windows(word.len()).any(|bytes| bytes == word.as_bytes());
        assert!(!found, "{word} is still in the file");
    }
}

#[test]
fn after_an_erasure_there_is_no_page() {
    let case = Referred::to(&["nord"]);
    let id = case.server.stored()[0]["id"].as_str().unwrap().to_owned();
    let erase = ["erase", &id, "--yes"];
    crate::harness::run(case.server.dir().path(), &erase).success();
    for path in [
        &case.visitor,
        &format!("{}/zurueckziehen", case.visitor),
        &case.firms[0],
    ] {
        let response = case.server.get(path);
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(heading(response.text()), "Diese Seite gibt es nicht mehr");
    }
    assert_eq!(case.withdraw().status, 404);
    assert_eq!(case.answer(0, "accept").status, 404);
}

#[test]
fn a_get_changes_nothing() {
    let case = Referred::to(&["nord"]);
    let paths = [
        case.visitor.clone(),
        format!("{}?gespeichert", case.visitor),
        format!("{}?addition=x", case.visitor),
        format!("{}/zurueckziehen", case.visitor),
        format!("{}/zurueckziehen?yes", case.visitor),
        format!("{}?answer=accept", case.firms[0]),
        format!("{}?answer=decline", case.firms[0]),
    ];
    let before = (case.visitors_page(), case.page(&case.firms[0]));
    for path in &paths {
        for method in ["GET", "HEAD"] {
            for _ in 0..3 {
                let response = case.server.send(&crate::harness::Request::new(method, path));
                assert_eq!(response.status, 200, "{method} {path}");
            }
        }
    }
    assert_eq!((case.visitors_page(), case.page(&case.firms[0])), before);
    let id = case.server.stored()[0]["id"].as_str().unwrap().parse().unwrap();
    let setup = stop(case.server);
    let record = block_on(async { open(&setup.dir).record(id).await });
    let record = record.unwrap().unwrap();
    assert_eq!(
        record.referral.state(),
        taubenabwehr::domain::referral::State::Asked
    );
    assert!(record.referral.addition.is_empty());
}
