//! The desk makes the same changes as commands, and its log lines contain no personal data.

use std::fs;

use jiff::SignedDuration;

use super::{AtDesk, FLAG, setup};
use crate::harness::inquiry::post;
use crate::harness::referral::{NAME, config, submit};
use crate::harness::{Dir, Request, Setup, leave_out_on_postgres, record, run, until, until_true};
use crate::sinks::{Security, SmtpSink};
use crate::statement::{accepted, month_before, now, priced};

/// An inquiry, as `inquiries show` prints it.
fn shown(desk: &AtDesk, id: &str) -> serde_json::Value {
    desk.json(&["inquiries", "show", id])
}

fn stored(desk: &AtDesk) -> String {
    desk.server.store_id(&record(NAME))
}

/// Two firms, of which only the first matches.
fn one_of_two() -> String {
    config(&["nord", "sued"])
        .replacen("postal_codes = ['2']", "postal_codes = ['20', '22']", 1)
        .replacen("postal_codes = ['2']", "postal_codes = ['29']", 1)
        .replace("'29'", "'219'")
}

#[test]
fn a_firm_is_asked_once() {
    let desk = AtDesk::of(setup(&one_of_two()).start());
    let id = stored(&desk);
    let path = format!("/anfragen/{id}/fragen");
    let page = format!("/anfragen/{id}");
    assert!(
        desk.page(&page)
            .contains("Firma sued &amp; Söhne (passt nicht)</option>")
    );
    desk.change("/betriebe/sued/pause", "");
    assert!(
        desk.page(&page)
            .contains("Firma sued &amp; Söhne (pausiert)</option>")
    );
    desk.change("/betriebe/sued/fortsetzen", "");
    desk.change(&path, "firm=sued");
    assert!(
        !desk.page(&page).contains("</option>"),
        "nobody is left to be asked"
    );
    let firms = shown(&desk, &id)["firms"].clone();
    assert_eq!(firms.as_array().unwrap().len(), 2, "{firms}");
    assert_eq!(firms[1]["id"], "sued");
    let again = desk.post(&path, "firm=sued");
    assert_eq!(again.status, 409);
    assert!(again.text().contains("Der Betrieb ist schon gefragt."));
    for wrong in ["", "firm=", "firm=niemand"] {
        assert_eq!(desk.post(&path, wrong).status, 409, "{wrong}");
    }
    let line = desk.server.logged("asked by hand");
    assert!(line.contains(&id) && line.contains("sued"), "{line}");
}

#[test]
fn a_suspected_inquiry_is_released() {
    let desk = AtDesk::with(&["nord"]);
    let robot = post(&record(NAME)).header("Form-Trap", "filled");
    assert_eq!(desk.server.send(&robot).status, 201);
    let listed = desk.json(&["inquiries", "--state", "suspected"]);
    let Some(id) = listed[0]["id"].as_str() else {
        panic!("not suspected: {listed}");
    };
    assert!(desk.page("/posteingang").contains("verdächtige Anfrage"));
    let page = desk.page(&format!("/anfragen/{id}"));
    assert!(page.contains("Anfrage freigeben") && page.contains("das Menschen nicht sehen"));
    let path = format!("/anfragen/{id}/freigeben");
    desk.change(&path, "");
    assert_ne!(shown(&desk, id)["state"], "suspected");
    let again = desk.post(&path, "");
    assert!(again.status == 409 && again.text().contains("wird nicht zurückgehalten"));
}

#[test]
fn a_delivery_is_tried_again() {
    let desk = AtDesk::with(&["nord"]);
    let id = stored(&desk);
    until_true("the first try", || {
        let tried = shown(&desk, &id)["deliveries"][0]["attempts"].as_u64();
        tried > Some(0)
    });
    let path = format!("/anfragen/{id}/zustellen");
    desk.change(&path, "number=0");
    desk.server.logged("tried again at the desk's word");
    assert_eq!(desk.post(&path, "number=99").status, 409);
    assert_eq!(desk.post(&path, "number=x").status, 404);
    desk.change("/zustellen", "");
}

#[test]
fn erasing_asks_and_cannot_be_a_slip() {
    let desk = AtDesk::with(&["nord"]);
    let id = stored(&desk);
    let path = format!("/anfragen/{id}/loeschen");
    let question = desk.page(&path);
    assert!(question.contains(NAME) && question.contains("endgültig"));
    assert!(desk.page(&path).contains(NAME), "the question erases nothing");
    assert_eq!(desk.post(&path, "").status, 409, "the box is not ticked");
    assert_eq!(desk.server.stored().len(), 1);
    desk.change(&path, "sure=ja");
    assert_eq!(desk.server.stored().len(), 0);
    assert!(!desk.page("/posteingang").contains(NAME));
    assert_eq!(desk.post(&path, "sure=ja").status, 404);
    let line = desk.server.logged("erased at the desk");
    assert!(line.contains(&id), "{line}");
    for word in [NAME, "Änne", "aenne@example.org", "123456-78"] {
        assert!(!desk.server.stderr().contains(word), "{word}");
    }
}

#[test]
fn everything_about_a_person_is_erased_after_a_question() {
    let desk = AtDesk::with(&["nord"]);
    let of = |name: &str, email: &str| {
        let mut record = record(name);
        record["email_address"] = email.into();
        desk.server.store_id(&record)
    };
    let ids = [of(NAME, "aenne@example.org"), of("Anders", "AENNE@example.org")];
    of("Storch", "storch@example.org");
    let wish = Request::new("POST", "/rest/v1/newsletter")
        .header("Content-Type", "application/json")
        .body(r#"{"email":"aenne@example.org"}"#);
    assert_eq!(desk.server.send(&wish).status, 202);
    let path = format!("/anfragen/{}/person", ids[0]);
    assert!(
        desk.page(&format!("/anfragen/{}", ids[0]))
            .contains("Alles über diese Person löschen")
    );
    let question = desk.page(&path);
    for id in &ids {
        assert!(question.contains(&id[id.len() - 12..]), "{question}");
    }
    // An office may have entered several callers with its own address.
    assert!(
        question.contains(NAME) && question.contains("Anders"),
        "{question}"
    );
    assert!(question.contains("Newsletter: aenne@example.org"), "{question}");
    assert_eq!(desk.post(&path, "").status, 409, "the box is not ticked");
    assert_eq!(desk.server.stored().len(), 3);
    desk.change(&path, "sure=ja");
    assert_eq!(desk.server.stored().len(), 1);
    let left = run(desk.server.dir().path(), &["person", "aenne@example.org"]);
    assert_eq!(left.success(), "[]\n");
    assert_eq!(desk.post(&path, "sure=ja").status, 404);
}

#[test]
fn where_the_disk_fails_an_inquiry_is_not_called_missing() {
    leave_out_on_postgres!("erased.jsonl is a file");
    let desk = AtDesk::with(&["nord"]);
    let id = stored(&desk);
    let list = desk.server.dir().data().join("erased.jsonl");
    let _ = fs::remove_file(&list);
    fs::create_dir(&list).unwrap();
    let failed = desk.post(&format!("/anfragen/{id}/loeschen"), "sure=ja");
    assert_eq!(failed.status, 503, "{}", failed.text());
    assert_eq!(desk.server.stored().len(), 1);
}

#[test]
fn a_firm_that_cannot_be_reached_is_marked_and_not_offered() {
    let sink = SmtpSink::start(Security::Clear);
    sink.refuse("nord@firma.example", "550 5.1.1 no such user");
    let toml = config(&["nord", "sued"]).replace("127.0.0.1:1", &sink.address.to_string());
    let desk = AtDesk::of(setup(&toml).start());
    let id = stored(&desk);
    let page = until("the firm is marked", || {
        let page = desk.page("/betriebe");
        page.contains("data-state=\"failed\"").then_some(page)
    });
    let text = page.replace('\u{a0}', " ");
    assert!(text.contains("nicht zu erreichen seit"), "{text}");
    assert_eq!(page.matches("data-state=\"failed\"").count(), 1);
    let inquiry = desk.page(&format!("/anfragen/{id}"));
    assert!(!inquiry.contains("<option value=\"nord\""), "{inquiry}");
}

#[test]
fn a_firm_is_paused_and_asked_again() {
    let desk = AtDesk::with(&["nord"]);
    let id = stored(&desk);
    let question = desk.page("/betriebe/nord/pause?until=2099-12-24");
    for said in ["1 offene Anfrage", "24. Dezember 2099", "value=\"2099-12-24\""] {
        assert!(question.replace('\u{a0}', " ").contains(said), "{question}");
    }
    assert_eq!(
        desk.json(&["firms"])[0]["paused"],
        false,
        "the question pauses nothing"
    );
    let paused = desk.post("/betriebe/nord/pause", "until=2099-12-24");
    let said = desk.page(paused.expect("location"));
    assert!(said.contains("Firma nord &amp; Söhne ist pausiert."), "{said}");
    assert!(
        said.contains("Eine offene Anfrage geht jetzt an andere Betriebe."),
        "{said}"
    );
    let firms = desk.json(&["firms"]);
    assert_eq!(firms[0]["paused"], true);
    assert!(
        firms[0]["paused_until"]
            .as_str()
            .unwrap()
            .starts_with("2099-12-24T23:"),
        "{firms}"
    );
    assert_eq!(shown(&desk, &id)["firms"][0]["answer"], "silent", "passed on");
    assert!(desk.page("/betriebe/nord/pause").contains("Keine offene Anfrage"));
    let visitor = desk.json(&["inquiries", "show", &id, "--public-url", &desk.server.origin()]);
    let link = visitor["link"].as_str().unwrap();
    let visitor = desk
        .server
        .get(link.strip_prefix(&*desk.server.origin()).unwrap());
    assert!(visitor.text().contains("pausiert") && !visitor.text().contains("keine Antwort"));
    let page = desk.page("/betriebe");
    assert!(page.contains("pausiert") && page.contains("Wieder fragen"));
    assert!(page.contains("data-state=\"paused\""), "the style sheet marks it");
    desk.change("/betriebe/nord/fortsetzen", "");
    assert_eq!(desk.json(&["firms"])[0]["paused"], false);
    desk.change("/betriebe/nord/pause", "");
    let firms = desk.json(&["firms"]);
    assert!(firms[0]["paused"] == true && firms[0]["paused_until"].is_null());

    let days = "from=2099-12-20&until=2099-12-24";
    let question = desk.page(&format!("/betriebe/nord/pause?{days}"));
    assert!(
        question.replace('\u{a0}', " ").contains("ab 20. Dezember 2099"),
        "{question}"
    );
    let later = desk.post("/betriebe/nord/pause", days);
    let said = desk.page(later.expect("location")).replace('\u{a0}', " ");
    assert!(said.contains("wird ab 20. Dezember 2099 pausiert"), "{said}");
    assert_has!(
        said,
        "aktiv, ab 20. Dezember 2099 bis einschließlich 24. Dezember 2099 pausiert"
    );
    let days = ["--from", "20.12.2099", "--until", "24.12.2099"];
    let told = desk.json(&[&["firms", "pause", "nord"], &days[..]].concat());
    for row in [&desk.json(&["firms"])[0], &told] {
        let begins = row["paused_from"].as_str().unwrap();
        assert!(
            row["paused"] == false && begins.starts_with("2099-12-19T23:"),
            "{row}"
        );
    }
    let backwards = [
        "firms",
        "pause",
        "nord",
        "--from",
        "25.12.2099",
        "--until",
        "24.12.2099",
    ];
    assert_eq!(run(desk.server.dir().path(), &backwards).code, Some(2));
    for (path, body) in [
        ("/betriebe/nord/pause", "from=2099-12-25&until=2099-12-24"),
        ("/betriebe/nord/pause", "from=bald"),
        ("/betriebe/nord/pause", "until=2020-01-01"),
        ("/betriebe/nord/pause", "until=morgen"),
        ("/betriebe/niemand/pause", ""),
    ] {
        assert_eq!(desk.post(path, body).status, 409, "{path} {body}");
    }
}

/// Has the first firm accept an inquiry.
/// The path of the page of the first firm that was asked.
fn firms_page(desk: &AtDesk, id: &str) -> String {
    let origin = desk.server.origin();
    let inquiry = desk.json(&["inquiries", "show", id, "--public-url", &origin]);
    let link = inquiry["firms"][0]["link"].as_str().unwrap();
    link.strip_prefix(&*origin).unwrap().to_owned()
}

fn accept(desk: &AtDesk, id: &str) {
    let page = firms_page(desk, id);
    assert_eq!(submit(&desk.server, &page, "answer=accept").status, 303);
}

#[test]
fn a_month_is_closed_after_a_question() {
    let desk = AtDesk::with(&["nord"]);
    let path = "/abrechnung/2020-01/abschliessen";
    assert!(desk.page(path).contains("Januar 2020 abschließen?"));
    assert_eq!(desk.post(path, "").status, 409);
    desk.change(path, "sure=ja");
    assert!(
        desk.page("/abrechnung?month=2020-01")
            .contains("abgeschlossen am")
    );
    let running = desk.post("/abrechnung/2999-01/abschliessen", "sure=ja");
    assert_eq!(running.status, 409);
    assert!(running.text().contains("Der Monat ist noch nicht vorbei."));
}

#[test]
fn a_month_is_not_closed_with_figures_that_nobody_has_read() {
    let dir = Dir::new();
    let path = dir.write("config.toml", priced());
    let month = month_before();
    let firm = accepted(
        &dir,
        now().begins() - SignedDuration::from_hours(1),
        Some("100.00"),
    );
    let desk = AtDesk::of(
        Setup::new()
            .dir(&dir)
            .args(&["--config", &path])
            .args(&FLAG)
            .start(),
    );
    let question = |page: &str| {
        let (_, link) = page.split_once("/abschliessen?read=").unwrap();
        let (read, _) = link.split_once('"').unwrap();
        let page = desk.page(&format!("/abrechnung/{month}/abschliessen?read={read}"));
        for said in [
            &format!("name=\"read\" value=\"{read}\""),
            "Noch offene Ergebnisse: 1 Firma sued",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        format!("sure=ja&read={read}")
    };
    let read = question(&desk.page(&format!("/abrechnung?month={month}")));
    assert_eq!(submit(&desk.server, &firm, "outcome=none").status, 303);
    let path = format!("/abrechnung/{month}/abschliessen");
    let changed = desk.post(&path, &read);
    assert_eq!(changed.status, 409);
    let shown = changed.text();
    assert!(
        shown.contains("nicht abgeschlossen") && !shown.contains("100,00"),
        "{shown}"
    );
    desk.change(&path, &question(shown));
    let closed = desk.page(&format!("/abrechnung?month={month}"));
    assert!(closed.contains("abgeschlossen am"), "{closed}");
}

#[test]
fn an_acceptance_is_credited_and_the_list_saved_as_a_workbook() {
    let desk = AtDesk::of(setup(&priced()).start());
    let id = stored(&desk);
    accept(&desk, &id);
    let path = format!("/anfragen/{id}/gutschreiben");
    assert_eq!(desk.post(&path, "firm=nord&reason=+").status, 409);
    let credited = desk.post(&path, "firm=nord&reason=Rufnummer+falsch");
    assert_has!(
        desk.page(credited.expect("location")),
        "Der Betrieb zahlt für diese Anfrage nichts"
    );
    assert_eq!(desk.post(&path, "firm=nord&reason=Doppelt").status, 409);
    assert!(desk.page(&format!("/anfragen/{id}")).contains("Gutgeschrieben: "));
    let month = desk.page(&format!("/abrechnung?month={}", now()));
    assert!(month.contains("Gutschrift: Rufnummer falsch") && month.contains("Als Excel"));
    let list = desk.page("/posteingang?search=kranich");
    assert!(list.contains("\"/posteingang.xlsx?search=kranich\""));
    let file = desk.get("/posteingang.xlsx?state=accepted");
    assert!(file.body.starts_with(b"PK"));
}

/// A changed file, broken or not, has no effect until the server reloads it. Without tax, nobody reads of any.
#[test]
fn a_statement_has_the_rate_of_tax_by_which_the_server_works() {
    for (vat, sum, button) in [
        (
            "7",
            "Netto 10,00 €, Umsatzsteuer 7 % 0,70 €, <strong>zusammen 10,70 €</strong>",
            "Für 10,00 € netto annehmen",
        ),
        ("0", "<strong>Zusammen 10,00 €</strong>", "Für 10,00 € annehmen"),
    ] {
        let sink = SmtpSink::start(Security::Clear);
        let toml = config(&["nord"]).replace("127.0.0.1:1", &sink.address.to_string());
        let toml = format!("{toml}[commission]\nper_acceptance = '10.00'\nvat = '{vat}'\n");
        let desk = AtDesk::of(setup(&toml).start());
        let id = stored(&desk);
        let firm = firms_page(&desk, &id);
        let request = until("the request", || sink.text("nord@firma.example", "Anfrage"));
        let asked = desk.server.get(&firm);
        assert_has!(asked.text(), button);
        accept(&desk, &id);
        desk.server.dir().write("config.toml", "[commission]\nvat = '");
        let month = desk.page(&format!("/abrechnung?month={}", now()));
        // Once for the firm, and once for all of them.
        assert_eq!(month.matches(sum).count(), 2, "{month}");
        assert_has!(month, "<h2 id=\"alle\">Alle Betriebe</h2>");
        for text in [
            &request,
            asked.text(),
            desk.server.get(&firm).text(),
            desk.server.get("/fuer-betriebe").text(),
            &desk.page("/betriebe"),
            &month,
        ] {
            assert_has!(text, "10,00");
            assert_eq!(text.contains("Umsatzsteuer"), vat != "0", "{vat}: {text}");
        }
    }
}
