//! An inquiry as operators see it: the columns of an export, the keys of a JSON answer.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

use super::choices::Choice;
use super::time::rfc3339_millis;
use super::{Inquiry, Location, Problem};

/// The columns of an export, in order (contract, "Commands").
pub const COLUMNS: [&str; 10] = [
    "id",
    "created_at",
    "postal_code",
    "property_type",
    "types_of_problems",
    "problem_locations",
    "first_name",
    "last_name",
    "email_address",
    "phone_number",
];

/// One inquiry as text, under [`COLUMNS`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the columns of an export, see `COLUMNS`")]
pub struct Row<'a> {
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    #[serde(borrow)]
    pub created_at: Cow<'a, str>,
    #[serde(borrow)]
    pub postal_code: Cow<'a, str>,
    #[serde(borrow)]
    pub property_type: Cow<'a, str>,
    #[serde(borrow)]
    pub types_of_problems: Cow<'a, str>,
    #[serde(borrow)]
    pub problem_locations: Cow<'a, str>,
    #[serde(borrow)]
    pub first_name: Cow<'a, str>,
    #[serde(borrow)]
    pub last_name: Cow<'a, str>,
    #[serde(borrow)]
    pub email_address: Cow<'a, str>,
    #[serde(borrow)]
    pub phone_number: Cow<'a, str>,
}

impl<'a> From<&'a Inquiry> for Row<'a> {
    fn from(inquiry: &'a Inquiry) -> Self {
        let answers = &inquiry.answers;
        Self {
            id: inquiry.id.to_string().into(),
            created_at: rfc3339_millis(inquiry.created_at).into(),
            postal_code: answers.postal_code.to_string().into(),
            property_type: answers.property_type.id().into(),
            types_of_problems: Problem::join(&answers.problems).into(),
            problem_locations: Location::join(&answers.locations).into(),
            first_name: answers.first_name.as_str().into(),
            last_name: answers.last_name.as_str().into(),
            email_address: answers.email.as_str().into(),
            phone_number: answers.phone.as_str().into(),
        }
    }
}

impl Row<'_> {
    /// The texts in the order of [`COLUMNS`].
    pub fn cells(&self) -> [&str; COLUMNS.len()] {
        [
            &self.id,
            &self.created_at,
            &self.postal_code,
            &self.property_type,
            &self.types_of_problems,
            &self.problem_locations,
            &self.first_name,
            &self.last_name,
            &self.email_address,
            &self.phone_number,
        ]
    }
}

impl Serialize for Inquiry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Row::from(self).serialize(serializer)
    }
}
