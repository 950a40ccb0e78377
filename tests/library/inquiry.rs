//! Tests from a request body to an inquiry.

use jiff::Timestamp;
use serde_json::{Value, json};

use taubenabwehr::domain::inquiry::*;

const NOW: &str = "2026-11-08T12:00:00Z";

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn record() -> Value {
    json!({
        "created_at": "2026-11-08T11:59:59.123Z",
        "postal_code": "20095",
        "property_type": "residential",
        "types_of_problems": "nesting,other",
        "problem_locations": "roof",
        "first_name": "Änne",
        "last_name": "O'Neill",
        "email_address": "aenne@example.de",
        "phone_number": "+49 (40) 123-4567",
    })
}

/// The record with one field set, or removed for `None`.
fn with(field: &str, value: Option<Value>) -> Value {
    let mut record = record();
    let fields = record.as_object_mut().unwrap();
    match value {
        Some(value) => fields.insert(field.to_owned(), value),
        None => fields.remove(field),
    };
    record
}

fn parse(body: &Value) -> Result<NewInquiry, ErrorBody> {
    NewInquiry::parse(body.to_string().as_bytes(), now())
}

/// The cases of a file that the tests of the JavaScript form also use.
fn cases(text: &str) -> Vec<Value> {
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    assert!(cases.len() > 5);
    cases
}

#[test]
fn links_choose_in_advance_what_the_form_chooses_too() {
    let known: Vec<_> = Preselection::all().collect();
    for case in cases(include_str!("../../tests/cases/preselection.json")) {
        let found = Preselection::read(case["query"].as_str().unwrap());
        let property = found.property.map(|property| property.id);
        let location = found.location.map(Choice::id);
        assert_eq!(json!(property), case["property"], "{case}");
        assert_eq!(json!(location), case["location"], "{case}");
        assert!(found.is_empty() || known.contains(&found), "{case}");
    }
    // Each of them is a page that is cached in memory after the first request.
    assert_eq!(known.len(), 26);
}

#[test]
fn answers_beyond_the_record_become_the_words_that_the_form_makes_of_them() {
    for case in cases(include_str!("../../tests/cases/additions.json")) {
        let property = Property::find(case["property"].as_str().unwrap());
        let words = additions(property, case["problem"].as_str(), case["location"].as_str());
        assert_eq!(words, case["additions"].as_str().unwrap(), "{case}");
    }
    let long = format!("{}🐦", "x".repeat(limits::FREE_TEXT - 1));
    let cut = "x".repeat(limits::FREE_TEXT - 1);
    assert_eq!(additions(None, Some(&long), None), format!("Problem: {cut}"));
}

#[test]
fn a_form_is_judged_like_a_record() {
    let form = |body: &str| Form::read(body.as_bytes()).unwrap();
    let right = "propertyType=residential-house&postalCode=+20095&problems=nesting&problems=other&problemOther=Federn\
                 &locations=roof&firstName=%C3%84nne&lastName=O%27Neill&email=a%40b.de&phone=040+1234567&consent=1&x=y";
    let (inquiry, additions) = form(right).check(now()).unwrap();
    let record = json!({
        "postal_code": "20095",
        "property_type": "residential",
        "types_of_problems": "nesting,other",
        "problem_locations": "roof",
        "first_name": "Änne",
        "last_name": "O'Neill",
        "email_address": "a@b.de",
        "phone_number": "040 1234567",
    });
    assert_eq!(inquiry, parse(&record).unwrap());
    assert_eq!(additions, "Gebäude: Haus\nProblem: Federn");
    assert_eq!(form(right).consent, Some(1));
    assert_eq!(form(right).suspicion(), None);
    let trapped = form(&format!("{right}&homepage=x"));
    assert_eq!(trapped.suspicion(), Some(Suspicion::TrapFilled));
    assert!(trapped.check(now()).is_ok());
    assert_eq!(Form::read(b"firstName=%FF"), None);
    // A property type preselected by a link precedes the radio buttons; the last value counts.
    let two = format!("propertyType=commercial&{right}");
    assert_eq!(form(&two).check(now()).unwrap(), (inquiry, additions));
}

#[test]
fn a_form_is_told_everything_that_is_wrong() {
    let wrong = Form::read(b"postalCode=10115&problems=pigeons&email=a&firstName=+").unwrap();
    let faults = wrong.check(now()).unwrap_err();
    let texts: Vec<_> = faults
        .all()
        .iter()
        .map(|fault| (fault.field(), fault.text()))
        .collect();
    assert_eq!(
        texts,
        [
            ("property_type", "Bitte wählen Sie einen Gebäudetyp aus"),
            (
                "postal_code",
                "Bitte geben Sie eine gültige Hamburger Postleitzahl ein. Diesen Ort erreichen wir noch nicht."
            ),
            ("types_of_problems", "Die Auswahl der Probleme ist ungültig"),
            ("first_name", "Bitte geben Sie Ihren Vornamen ein"),
            ("last_name", "Bitte geben Sie Ihren Nachnamen ein"),
            ("email_address", "Bitte geben Sie eine gültige E-Mail-Adresse ein"),
            ("phone_number", "Bitte geben Sie Ihre Telefonnummer ein"),
        ]
    );
    assert_eq!(faults.gravest().unwrap().code, "invalid_property_type");
}

#[test]
fn a_text_that_is_too_long_is_refused_and_not_cut() {
    let check = |problem: &str, location: &str, more: &str| {
        let body = form_urlencoded::Serializer::new(String::new())
            .append_pair("propertyType", "industrial")
            .append_pair("problemOther", problem)
            .append_pair("locationOther", location)
            .finish();
        let contact = "firstName=a&lastName=b&email=a%40b.de&phone=040+1234567";
        let form = Form::read(format!("{body}&{contact}&{more}").as_bytes()).unwrap();
        form.check(now())
    };
    let ticked = "postalCode=20095&problems=other&locations=other";
    // Two UTF-16 code units each, as browsers count.
    let (right, wrong) = (
        "🐦".repeat(limits::FREE_TEXT / 2),
        "x".repeat(limits::FREE_TEXT + 1),
    );
    let (_, additions) = check(&format!(" {right}\u{85}"), "x", ticked).unwrap();
    assert_eq!(additions, format!("Problem: {right}\nStelle: x"));
    let text = "Bitte kürzen Sie Ihre Beschreibung auf höchstens 400 Zeichen";
    let faults = check(&wrong, &format!("{right}x"), "problems=other&locations=other").unwrap_err();
    let faults: Vec<_> = faults
        .all()
        .iter()
        .map(|fault| (fault.field(), fault.text()))
        .collect();
    assert_eq!(
        faults,
        [
            (
                "postal_code",
                "Bitte geben Sie eine gültige Hamburger Postleitzahl ein"
            ),
            ("problem_other", text),
            ("location_other", text),
        ]
    );
    // The text of an unticked option is ignored.
    assert!(check(&wrong, &wrong, "postalCode=20095").is_ok());
}

#[test]
fn other_shapes_are_refused() {
    let one = record().to_string();
    let values = r#"["2026-11-08T11:59:59Z","20095","residential","","","A","B","a@b.de","0401234567"]"#;
    for body in [
        "[]".to_owned(),
        "null".to_owned(),
        "1".to_owned(),
        "\"text\"".to_owned(),
        "[null]".to_owned(),
        "[1]".to_owned(),
        format!("[{one},{one}]"),
        format!("[[{one}]]"),
        values.to_owned(),
        format!("[{values}]"),
        one.replacen('{', r#"{"first_name":"Bert","#, 1),
        one.replacen('{', r#"{"first\u005fname":"Bert","#, 1),
        one.replacen('{', r#"{"id":"1","#, 1),
        one.replacen('{', r#"{"problem_other":"","#, 1),
        one.replacen('{', r#"{"__proto__":"","#, 1),
    ] {
        let error = NewInquiry::parse(body.as_bytes(), now()).unwrap_err();
        assert_eq!(error.code, "invalid_record", "{body}");
        assert_eq!(error.message, "Die Anfrage hat nicht die erwartete Form");
    }
    for body in [
        "",
        " ",
        "{",
        "{]",
        "[{}",
        "{} {}",
        "{'a':1}",
        "{\"first_name\":\"a\",}",
        "\u{feff}{}",
    ] {
        let error = NewInquiry::parse(body.as_bytes(), now()).unwrap_err();
        assert_eq!(error.code, "invalid_json", "{body:?}");
        assert_eq!(error.message, "Die Anfrage konnte nicht gelesen werden");
    }
    let not_utf8 = [b"{\"first_name\":\"".as_slice(), &[0xff], b"\"}"].concat();
    assert_eq!(
        NewInquiry::parse(&not_utf8, now()).unwrap_err().code,
        "invalid_json"
    );
    let lone_surrogate = br#"{"first_name":"\ud800"}"#;
    assert_eq!(
        NewInquiry::parse(lone_surrogate, now()).unwrap_err().code,
        "invalid_json"
    );
    let deep = "[".repeat(10_000);
    assert!(NewInquiry::parse(deep.as_bytes(), now()).is_err());
}

#[test]
fn a_field_that_is_not_text_is_refused() {
    for field in SENT_NAMES {
        for value in [json!(null), json!(1), json!(true), json!(["nesting"]), json!({})] {
            let error = parse(&with(field, Some(value.clone()))).unwrap_err();
            assert_eq!(error.code, "invalid_record", "{field} {value}");
        }
    }
}

#[test]
fn only_the_time_and_the_lists_may_be_missing() {
    let missing = |field| parse(&with(field, None)).map_err(|error| error.code);
    assert_eq!(missing("postal_code").unwrap_err(), "invalid_postal_code");
    assert_eq!(missing("property_type").unwrap_err(), "invalid_property_type");
    for field in ["first_name", "last_name", "email_address", "phone_number"] {
        assert_eq!(missing(field).unwrap_err(), "missing_field");
    }
    assert_eq!(
        missing("types_of_problems").unwrap().answers.types_of_problems,
        []
    );
    assert_eq!(
        missing("problem_locations").unwrap().answers.problem_locations,
        []
    );
    assert_eq!(missing("created_at").unwrap().created_at, now());
}

#[test]
fn the_fingerprint_follows_the_fields_and_not_their_spelling() {
    let original = parse(&record()).unwrap().fingerprint();
    let spelled = r#" [ { "phone_number" : "+49 (40) 123-4567", "email_address":"\u0061enne@example.de",
        "last_name":"O'Neill","first_name":" Änne ","problem_locations":"roof",
        "types_of_problems":"nesting,other","property_type":"residential","postal_code":"20095",
        "created_at":"2026-11-08T11:59:59.123Z"} ] "#;
    let later = "2026-11-08T13:00:00Z".parse().unwrap();
    assert_eq!(
        NewInquiry::parse(spelled.as_bytes(), later)
            .unwrap()
            .fingerprint(),
        original
    );

    let mut seen = vec![original];
    let changes = [
        ("created_at", json!("2026-11-08T11:59:59.1230Z")),
        ("created_at", json!("")),
        ("postal_code", json!("20097")),
        ("property_type", json!("industrial")),
        ("types_of_problems", json!("other,nesting")),
        ("types_of_problems", json!("")),
        ("problem_locations", json!("roof,garden")),
        ("first_name", json!("Anne")),
        ("first_name", json!("ÄnneO")),
        ("last_name", json!("'Neill")),
        ("email_address", json!("Aenne@example.de")),
        ("phone_number", json!("+49 (40) 123 4567")),
    ];
    for (field, value) in changes {
        seen.push(parse(&with(field, Some(value))).unwrap().fingerprint());
    }
    seen.push(parse(&with("created_at", None)).unwrap().fingerprint());
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), all);
}
