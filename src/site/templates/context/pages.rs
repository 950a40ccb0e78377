//! Template data of private pages.

use minijinja::context;
use minijinja::value::Value;
use serde::Serialize;

use super::reviews::ReviewContext;
use crate::domain::inquiry::split_storey;

/// The state of a visitor's inquiry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitorState {
    /// With firms, or about to be sent to them.
    #[default]
    Running,
    /// No firm is configured: the operator handles it.
    ByHand,
    /// No firm accepted, and no more are left to ask.
    Nobody,
    /// Withdrawn by the visitor.
    Withdrawn,
}

/// The result of a visitor's last action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitorNotice {
    /// The addition was stored.
    Saved,
    /// The addition is too long and was not stored.
    TooLong,
    /// The telephone number was corrected.
    PhoneSaved,
    /// A review was stored.
    ReviewSaved,
    /// A review was withdrawn.
    ReviewRemoved,
    /// A review is invalid and was not stored.
    ReviewFaulty,
    /// Photos were stored.
    PhotosSaved,
    /// A photo was removed.
    PhotoRemoved,
    /// Calls are no longer allowed.
    CallsRevoked,
}

/// Data of [`Visitor`](crate::site::templates::PageKind::Visitor).
#[derive(Debug, Default, Serialize)]
pub struct VisitorPage {
    /// The inquiry without personal details.
    pub inquiry: Value,
    /// Its state.
    pub state: VisitorState,
    /// The firms that were asked.
    pub firms: Vec<Value>,
    /// The number of firms that were asked.
    pub asked_count: usize,
    /// The number of firms that have accepted.
    pub accepted_count: usize,
    /// The time until which firms may answer, from [`german_time`](crate::site::templates::german_time).
    pub answer_until: Option<String>,
    /// The result of the last action.
    pub notice: Option<VisitorNotice>,
    /// The storey in the form.
    pub storey: String,
    /// Further notes for firms: the stored text, or the submitted one if it is too long.
    pub addition: String,
    /// The number in the form for the telephone number: empty, or a wrong one that was sent.
    pub phone: String,
    /// Why that number was rejected.
    pub phone_error: Option<&'static str>,
    /// The stored photos, from [`photo`].
    pub photos: Vec<Value>,
    /// How many more photos may be added.
    pub photo_room: usize,
    /// The upload path for photos.
    pub photo_action: String,
    /// Whether the page has the photo form and its script.
    pub sends_photos: bool,
    /// Why the uploaded photos were rejected.
    pub photo_error: Option<String>,
    /// The review form of each firm that has accepted.
    pub reviews: Vec<ReviewContext>,
    /// Whether the visitor's consent to be called is kept.
    pub has_consent: bool,
    /// When the visitor withdrew it, from [`german_time`](crate::site::templates::german_time).
    pub calls_revoked: Option<String>,
    /// The path of the page; `/zurueckziehen` below it asks for confirmation of a withdrawal.
    pub link: String,
    /// The path that the form is submitted to.
    pub action: String,
}

impl VisitorPage {
    /// Replaces the text in the form.
    #[must_use]
    pub fn with_additions(self, additions: &str) -> Self {
        let (storey, addition) = split_storey(additions);
        Self {
            storey: storey.to_owned(),
            addition: addition.to_owned(),
            ..self
        }
    }
}

/// Template data of a photo: its position in the inquiry, starting at 1, and the paths of the full image and the thumbnail.
pub fn photo(place: usize, link: String, small: String) -> Value {
    context! { place, link, small }
}

/// The state of an inquiry for one firm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FirmState {
    /// The firm may answer.
    #[default]
    Open,
    /// The firm did not answer in time, and may still accept.
    PassedOver,
    /// The firm has accepted.
    Accepted,
    /// The firm has declined.
    Declined,
    /// The maximum number of firms have accepted.
    Full,
    /// The firm did not answer, and the operator no longer works with it.
    Gone,
    /// The visitor has withdrawn the inquiry.
    Withdrawn,
    /// The firm has accepted, and the inquiry was erased.
    Erased,
}

/// Data of [`Firm`](crate::site::templates::PageKind::Firm).
#[derive(Debug, Default, Serialize)]
pub struct FirmPage {
    /// The photos of the inquiry, from [`photo`], if the firm may see them.
    pub photos: Vec<Value>,
    /// With personal details if the firm has accepted, without them while it may still accept, otherwise only the reference.
    pub inquiry: Value,
    /// Its state.
    pub state: FirmState,
    /// The number of firms that were asked, including this one.
    pub asked_count: usize,
    /// The number of firms that may accept.
    pub offers: usize,
    /// The deadline, from [`german_time`](crate::site::templates::german_time).
    pub answer_until: String,
    /// The cost of accepting, from [`german_cost`](crate::site::templates::german_cost); `None` if none is configured.
    pub cost: Option<String>,
    /// The immediate cost of accepting, such as `25,00 € netto`; `None` if there is none.
    pub price: Option<String>,
    /// Whether the firm was about to accept at a different price.
    pub is_price_new: bool,
    /// The reported outcome, for a firm that has accepted.
    pub outcome: Option<OutcomeContext>,
    /// The visitor's consent to be called, for a firm that has accepted: its `wording`, and the time as `at`.
    pub consent: Option<Value>,
    /// When the visitor withdrew it, from [`german_time`](crate::site::templates::german_time).
    pub calls_revoked: Option<String>,
    /// The path that the answer is submitted to.
    pub action: String,
}

/// Whether a firm can report the outcome of an inquiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeState {
    /// It can.
    Open,
    /// It accepted too long ago.
    Over,
}

/// The outcome of an inquiry as reported by a firm.
#[derive(Debug, Clone, Serialize)]
pub struct OutcomeContext {
    /// Whether it can be changed.
    pub state: OutcomeState,
    /// The id of the selected answer, from [`Outcome::id`](crate::domain::commission::Outcome::id).
    pub chosen: String,
    /// The sum in the form.
    pub net_sum: String,
    /// The price shown to the firm before it accepted, from [`german_cost`](crate::site::templates::german_cost); `None` if there
    /// was none.
    pub cost: Option<String>,
    /// The credit, if there is one: its `reason`.
    pub credit: Option<Value>,
    /// The last day on which it can be changed, from [`german_day`](crate::site::templates::german_day).
    pub until: String,
    /// The error in the submitted form.
    pub error: Option<&'static str>,
    /// Whether a change came too late.
    pub is_refused: bool,
    /// Whether it was just stored.
    pub is_saved: bool,
}
