//! Measures the cost of choosing firms: `cargo bench --bench matching`. Each ask chooses three of two thousand firms and encodes
//! what the store keeps about them.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a benchmark ends where anything fails"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::domain::inquiry::{Answers, NewInquiry, PropertyType};
use taubenabwehr::domain::matching::{Firm, FirmId, FirmRotation, PostalPrefix, RequestHistory};

fn main() {
    // An inquiry for a residential building in 20095.
    let answers = answers();
    print("all match", &answers, |_| {});
    print(
        "all match by codes of five digits, a hundred each",
        &answers,
        |firm| {
            firm.postal_codes = (20_050..20_150).map(|code| prefix(&code.to_string())).collect();
        },
    );
    print("one of a hundred matches", &answers, |firm| {
        if !firm.id.as_str().ends_with("77") {
            firm.property_types = Some(vec![PropertyType::Industrial]);
        }
    });
    print("all are at their limit but five", &answers, |firm| {
        if !firm.id.as_str().ends_with("777") {
            firm.per_week = Some(1);
        }
    });
}

const FIRMS: usize = 2000;

/// Duration of each measurement.
const MEASURED: Duration = Duration::from_secs(2);

fn print(what: &str, answers: &Answers, change: impl Fn(&mut Firm)) {
    let firms: Arc<[Firm]> = (0..FIRMS)
        .map(|number| {
            let mut firm = firm(number);
            change(&mut firm);
            firm
        })
        .collect();
    let built = Instant::now();
    let mut rotation = FirmRotation::new(firms, None::<(FirmId, RequestHistory)>);
    let built = built.elapsed();
    let now = now();
    // Ask all firms first, so that turns and limits are those of a site in use.
    for second in 0..2000 {
        rotation.ask(answers, &[], 3, now + SignedDuration::from_secs(second));
        rotation.take_asked();
    }
    let now = now + SignedDuration::from_secs(2000);
    let mut asks = 0_u32;
    let started = Instant::now();
    while started.elapsed() < MEASURED {
        for _ in 0..1000 {
            black_box(rotation.ask(answers, &[], 3, now));
            black_box(rotation.take_asked());
            asks += 1;
        }
    }
    println!(
        "{what}: {:?} an ask; built in {built:?}",
        started.elapsed() / asks
    );
}

fn firm(number: usize) -> Firm {
    Firm {
        id: FirmId::parse(&format!("firm-{number}")).unwrap(),
        name: format!("Firm {number}"),
        email: "firm@example.de".to_owned(),
        phone: None,
        website: None,
        postal_codes: ["20", "21", "22"].map(prefix).to_vec(),
        property_types: None,
        problems: None,
        per_week: None,
        paused: false,
        commission: None,
        checked: None,
    }
}

fn prefix(digits: &str) -> PostalPrefix {
    PostalPrefix::parse(digits).unwrap()
}

fn now() -> Timestamp {
    "2026-11-08T12:00:00Z".parse().unwrap()
}

fn answers() -> Answers {
    let body = r#"{"postal_code":"20095","property_type":"residential","types_of_problems":"nesting,droppings",
        "first_name":"Anna","last_name":"Meier","email_address":"anna@example.de","phone_number":"040 1234567"}"#;
    NewInquiry::parse(body.as_bytes(), now()).unwrap().answers
}
