//! What the operator records at the desk: notes, done marks, corrections, and inquiries by telephone.

use serde_json::{Value, json};

use super::{AtDesk, setup};
use crate::harness::inquiry::post;
use crate::harness::referral::{NAME, config, submit};
use crate::harness::{record, until};

use crate::sinks::{Mail, Security, SmtpSink};

const CALLER: &str = "propertyType=residential-house&postalCode=22087&problems=nesting&problems=other&\
    problemOther=Lärm+am+Morgen&firstName=Erika&lastName=Meier&email=erika%40meier.example&phone=040%2F32109876";

fn shown(desk: &AtDesk, id: &str) -> Value {
    desk.json(&["inquiries", "show", id, "--public-url", &desk.server.origin()])
}

#[test]
fn what_is_done_is_on_no_list_of_what_is_to_be_done() {
    let desk = AtDesk::of(setup(&config(&["nord"]).replace("['2']", "['219']")).start());
    let id = desk.server.store_id(&record(NAME));
    let page = format!("/anfragen/{id}");
    let inbox = desk.page("/posteingang");
    assert!(inbox.contains("Anfrage ohne Betrieb") && inbox.contains("?state=unmatched&amp;open=1"));
    desk.change(&format!("{page}/notiz"), "text=AB+besprochen%0D%0A%3Cb%3E");
    assert_eq!(shown(&desk, &id)["notes"][0]["text"], "AB besprochen\n<b>");
    assert!(desk.page(&page).contains("AB besprochen\n&lt;b&gt;"));
    for wrong in ["", "text=+", &format!("text={}", "x".repeat(2001))] {
        assert_eq!(desk.post(&format!("{page}/notiz"), wrong).status, 409);
    }
    desk.change(&format!("{page}/erledigt"), "");
    desk.change(&format!("{page}/erledigt"), "");
    let inbox = desk.page("/posteingang");
    assert!(
        !inbox.contains("Anfrage ohne Betrieb") && inbox.contains("Nichts. Keine Anfrage wartet auf Sie.")
    );
    for (list, has) in [
        ("state=unmatched&open=1", false),
        ("state=unmatched", true),
        ("state=done", true),
    ] {
        assert_eq!(
            desk.page(&format!("/posteingang?{list}")).contains(&id),
            has,
            "{list}"
        );
    }
    assert!(desk.page(&page).contains("Wieder öffnen"));
    assert!(shown(&desk, &id)["done_at"].is_string());
    desk.change(&format!("{page}/oeffnen"), "");
    assert!(desk.page("/posteingang").contains("Anfrage ohne Betrieb"));
    for word in [NAME, "besprochen"] {
        assert!(!desk.server.stderr().contains(word), "{word}");
    }
}

#[test]
fn a_correction_reaches_the_firm_that_accepted() {
    let sink = SmtpSink::start(Security::Clear);
    let toml = config(&["nord"]).replace("127.0.0.1:1", &sink.address.to_string());
    let desk = AtDesk::of(setup(&toml).start());
    let id = desk.server.store_id(&record(NAME));
    let inquiry = shown(&desk, &id);
    let path = |link: &Value| link.as_str().unwrap().replacen(&desk.server.origin(), "", 1);
    let (firm, visitor) = (path(&inquiry["firms"][0]["link"]), path(&inquiry["link"]));
    assert_eq!(submit(&desk.server, &firm, "answer=accept").status, 303);
    let said = |mail: &Mail, subject: &str| mail.header("Subject").unwrap().contains(subject);
    let mails = |subject: &str| sink.mails().iter().filter(|mail| said(mail, subject)).count();
    until("the contact data", || (mails("Ihre Zusage") == 1).then_some(()));

    let page = format!("/anfragen/{id}");
    let typed = |email: &str, phone: &str, read: &str| {
        format!("firstName=Erika&lastName=Meier&postalCode=22087&email={email}&phone={phone}&read={read}")
    };
    let read = |page: &str| {
        let (_, rest) = page.split_once("/berichtigen\"").unwrap();
        let (_, read) = rest.split_once("name=\"read\" value=\"").unwrap();
        read.split_once('"').unwrap().0.to_owned()
    };
    let before = read(&desk.page(&page));
    let wrong = desk.post(&format!("{page}/berichtigen"), &typed("erika", "12", &before));
    assert_eq!(wrong.status, 400);
    for part in [
        "value=\"erika\"",
        "value=\"12\"",
        "href=\"#telefon\"",
        "href=\"#e-mail\"",
    ] {
        assert!(wrong.text().contains(part), "{part}: {}", wrong.text());
    }
    assert_eq!(shown(&desk, &id)["corrections"], json!([]));
    let fitting = typed("erika%40meier.example", "0171+2345678", &before);
    desk.change(&format!("{page}/berichtigen"), &fitting);
    let corrected = shown(&desk, &id);
    assert_eq!(corrected["phone_number"], "0171 2345678");
    assert!(desk.page(&page).contains("Telefonnummer am"));
    until("the correction", || {
        (mails("Neue Kontaktdaten") == 1).then_some(())
    });
    assert!(desk.server.get(&firm).text().contains("0171 2345678"));

    // The visitor's page accepts only the number.
    let wrong = submit(&desk.server, &visitor, "phone_number=12&lastName=Fuchs");
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().contains("value=\"12\"") && wrong.text().contains("href=\"#telefon\""));
    let saved = submit(
        &desk.server,
        &visitor,
        "phone_number=040%2F7654321&last_name=Fuchs",
    );
    assert_eq!(saved.status, 303);
    let told = desk.server.get(saved.expect("location"));
    assert!(told.text().contains("neue Nummer") && !told.text().contains("7654321"));
    let stored = shown(&desk, &id);
    assert_eq!(
        (&stored["phone_number"], &stored["last_name"]),
        (&json!("040/7654321"), &json!("Meier"))
    );
    let stale = desk.post(&format!("{page}/berichtigen"), &fitting);
    assert_eq!(stale.status, 409);
    assert!(stale.text().contains("value=\"040/7654321\""), "{}", stale.text());
    for mail in sink.mails() {
        let has_name = String::from_utf8_lossy(&mail.content).contains("Meier");
        assert!(!has_name || !said(&mail, "Neue Kontaktdaten"));
    }
}

#[test]
fn a_caller_asks_by_the_questionnaires_rules_and_no_limit() {
    let toml = "rate_limit = 1\n".to_owned() + &config(&["nord"]) + "[matching]\nper_day = 1\n";
    let desk = AtDesk::of(setup(&toml).start());
    let form = desk.page("/neue-anfrage");
    assert_has!(form, "Hat der Kunde keine, dann tragen Sie Ihre ein");
    let (_, key) = form.split_once("name=\"key\" value=\"").unwrap();
    let (key, _) = key.split_once('"').unwrap();
    let wrong = CALLER.replace("22087", "25421").replace("Erika", "+");
    let wrong = desk.post("/neue-anfrage", &format!("{wrong}&consent=50001&key={key}"));
    assert_eq!(wrong.status, 400);
    for part in [
        "noch nicht",
        "href=\"#vorname\"",
        "value=\"25421\"",
        "checked",
        key,
        "Lärm am Morgen",
    ] {
        assert!(wrong.text().contains(part), "{part}: {}", wrong.text());
    }
    let sent = format!("{CALLER}&consent=50001&homepage=trap&key={key}");
    let entered = desk.post("/neue-anfrage", &sent);
    assert_eq!(entered.status, 303, "{}", entered.text());
    let again = desk.post("/neue-anfrage", &sent);
    assert_eq!(
        again.expect("location"),
        entered.expect("location"),
        "stored once"
    );
    let other = desk.post("/neue-anfrage", &sent.replace("Erika", "Vera"));
    assert!(other.status == 409 && other.text().contains("schon gespeichert"));
    for _ in 0..3 {
        desk.change("/neue-anfrage", CALLER);
    }
    let listed = desk.json(&["inquiries"]);
    assert_eq!(listed.as_array().unwrap().len(), 4);
    let states = listed.as_array().unwrap().iter().map(|one| &one["state"]);
    assert!(states.eq(["asked"; 4]), "{listed}");
    let first = shown(&desk, listed[0]["id"].as_str().unwrap());
    assert_has!(first["consent"]["wording"].as_str().unwrap(), "Am Telefon");
    assert_eq!(first["addition"], "Gebäude: Haus\nProblem: Lärm am Morgen");
    let kinds = first["deliveries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["kind"]);
    assert!(kinds.eq(["firm-request", "visitor-received"]), "{first}");
    assert_eq!(
        shown(&desk, listed[1]["id"].as_str().unwrap())["consent"],
        Value::Null
    );
    assert_eq!(
        desk.server.send(&post(&record(NAME))).status,
        201,
        "nothing of it counts"
    );
}
