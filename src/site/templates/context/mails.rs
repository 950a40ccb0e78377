//! What mails are filled with.

use serde::Serialize;

use super::firm::FirmContext;
use super::inquiry::InquiryContext;

/// Data of [`OperatorNew`](crate::site::templates::MailKind::OperatorNew), [`OperatorUnmatched`](crate::site::templates::MailKind::OperatorUnmatched),
/// [`OperatorHeld`](crate::site::templates::MailKind::OperatorHeld) and [`OperatorWithdrawn`](crate::site::templates::MailKind::OperatorWithdrawn).
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

/// Data of [`OperatorAccepted`](crate::site::templates::MailKind::OperatorAccepted).
#[derive(Debug, Serialize)]
pub struct OperatorAcceptedMail {
    /// With the person.
    pub inquiry: InquiryContext,
    /// Who has accepted.
    pub firm: FirmContext,
    /// How many have by now.
    pub accepted_count: usize,
    /// How many may.
    pub offers: u8,
}

/// Data of [`OperatorUnreachable`](crate::site::templates::MailKind::OperatorUnreachable).
#[derive(Debug, Serialize)]
pub struct OperatorUnreachableMail {
    /// What the refused mail was about, without the person.
    pub inquiry: InquiryContext,
    /// Whose address is refused.
    pub firm: FirmContext,
    /// Its id in the configuration.
    pub firm_id: String,
    /// The address.
    pub firm_email: String,
}

/// Data of [`OperatorSuspected`](crate::site::templates::MailKind::OperatorSuspected).
#[derive(Debug, Serialize)]
pub struct OperatorSuspectedMail {
    /// How many wait.
    pub count: u64,
    /// The latest of them, with the persons.
    pub inquiries: Vec<InquiryContext>,
}

/// Data of [`OperatorDigest`](crate::site::templates::MailKind::OperatorDigest).
#[derive(Debug, Serialize)]
pub struct OperatorDigestMail {
    /// From when on, as [`german_time`](crate::site::templates::german_time) writes it.
    pub since: String,
    /// Up to when.
    pub until: String,
    /// What happened meanwhile.
    #[serde(flatten)]
    pub counts: DigestCounts,
}

/// What happened in a period, and the states of inquiries at its end.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct DigestCounts {
    /// Inquiries that came in the period.
    pub new: u64,
    /// Answers of firms in the period that accept.
    pub accepted: u64,
    /// Inquiries that wait for an answer now.
    pub pending: u64,
    /// Inquiries that no firm takes, now.
    pub unmatched: u64,
    /// Inquiries that wait for the operator now, since they may be robots'.
    pub suspected: u64,
    /// Mails and webhooks that were given up.
    pub failed: u64,
}

/// Data of [`FirmContact`](crate::site::templates::MailKind::FirmContact).
#[derive(Debug, Serialize)]
pub struct FirmContactMail {
    /// Whether accepting has a price, which the firm's page names.
    pub has_price: bool,
    /// Whether the person has consented to being called.
    pub has_consent: bool,
    /// How many photos there are.
    pub photo_count: usize,
    /// With the person.
    pub inquiry: InquiryContext,
    /// The reader.
    pub firm: FirmContext,
    /// The absolute address of the firm's page.
    pub link: String,
}

/// Data of [`FirmRequest`](crate::site::templates::MailKind::FirmRequest) and [`FirmReminder`](crate::site::templates::MailKind::FirmReminder).
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
    /// As [`german_time`](crate::site::templates::german_time) writes it.
    pub answer_until: String,
    /// What accepting costs, as [`german_cost`](crate::site::templates::german_cost) says it; `None` where that is not configured.
    pub cost: Option<String>,
    /// How many photos there are.
    pub photo_count: usize,
    /// The absolute address of the firm's page.
    pub link: String,
}

/// Data of [`FirmAddition`](crate::site::templates::MailKind::FirmAddition).
#[derive(Debug, Serialize)]
pub struct FirmAdditionMail {
    /// How many photos there are.
    pub photo_count: usize,
    /// Without the person.
    pub inquiry: InquiryContext,
    /// The reader.
    pub firm: FirmContext,
    /// The absolute address of the firm's page.
    pub link: String,
}

/// Data of [`FirmWithdrawn`](crate::site::templates::MailKind::FirmWithdrawn) and [`FirmErased`](crate::site::templates::MailKind::FirmErased).
#[derive(Debug, Serialize)]
pub struct FirmErasureMail {
    /// The reference alone.
    pub inquiry: InquiryContext,
    /// The reader.
    pub firm: FirmContext,
}

/// Data of [`VisitorReceived`](crate::site::templates::MailKind::VisitorReceived).
#[derive(Debug, Serialize)]
pub struct VisitorReceivedMail {
    /// What every mail to the visitor contains.
    #[serde(flatten)]
    pub mail: VisitorMail,
    /// How long each firm has to answer.
    pub answer_hours: u16,
}

/// Data of [`VisitorNobody`](crate::site::templates::MailKind::VisitorNobody) and
/// [`VisitorWithdrawn`](crate::site::templates::MailKind::VisitorWithdrawn).
#[derive(Debug, Serialize)]
pub struct VisitorMail {
    /// The reference alone: the address may be a stranger's.
    pub inquiry: InquiryContext,
    /// How many firms were asked.
    pub asked_count: usize,
    /// The absolute address of the visitor's page.
    pub link: String,
}

/// Data of [`VisitorAccepted`](crate::site::templates::MailKind::VisitorAccepted).
#[derive(Debug, Serialize)]
pub struct VisitorAcceptedMail {
    /// The reference alone.
    pub inquiry: InquiryContext,
    /// The firm, with its contact.
    pub firm: FirmContext,
    /// The absolute address of the visitor's page.
    pub link: String,
}

/// Data of [`NewsletterConfirm`](crate::site::templates::MailKind::NewsletterConfirm).
#[derive(Debug, Serialize)]
pub struct NewsletterConfirmMail {
    /// The absolute address of the page with the button.
    pub link: String,
    /// As [`german_time`](crate::site::templates::german_time) writes it.
    pub valid_until: String,
}
