//! Template data of an inquiry.

use jiff::Timestamp;
use minijinja::context;
use minijinja::value::Value;
use uuid::Uuid;

use crate::base::text::mail_address::mail_link;
use crate::base::text::phone::dialled;
use crate::domain::inquiry::{Answer, Choice, Inquiry, received, reference};
use crate::site::german::german_time;

/// Template data that identifies an inquiry without its contents. The time of receipt comes from the id; `made` is the fallback,
/// since it is from the visitor's clock and a browser may send the inquiry days later.
pub fn inquiry_reference(id: Uuid, made: Timestamp) -> Value {
    context! {
        reference => reference(id),
        received => german_time(received(id).unwrap_or(made)),
    }
}

/// Template data without personal details: for firms before they accept, and for the visitor's page.
pub fn inquiry_without_person(inquiry: &Inquiry, addition: &str) -> Value {
    let answers = &inquiry.answers;
    let problems = answers.types_of_problems.iter();
    let problems = problems.map(|&problem| problem.label());
    let locations = answers.problem_locations.iter();
    let locations = locations.map(|&location| location.label());
    context! {
        place => answers.postal_code.to_text(),
        place_name => answers.postal_code.with_place(),
        building => answers.property_type.label(),
        problems => problems.collect::<Vec<_>>(),
        locations => locations.collect::<Vec<_>>(),
        addition,
        ..inquiry_reference(inquiry.id, inquiry.created_at)
    }
}

/// Template data with personal details: for the operator, and for firms that have accepted.
pub fn inquiry_with_person(inquiry: &Inquiry, addition: &str) -> Value {
    let answers = &inquiry.answers;
    let email = answers.email_address.to_text();
    let phone = answers.phone_number.to_text();
    context! {
        id => inquiry.id.to_string(),
        first_name => answers.first_name.to_text(),
        last_name => answers.last_name.to_text(),
        email_link => mail_link(&email),
        email,
        phone_link => format!("tel:{}", dialled(&phone)),
        phone,
        ..inquiry_without_person(inquiry, addition)
    }
}
