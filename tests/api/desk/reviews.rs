//! Publishing and rejecting reviews works like the command.

use super::AtDesk;
use crate::harness::inquiry::post;
use crate::harness::referral::{Referred, config, submit};
use crate::harness::{record, run};

const TEXT: &str = "Pünktlich & sauber gearbeitet.";

#[test]
fn a_review_is_published_and_rejected() {
    let toml = format!("desk_listen = '127.0.0.1:0'\n{}", config(&["nord"]));
    let case = Referred::with(&toml, &["nord"]);
    case.finish(0);
    let review = "review=nord&stars=4&text=P%C3%BCnktlich+%26+sauber+gearbeitet.&name=Anna+M.";
    let write = |review: &str| {
        let written = submit(&case.server, &case.visitor, review);
        assert_eq!(written.status, 303, "{}", written.text());
    };
    // A review without consent does not wait for a decision.
    write(review);
    let Referred { server, visitor, .. } = case;
    let desk = AtDesk::of(server);
    assert!(!desk.page("/posteingang").contains("Bewertung wartet"));
    let page = desk.page("/bewertungen");
    assert!(page.contains("4 von 5 Sternen") && page.contains("hat der Veröffentlichung nicht zugestimmt"));
    let listed = desk.json(&["reviews"]);
    let id = listed[0]["id"].as_str().unwrap();
    let path = |verdict: &str| format!("/bewertungen/{id}/{verdict}");
    let refused = desk.post(&path("veroeffentlichen"), "");
    assert!(
        refused.status == 409 && refused.text().contains("nicht zugestimmt"),
        "{}",
        refused.text()
    );

    assert_eq!(
        submit(&desk.server, &visitor, &format!("{review}&consent=yes")).status,
        303
    );
    assert!(desk.page("/posteingang").contains("Bewertung wartet"));
    let page = desk.page("/bewertungen").replace("&amp;", "&");
    for part in [TEXT, "Anna M.", "Firma nord & Söhne", "20095"] {
        assert!(page.contains(part), "{part}");
    }
    let state = || desk.json(&["reviews"])[0]["state"].as_str().unwrap().to_owned();
    desk.change(&path("veroeffentlichen"), "");
    assert_eq!(state(), "published");
    assert!(desk.server.get("/").text().replace("&amp;", "&").contains(TEXT));
    desk.change(&path("ablehnen"), "");
    assert_eq!(state(), "rejected");
    assert!(!desk.server.get("/").text().replace("&amp;", "&").contains(TEXT));
    assert_eq!(desk.post("/bewertungen/x/ablehnen", "").status, 404);
    let line = desk.server.logged("a review was published at the desk");
    assert!(!line.contains("Anna") && line.contains("firm=nord"), "{line}");
    assert!(
        desk.page("/betriebe").contains("0,0"),
        "the hours until it accepted"
    );
    let id = listed[0]["inquiry"].as_str().unwrap();
    let question = desk.page(&format!("/anfragen/{id}/loeschen"));
    for part in [
        "Die Bewertung der Person wird gelöscht",
        "/posteingang?search=aenne%40example.org",
    ] {
        assert!(question.contains(part), "{part}: {question}");
    }
    let page = desk.page(&format!("/anfragen/{id}")).replace("&amp;", "&");
    for part in ["4 von 5 Sternen", "Anna M.", TEXT, "abgelehnt"] {
        assert!(page.contains(part), "{part}");
    }
}

/// The fields of the form with this action, as a browser sends them.
fn fields(page: &str, action: &str) -> String {
    let (_, form) = page.split_once(&format!("action=\"{action}\"")).unwrap();
    let (form, _) = form.split_once("</form>").unwrap();
    let attribute = |input: &str, name: &str| {
        let (_, value) = input.split_once(&format!("{name}=\"")).unwrap();
        value.split_once('"').unwrap().0.to_owned()
    };
    let inputs = form.split("<input").skip(1);
    let pairs = inputs.map(|input| format!("{}={}", attribute(input, "name"), attribute(input, "value")));
    pairs.collect::<Vec<_>>().join("&")
}

#[test]
fn what_was_changed_after_it_was_read_is_not_decided_about() {
    let toml = format!("desk_listen = '127.0.0.1:0'\n{}", config(&["nord"]));
    let case = Referred::with(&toml, &["nord"]);
    case.finish(0);
    let Referred { server, visitor, .. } = case;
    let desk = AtDesk::of(server);
    let write = |path: &str, body: &str| {
        assert_eq!(submit(&desk.server, path, body).status, 303, "{body}");
    };
    let review = |text: &str| {
        write(
            &visitor,
            &format!("review=nord&stars=4&text={text}&name=Anna&consent=yes"),
        );
    };
    let listed = || desk.json(&["reviews"])[0].clone();
    review("gelesen");
    let id = listed()["id"].as_str().unwrap().to_owned();
    for verdict in ["veroeffentlichen", "ablehnen"] {
        let path = format!("/bewertungen/{id}/{verdict}");
        review("gelesen");
        let read = fields(&desk.page("/bewertungen"), &path);
        review("ungelesen");
        let refused = desk.post(&path, &read);
        assert_eq!(refused.status, 409, "{read}");
        assert!(refused.text().contains("ungelesen") && refused.text().contains("wurde geändert"));
        assert_eq!(desk.post(&path, "written_at=x").status, 409);
        assert_eq!(listed()["state"], "waiting");
        // The refused response shows the current text, so it can be published from there.
        let read = fields(refused.text(), &path);
        desk.change(&path, &read);
        assert_ne!(listed()["state"], "waiting");
    }
    // The same by command.
    review("gelesen");
    let read = listed()["written_at"].as_str().unwrap().to_owned();
    review("ungelesen");
    let publish = |written_at: &str| {
        let args = ["reviews", "publish", &id, "--written-at", written_at];
        run(desk.server.dir().path(), &args)
    };
    let refused = publish(&read);
    refused.fails_with("changed after it was read");
    assert_eq!(listed()["state"], "waiting");
    publish("gestern").misuse("--written-at");
    publish(listed()["written_at"].as_str().unwrap()).success();
    assert_eq!(listed()["state"], "published");

    // The same holds for a suspected inquiry.
    let robot = post(&record("Robinson")).header("Form-Trap", "filled");
    let visitor = desk.server.send(&robot).expect("location").to_owned();
    let suspected = desk.json(&["inquiries", "--state", "suspected"]);
    let page = format!("/anfragen/{}", suspected[0]["id"].as_str().unwrap());
    let release = format!("{page}/freigeben");
    let read = fields(&desk.page(&page), &release);
    write(&visitor, "addition=ungelesen");
    let refused = desk.post(&release, &read);
    assert_eq!(refused.status, 409);
    assert!(refused.text().contains("ungelesen") && refused.text().contains("wurde geändert"));
    assert_eq!(desk.json(&["inquiries", "--state", "suspected"]), suspected);
    desk.change(&release, &fields(refused.text(), &release));
    assert_ne!(desk.json(&["inquiries", "--state", "suspected"]), suspected);
}

#[test]
fn what_a_firm_says_of_an_order_stands_with_the_inquiry() {
    let toml = format!("desk_listen = '127.0.0.1:0'\n{}", config(&["nord"]));
    let case = Referred::with(&toml, &["nord"]);
    assert_eq!(case.answer(0, "accept").status, 303);
    let Referred { server, firms, .. } = case;
    let desk = AtDesk::of(server);
    let id = desk.json(&["inquiries"])[0]["id"].as_str().unwrap().to_owned();
    let (path, shown) = (format!("/anfragen/{id}"), || {
        desk.json(&["inquiries", "show", &id])["firms"][0].clone()
    });
    assert_eq!(shown()["outcome"], "open");
    assert!(shown()["net_sum"].is_null());
    assert!(desk.page(&path).contains("noch offen"));
    let said = submit(&desk.server, &firms[0], "outcome=order&net_sum=1.234%2C50");
    assert_eq!(said.status, 303);
    assert_eq!(
        (&shown()["outcome"], &shown()["net_sum"]),
        (&"order".into(), &"1234.50".into())
    );
    let page = desk.page(&path).replace('\u{a0}', " ");
    for part in ["Auftrag erhalten", "1.234,50 €"] {
        assert!(page.contains(part), "{part}");
    }
    let printed = run(desk.server.dir().path(), &["inquiries", "show", &id]);
    assert_has!(printed.success(), "outcome order of 1234.50 € net");
}
