//! Reviews of firms by visitors (`docs/behaviour.md`, "Reviews"): written on the private page, published by the operator, shown on
//! the home page.

use serde_json::Value;

use crate::harness::command::Finished;
use crate::harness::referral::{Referred, stop, submit};
use crate::harness::store::is_postgres;
use crate::harness::{Document, Request, Server, run, until_true};

const TEXT: &str = "Pünktlich & sauber gearbeitet.";
const CHECKED: &str =
    "Bewerten kann nur, wer hier angefragt hat und wessen Anfrage der Betrieb angenommen hat.";

/// The settings of an operator other than the sample one.
const REAL: &str = "[operator]\nlegal_name = 'Taubenfrei Nord GmbH'\n";

/// The body of the form for reviewing a firm.
fn body(firm: &str, stars: &str, text: &str, name: &str, has_consent: bool) -> String {
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs([("review", firm), ("stars", stars), ("text", text), ("name", name)]);
    if has_consent {
        body.append_pair("consent", "yes");
    }
    body.finish()
}

/// An inquiry that `nord` has accepted, but `sued` has not.
fn accepted() -> Referred {
    let case = Referred::to(&["nord", "sued"]);
    case.finish(0);
    case
}

/// Writes a review of `nord`; returns the redirect target.
fn write(case: &Referred, stars: &str, text: &str, has_consent: bool) -> String {
    let sent = submit(
        &case.server,
        &case.visitor,
        &body("nord", stars, text, "Anna M.", has_consent),
    );
    assert_eq!(sent.status, 303, "{}", sent.text());
    sent.expect("location").to_owned()
}

fn command(server: &Server, args: &[&str]) -> Finished {
    run(server.dir().path(), args)
}

fn reviews(server: &Server, args: &[&str]) -> Vec<Value> {
    command(server, &[&["reviews", "--json"], args].concat()).json()
}

fn publish(server: &Server) {
    let id = reviews(server, &[])[0]["id"].as_str().unwrap().to_owned();
    command(server, &["reviews", "publish", &id]).success();
    // With a database, commands bypass the server, which notices a first publication later. It notices every removal at the next
    // request.
    if is_postgres() {
        until_true("the home page", || section(server).contains("Durchschnitt"));
    }
    assert!(section(server).contains("Durchschnitt"));
}

/// The text of the section with reviews; empty if it is missing.
fn section(server: &Server) -> String {
    let page = server.get("/").text().to_owned();
    let Some((_, section)) = page.split_once("id=\"testimonials\"") else {
        return String::new();
    };
    let section = section.split_once("</section>").unwrap().0;
    let text = Document::parse(&format!("<body><p{section}</body>"))
        .text()
        .to_owned();
    text.replace('\u{a0}', " ")
}

#[test]
fn a_review_is_written_published_changed_and_taken_back() {
    let case = accepted();
    let server = &case.server;
    let page = case.visitors_page();
    // One form, for the firm that has accepted, with the name filled in and without consent.
    assert_eq!(page.matches("name=\"review\"").count(), 1);
    assert!(page.contains("name=\"review\" value=\"nord\"") && page.contains(">Bewerten</h2>"));
    let document = Document::parse(&page);
    let input = |kind: &str| {
        let inputs = document.all("input");
        inputs
            .filter(|input| input.attribute("type") == Some(kind))
            .collect::<Vec<_>>()
    };
    assert_eq!(input("radio").len(), 5);
    assert!(
        input("checkbox")
            .iter()
            .all(|input| input.attribute("checked").is_none())
    );
    assert!(page.contains("name=\"name\" value=\"Änne K.\""));
    assert!(section(server).contains("Beispiele: "));

    let etag = server.get("/").expect("etag").to_owned();
    assert!(write(&case, "5", TEXT, true).ends_with("?bewertet"));
    let page = case.page(&format!("{}?bewertet", case.visitor));
    assert!(page.contains("Ihre Bewertung ist gespeichert") && page.contains("Pünktlich &amp; sauber"));
    assert!(page.contains("Bewertung zurücknehmen"));
    let document = Document::parse(&page);
    let mut chosen = document
        .all("input")
        .filter(|input| input.attribute("checked").is_some());
    assert_eq!(chosen.next().unwrap().attribute("value"), Some("5"));
    assert_eq!(chosen.next().unwrap().attribute("name"), Some("consent"));
    // It waits for a decision, so the home page does not change.
    assert!(!section(server).contains("sauber"));
    assert_eq!(server.get("/").expect("etag"), etag);
    let waiting = reviews(server, &["--waiting"]);
    assert_eq!(waiting.len(), 1);
    for (key, value) in [
        ("firm", "nord"),
        ("state", "waiting"),
        ("text", TEXT),
        ("name", "Anna M."),
    ] {
        assert_eq!(waiting[0][key], value, "{key}");
    }
    assert_eq!(
        (&waiting[0]["stars"], &waiting[0]["consent"]),
        (&5.into(), &true.into())
    );

    publish(server);
    let shown = section(server);
    for part in [
        "Durchschnitt 5,0 von 5 aus 1 Bewertung",
        CHECKED,
        "Anna M.",
        "Raum 200",
        "5 von 5 Sternen",
        TEXT,
        "Firma nord & Söhne",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(
        !shown.contains("Beispiele") && !shown.contains("Familie Petersen"),
        "{shown}"
    );
    assert_ne!(server.get("/").expect("etag"), etag);
    assert_eq!(reviews(server, &["--waiting"]), Vec::<Value>::new());
    assert_has!(case.visitors_page(), "Ihre Bewertung steht auf der Startseite");
    // Ratings of a site about itself must not be marked up as structured data.
    let page = server.get("/").text().to_owned();
    assert!(!page.contains("aggregateRating") && !page.contains("\"Review\""));

    // Sending the same review again changes nothing; a changed one is hidden until it is published again.
    write(&case, "5", TEXT, true);
    assert!(section(server).contains(TEXT));
    write(&case, "4", TEXT, true);
    assert!(!section(server).contains(TEXT));
    publish(server);
    assert!(section(server).contains("Durchschnitt 4,0 von 5"));

    // Without consent, the review is kept but not shown.
    write(&case, "4", TEXT, false);
    assert!(!section(server).contains(TEXT));
    let id = reviews(server, &[])[0]["id"].as_str().unwrap().to_owned();
    let refused = command(server, &["reviews", "publish", &id]);
    refused.fails_with("has not agreed");
    write(&case, "4", TEXT, true);
    publish(server);
    command(server, &["reviews", "reject", &id]).success();
    assert!(!section(server).contains(TEXT));
    publish(server);

    let back = submit(server, &case.visitor, "review=nord&take_back=yes");
    assert!(back.expect("location").ends_with("?bewertung-geloescht"));
    assert!(section(server).contains("Beispiele: "));
    assert_eq!(reviews(server, &[]), Vec::<Value>::new());
    assert!(case.visitors_page().contains("Änne K."));
    let page = case.page(&format!("{}?bewertung-geloescht", case.visitor));
    assert!(page.contains("zurückgenommen"));
}

#[test]
fn what_is_wrong_is_said_at_the_field_and_every_value_is_kept() {
    let case = accepted();
    for (sent, messages) in [
        (
            body("nord", "", TEXT, "Änne", true),
            &["Bitte wählen Sie 1 bis 5 Sterne."][..],
        ),
        (
            body("nord", "6", TEXT, "Änne", true),
            &["Bitte wählen Sie 1 bis 5 Sterne."],
        ),
        (
            body("nord", "3", &"ü".repeat(601), " ", true),
            &["Der Text ist zu lang.", "Bitte geben Sie einen Namen an"],
        ),
        (
            body("nord", "3", TEXT, &"ü".repeat(61), true),
            &["Der Name ist zu lang."],
        ),
    ] {
        let response = submit(&case.server, &case.visitor, &sent);
        assert_eq!(response.status, 400);
        let page = response.text();
        assert!(page.contains("<title>Fehler: "), "{messages:?}");
        assert!(
            page.contains("Ihre Bewertung ist nicht gespeichert"),
            "{messages:?}"
        );
        for message in messages {
            // Once in the summary, which links to the field, and once at the field.
            assert_eq!(page.matches(message).count(), 2, "{message}: {page}");
        }
        for (_, value) in form_urlencoded::parse(sent.as_bytes()).filter(|(_, value)| value.len() > 3) {
            assert!(page.contains(&value.replace('&', "&amp;")), "{value} is lost");
        }
        let document = Document::parse(page);
        let mut boxes = document.all("input");
        let ticked = boxes
            .any(|input| input.attribute("type") == Some("checkbox") && input.attribute("checked").is_some());
        assert!(ticked);
    }
    let fitting = body("nord", "3", &"ü\r\n".repeat(300), &"ü".repeat(60), false);
    assert_eq!(submit(&case.server, &case.visitor, &fitting).status, 303);
}

#[test]
fn only_the_page_of_an_accepted_inquiry_takes_a_review() {
    let case = accepted();
    let server = &case.server;
    for firm in ["sued", "ost", "", "<b>"] {
        let sent = submit(server, &case.visitor, &body(firm, "5", TEXT, "Anna", true));
        assert_eq!(sent.status, 400, "{firm}");
    }
    let own = body("nord", "5", TEXT, "Anna", true);
    let foreign = Request::new("POST", &case.visitor)
        .header("Origin", "https://boese.example")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header("Content-Length", &own.len().to_string())
        .body(own.clone());
    assert_eq!(server.send(&foreign).status, 403);
    assert_eq!(submit(server, "/anfrage/falsch", &own).status, 404);
    assert_eq!(submit(server, &case.firms[0], &own).status, 400);
    assert_eq!(server.get(&format!("{}?{own}", case.visitor)).status, 200);
    assert_eq!(reviews(server, &[]), Vec::<Value>::new());
}

#[test]
fn it_can_be_written_once_there_can_be_work() {
    let case = Referred::to(&["nord"]);
    assert_eq!(case.answer(0, "accept").status, 303);
    let report = |outcome| assert_eq!(submit(&case.server, &case.firms[0], outcome).status, 303);
    let own = body("nord", "5", TEXT, "Anna", true);
    for _ in 0..2 {
        let page = case.visitors_page();
        assert_has!(page, "Wie war die Arbeit?");
        assert_has!(page, "ab dem ");
        assert!(!page.contains("name=\"review\""), "{page}");
        assert_eq!(submit(&case.server, &case.visitor, &own).status, 403);
        report("outcome=open");
    }
    report("outcome=order&net_sum=1.234,50");
    assert!(write(&case, "5", TEXT, true).ends_with("?bewertet"));
    // The visitor can still change a written review.
    report("outcome=open");
    write(&case, "4", TEXT, true);
}

#[test]
fn a_withdrawal_and_an_erasure_take_it_away() {
    for end in ["withdrawal", "erasure", "person"] {
        let case = accepted();
        write(&case, "2", TEXT, true);
        publish(&case.server);
        assert!(section(&case.server).contains(TEXT), "{end}");
        let person = command(&case.server, &["person", "aenne@example.org"]);
        assert!(person.success().contains(TEXT));
        match end {
            "withdrawal" => assert_eq!(case.withdraw().status, 303),
            "erasure" => {
                let id = reviews(&case.server, &[])[0]["inquiry"]
                    .as_str()
                    .unwrap()
                    .to_owned();
                command(&case.server, &["erase", "--yes", &id]).success();
            }
            _ => drop(command(&case.server, &["person", "aenne@example.org", "--erase", "--yes"]).success()),
        }
        assert!(section(&case.server).contains("Beispiele: "), "{end}");
        assert_eq!(reviews(&case.server, &[]), Vec::<Value>::new(), "{end}");
        let sent = submit(
            &case.server,
            &case.visitor,
            &body("nord", "5", TEXT, "Anna", true),
        );
        assert_eq!(sent.status, if end == "withdrawal" { 303 } else { 404 }, "{end}");
        assert_eq!(reviews(&case.server, &[]), Vec::<Value>::new(), "{end}");
    }
}

#[test]
fn a_real_operator_has_the_section_only_with_published_reviews() {
    let case = accepted();
    let setup = stop(case.server);
    let case = Referred {
        server: setup.site(REAL).start(),
        ..case
    };
    let server = &case.server;
    let links = |path: &str| {
        let page = server.get(path).text().to_owned();
        let document = Document::parse(&page);
        let count = document.hrefs().filter(|href| *href == "/#testimonials").count();
        (count, page.contains("Durchschnitt"))
    };
    assert_eq!(
        (links("/"), links("/faq"), links(&case.visitor)),
        ((0, false), (0, false), (0, false))
    );
    write(&case, "5", TEXT, true);
    assert_eq!(links("/"), (0, false));
    publish(server);
    // The header and the footer link to it; a private page has only the footer.
    assert_eq!(
        (links("/faq"), links("/"), links(&case.visitor)),
        ((2, false), (2, true), (1, false))
    );
    assert!(section(server).contains(TEXT));
    // It survives a restart.
    let case = Referred {
        server: stop(case.server).start(),
        ..case
    };
    assert!(section(&case.server).contains(TEXT));
    assert_eq!(case.withdraw().status, 303);
    assert_eq!(section(&case.server), "");
    assert_eq!(
        case.server.get("/faq").text().matches("/#testimonials").count(),
        0
    );
}

#[test]
fn nothing_that_a_visitor_writes_breaks_out_of_its_place() {
    let case = accepted();
    let nasty = "</p></blockquote><script>alert(1)</script>{{ origin }}{% if %}\"'&amp;\u{202e}\nZeile";
    let sent = body("nord", "1", nasty, "<b>\"'{{ 7 * 7 }}", true);
    assert_eq!(submit(&case.server, &case.visitor, &sent).status, 303);
    publish(&case.server);
    let home = case.server.get("/");
    let policy = home.expect("content-security-policy").to_owned();
    for page in [home.text().to_owned(), case.visitors_page()] {
        for broken in ["<script>alert", "<b>", "</blockquote><script", "\u{202e}"] {
            assert!(!page.contains(broken), "{broken}: {page}");
        }
        assert!(page.contains("{{ origin }}{% if %}") && page.contains("{{ 7 * 7 }}"));
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(section(&case.server).contains("<script>alert(1)</script>"));
    let listed = command(&case.server, &["reviews"]);
    assert!(!listed.success().contains('\u{202e}'));
}

#[test]
fn commands_work_with_a_server_and_without_and_by_reference() {
    let case = accepted();
    write(&case, "3", TEXT, true);
    let shown = reviews(&case.server, &[]);
    let reference = shown[0]["reference"].as_str().unwrap().to_owned();
    let inquiry = shown[0]["inquiry"].as_str().unwrap().to_owned();
    assert_eq!(shown[0]["id"], format!("{inquiry}-nord"));
    let described = command(&case.server, &["inquiries", "show", &reference]);
    assert_has!(described.success(), "3 of 5 stars, waits to be published");
    let setup = stop(case.server);
    let dir = setup.dir.path();
    for name in [format!("{reference}-nord"), reference, inquiry] {
        run(dir, &["reviews", "publish", &name]).success();
        assert!(run(dir, &["reviews"]).success().contains(" published "));
        run(dir, &["reviews", "reject", &name]).success();
        assert!(run(dir, &["reviews"]).success().contains(" rejected "));
    }
    let unknown = run(dir, &["reviews", "publish", "0123456789ab-nord"]);
    unknown.fails_with("`taubenabwehr reviews` shows the ids");
    run(dir, &["reviews", "publish", "nord"]).misuse("expected the id of a review");
    run(dir, &["reviews", "publish"]).misuse("ID");
}

#[test]
fn nobody_is_mailed_about_a_review() {
    let case = accepted();
    let deliveries = |server: &Server| {
        command(server, &["deliveries", "--json"])
            .success()
            .matches("\"kind\"")
            .count()
    };
    let before = deliveries(&case.server);
    write(&case, "3", TEXT, true);
    publish(&case.server);
    write(&case, "4", TEXT, true);
    submit(&case.server, &case.visitor, "review=nord&take_back=yes");
    assert_eq!(deliveries(&case.server), before);
}
