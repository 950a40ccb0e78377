//! An invalid form: every value is kept, and each error is marked and listed at the top.

use super::form::{RIGHT, chosen, encoded, page, post, summary, value, with};
use crate::harness::compression::decoded;
use crate::harness::{Document, Server};

#[test]
fn each_wrong_answer_is_marked_and_named_at_the_top() {
    let server = Server::start();
    let long = "x".repeat(101);
    let too_long = "x".repeat(401);
    for (name, wrong, field, text) in [
        (
            "propertyType",
            "",
            "gebaeude",
            "Bitte wählen Sie einen Gebäudetyp aus",
        ),
        (
            "propertyType",
            "castle",
            "gebaeude",
            "Bitte wählen Sie einen Gebäudetyp aus",
        ),
        (
            "postalCode",
            "2011",
            "postleitzahl",
            "Bitte geben Sie eine gültige Hamburger Postleitzahl ein",
        ),
        (
            "postalCode",
            " 25421",
            "postleitzahl",
            "Bitte geben Sie eine gültige Hamburger Postleitzahl ein. Diesen Ort erreichen wir noch nicht.",
        ),
        (
            "problems",
            "pigeons",
            "probleme",
            "Die Auswahl der Probleme ist ungültig",
        ),
        (
            "locations",
            "moon",
            "stellen",
            "Die Auswahl der betroffenen Stellen ist ungültig",
        ),
        ("firstName", " ", "vorname", "Bitte geben Sie Ihren Vornamen ein"),
        (
            "firstName",
            &long,
            "vorname",
            "Bitte geben Sie höchstens 100 Zeichen in einer Zeile ein.",
        ),
        ("lastName", "", "nachname", "Bitte geben Sie Ihren Nachnamen ein"),
        (
            "email",
            "aenne",
            "e-mail",
            "Bitte geben Sie eine gültige E-Mail-Adresse ein",
        ),
        (
            "phone",
            "12",
            "telefon",
            "Bitte geben Sie eine gültige deutsche Telefonnummer ein (z.B. +49 123 456789 oder 0123 456789).",
        ),
        (
            "problemOther",
            &too_long,
            "probleme-text",
            "Bitte kürzen Sie Ihre Beschreibung auf höchstens 400 Zeichen",
        ),
    ] {
        let page = page(&server.send(&with(name, wrong)), 400);
        assert_eq!(summary(&page), [(field.to_owned(), text.to_owned())], "{name}");
        let input = page
            .elements
            .iter()
            .find(|element| element.attribute("id") == Some(field));
        let input = input.unwrap_or_else(|| panic!("no element {field}"));
        assert_eq!(input.attribute("name"), Some(name));
        let marked: Vec<_> = page
            .elements
            .iter()
            .filter(|element| element.attribute("aria-invalid") == Some("true"))
            .collect();
        if matches!(name, "problems" | "locations") {
            assert!(marked.is_empty(), "a group of check boxes has no such attribute");
        } else {
            assert_eq!(marked.len(), 1, "{name}");
            let described = marked[0].attribute("aria-describedby").unwrap();
            let says = |id: &str| {
                let found = page
                    .elements
                    .iter()
                    .find(|element| element.attribute("id") == Some(id));
                found.is_some_and(|found| found.text == text)
            };
            assert!(described.split(' ').any(says), "{name}: {described}");
        }
    }
    assert_eq!(server.stored().len(), 0);
}

#[test]
fn the_top_says_what_the_toasts_say() {
    let server = Server::start();
    for (name, wrong, title) in [
        ("lastName", "", "Bitte füllen Sie alle Pflichtfelder aus"),
        ("phone", "12", "Ungültige Telefonnummer"),
        (
            "email",
            "aenne",
            "Bitte geben Sie eine gültige E-Mail-Adresse ein",
        ),
        ("propertyType", "", "Bitte wählen Sie einen Gebäudetyp aus"),
        (
            "postalCode",
            "10115",
            "Bitte geben Sie eine gültige Hamburger Postleitzahl ein",
        ),
        (
            "postalCode",
            "10115",
            "Gültige Postleitzahlen für Hamburg und Umgebung beginnen mit 20, 21, 22.",
        ),
    ] {
        let response = server.send(&with(name, wrong));
        let page = response.text();
        let (_, rest) = page.split_once("Bitte prüfen Sie Ihre Angaben").unwrap();
        let (top, _) = rest.split_once("</ul>").unwrap();
        assert_eq!(top.matches(title).count(), 1, "{name}: {top}");
        // One line for each fault: its details are in its entry in the list.
        let (_, list) = top.split_once("<ul").unwrap();
        assert_eq!(list.contains(title), name != "lastName", "{name}: {top}");
    }
}

#[test]
fn every_answer_is_kept_whatever_stands_in_it() {
    let server = Server::start();
    let page = page(&server.send(&with("phone", "12")), 400);
    assert_eq!(chosen(&page, "propertyType"), ["residential-house"]);
    assert_eq!(chosen(&page, "problems"), ["nesting", "other"]);
    assert_eq!(chosen(&page, "locations"), ["balcony"]);
    for (name, right) in RIGHT {
        if !matches!(
            name,
            "propertyType" | "problems" | "locations" | "phone" | "consent" | "homepage"
        ) {
            assert_eq!(value(&page, name), right, "{name}");
        }
    }
    for nasty in [
        "</textarea><script>alert(1)</script>",
        "\"' onfocus='alert(1)' x=\"",
        "{{ site.name }}{% if x %}",
        "&lt;b&gt; &amp;",
        "<!-- --> ]]> \u{2028}",
    ] {
        for name in [
            "postalCode",
            "problemOther",
            "locationOther",
            "firstName",
            "lastName",
            "email",
            "phone",
        ] {
            let fields = RIGHT.iter().map(|&(field, right)| {
                let value = match field {
                    _ if field == name => nasty,
                    "consent" => "1",
                    "propertyType" => "",
                    _ => right,
                };
                (field, value)
            });
            let response = server.send(&post(encoded(fields)));
            let html = String::from_utf8(decoded(&response)).unwrap();
            assert!(
                nasty.starts_with('{') || !html.contains(nasty),
                "{name}: {nasty} is not escaped"
            );
            let page = Document::parse(&html);
            assert_eq!(value(&page, name), nasty, "{name}");
            assert_eq!(
                page.all("script")
                    .filter(|script| script.text.contains("alert"))
                    .count(),
                0
            );
        }
        let page =
            Document::parse(&String::from_utf8(decoded(&server.send(&with("propertyType", nasty)))).unwrap());
        assert_eq!(chosen(&page, "propertyType"), [""; 0]);
    }
}
