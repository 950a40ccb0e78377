//! Everything about one inquiry as commands show it.

use std::fmt::Write;

use serde::{Serialize, Serializer};

use super::delivery::{DeliveryView, deliveries};
use super::review::ReviewView;
use super::{Time, by_id, harmless};
use crate::base::text::mail_address::one_line;
use crate::base::text::origin::Origin;
use crate::domain::commission::{Euro, Outcome};
use crate::domain::inquiry::{COLUMNS, Inquiry, Row, consent_wording};
use crate::domain::referral::{Answer, Asked, ReviewState, State};
use crate::operate::FoundInquiry;
use crate::site::private_path::PrivatePath;

/// Everything about one inquiry.
#[derive(Debug, Serialize)]
pub struct InquiryView {
    /// What this is: `person` lists subscriptions, too.
    pub kind: &'static str,
    /// Its id.
    pub id: String,
    /// When it was made.
    pub created_at: Time,
    /// When the server took it.
    pub received_at: Option<Time>,
    /// Its state in one word.
    #[serde(serialize_with = "by_id")]
    pub state: State,
    /// Whether it was marked as suspected spam and not released.
    pub suspected: bool,
    /// What the visitor answered; nothing once it was withdrawn or erased.
    #[serde(flatten)]
    pub answers: Option<AnswersView>,
    /// What firms should know beyond the answers.
    pub addition: String,
    /// The numbers by which its photos are asked for.
    pub photo_numbers: Vec<u16>,
    /// By which sentence the visitor lets firms call or write.
    pub consent: Option<ConsentView>,
    /// The visitor's private page.
    pub link: Option<String>,
    /// The firms that were asked.
    pub firms: Vec<FirmView>,
    /// What was sent, or is to be.
    pub deliveries: Vec<DeliveryView>,
}

/// The visitor's answers as text, by the names of their columns.
#[derive(Debug)]
pub struct AnswersView(Vec<(&'static str, String)>);

/// A consent.
#[derive(Debug, Serialize)]
pub struct ConsentView {
    /// The number of the sentence.
    pub version: u16,
    /// The sentence.
    pub wording: Option<String>,
    /// When it was given: the moment at which the form was sent.
    pub at: Time,
}

/// A firm that was asked.
#[derive(Debug, Serialize)]
pub struct FirmView {
    /// Its id.
    pub id: String,
    /// Since when it is asked.
    pub asked_at: Time,
    /// When it is passed over.
    pub answer_until: Time,
    /// What it answered.
    #[serde(serialize_with = "by_id")]
    pub answer: Answer,
    /// When it did.
    pub answered_at: Option<Time>,
    /// Whether it has the visitor's name and contact data.
    pub has_contact_data: bool,
    /// What it says that became of the inquiry; `None` unless it has accepted.
    pub outcome: Option<&'static str>,
    /// The net sum of the order.
    pub net_sum: Option<Euro>,
    /// What the visitor says of it.
    pub review: Option<ReviewView>,
    /// Its private page.
    pub link: Option<String>,
}

impl InquiryView {
    /// Shows what was found. `origin` gives the addresses of its private pages.
    pub fn new(found: &FoundInquiry, origin: Option<&Origin>) -> Self {
        let FoundInquiry {
            record,
            tokens,
            acceptances,
        } = found;
        let referral = &record.referral;
        let created_at = Time(record.created_at());
        let link = |path: PrivatePath<'_>| origin.map(|origin| path.link(origin));
        let firms = referral.asked.iter().enumerate().map(|(number, asked)| {
            let token = tokens.firms.get(number);
            let acceptance = acceptances
                .iter()
                .find(|acceptance| acceptance.firm == asked.firm);
            FirmView::new(
                asked,
                acceptance.map(|acceptance| acceptance.outcome),
                token.and_then(|token| link(PrivatePath::Firm(token))),
            )
        });
        Self {
            kind: "inquiry",
            id: record.id.to_string(),
            received_at: record.received_at().map(Time),
            state: referral.state(),
            suspected: record.inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected),
            answers: record.inquiry.as_ref().map(AnswersView::from),
            addition: referral.addition.clone(),
            photo_numbers: referral.photo_numbers().to_vec(),
            consent: referral.consent.map(|version| ConsentView {
                version,
                wording: consent_wording(version),
                at: created_at,
            }),
            link: link(PrivatePath::Visitor(&tokens.visitor)),
            firms: firms.collect(),
            deliveries: deliveries(record.id, referral).collect(),
            created_at,
        }
    }
}

impl FirmView {
    fn new(asked: &Asked, outcome: Option<Outcome>, link: Option<String>) -> Self {
        let answered_at = match asked.answer {
            Answer::Accepted(at) | Answer::Declined(at) => Some(Time(at)),
            Answer::Pending | Answer::Silent | Answer::Unreachable => None,
        };
        Self {
            id: asked.firm.to_string(),
            asked_at: Time(asked.at),
            answer_until: Time(asked.until),
            answer: asked.answer,
            answered_at,
            has_contact_data: asked.answer.is_accepted(),
            outcome: outcome.map(Outcome::id),
            net_sum: outcome.and_then(Outcome::net_sum),
            review: asked.review.as_ref().map(ReviewView::from),
            link,
        }
    }
}

impl From<&Inquiry> for AnswersView {
    fn from(inquiry: &Inquiry) -> Self {
        let row = Row::from(inquiry);
        let cells = COLUMNS.into_iter().zip(row.cells().map(str::to_owned));
        // The id and the time stand beside the answers.
        Self(
            cells
                .filter(|(column, _)| !["id", "created_at"].contains(column))
                .collect(),
        )
    }
}

impl Serialize for AnswersView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, text)| (name, text)))
    }
}

/// Returns the text: a line for each value, then the firms and the deliveries.
pub fn text(view: &InquiryView) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        // Writing to memory does not fail.
        let _ = writeln!(text, "{name:<18}{}", harmless(value));
    };
    line("id", &view.id);
    line("created_at", &view.created_at.to_string());
    let received_at = view.received_at.map(|at| at.to_string());
    line("received_at", received_at.as_deref().unwrap_or("-"));
    line("state", view.state.id());
    for (name, value) in view.answers.iter().flat_map(|answers| &answers.0) {
        line(name, value);
    }
    if !view.addition.is_empty() {
        for (number, part) in view.addition.lines().enumerate() {
            line(if number == 0 { "addition" } else { "" }, part);
        }
    }
    if !view.photo_numbers.is_empty() {
        line("photos", &view.photo_numbers.len().to_string());
    }
    if let Some(consent) = &view.consent {
        line(
            "consent",
            &format!("{} (sentence {})", consent.at, consent.version),
        );
        line(
            "",
            consent
                .wording
                .as_deref()
                .unwrap_or("this version does not know the sentence"),
        );
    }
    if let Some(link) = &view.link {
        line("link", link);
    }
    for firm in &view.firms {
        let answered = firm.answered_at.map(|at| format!(" at {at}")).unwrap_or_default();
        let asked = format!(
            "{}: asked at {}, {}{answered}",
            firm.id,
            firm.asked_at,
            firm.answer.id()
        );
        line("firm", &asked);
        if let Some(link) = &firm.link {
            line("", link);
        }
        if let Some(outcome) = firm.outcome {
            let sum = firm.net_sum.map(|sum| format!(" of {sum} € net"));
            line("", &format!("outcome {outcome}{}", sum.unwrap_or_default()));
        }
        if let Some(review) = &firm.review {
            line("", &review_line(review));
        }
    }
    for delivery in &view.deliveries {
        let time = delivery.next_try.map(|at| format!(", next try at {at}"));
        let time = time.or(delivery.ended_at.map(|at| format!(" at {at}")));
        let reason = delivery.reason.as_deref().map(|reason| format!(": {reason}"));
        line("delivery", &delivery.id);
        line(
            "",
            &format!(
                "{} to {}, {}{}, failed tries: {}{}",
                delivery.kind,
                delivery.recipient,
                delivery.state.id(),
                time.unwrap_or_default(),
                delivery.attempts,
                reason.unwrap_or_default()
            ),
        );
    }
    text
}

/// Says what a visitor says of a firm, and what of it is published.
fn review_line(review: &ReviewView) -> String {
    let state = match (review.state, review.consent) {
        (ReviewState::Waiting, true) => "waits to be published",
        (_, false) => "is not to be published, since the visitor does not agree",
        (state, true) => state.id(),
    };
    let (name, said) = (harmless(&review.name), one_line(&review.text));
    let said = if said.is_empty() {
        String::new()
    } else {
        format!(": {said}")
    };
    format!("review by {name}, {} of 5 stars, {state}{said}", review.stars)
}
