//! The commands that list and show inquiries.

use super::*;

#[test]
fn inquiries_are_listed_with_their_states() {
    let (place, ids) = Place::filled();
    let listed = place.json(&["inquiries", "--json"]);
    assert_eq!(
        listed[0],
        json!({
            "id": ids.accepted.to_string(), "created_at": "2026-11-02T08:00:00.000Z", "first_name": "Anna",
            "last_name": "Krause", "postal_code": "22087", "property_type": "residential", "types_of_problems": "nesting",
            "state": "accepted", "asked": 1, "accepted": 1, "done_at": null, "waiting": 0, "held": 0, "failed": 1,
        })
    );
    let states: Vec<_> = (0..4).map(|at| listed[at]["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["accepted", "asked", "suspected", "withdrawn"]);
    assert_eq!(listed[3]["postal_code"], Value::Null);
    let some = place.json(&[
        "inquiries",
        "--json",
        "--since",
        "2026-11-03",
        "--until",
        "2026-11-04",
    ]);
    assert_eq!(some.as_array().unwrap().len(), 1);
    assert_eq!(some[0]["id"], ids.declined.to_string());
    assert_eq!(
        place.json(&["inquiries", "--json", "--since", "2027-01-01"]),
        json!([])
    );

    for (at, state) in states.iter().enumerate() {
        let some = place.json(&["inquiries", "--json", "--state", state]);
        assert_eq!(some, json!([listed[at]]), "{state}");
    }
    let wrong = place.run(&["inquiries", "--state", "lost"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("unmatched"));

    let table = place.read(&["inquiries"]);
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 5);
    let column = lines[0].find("STATE").unwrap();
    for (line, state) in lines[1..].iter().zip(states) {
        assert_eq!(line.find(state), Some(column), "{table}");
    }
}

#[test]
fn everything_about_one_inquiry_is_shown() {
    let (place, ids) = Place::filled();
    let id = ids.accepted.to_string();
    let upper = id.to_uppercase();
    let shown = place.json(&["inquiries", "show", &upper, "--json", "--public-url", ORIGIN]);
    assert_eq!(shown["id"], id);
    assert_eq!(shown["email_address"], "Anna@Example.de");
    assert_eq!(shown["addition"], "Zwei Nester\n\u{1b}[31mrot");
    assert_eq!(shown["consent"]["version"], 1);
    assert_eq!(shown["consent"]["at"], "2026-11-02T08:00:00.000Z");
    assert!(
        shown["consent"]["wording"]
            .as_str()
            .unwrap()
            .contains("Fachbetriebe")
    );
    let firm = &shown["firms"][0];
    assert_eq!(
        (&firm["id"], &firm["answer"]),
        (&json!("alster"), &json!("accepted"))
    );
    let deliveries = shown["deliveries"].as_array().unwrap();
    assert_eq!(deliveries[0]["id"], format!("{id}-0"));
    assert_eq!(deliveries[0]["reason"], "550 no such mailbox");
    let told: Vec<_> = deliveries
        .iter()
        .map(|delivery| delivery["recipient"].as_str().unwrap())
        .collect();
    assert_eq!(
        told,
        [
            "operator",
            "firm:alster",
            "visitor",
            "visitor",
            "firm:alster",
            "operator"
        ]
    );

    let store = place.open();
    let token = store.secret().visitor_token(ids.accepted);
    let firm_token = store
        .secret()
        .firm_token(ids.accepted, &FirmId::parse("alster").unwrap());
    assert!(place.runtime.block_on(store.close(Duration::from_secs(10))));
    drop(store);
    assert_eq!(shown["link"], format!("{ORIGIN}/anfrage/{token}"));
    assert_eq!(firm["link"], format!("{ORIGIN}/betrieb/{firm_token}"));

    let text = place.read(&["inquiries", "show", &id]);
    for part in [
        "Anna@Example.de",
        "Zwei Nester",
        "Fachbetriebe",
        "alster",
        "550 no such mailbox",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains('\u{1b}') && !text.contains("/anfrage/"), "{text}");

    let unknown = Uuid::nil().to_string();
    let alone = failure(&place.run(&["inquiries", "show", &unknown]));
    let server = place.serve();
    assert_eq!(failure(&place.run(&["inquiries", "show", &unknown])), alone);
    server.stop();
}

#[test]
fn a_suspected_inquiry_is_released_once() {
    each_way(|place, ids| {
        let id = ids.suspected.to_string().to_uppercase();
        assert_eq!(state(place, ids.suspected), "suspected");
        let released = success(&place.run(&["inquiries", "release", &id]));
        assert_eq!(released, format!("{} released\n", ids.suspected));
        assert_eq!(state(place, ids.suspected), "received");
        let again = failure(&place.run(&["inquiries", "release", &id]));
        assert!(again.contains("not held back"), "{again}");
        failure(&place.run(&["inquiries", "release", &Uuid::nil().to_string()]));
    });
}

#[test]
fn an_inquiry_is_noted_done_and_corrected() {
    each_way(|place, ids| {
        let id = ids.accepted.to_string();
        let shown = || {
            let shown = success(&place.run(&["inquiries", "show", &id, "--json"]));
            serde_json::from_str::<Value>(&shown).unwrap()
        };
        let inquiries = |args: &[&str]| place.run(&[&["inquiries"], args].concat());
        let before = shown();
        assert_eq!(before["notes"], json!([]));
        assert_eq!(
            (&before["done_at"], &before["corrections"]),
            (&Value::Null, &json!([]))
        );
        for text in ["AB besprochen", " - ruft\r\nMittwoch zurück\n"] {
            success(&inquiries(&["note", &id, text]));
        }
        for _ in 0..2 {
            assert_eq!(
                success(&inquiries(&["done", id.get(24..).unwrap()])),
                format!("{id} done\n")
            );
        }
        let noted = shown();
        assert_eq!(noted["notes"][1]["text"], "- ruft\nMittwoch zurück");
        assert!(noted["notes"][0]["at"].is_string() && noted["done_at"].is_string());
        let text = success(&inquiries(&["show", &id]));
        for part in ["AB besprochen", "- ruft", "Mittwoch zurück", "done  "] {
            assert!(text.contains(part), "{part}: {text}");
        }
        for _ in 0..2 {
            success(&inquiries(&["done", &id, "--undo"]));
        }
        assert_eq!(shown()["done_at"], Value::Null);

        let given = [
            "--phone",
            " 040/32109876 ",
            "--last-name",
            "Meier",
            "--first-name",
            "Anna",
        ];
        success(&inquiries(&[&["correct", &id], &given[..]].concat()));
        let corrected = shown();
        assert_eq!(corrected["phone_number"], "040/32109876");
        assert_eq!(corrected["last_name"], "Meier");
        let fields = corrected["corrections"].as_array().unwrap().iter();
        let fields: Vec<_> = fields.map(|one| one["field"].as_str().unwrap()).collect();
        assert_eq!(fields, ["last_name", "phone_number"], "what stays is none");
        let mails = corrected["deliveries"].as_array().unwrap().iter();
        let mails = mails.filter(|mail| mail["kind"] == "firm-corrected");
        assert!(mails.map(|mail| &mail["recipient"]).eq(["firm:alster"]));
        let person = success(&place.run(&["person", "040 32109876"]));
        assert!(
            person.contains("Mittwoch") && !person.contains("1234567"),
            "{person}"
        );
        let exported = success(&place.run(&["export", "--format", "json"]));
        assert!(exported.contains("Meier") && !exported.contains("Mittwoch"));

        for wrong in [
            vec!["note", &id, " \n"],
            vec!["note", &id, &"ü".repeat(2001)],
            vec!["correct", &id],
            vec!["correct", &id, "--postal-code", "25421"],
            vec!["correct", &id, "--first-name", " "],
            vec!["correct", &id, "--email", "anna"],
            vec!["correct", &id, "--phone", "12"],
        ] {
            assert_eq!(inquiries(&wrong).status.code(), Some(2), "{wrong:?}");
        }
        let withdrawn = ids.withdrawn.to_string();
        for refused in [
            vec!["note", &withdrawn, "AB"],
            vec!["done", &withdrawn],
            vec!["correct", &withdrawn, "--first-name", "Anna"],
        ] {
            assert!(failure(&inquiries(&refused)).contains("withdrawn"), "{refused:?}");
        }
    });
}

#[test]
fn the_reference_of_the_mails_names_an_inquiry_wherever_its_id_does() {
    each_way(|place, ids| {
        let reference = |id: Uuid| id.to_string().split_off(24);
        let shown = success(&place.run(&["inquiries", "show", &reference(ids.accepted)]));
        assert!(shown.contains(&ids.accepted.to_string()), "{shown}");
        let upper = reference(ids.suspected).to_uppercase();
        assert_eq!(
            success(&place.run(&["inquiries", "release", &upper])),
            format!("{} released\n", ids.suspected)
        );
        let delivery = format!("{}-0", reference(ids.declined));
        assert_eq!(
            success(&place.run(&["deliveries", "retry", &delivery])),
            "1 delivery will be tried again\n"
        );
        let both = [reference(ids.accepted), ids.declined.to_string()];
        assert_eq!(
            success(&place.run(&["erase", "--yes", &both[0], &both[1]])),
            "2 inquiries erased\n"
        );
        for args in [
            &["inquiries", "show", "0123456789ab"][..],
            &["inquiries", "release", "0123456789ab"],
            &["deliveries", "retry", "0123456789ab-0"],
            &["erase", "--yes", "0123456789ab"],
        ] {
            let line = failure(&place.run(args));
            assert!(
                line.contains("no inquiry with the id or reference 0123456789ab"),
                "{line}"
            );
        }
    });
}

#[test]
fn who_asks_a_firm_that_nothing_names_hears_how_to_name_it() {
    let (place, ids) = Place::filled();
    let asked = place.run(&["inquiries", "ask", &ids.accepted.to_string(), "--firm", "neu"]);
    let line = failure(&asked);
    assert!(line.contains("neu") && line.contains("--config"), "{line}");
}

#[test]
fn people_read_the_time_of_hamburg() {
    let (place, ids) = Place::filled();
    let text = place.read(&["inquiries", "show", &ids.accepted.to_string()]);
    assert!(text.contains("2026-11-02T09:00:00+01:00"), "{text}");
    assert!(!text.contains("00Z") && !text.contains("000Z"), "{text}");
}
