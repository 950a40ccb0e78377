//! JSON views of inquiries, and a filter for lists of them.

use serde_json::{Value, json};

use super::delivery::deliveries;
use super::extended;
use super::firm::review;
use crate::base::text::origin::Origin;
use crate::domain::commission::Outcome;
use crate::domain::inquiry::{Choice, Inquiry, Problem, Search, Suspicion, consent_wording, rfc3339_millis};
use crate::domain::ledger::{Acceptance, Credit};
use crate::domain::referral::{Answer, DeliveryState, InquiryRecord, State, Status};
use crate::operate::FoundInquiry;
use crate::site::private_path::PrivatePath;

/// A filter for the list of inquiries.
#[derive(Debug, Clone, Default)]
pub struct InquiryFilter {
    /// The state to select.
    pub state: Option<State>,
    /// The text to search for.
    pub search: Option<Search>,
}

impl InquiryFilter {
    /// Whether the list includes an inquiry.
    pub fn takes(&self, record: &InquiryRecord) -> bool {
        let is_meant = self.state.is_none_or(|state| record.referral.state() == state);
        let is_found = self.search.as_ref().is_none_or(|search| {
            let answers = record.inquiry.as_ref().map(|inquiry| &inquiry.answers);
            search.finds(record.id, answers, &record.referral.addition)
        });
        is_meant && is_found && !record.referral.is_notice()
    }
}

/// An entry in the list of inquiries, with the numbers of firms that were reached and that accepted, and of deliveries that are
/// waiting, held since a restore, or given up. Answers are null once the inquiry is erased.
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
        "done_at": referral.done_at().map(rfc3339_millis),
        "waiting": referral.count(DeliveryState::is_waiting),
        "held": referral.count(DeliveryState::is_held),
        "failed": referral.count(DeliveryState::is_failed),
    })
}

/// All details of an inquiry, without its answers once it is withdrawn or erased. `origin` is needed for links to its private
/// pages.
pub fn inquiry(found: &FoundInquiry, origin: Option<&Origin>) -> Value {
    let record = &found.record;
    let referral = &record.referral;
    let created_at = rfc3339_millis(record.created_at());
    let inquiry = record.inquiry.as_ref();
    let consent = referral.consent.map(|version| {
        json!({
            "version": version,
            "wording": consent_wording(version),
            "at": created_at,
            "revoked_at": referral.calls_revoked.map(|revoked| rfc3339_millis(revoked.at)),
        })
    });
    let view = json!({
        // Distinguishes inquiries from subscriptions in the output of `person`.
        "kind": "inquiry",
        "id": record.id,
        "created_at": created_at,
        "received_at": record.received_at().map(rfc3339_millis),
        "state": referral.state().id(),
        "suspected": inquiry.is_some_and(|inquiry| inquiry.suspected),
        "suspicion": suspicion(record),
    });
    let view = extended(view, json!(inquiry.map(Inquiry::row)));
    let deliveries = deliveries(record).map(|(_, delivery)| delivery);
    let notes = referral.casework.iter().flat_map(|casework| &casework.notes);
    let corrected = referral.casework.iter().flat_map(|casework| &casework.corrected);
    let rest = json!({
        "addition": referral.addition,
        "photo_numbers": referral.photo_numbers(),
        "consent": consent,
        "link": origin.map(|origin| PrivatePath::Visitor(&found.visitor_token).link(origin)),
        "firms": asked_firms(found, origin).collect::<Value>(),
        "deliveries": deliveries.collect::<Value>(),
        "done_at": referral.done_at().map(rfc3339_millis),
        "notes": notes.map(|note| json!({ "at": rfc3339_millis(note.at), "text": note.text })).collect::<Value>(),
        "corrections": corrected.map(|known| json!({ "at": rfc3339_millis(known.at), "field": known.field })).collect::<Value>(),
    });
    extended(view, rest)
}

/// Why an inquiry is suspected; null if it is not, or an older version has stored it.
fn suspicion(record: &InquiryRecord) -> Option<Value> {
    let Status::Quarantined(reason) = record.referral.status else {
        return None;
    };
    Some(match reason? {
        Suspicion::TooQuick(millis) => json!({ "kind": "quick", "seconds": f64::from(millis) / 1000.0 }),
        // No time was measured.
        Suspicion::Forged => json!({ "kind": "quick", "seconds": 0.0 }),
        Suspicion::TrapFilled => json!({ "kind": "field" }),
        Suspicion::TooMany(number) => json!({ "kind": "number", "number": number }),
    })
}

/// A credit of an acceptance.
pub fn credit_view(credit: &Credit) -> Value {
    json!({ "reason": credit.reason, "at": rfc3339_millis(credit.at) })
}

/// The firms that were asked. Those that accepted have the outcome they reported.
pub fn asked_firms<'a>(found: &'a FoundInquiry, origin: Option<&'a Origin>) -> impl Iterator<Item = Value> {
    let asked = found.record.referral.asked.iter();
    asked.zip(&found.firm_tokens).map(move |(asked, token)| {
        let mut acceptances = found.acceptances.iter();
        let acceptance = acceptances.find(|acceptance| acceptance.firm == asked.firm);
        let outcome = acceptance.map(Acceptance::reported);
        let credit = acceptance.and_then(|acceptance| acceptance.credit.as_ref());
        let answered_at = match asked.answer {
            Answer::Accepted(at) | Answer::Declined(at) => Some(at),
            Answer::Pending | Answer::Silent | Answer::Unreachable => None,
        };
        json!({
            "id": asked.firm,
            "asked_at": rfc3339_millis(asked.at),
            "answer_until": rfc3339_millis(asked.until),
            "answer": asked.answer.id(),
            "answered_at": answered_at.map(rfc3339_millis),
            "has_contact_data": asked.answer.is_accepted(),
            "outcome": outcome.map(Outcome::id),
            "net_sum": outcome.and_then(Outcome::net_sum),
            "credit": credit.map(credit_view),
            "review": asked.review.as_ref().map(review),
            "link": origin.map(|origin| PrivatePath::Firm(token).link(origin)),
        })
    })
}
