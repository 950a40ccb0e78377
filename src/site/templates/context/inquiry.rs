//! An inquiry as templates show it.

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use crate::base::text::mail_address::mail_link;
use crate::base::text::phone::dialled;
use crate::domain::inquiry::{Answer, Choice, Inquiry, received, reference};
use crate::site::templates::german::german_time;

/// An inquiry, as far as the reader may know it.
#[derive(Debug, Clone, Serialize)]
pub struct InquiryContext {
    reference: String,
    received: String,
    #[serde(flatten)]
    details: Option<Details>,
    #[serde(flatten)]
    person: Option<Person>,
}

/// What an inquiry is about.
#[derive(Debug, Clone, Serialize)]
struct Details {
    /// The postal code.
    place: String,
    /// The same with the name of the place.
    place_name: String,
    building: String,
    problems: Vec<String>,
    locations: Vec<String>,
    addition: Option<String>,
}

/// The visitor who sent the inquiry. Only templates whose readers may know the contact data have it.
#[derive(Debug, Clone, Serialize)]
struct Person {
    id: String,
    first_name: String,
    last_name: String,
    email: String,
    email_link: String,
    phone: String,
    phone_link: String,
}

impl InquiryContext {
    /// Names an inquiry without anything that was said in it.
    /// Shows when it was received, which its id says; `made` is the visitor's clock: a browser may send it days later.
    pub fn reference(id: Uuid, made: Timestamp) -> Self {
        let received = received(id).unwrap_or(made);
        Self {
            reference: reference(id),
            received: german_time(received),
            details: None,
            person: None,
        }
    }

    /// Describes an inquiry without the person: for firms before they accept, and for the visitor's page.
    pub fn without_person(inquiry: &Inquiry, addition: Option<&str>) -> Self {
        let answers = &inquiry.answers;
        let problems = answers.types_of_problems.iter();
        let locations = answers.problem_locations.iter();
        Self {
            details: Some(Details {
                place: answers.postal_code.to_text().into_owned(),
                place_name: answers.postal_code.with_place(),
                building: answers.property_type.label().to_owned(),
                problems: problems.map(|&problem| problem.label().to_owned()).collect(),
                locations: locations.map(|&location| location.label().to_owned()).collect(),
                addition: addition.filter(|text| !text.is_empty()).map(str::to_owned),
            }),
            ..Self::reference(inquiry.id, inquiry.created_at)
        }
    }

    /// Describes an inquiry with the person: for the operator, and for firms that have accepted.
    pub fn with_person(inquiry: &Inquiry, addition: Option<&str>) -> Self {
        let answers = &inquiry.answers;
        let email = answers.email_address.to_text().into_owned();
        let phone = answers.phone_number.to_text().into_owned();
        Self {
            person: Some(Person {
                id: inquiry.id.to_string(),
                first_name: answers.first_name.to_text().into_owned(),
                last_name: answers.last_name.to_text().into_owned(),
                email_link: mail_link(&email),
                email,
                phone_link: format!("tel:{}", dialled(&phone)),
                phone,
            }),
            ..Self::without_person(inquiry, addition)
        }
    }

    /// Returns what the visitor has added, as far as the reader may know it.
    pub(super) fn addition(&self) -> Option<&str> {
        self.details.as_ref()?.addition.as_deref()
    }
}
