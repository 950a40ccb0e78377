//! Mails and private pages, rendered with arbitrary input from visitors and firms.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test that meets the unexpected has failed"
)]

mod states;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use states::mails::MailState;
use states::pages::PageState;
use states::{Stage, Texts, USUAL};
use strum::VariantArray;
use taubenabwehr::config::settings::SiteSettings;
use taubenabwehr::site::templates::PageKind;

/// Texts that try to break out of their context.
const NASTY: Texts = Texts {
    firm: "Netz & <b>Sohn</b>\r\nBcc: opfer@example.com\u{2028}{{ site.name }}",
    first_name: "<script>alert(1)</script>",
    last_name: "\"' onmouseover='x' {{ 7 * 7 }}{% if %}",
    addition: "</textarea><script>alert(2)</script>\r\n{{ origin }}\r\n-- \r\n\"' &amp;",
};

fn sample() -> SiteSettings {
    SiteSettings::embedded().unwrap()
}

fn everything(settings: &SiteSettings, texts: Texts) -> (Vec<MailState>, Vec<PageState>) {
    let stage = Stage::new(settings, texts);
    (stage.mails().unwrap(), stage.pages().unwrap())
}

#[test]
fn the_states_cover_every_mail_and_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("content/mails");
    let files = fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let texts: BTreeSet<_> = names
        .filter(|name| name != "footer.md" && !name.starts_with('.'))
        .collect();
    let (mails, pages) = everything(&sample(), USUAL);
    let filled = mails.iter().map(|state| format!("{}.md", state.kind));
    assert_eq!(filled.collect::<BTreeSet<_>>(), texts);
    for kind in PageKind::VARIANTS {
        assert!(pages.iter().any(|state| state.kind == *kind), "{kind:?}");
    }
}

/// A page without the script that shows and uploads photos.
fn without_own_script(html: &str) -> String {
    let Some((before, rest)) = html.split_once("<script type=\"module\" src=\"/assets/photos.") else {
        return html.to_owned();
    };
    let (hash, after) = rest.split_once(".js\"></script>").unwrap();
    assert_eq!(hash.len(), 8, "{hash}");
    format!("{before}{after}")
}

#[test]
fn nothing_that_people_write_breaks_out_of_its_place() {
    let (mails, pages) = everything(&sample(), NASTY);
    let documents = mails.iter().map(|state| (state.name, &state.mail.html));
    for (name, html) in documents.chain(pages.iter().map(|state| (state.name, &state.html))) {
        for broken in ["<script", "<b>Sohn", "' onmouseover", "</textarea><"] {
            let html = without_own_script(html).replace("</textarea></div>", "");
            assert!(!html.contains(broken), "{name} holds {broken}");
        }
        let (opened, closed) = (html.matches("<textarea"), html.matches("</textarea>"));
        assert_eq!(opened.count(), closed.count(), "{name}");
    }
    let mail = |name: &str| &mails.iter().find(|state| state.name == name).unwrap().mail;
    // Template syntax in user input stays text.
    let request = mail("firm-request");
    assert!(request.html.contains("{{ origin }}") && request.text.contains("> {{ origin }}"));
    // No line of a visitor's text can be mistaken for the signature separator of the mail.
    assert_eq!(request.text.matches("\n-- \n").count(), 1);
    assert!(mail("operator-new").text.contains("<script>alert(1)</script>"));
    for MailState { name, mail, .. } in &mails {
        let subject = &mail.subject;
        assert!(!subject.contains(char::is_control), "{name}: {subject:?}");
        assert!(!mail.text.contains(['\r', '\u{2028}']), "{name}");
        assert!(!mail.text.contains("\nBcc:"), "{name}");
        assert!(!mail.text.contains("&lt;"), "{name}");
    }
}

#[test]
fn every_mail_says_who_sends_it() {
    let settings = sample();
    let (mails, _) = everything(&settings, USUAL);
    let operator = &settings.operator;
    for MailState { name, mail, .. } in &mails {
        for part in [&mail.text, &mail.html] {
            for wanted in [
                operator.legal_name.as_deref().unwrap(),
                operator.street.as_deref().unwrap(),
                operator.represented_by.as_deref().unwrap(),
                operator.register_number.as_deref().unwrap(),
                "https://www.example.de/datenschutz",
            ] {
                assert!(part.contains(wanted), "{name} does not say {wanted}");
            }
            assert!(!part.contains("{{") && !part.contains("{%"), "{name}");
        }
        assert!(!mail.text.contains("\n\n\n"), "{name}:\n{}", mail.text);
        assert!(
            !mail.html.contains("<img") && !mail.html.contains("src="),
            "{name}"
        );
    }
}

#[test]
fn nothing_unproven_is_said_under_a_real_name() {
    let settings = SiteSettings::parse(
        "[operator]\nlegal_name = 'Taubenfrei Nord GmbH'\n",
        Path::new("own"),
    );
    let (mails, pages) = everything(&settings.unwrap(), USUAL);
    let mails = mails.iter().map(|state| {
        let mail = &state.mail;
        (
            state.name,
            format!("{}\n{}\n{}", mail.subject, mail.text, mail.html),
        )
    });
    let pages = pages.iter().map(|state| (state.name, state.html.clone()));
    for (name, text) in mails.chain(pages) {
        let text = text.replace('\u{a0}', " ");
        for word in [
            "eprüft",
            "98 %",
            "von 5",
            "über 500",
            "über 200",
            "10 Jahre",
            "15 Jahre",
            "95 %",
            "6 Stunden",
            "Referenzen",
        ] {
            assert!(!text.contains(word), "{name} says {word}");
        }
    }
    let (_, pages) = everything(&sample(), USUAL);
    for PageState { name, html, .. } in &pages {
        assert!(html.contains("Vermittlung geprüfter Fachbetriebe"), "{name}");
        assert!(html.contains("Referenzen"), "{name}");
    }
}

#[test]
fn mails_and_pages_do_without_what_the_operator_left_out() {
    let settings = SiteSettings::parse("", Path::new("empty")).unwrap();
    let (mails, pages) = everything(&settings, USUAL);
    for MailState { name, mail, .. } in &mails {
        assert!(
            !mail.html.contains("mailto:\"") && !mail.html.contains("href=\"\""),
            "{name}"
        );
        assert!(!mail.text.contains("Geschäftsführung"), "{name}");
    }
    for PageState { name, html, .. } in &pages {
        assert!(
            !html.contains("mailto:\"") && !html.contains("href=\"\""),
            "{name}"
        );
    }
}

#[test]
fn a_mail_to_an_address_that_may_be_wrong_tells_nothing_of_the_inquiry() {
    let (mails, _) = everything(&sample(), USUAL);
    let mails = mails.iter().filter(|state| state.name.starts_with("visitor-"));
    for MailState { name, mail, .. } in mails {
        for part in [&mail.subject, &mail.text, &mail.html] {
            for secret in ["Jörg", "Weiß", "22765", "Balkon", "Nisten", "0176", "joerg"] {
                assert!(!part.contains(secret), "{name} tells {secret}");
            }
        }
    }
}

#[test]
fn firms_see_a_person_only_after_they_have_accepted() {
    let (mails, pages) = everything(&sample(), USUAL);
    let secrets = ["Jörg", "Weiß", "0176", "joerg"];
    for MailState { name, mail, .. } in mails.iter().filter(|state| state.name.starts_with("firm-")) {
        let all = [&*mail.subject, &mail.text, &mail.html].join("\n");
        let has_accepted = name.starts_with("firm-contact");
        // In that state calls are no longer allowed.
        let is_shown = |secret: &str| has_accepted && (secret != "0176" || *name != "firm-contact-bare");
        assert!(
            secrets.iter().all(|one| all.contains(one) == is_shown(one)),
            "{name}"
        );
    }
    for PageState { name, html, .. } in pages.iter().filter(|state| state.kind == PageKind::Firm) {
        for secret in secrets {
            assert_eq!(
                html.contains(secret),
                matches!(
                    *name,
                    "firm-accepted" | "firm-photos-accepted" | "firm-outcome-saved" | "firm-outcome-wrong"
                ) || *name == "firm-no-calls" && secret != "0176",
                "{name}: {secret}"
            );
        }
        let may_answer = matches!(
            *name,
            "firm-open" | "firm-open-bare" | "firm-new-price" | "firm-passed-over" | "firm-photos"
        );
        let answers = html.matches("name=\"answer\"").count();
        assert_eq!(answers, if may_answer { 2 } else { 0 }, "{name}");
        let is_over = matches!(
            *name,
            "firm-declined"
                | "firm-full"
                | "firm-gone"
                | "firm-withdrawn"
                | "firm-erased"
                | "firm-outcome-closed"
        );
        assert_eq!(html.contains("22765"), !is_over, "{name}");
    }
}

#[test]
fn a_mail_that_asks_a_firm_says_what_accepting_costs() {
    let (mails, _) = everything(&sample(), USUAL);
    for MailState { name, mail, .. } in mails {
        let asks = matches!(name, "firm-request" | "firm-request-two" | "firm-reminder");
        for part in [&mail.text, &mail.html] {
            assert_eq!(part.contains("Annehmen kostet 25,00"), asks, "{name}");
        }
    }
}

#[test]
fn a_firm_that_has_accepted_is_led_to_price_and_consent_where_there_are_any() {
    let (mails, _) = everything(&sample(), USUAL);
    let text = |name: &str| &mails.iter().find(|state| state.name == name).unwrap().mail.text;
    for part in ["Was bei Ihrer Zusage vereinbart war", "§ 7a UWG"] {
        assert!(text("firm-contact").contains(part), "{part}");
        assert!(!text("firm-contact-bare").contains(part), "{part}");
    }
}

#[test]
fn whoever_finds_no_firm_reads_the_same_addresses_in_mail_and_page() {
    let (mails, pages) = everything(&sample(), USUAL);
    let mail = mails.iter().find(|state| state.name == "visitor-nobody").unwrap();
    let page = pages.iter().find(|state| state.name == "visitor-nobody").unwrap();
    for address in ["https://www.hwk-hamburg.de", "https://www.dsvonline.de"] {
        for part in [&mail.mail.text, &mail.mail.html, &page.html] {
            assert!(part.contains(address), "{address}");
        }
    }
}

#[test]
fn a_visitor_reads_how_firms_are_ranked_and_where_each_is() {
    let (mails, pages) = everything(&sample(), USUAL);
    let page = pages.iter().find(|state| state.name == "visitor-asked").unwrap();
    assert!(
        page.html
            .contains("zuerst die, die wir am längsten nicht gefragt haben")
    );
    let mail = |name: &str| &mails.iter().find(|state| state.name == name).unwrap().mail;
    assert!(
        !mail("visitor-accepted-bare")
            .text
            .contains("Erreichen Sie ihn nicht")
    );
    assert!(mail("firm-request").subject.contains("22765 Hamburg-Ottensen:"));
}

#[test]
fn one_firm_is_not_called_several() {
    let (_, pages) = everything(&sample(), USUAL);
    let html = |name: &str| &pages.iter().find(|state| state.name == name).unwrap().html;
    for (name, said) in [
        ("visitor-withdraw", "bitten wir die Betriebe,"),
        ("visitor-withdraw-one", "bitten wir den Betrieb,"),
        ("visitor-withdraw-alone", "an keinen Betrieb mehr"),
        ("visitor-asked-one", "und bitten den Betrieb, dasselbe zu tun"),
        ("visitor-asked", "und bitten die Betriebe, dasselbe zu tun"),
    ] {
        assert!(html(name).contains(said), "{name}");
    }
}

#[test]
fn a_page_says_how_the_inquiry_stands() {
    let (_, pages) = everything(&sample(), USUAL);
    let html = |name: &str| &pages.iter().find(|state| state.name == name).unwrap().html;
    for (name, heading) in [
        ("visitor-alone", "Ihre Anfrage ist eingegangen"),
        ("visitor-by-hand", "Ihre Anfrage ist eingegangen"),
        ("visitor-asked-one", "Wir haben einen Betrieb für Sie gefragt"),
        ("visitor-asked", "Wir haben 3 Betriebe für Sie gefragt"),
        ("visitor-accepted", "Ein Betrieb hat Ihre Anfrage angenommen"),
        (
            "visitor-accepted-three",
            "3 Betriebe haben Ihre Anfrage angenommen",
        ),
        ("visitor-nobody", "Wir haben noch keinen Betrieb für Sie"),
        ("visitor-withdrawn", "Ihre Anfrage ist zurückgezogen"),
        ("visitor-withdraw", "Möchten Sie Ihre Anfrage zurückziehen?"),
        ("firm-open", "Anfrage aus 22765 Hamburg-Ottensen"),
        ("firm-accepted", "Sie haben die Anfrage angenommen"),
        ("firm-declined", "Sie haben die Anfrage abgelehnt"),
        ("firm-full", "Andere Betriebe waren schneller"),
        ("firm-gone", "Diese Anfrage steht Ihnen nicht mehr offen"),
        ("firm-withdrawn", "Die Anfrage wurde zurückgezogen"),
        ("firm-erased", "Die Daten der Anfrage sind gelöscht"),
    ] {
        assert!(html(name).contains(&format!("<h1>{heading}</h1>")), "{name}");
    }
    for by_hand in ["visitor-by-hand", "visitor-by-hand-saved"] {
        let page = html(by_hand);
        assert!(
            page.contains("Wir melden uns bei Ihnen, per Telefon oder E-Mail"),
            "{by_hand}"
        );
        assert!(!page.contains("Betriebe, die Ihre Anfrage haben"), "{by_hand}");
        assert!(!page.contains("Wir wählen jetzt Fachbetriebe"), "{by_hand}");
    }
    assert!(html("visitor-saved").contains("role=\"status\""));
    assert!(!html("visitor-asked").contains("role=\"status\""));
    assert!(html("visitor-too-long").contains("aria-invalid=\"true\""));
    assert!(html("visitor-too-long").contains("id=\"addition-error\""));
    for contact in [
        "href=\"tel:+49401234567\"",
        "mailto:auftrag@nordnetz.example",
        ">nordnetz.example<",
    ] {
        assert!(html("visitor-accepted").contains(contact), "{contact}");
        assert!(!html("visitor-asked").contains(contact), "{contact}");
    }
    assert_eq!(
        html("visitor-accepted").matches("data-accepted=\"true\"").count(),
        1
    );
    for state in ["angenommen", "angefragt", "keine Antwort"] {
        let shown = format!(">{state}<");
        assert!(html("visitor-accepted").contains(&shown), "{state}");
    }
    // The entered text stays in the field.
    assert!(html("visitor-asked").contains("bitte bei Krüger klingeln.</textarea>"));
}

#[test]
fn private_pages_load_no_script_but_that_of_photos_and_are_not_indexed() {
    let (_, pages) = everything(&sample(), USUAL);
    for PageState { name, html, .. } in &pages {
        let sends_photos = html.contains("multipart/form-data");
        let rest = without_own_script(html);
        assert!(!rest.contains("<script") && !html.contains(" style="), "{name}");
        assert!(sends_photos || rest == *html, "{name}");
        let has_photos = html.contains("photo-row") || sends_photos;
        assert_eq!(
            html.contains("photo"),
            has_photos,
            "{name}: a page without photos is not heavier"
        );
        assert!(html.contains("content=\"noindex, nofollow\""), "{name}");
        assert!(!html.contains("{{") && !html.contains("{%"), "{name}");
    }
}
