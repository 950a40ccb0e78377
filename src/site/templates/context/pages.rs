//! What private pages are filled with.

use serde::Serialize;

use super::firm::FirmContext;
use super::inquiry::InquiryContext;
use super::reviews::ReviewContext;
use crate::domain::inquiry::split_storey;

/// The state of a visitor's inquiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitorState {
    /// It is with firms, or about to be.
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

/// A photo on a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PhotoContext {
    /// Its place among those of the inquiry, from 1 on.
    pub place: usize,
    /// The path of the large one.
    pub link: String,
    /// The path of the small one.
    pub small: String,
}

/// Data of [`Visitor`](crate::site::templates::PageKind::Visitor).
#[derive(Debug, Serialize)]
pub struct VisitorPage {
    /// The photos that there are.
    pub photos: Vec<PhotoContext>,
    /// How many more there may be.
    photo_room: usize,
    /// Where photos are sent.
    photo_action: String,
    /// Whether the page has the form for photos, and its script.
    sends_photos: bool,
    /// Why those that were sent are not kept.
    pub photo_error: Option<String>,
    inquiry: InquiryContext,
    state: VisitorState,
    asked_count: usize,
    accepted_count: usize,
    firms: Vec<FirmContext>,
    /// Until when the firms may answer, as [`german_time`](crate::site::templates::german_time) writes it.
    pub answer_until: Option<String>,
    /// What has just happened.
    pub notice: Option<VisitorNotice>,
    /// The contents of the form: what is stored, or what was sent and is too long.
    storey: String,
    addition: String,
    /// The form about each firm that has accepted.
    pub reviews: Vec<ReviewContext>,
    /// The path of the page; the question is at `/zurueckziehen` below it.
    pub link: String,
    /// Where the form is sent.
    pub action: String,
}

impl VisitorPage {
    /// Describes an inquiry (without the person) that was sent to these firms. `link` is the path of the page.
    pub fn new(inquiry: InquiryContext, state: VisitorState, firms: Vec<FirmContext>, link: String) -> Self {
        let additions = inquiry.addition().unwrap_or_default().to_owned();
        let page = Self {
            photos: Vec::new(),
            photo_room: 0,
            photo_action: String::new(),
            sends_photos: false,
            photo_error: None,
            state,
            asked_count: firms.len(),
            accepted_count: firms.iter().filter(|firm| firm.has_accepted()).count(),
            firms,
            answer_until: None,
            notice: None,
            reviews: Vec::new(),
            storey: String::new(),
            addition: String::new(),
            action: link.clone(),
            link,
            inquiry,
        };
        page.with_additions(&additions)
    }

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

    /// Accepts this many more photos, posted to this path, unless the inquiry is withdrawn.
    #[must_use]
    pub fn taking_photos(self, room: usize, action: String) -> Self {
        Self {
            photo_room: room,
            photo_action: action,
            sends_photos: room > 0 && self.state != VisitorState::Withdrawn,
            ..self
        }
    }

    /// Whether the page has the form for photos, and its script.
    pub fn sends_photos(&self) -> bool {
        self.sends_photos
    }
}

/// Data of [`VisitorWithdraw`](crate::site::templates::PageKind::VisitorWithdraw).
#[derive(Debug, Serialize)]
pub struct VisitorWithdrawPage {
    /// The reference alone.
    pub inquiry: InquiryContext,
    /// How many firms were asked.
    pub asked_count: usize,
    /// The path of the visitor's page.
    pub link: String,
    /// Where the form is sent.
    pub action: String,
}

/// The state of an inquiry for one firm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FirmState {
    /// It may answer.
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
#[derive(Debug, Serialize)]
pub struct FirmPage {
    /// Photos of the inquiry, if the firm may see them.
    pub photos: Vec<PhotoContext>,
    /// With the person if the firm has accepted, without while it may still do so, else the reference alone.
    pub inquiry: InquiryContext,
    /// Its state.
    pub state: FirmState,
    /// How many firms were asked, this one included.
    pub asked_count: usize,
    /// How many may accept.
    pub offers: u8,
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
    /// For a firm that has accepted: it may call, and may have to prove that.
    pub consent: Option<ConsentContext>,
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

/// The visitor's consent to being called.
#[derive(Debug, Serialize)]
pub struct ConsentContext {
    /// The sentence that was shown above the button.
    pub wording: String,
    /// As [`german_time`](crate::site::templates::german_time) writes it.
    pub at: String,
}

/// Data of the newsletter's pages that ask something.
#[derive(Debug, Serialize)]
pub struct QuestionPage {
    /// Where the answer is sent.
    pub action: String,
}

/// Data of pages that are the same for everybody.
#[derive(Debug, Serialize)]
pub struct PlainPage {}
