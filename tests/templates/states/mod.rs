//! Every mail and every private page in every state, for invented people and firms.

pub mod mails;
pub mod pages;
#[path = "../../samples/mod.rs"]
mod samples;

use jiff::{SignedDuration, Timestamp};
use minijinja::value::Value;
use taubenabwehr::base::text::origin::Origin;
use taubenabwehr::config::settings::SiteSettings;
use taubenabwehr::domain::commission::{Euro, Percent, Terms};
use taubenabwehr::domain::inquiry::{Inquiry, NewInquiry};
use taubenabwehr::domain::matching::Firm;
use taubenabwehr::site::Promises;
use taubenabwehr::site::templates::context::{
    AskedState, described_firm, inquiry_reference, inquiry_with_person, inquiry_without_person,
};
use taubenabwehr::site::templates::{Templates, german_cost, german_time};
use uuid::Uuid;

/// The texts entered by visitors and firms.
pub struct Texts {
    pub firm: &'static str,
    pub first_name: &'static str,
    pub last_name: &'static str,
    pub addition: &'static str,
}

/// Harmless texts.
pub const USUAL: Texts = Texts {
    firm: "Nordnetz GmbH",
    first_name: "Jörg",
    last_name: "Weiß-Krüger",
    addition: "Dritter Stock, Hofseite, etwa 6 m Balkon.\nMorgens ist immer jemand da, bitte bei Krüger klingeln.",
};
/// The price of an acceptance.
fn cost() -> String {
    let terms = Terms {
        per_acceptance: Euro::from_cents(2_500),
        per_order: Euro::ZERO,
        share: Percent::parse("7.5").unwrap(),
    };
    german_cost(&terms, Percent::USUAL_VAT)
}
/// The data that states are built from.
pub struct Stage {
    templates: Templates,
    inquiry: Inquiry,
    texts: Texts,
}

impl Stage {
    pub fn new(settings: &SiteSettings, texts: Texts) -> Self {
        let origin = Origin::parse("https://www.example.de").unwrap();
        let promises = Promises {
            testimonials: settings.sample,
            vetted: settings.sample,
            ..Promises::default()
        };
        let now: Timestamp = "2026-11-20T13:05:00Z".parse().unwrap();
        let body = serde_json::json!({
            "postal_code": "22765",
            "property_type": "residential",
            "types_of_problems": "nesting,droppings",
            "problem_locations": "balcony,roof",
            "first_name": texts.first_name,
            "last_name": texts.last_name,
            "email_address": "joerg@example.com",
            "phone_number": "0176 12345678",
        });
        let new = NewInquiry::parse(body.to_string().as_bytes(), now).unwrap();
        let id = Uuid::parse_str("019a3c5e-7b1c-7000-8000-0123456789ab").unwrap();
        Self {
            templates: Templates::new(settings, &origin, &promises),
            inquiry: new.with_id(id),
            texts,
        }
    }

    fn reference(&self) -> Value {
        let id = self.inquiry.id.to_string();
        minijinja::context! { id, ..inquiry_reference(self.inquiry.id, self.inquiry.created_at) }
    }

    fn described(&self) -> Value {
        inquiry_without_person(&self.inquiry, self.texts.addition)
    }

    /// An inquiry without chosen problems and locations, and without an addition.
    fn bare(&self) -> Value {
        let mut inquiry = self.inquiry.clone();
        inquiry.answers.types_of_problems.clear();
        inquiry.answers.problem_locations.clear();
        inquiry_without_person(&inquiry, "")
    }

    fn complete(&self) -> Value {
        inquiry_with_person(&self.inquiry, self.texts.addition)
    }

    fn firm(&self, state: AskedState) -> Value {
        let firm = Firm {
            name: self.texts.firm.to_owned(),
            email: "auftrag@nordnetz.example".to_owned(),
            phone: Some("+49 (0)40 123 45 67".to_owned()),
            website: Some("https://www.nordnetz.example/".to_owned()),
            ..samples::firm("nordnetz")
        };
        described_firm(&firm.name, Some(&firm), state)
    }

    /// Three firms with these answers.
    fn firms(&self, states: [AskedState; 3]) -> Vec<Value> {
        let [first, second, third] = states;
        vec![
            self.firm(first),
            described_firm("Hamburger Vogelabwehr", None, second),
            described_firm("Dachschutz Meier & Söhne GmbH", None, third),
        ]
    }

    fn answer_until(&self) -> String {
        german_time(self.inquiry.created_at + SignedDuration::from_hours(24))
    }
}
