//! Commands that show and erase the data of one person.

use super::*;

#[test]
fn a_person_gets_everything_that_is_kept_and_nothing_else() {
    let (place, ids) = Place::filled();
    let kept = place.json(&["person", "aNNa@example.DE"]);
    assert_eq!(kept.as_array().unwrap().len(), 2, "{kept}");
    assert_eq!(
        (&kept[0]["kind"], &kept[0]["id"]),
        (&json!("inquiry"), &json!(ids.accepted.to_string()))
    );
    assert_eq!(kept[0]["firms"][0]["has_contact_data"], true);
    assert_eq!(kept[0]["last_name"], "Krause");
    assert_eq!(
        (&kept[1]["kind"], &kept[1]["state"]),
        (&json!("newsletter"), &json!("confirmed"))
    );
    assert_eq!(place.json(&["person", "carla@example.de"])[0]["state"], "pending");
    assert_eq!(place.read(&["person", "nobody@example.de"]), "[]\n");
}

#[test]
fn a_person_is_found_by_every_spelling_and_by_phone() {
    let (place, _) = Place::filled();
    let kept = place.json(&["person", "anna@example.de"]);
    for spelling in [
        "\"anna\"@example.de",
        "\"an\\na\"@EXAMPLE.de",
        "anna@ex\u{ad}ample.de",
        "anna@ｅxample.de",
    ] {
        assert_eq!(place.json(&["person", spelling]), kept, "{spelling}");
    }
    assert_eq!(place.read(&["person", "anna+x@example.de"]), "[]\n");
    let phone = kept[0]["phone_number"].as_str().unwrap();
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.strip_prefix("49").or(digits.strip_prefix('0')).unwrap();
    let by_phone = place.json(&["person", phone]);
    assert!(by_phone.as_array().unwrap().contains(&kept[0]), "{by_phone}");
    for spelling in [
        format!("0049 {digits}"),
        format!("(0) {digits}"),
        format!("+49/{digits}"),
    ] {
        assert_eq!(place.json(&["person", &spelling]), by_phone, "{spelling}");
    }
    for nobody in ["anna", "", "Krause", "anna@", "12"] {
        let output = place.run(&["person", nobody]);
        assert_eq!(output.status.code(), Some(2), "{nobody}");
        assert!(output.stdout.is_empty(), "{nobody}");
    }
}

#[test]
fn a_person_is_erased_and_the_firm_that_accepted_is_told() {
    each_way(|place, ids| {
        let asked = failure(&place.run(&["person", "anna@example.de", "--erase"]));
        assert!(asked.contains("--yes"), "{asked}");
        let erase = ["person", "anna@EXAMPLE.de", "--erase", "--yes"];
        assert_eq!(
            success(&place.run(&erase)),
            "1 inquiry and the newsletter subscription erased\n"
        );
        assert_eq!(success(&place.run(&["person", "anna@example.de"])), "[]\n");
        assert_eq!(
            success(&place.run(&erase)),
            "no data is stored for this address\n"
        );
        assert_eq!(state(place, ids.accepted), "erased");
        let told = success(&place.run(&["deliveries", "--json"]));
        assert!(
            told.contains("firm-erased") && told.contains("firm:alster"),
            "{told}"
        );
        assert_eq!(state(place, ids.declined), "asked");
        // A database keeps traces until it is vacuumed (`docs/operation.md`).
        if left_out_on_postgres("what is left in a file") {
            return;
        }
        let file = std::fs::read(place.path().join("inquiries.redb")).unwrap();
        let address = b"Anna@Example.de";
        assert!(!file.windows(address.len()).any(|bytes| bytes == address));
    });
}

#[test]
fn a_withdrawn_inquiry_is_erased_by_its_id() {
    each_way(|place, ids| {
        let id = ids.withdrawn.to_string();
        assert_eq!(
            success(&place.run(&["erase", &id, "--yes"])),
            "1 inquiry erased\n"
        );
        // The mails about the withdrawal have not been sent yet.
        assert_eq!(state(place, ids.withdrawn), "erased");
        let error = failure(&place.run(&["erase", &id, "--yes"]));
        assert!(error.contains(&id), "{error}");
    });
}

#[test]
fn confirmed_subscribers_are_exported() {
    let (place, _) = Place::filled();
    let json = place.json(&["newsletter", "export", "--format", "json"]);
    assert_eq!(json.as_array().unwrap().len(), 1);
    assert_eq!(json[0]["email_address"], "ANNA@example.de");
    assert!(
        json[0]["confirmed_at"]
            .as_str()
            .unwrap()
            .parse::<Timestamp>()
            .is_ok()
    );
    let csv = place.read(&["newsletter", "export"]);
    assert!(
        csv.starts_with("email_address,confirmed_at,unsubscribe_link\r\nANNA@example.de,")
            && csv.contains(",/newsletter/abmelden/"),
        "{csv}"
    );
    let linked = place.read(&["newsletter", "export", "--public-url", "https://www.example.de"]);
    assert!(
        linked.contains(",https://www.example.de/newsletter/abmelden/"),
        "{linked}"
    );
    let empty = Place::new();
    drop(empty.open());
    assert_eq!(
        empty.read(&["newsletter", "export"]),
        "email_address,confirmed_at,unsubscribe_link\r\n"
    );
    assert_eq!(empty.read(&["newsletter", "export", "--format", "json"]), "[]\n");
}
