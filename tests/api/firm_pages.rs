//! A firm's page for one inquiry (`docs/behaviour.md`, "A firm's page").

use jiff::Timestamp;
use taubenabwehr::domain::inquiry::consent_wording;
use taubenabwehr::site::templates::german_time;

use crate::harness::heading;
use crate::harness::referral::{NAME, Referred, config, submit};

/// Data that a firm must not see before it has accepted.
const PERSON: [&str; 4] = [NAME, "Änne", "aenne@example.org", "123456-78"];

fn assert_hides_the_person(page: &str) {
    for word in PERSON {
        assert!(!page.contains(word), "{word} is shown: {page}");
    }
}

#[test]
fn it_shows_the_person_only_after_it_has_accepted() {
    let case = Referred::to(&["nord", "sued"]);
    let page = case.page(&case.firms[0]);
    assert_eq!(heading(&page), "Anfrage aus 20095 Hamburg-Altstadt");
    for shown in ["Wohngebäude", "Nisten", "Balkon", "2 Betriebe"] {
        assert!(page.contains(shown), "{shown} is not shown: {page}");
    }
    assert_hides_the_person(&page);
    assert!(
        !page.contains("Firma sued"),
        "a firm does not see who else was asked"
    );

    let response = case.answer(0, "accept");
    response.leads_to(&case.firms[0]);
    assert_eq!(response.text(), "");
    let page = case.page(&case.firms[0]);
    assert_eq!(heading(&page), "Sie haben die Anfrage angenommen");
    for word in PERSON {
        assert!(page.contains(word), "{word} is not shown: {page}");
    }
    assert_hides_the_person(&case.page(&case.firms[1]));
}

#[test]
fn a_firm_that_has_accepted_gets_the_proof_of_the_consent_to_calls() {
    let case = Referred::to(&["nord", "sued"]);
    let sentence = consent_wording(1).unwrap();
    assert_eq!(case.answer(0, "accept").status, 303);
    let page = case.page(&case.firms[0]);
    assert!(page.contains(&sentence), "{page}");
    let sent: Timestamp = case.server.stored()[0]["created_at"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let time = german_time(sent);
    assert!(page.contains(&format!("am {time} zugestimmt")), "{page}");
    assert!(!case.page(&case.firms[1]).contains(&sentence));
}

#[test]
fn a_second_press_changes_nothing_and_another_answer_is_refused() {
    let case = Referred::to(&["nord", "sued"]);
    for (firm, first, second, title) in [
        (0, "accept", "decline", "Sie haben die Anfrage angenommen"),
        (1, "decline", "accept", "Sie haben die Anfrage abgelehnt"),
    ] {
        for _ in 0..2 {
            assert_eq!(case.answer(firm, first).status, 303);
        }
        let refused = case.answer(firm, second);
        refused.leads_to(&case.firms[firm]);
        assert_eq!(heading(&case.page(&case.firms[firm])), title);
    }
    assert_hides_the_person(&case.page(&case.firms[1]));
}

#[test]
fn whoever_comes_too_late_sees_no_data() {
    let firms = ["nord", "sued", "west"];
    let case = Referred::with(&config(&firms), &firms);
    // The limit of acceptances is lower than when the three firms were asked.
    let fewer = format!("[matching]\noffers = 1\n{}", config(&firms));
    case.server.reload(fewer, "read again");
    crate::harness::until_true("the page to follow", || {
        case.page(&case.firms[0]).contains("kann einer")
    });
    assert_eq!(case.answer(0, "accept").status, 303);
    assert_eq!(
        heading(&case.page(&case.firms[1])),
        "Andere Betriebe waren schneller"
    );
    let refused = case.answer(1, "accept");
    refused.leads_to(&case.firms[1]);
    let page = case.page(&case.firms[1]);
    assert_eq!(heading(&page), "Andere Betriebe waren schneller");
    assert_hides_the_person(&page);
    assert_eq!(case.answer(2, "decline").status, 303);
}

#[test]
fn a_firm_that_was_removed_is_not_told_that_others_were_faster() {
    let case = Referred::to(&["nord", "sued"]);
    case.server.reload(config(&["sued"]), "read again");
    let page = crate::harness::until("the page to follow", || {
        let page = case.page(&case.firms[0]);
        (heading(&page) == "Diese Anfrage steht Ihnen nicht mehr offen").then_some(page)
    });
    assert!(page.contains("nicht mehr eingetragen"), "{page}");
    assert!(!page.contains("name=\"answer\""));
    assert_hides_the_person(&page);
    // Submitting the form of a page that was opened earlier has the same result.
    assert_eq!(case.answer(0, "accept").status, 303);
    assert_eq!(heading(&case.page(&case.firms[0])), heading(&page));
}

#[test]
fn an_answer_is_one_of_two_words() {
    let case = Referred::to(&["nord"]);
    for body in [
        "",
        "answer=",
        "answer=ACCEPT",
        "answer=x&answer=accept",
        "other=accept",
    ] {
        let response = submit(&case.server, &case.firms[0], body);
        assert_eq!(response.status, 400, "{body}");
        assert_eq!(heading(response.text()), "Das hat nicht geklappt");
    }
    let page = case.page(&case.firms[0]);
    assert_eq!(heading(&page), "Anfrage aus 20095 Hamburg-Altstadt");
    let twice = "x=1&answer=accept&answer=decline&y=";
    assert_eq!(submit(&case.server, &case.firms[0], twice).status, 303);
    assert_eq!(
        heading(&case.page(&case.firms[0])),
        "Sie haben die Anfrage angenommen"
    );
}
