//! Everything about one inquiry as commands show it.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::delivery_view::{DeliveryView, deliveries};
use super::time::Time;
use crate::control::operations::Tokens;
use crate::inquiry::{COLUMNS, Inquiry, Row, consent_wording};
use crate::origin::Origin;
use crate::private_path::PrivatePath;
use crate::referral::{Answer, Asked, Dossier};

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
    pub state: &'static str,
    /// Whether it was marked as a robot's and not released.
    pub suspected: bool,
    /// What the visitor answered; nothing once it was withdrawn or erased.
    #[serde(flatten)]
    pub answers: Option<AnswersView>,
    /// What firms should know beyond the answers.
    pub addition: String,
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
    pub answer: &'static str,
    /// When it did.
    pub answered_at: Option<Time>,
    /// Whether it has the visitor's name and contact data.
    pub has_contact_data: bool,
    /// Its private page.
    pub link: Option<String>,
}

impl InquiryView {
    /// Shows a dossier; `tokens` and `origin` make the addresses of its private pages.
    pub fn new(dossier: &Dossier, tokens: Option<&Tokens>, origin: Option<&Origin>) -> Self {
        let referral = &dossier.referral;
        let created_at = Time(dossier.created_at());
        let link = |path: PrivatePath<'_>| origin.map(|origin| path.link(origin));
        let firms = referral.asked.iter().enumerate().map(|(number, asked)| {
            let token = tokens.and_then(|tokens| tokens.firms.get(number));
            FirmView::new(asked, token.and_then(|token| link(PrivatePath::Firm(token))))
        });
        Self {
            kind: "inquiry",
            id: dossier.id.to_string(),
            received_at: dossier.received_at().map(Time),
            state: referral.state().id(),
            suspected: dossier.inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected),
            answers: dossier.inquiry.as_ref().map(AnswersView::from),
            addition: referral.addition.clone(),
            consent: referral.consent.map(|version| ConsentView {
                version,
                wording: consent_wording(version),
                at: created_at,
            }),
            link: tokens.and_then(|tokens| link(PrivatePath::Visitor(&tokens.visitor))),
            firms: firms.collect(),
            deliveries: deliveries(dossier.id, referral).collect(),
            created_at,
        }
    }
}

impl FirmView {
    fn new(asked: &Asked, link: Option<String>) -> Self {
        let answered_at = match asked.answer {
            Answer::Accepted(at) | Answer::Declined(at) => Some(Time(at)),
            Answer::Pending | Answer::Silent => None,
        };
        Self {
            id: asked.firm.to_string(),
            asked_at: Time(asked.at),
            answer_until: Time(asked.until),
            answer: asked.answer.id(),
            answered_at,
            has_contact_data: asked.answer.is_accepted(),
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

impl AnswersView {
    /// Returns names and texts.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, text)| (*name, text.as_str()))
    }
}

impl Serialize for AnswersView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, text) in self.iter() {
            map.serialize_entry(name, text)?;
        }
        map.end()
    }
}
