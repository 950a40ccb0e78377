//! The list of inquiries, and which of them belong in it.

use serde::Serialize;

use super::{Time, by_id};
use crate::domain::inquiry::{Choice, Problem, Search};
use crate::domain::referral::{DeliveryState, InquiryRecord, State};

/// Which inquiries a list holds.
#[derive(Debug, Clone, Default)]
pub struct InquiryFilter {
    /// Their state.
    pub state: Option<State>,
    /// What is looked for.
    pub search: Option<Search>,
}

impl InquiryFilter {
    /// Returns whether an inquiry belongs in the list.
    pub fn takes(&self, record: &InquiryRecord) -> bool {
        let is_meant = self.state.is_none_or(|state| record.referral.state() == state);
        let is_found = self.search.as_ref().is_none_or(|search| {
            search.finds(record.id, record.inquiry.as_ref().map(|inquiry| &inquiry.answers))
        });
        is_meant && is_found && !record.referral.is_notice()
    }
}

/// An inquiry in the list.
#[derive(Debug, Serialize)]
pub struct ListedInquiry {
    /// Its id.
    pub id: String,
    /// When it arrived.
    pub created_at: Time,
    /// Its visitor's first name; `None` once it is erased.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// Where the building is.
    pub postal_code: Option<String>,
    /// What kind of building it is.
    pub property_type: Option<&'static str>,
    /// The problems.
    pub types_of_problems: Option<String>,
    /// What became of it.
    #[serde(serialize_with = "by_id")]
    pub state: State,
    /// How many firms were reached.
    pub asked: usize,
    /// How many accepted.
    pub accepted: usize,
    /// How many deliveries wait.
    pub waiting: usize,
    /// How many are held since a restore.
    pub held: usize,
    /// How many were given up.
    pub failed: usize,
}

impl From<&InquiryRecord> for ListedInquiry {
    fn from(record: &InquiryRecord) -> Self {
        let referral = &record.referral;
        let answers = record.inquiry.as_ref().map(|inquiry| &inquiry.answers);
        Self {
            id: record.id.to_string(),
            created_at: Time(record.created_at()),
            first_name: answers.map(|answers| answers.first_name.as_str().to_owned()),
            last_name: answers.map(|answers| answers.last_name.as_str().to_owned()),
            postal_code: answers.map(|answers| answers.postal_code.to_string()),
            property_type: answers.map(|answers| answers.property_type.id()),
            types_of_problems: answers.map(|answers| Problem::join(&answers.types_of_problems)),
            state: referral.state(),
            asked: referral.reached().count(),
            accepted: referral.accepted(),
            waiting: referral.count(DeliveryState::is_waiting),
            held: referral.count(DeliveryState::is_held),
            failed: referral.count(DeliveryState::is_failed),
        }
    }
}
