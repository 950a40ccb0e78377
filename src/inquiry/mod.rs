//! What a visitor asks for: parsed once, into types that cannot hold anything invalid. No I/O happens here.

mod choices;
mod contact;
mod fingerprint;
mod parse;
mod place;
mod rejection;
mod row;
pub mod schema;
mod suspicion;
mod text;
mod time;
mod wire;

pub use choices::{Choice, Location, Problem};
pub use contact::{EmailAddress, PersonName, PhoneNumber};
pub use fingerprint::Fingerprint;
pub use place::{PostalCode, PropertyType};
pub use rejection::Rejection;
pub use row::{COLUMNS, Row};
pub use suspicion::{FILL_TIME_HEADER, Suspicion, TRAP_HEADER};
pub use time::parse_rfc3339;

use jiff::Timestamp;
use uuid::Uuid;

/// What a visitor answered: an inquiry without its id and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// Where the pigeons are.
    pub postal_code: PostalCode,
    /// What kind of building it is.
    pub property_type: PropertyType,
    /// What the pigeons do, in the order the visitor's browser sent it; may be empty.
    pub problems: Vec<Problem>,
    /// Where at the building, in the order sent; may be empty.
    pub locations: Vec<Location>,
    /// The visitor's first name.
    pub first_name: PersonName,
    /// The visitor's last name.
    pub last_name: PersonName,
    /// The visitor's e-mail address.
    pub email: EmailAddress,
    /// The visitor's telephone number, as typed.
    pub phone: PhoneNumber,
}

/// An inquiry that is valid and not stored yet. Made by [`NewInquiry::parse`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInquiry {
    created_at: Timestamp,
    /// The text the client sent for `created_at`, if any; a repeated request has the same.
    sent_created_at: Option<String>,
    answers: Answers,
    suspicion: Option<Suspicion>,
}

impl NewInquiry {
    /// When it was made, in whole milliseconds: the client's time if that is credible, else the server's.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// What the visitor answered.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Why it is suspected to be a robot's, if it is.
    pub fn suspicion(&self) -> Option<Suspicion> {
        self.suspicion
    }

    /// The inquiry with the mark that a suspicion leaves. It is the same request with it and without.
    #[must_use]
    pub fn marked(mut self, suspicion: Option<Suspicion>) -> Self {
        self.suspicion = suspicion;
        self
    }

    /// The inquiry as it is kept, under the id that the store gave it.
    pub fn with_id(self, id: Uuid) -> Inquiry {
        Inquiry {
            id,
            created_at: self.created_at,
            answers: self.answers,
            suspected: self.suspicion.is_some(),
        }
    }
}

/// A stored inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inquiry {
    /// `UUIDv7`; ids grow in the order in which inquiries were stored.
    pub id: Uuid,
    /// When it was made, in whole milliseconds.
    pub created_at: Timestamp,
    /// What the visitor answered.
    pub answers: Answers,
    /// Whether it is suspected to be a robot's; exports leave it out then.
    pub suspected: bool,
}

#[cfg(test)]
mod tests;
