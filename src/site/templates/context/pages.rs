//! What private pages are filled with.

use minijinja::context;
use minijinja::value::Value;
use serde::Serialize;

use super::reviews::ReviewContext;
use crate::domain::inquiry::split_storey;

/// The state of a visitor's inquiry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitorState {
    /// It is with firms, or about to be.
    #[default]
    Running,
    /// No firm is configured: the operator sees to it alone.
    ByHand,
    /// No firm takes it, and none is left to ask.
    Nobody,
    /// The visitor has withdrawn it.
    Withdrawn,
}

/// What a visitor has just done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitorNotice {
    /// The addition is stored.
    Saved,
    /// The addition is too long and was not stored.
    TooLong,
    /// A review was stored.
    ReviewSaved,
    /// A review was taken back.
    ReviewRemoved,
    /// A review is invalid, and was not stored.
    ReviewFaulty,
    /// Photos are stored.
    PhotosSaved,
    /// A photo was taken away.
    PhotoRemoved,
}

/// Data of [`Visitor`](crate::site::templates::PageKind::Visitor).
#[derive(Debug, Default, Serialize)]
pub struct VisitorPage {
    /// The inquiry, without the person.
    pub inquiry: Value,
    /// Its state.
    pub state: VisitorState,
    /// The firms that were asked.
    pub firms: Vec<Value>,
    /// How many those are.
    pub asked_count: usize,
    /// How many of them have accepted.
    pub accepted_count: usize,
    /// Until when the firms may answer, as [`german_time`](crate::site::templates::german_time) writes it.
    pub answer_until: Option<String>,
    /// What has just happened.
    pub notice: Option<VisitorNotice>,
    /// The storey in the form.
    pub storey: String,
    /// The rest of what firms should know: what is stored, or what was sent and is too long.
    pub addition: String,
    /// The [photos](photo) that there are.
    pub photos: Vec<Value>,
    /// How many more there may be.
    pub photo_room: usize,
    /// Where photos are sent.
    pub photo_action: String,
    /// Whether the page has the form for photos, and its script.
    pub sends_photos: bool,
    /// Why those that were sent are not kept.
    pub photo_error: Option<String>,
    /// The form about each firm that has accepted.
    pub reviews: Vec<ReviewContext>,
    /// The path of the page; the question is at `/zurueckziehen` below it.
    pub link: String,
    /// Where the form is sent.
    pub action: String,
}

impl VisitorPage {
    /// Takes another text into the form.
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

/// Describes a photo by its place among those of the inquiry, from 1 on, and the paths of the large one and the small one.
pub fn photo(place: usize, link: String, small: String) -> Value {
    context! { place, link, small }
}

/// The state of an inquiry for one firm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FirmState {
    /// It may answer.
    #[default]
    Open,
    /// It has not answered in time, and may still accept.
    PassedOver,
    /// It has accepted.
    Accepted,
    /// It has declined.
    Declined,
    /// As many others as may accept have done so.
    Full,
    /// It has not answered, and the operator no longer works with it.
    Gone,
    /// The visitor has withdrawn the inquiry.
    Withdrawn,
    /// It has accepted, and the inquiry was erased.
    Erased,
}

/// Data of [`Firm`](crate::site::templates::PageKind::Firm).
#[derive(Debug, Default, Serialize)]
pub struct FirmPage {
    /// [Photos](photo) of the inquiry, if the firm may see them.
    pub photos: Vec<Value>,
    /// With the person if the firm has accepted, without while it may still do so, else the reference alone.
    pub inquiry: Value,
    /// Its state.
    pub state: FirmState,
    /// How many firms were asked, this one included.
    pub asked_count: usize,
    /// How many may accept.
    pub offers: usize,
    /// As [`german_time`](crate::site::templates::german_time) writes it.
    pub answer_until: String,
    /// What accepting costs, as [`german_cost`](crate::site::templates::german_cost) says it; `None` where that is not configured.
    pub cost: Option<String>,
    /// What accepting costs at once, such as `25,00 €`; `None` where that is nothing.
    pub price: Option<String>,
    /// Whether the firm was about to accept at another price.
    pub is_price_new: bool,
    /// For a firm that has accepted: the outcome that it reports.
    pub outcome: Option<OutcomeContext>,
    /// For a firm that has accepted: the `wording` by which it may call, and `at` what time the visitor agreed.
    pub consent: Option<Value>,
    /// Where the answer is sent.
    pub action: String,
}

/// Whether a firm can report the outcome of an inquiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeState {
    /// It can.
    Open,
    /// The month of its acceptance is closed.
    Closed,
    /// It accepted too long ago.
    Over,
}

/// The outcome of an inquiry, as a firm reports it.
#[derive(Debug, Clone, Serialize)]
pub struct OutcomeContext {
    /// Whether it can be changed.
    pub state: OutcomeState,
    /// The id of the answer, as [`Outcome::id`](crate::domain::commission::Outcome::id) has it.
    pub chosen: String,
    /// The sum in the form.
    pub net_sum: String,
    /// The price that the firm was shown before it accepted, as [`german_cost`](crate::site::templates::german_cost) says it; `None` where that was
    /// nothing.
    pub cost: Option<String>,
    /// The last day on which it can be changed, as [`german_day`](crate::site::templates::german_day) writes it.
    pub until: String,
    /// What is wrong with what was sent.
    pub error: Option<&'static str>,
    /// Whether a change came too late.
    pub is_refused: bool,
    /// Whether it was just stored.
    pub is_saved: bool,
}
