//! What templates are filled with: a type for each mail and page, so that none gets a name it does not know or a value that
//! its reader must not see.

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use super::date::german_time;
use super::labels::Labels;
use crate::inquiry::{Answer, Inquiry};
use crate::matching::Firm;
use crate::referral::{self, Asked};

/// Characters of an id that stand for it in texts. They are its random part.
const REFERENCE_LENGTH: usize = 12;

/// An inquiry, as far as the reader may know it.
#[derive(Debug, Clone, Serialize)]
pub struct InquiryContext {
    reference: String,
    received: String,
    #[serde(flatten)]
    details: Option<Details>,
    #[serde(flatten)]
    person: Option<Person>,
}

/// What an inquiry is about.
#[derive(Debug, Clone, Serialize)]
struct Details {
    place: String,
    building: String,
    problems: Vec<String>,
    locations: Vec<String>,
    addition: Option<String>,
}

/// The visitor who sent the inquiry. Only templates whose readers may know the contact data have it.
#[derive(Debug, Clone, Serialize)]
struct Person {
    id: String,
    first_name: String,
    last_name: String,
    email: String,
    phone: String,
    phone_link: String,
}

/// Returns what stands for an id in texts.
pub fn short_reference(id: Uuid) -> String {
    let id = id.to_string();
    let start = id.len().saturating_sub(REFERENCE_LENGTH);
    id.get(start..).unwrap_or(&id).to_owned()
}

/// Returns the time in an id. A browser may send an inquiry days after it was made.
fn received(id: Uuid) -> Option<Timestamp> {
    let (seconds, _) = id.get_timestamp()?.to_unix();
    Timestamp::from_second(i64::try_from(seconds).ok()?).ok()
}

impl InquiryContext {
    /// Names an inquiry without anything that was said in it.
    /// Shows when it was received, which its id says; `made` is the visitor's clock.
    pub fn reference(id: Uuid, made: Timestamp) -> Self {
        let received = received(id).unwrap_or(made);
        Self {
            reference: short_reference(id),
            received: german_time(received),
            details: None,
            person: None,
        }
    }

    /// Describes an inquiry without the person: for firms before they accept, and for the visitor's page.
    pub fn without_person(inquiry: &Inquiry, addition: Option<&str>, labels: &Labels) -> Self {
        let answers = &inquiry.answers;
        let problems = answers.types_of_problems.iter();
        let locations = answers.problem_locations.iter();
        Self {
            details: Some(Details {
                place: answers.postal_code.to_text().into_owned(),
                building: labels.building(answers.property_type).to_owned(),
                problems: problems
                    .map(|&problem| labels.problem(problem).to_owned())
                    .collect(),
                locations: locations
                    .map(|&location| labels.location(location).to_owned())
                    .collect(),
                addition: addition.filter(|text| !text.is_empty()).map(str::to_owned),
            }),
            ..Self::reference(inquiry.id, inquiry.created_at)
        }
    }

    /// Describes an inquiry with the person: for the operator, and for firms that have accepted.
    pub fn with_person(inquiry: &Inquiry, addition: Option<&str>, labels: &Labels) -> Self {
        let answers = &inquiry.answers;
        let phone = answers.phone_number.to_text().into_owned();
        Self {
            person: Some(Person {
                id: inquiry.id.to_string(),
                first_name: answers.first_name.to_text().into_owned(),
                last_name: answers.last_name.to_text().into_owned(),
                email: answers.email_address.to_text().into_owned(),
                phone_link: phone_link(&phone),
                phone,
            }),
            ..Self::without_person(inquiry, addition, labels)
        }
    }
}

/// What became of the question to a firm, as visitors read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AskedState {
    /// It has not answered yet.
    #[serde(rename = "angefragt")]
    Asked,
    /// It has accepted.
    #[serde(rename = "angenommen")]
    Accepted,
    /// It has declined.
    #[serde(rename = "abgelehnt")]
    Declined,
    /// It was passed over.
    #[serde(rename = "keine Antwort")]
    Silent,
}

/// A firm that was asked. Its contact is known only once it has accepted.
#[derive(Debug, Clone, Serialize)]
pub struct FirmContext {
    name: String,
    state: AskedState,
    accepted: bool,
    phone: Option<String>,
    phone_link: Option<String>,
    email: Option<String>,
    website: Option<String>,
    website_label: Option<String>,
}

impl From<referral::Answer> for AskedState {
    fn from(answer: referral::Answer) -> Self {
        match answer {
            referral::Answer::Pending => Self::Asked,
            referral::Answer::Accepted(_) => Self::Accepted,
            referral::Answer::Declined(_) => Self::Declined,
            referral::Answer::Silent => Self::Silent,
        }
    }
}

impl FirmContext {
    /// Describes a firm that was asked as the configuration has it now; one that has left it, by its id.
    pub fn of(asked: &Asked, firms: &[Firm]) -> Self {
        let state = asked.answer.into();
        match Firm::find(firms, &asked.firm) {
            Some(firm) => Self::new(firm, state),
            None => Self::named(asked.firm.as_str(), state),
        }
    }

    /// Describes a firm.
    pub fn new(firm: &Firm, state: AskedState) -> Self {
        if state != AskedState::Accepted {
            return Self::named(&firm.name, state);
        }
        Self {
            phone: firm.phone.clone(),
            phone_link: firm.phone.as_deref().map(phone_link),
            email: Some(firm.email.clone()),
            website: firm.website.clone(),
            website_label: firm.website.as_deref().map(label),
            ..Self::named(&firm.name, state)
        }
    }

    /// Describes a firm of which only the name is known, since it is no longer in the configuration.
    pub fn named(name: &str, state: AskedState) -> Self {
        Self {
            name: name.to_owned(),
            state,
            accepted: state == AskedState::Accepted,
            phone: None,
            phone_link: None,
            email: None,
            website: None,
            website_label: None,
        }
    }
}

/// Returns the `tel:` address. The zero in brackets of `+49 (0)40` is not dialled from abroad.
fn phone_link(phone: &str) -> String {
    let dialled = phone.replace("(0)", "");
    let dialled = dialled.chars().filter(|c| c.is_ascii_digit() || *c == '+');
    format!("tel:{}", dialled.collect::<String>())
}

/// Returns a web address as people write it.
fn label(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    rest.trim_end_matches('/').to_owned()
}

/// Data of [`OperatorNew`](super::MailKind::OperatorNew), [`OperatorUnmatched`](super::MailKind::OperatorUnmatched) and
/// [`OperatorWithdrawn`](super::MailKind::OperatorWithdrawn).
#[derive(Debug, Serialize)]
pub struct OperatorMail {
    inquiry: InquiryContext,
    asked_count: usize,
    firms: Vec<FirmContext>,
}

impl OperatorMail {
    /// Tells the operator of an inquiry and of the firms asked so far. Once it is withdrawn, only its reference is known.
    pub fn new(inquiry: InquiryContext, firms: Vec<FirmContext>) -> Self {
        Self {
            inquiry,
            asked_count: firms.len(),
            firms,
        }
    }
}

/// Data of [`FirmRequest`](super::MailKind::FirmRequest).
#[derive(Debug, Serialize)]
pub struct FirmRequestMail {
    /// Without the person.
    pub inquiry: InquiryContext,
    /// The reader.
    pub firm: FirmContext,
    /// How many firms were asked, the reader included.
    pub asked_count: usize,
    /// How many may accept.
    pub offers: u8,
    /// As [`german_time`] writes it.
    pub answer_until: String,
    /// The absolute address of the firm's page.
    pub link: String,
}

/// Data of [`FirmAddition`](super::MailKind::FirmAddition).
#[derive(Debug, Serialize)]
pub struct FirmAdditionMail {
    /// Without the person.
    pub inquiry: InquiryContext,
    /// The reader.
    pub firm: FirmContext,
    /// The absolute address of the firm's page.
    pub link: String,
}

/// Data of [`FirmWithdrawn`](super::MailKind::FirmWithdrawn) and [`FirmErased`](super::MailKind::FirmErased).
#[derive(Debug, Serialize)]
pub struct FirmErasureMail {
    /// The reference alone.
    pub inquiry: InquiryContext,
    /// The reader.
    pub firm: FirmContext,
}

/// Data of [`VisitorReceived`](super::MailKind::VisitorReceived) and [`VisitorNobody`](super::MailKind::VisitorNobody).
#[derive(Debug, Serialize)]
pub struct VisitorMail {
    /// The reference alone: the address may be a stranger's.
    pub inquiry: InquiryContext,
    /// How many firms were asked.
    pub asked_count: usize,
    /// The absolute address of the visitor's page.
    pub link: String,
}

/// Data of [`VisitorAccepted`](super::MailKind::VisitorAccepted).
#[derive(Debug, Serialize)]
pub struct VisitorAcceptedMail {
    /// The reference alone.
    pub inquiry: InquiryContext,
    /// The firm, with its contact.
    pub firm: FirmContext,
    /// The absolute address of the visitor's page.
    pub link: String,
}

/// Data of [`NewsletterConfirm`](super::MailKind::NewsletterConfirm).
#[derive(Debug, Serialize)]
pub struct NewsletterConfirmMail {
    /// The absolute address of the page with the button.
    pub link: String,
    /// As [`german_time`] writes it.
    pub valid_until: String,
}

/// How a visitor's inquiry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitorState {
    /// It is with firms, or about to be.
    Running,
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
}

/// Data of [`Visitor`](super::PageKind::Visitor).
#[derive(Debug, Serialize)]
pub struct VisitorPage {
    inquiry: InquiryContext,
    state: VisitorState,
    asked_count: usize,
    accepted_count: usize,
    firms: Vec<FirmContext>,
    /// Until when the firms may answer, as [`german_time`] writes it.
    pub answer_until: Option<String>,
    /// What has just happened.
    pub notice: Option<VisitorNotice>,
    /// What stands in the form: what is stored, or what was sent and is too long.
    pub addition: String,
    /// The path of the page; the question is at `/zurueckziehen` below it.
    pub link: String,
    /// Where the form is sent.
    pub action: String,
}

impl VisitorPage {
    /// Describes an inquiry (without the person) that was sent to these firms. `link` is the path of the page.
    pub fn new(inquiry: InquiryContext, state: VisitorState, firms: Vec<FirmContext>, link: String) -> Self {
        let details = inquiry.details.as_ref();
        Self {
            state,
            asked_count: firms.len(),
            accepted_count: firms.iter().filter(|firm| firm.accepted).count(),
            firms,
            answer_until: None,
            notice: None,
            addition: details
                .and_then(|details| details.addition.clone())
                .unwrap_or_default(),
            action: link.clone(),
            link,
            inquiry,
        }
    }
}

/// Data of [`VisitorWithdraw`](super::PageKind::VisitorWithdraw).
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

/// How an inquiry stands for one firm.
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
    /// The visitor has withdrawn the inquiry.
    Withdrawn,
}

/// Data of [`Firm`](super::PageKind::Firm).
#[derive(Debug, Serialize)]
pub struct FirmPage {
    /// With the person if the firm has accepted, without while it may still do so, else the reference alone.
    pub inquiry: InquiryContext,
    /// How it stands.
    pub state: FirmState,
    /// How many firms were asked, this one included.
    pub asked_count: usize,
    /// How many may accept.
    pub offers: u8,
    /// As [`german_time`] writes it.
    pub answer_until: String,
    /// Where the answer is sent.
    pub action: String,
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
