//! The list of inquiries, and which of them belong in it.

use serde_json::{Value, json};

use crate::domain::inquiry::{Choice, Problem, Search, rfc3339_millis};
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

/// Shows an inquiry in the list, with how many firms were reached and have accepted, and how many deliveries wait, are held since a
/// restore, or were given up. Answers are null once it is erased.
pub fn listed(record: &InquiryRecord) -> Value {
    let referral = &record.referral;
    let answers = record.inquiry.as_ref().map(|inquiry| &inquiry.answers);
    json!({
        "id": record.id,
        "created_at": rfc3339_millis(record.created_at()),
        "first_name": answers.map(|answers| answers.first_name.as_str()),
        "last_name": answers.map(|answers| answers.last_name.as_str()),
        "postal_code": answers.map(|answers| answers.postal_code.to_string()),
        "property_type": answers.map(|answers| answers.property_type.id()),
        "types_of_problems": answers.map(|answers| Problem::join(&answers.types_of_problems)),
        "state": referral.state().id(),
        "asked": referral.reached().count(),
        "accepted": referral.accepted(),
        "waiting": referral.count(DeliveryState::is_waiting),
        "held": referral.count(DeliveryState::is_held),
        "failed": referral.count(DeliveryState::is_failed),
    })
}
