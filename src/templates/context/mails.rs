//! What mails are filled with.

use serde::Serialize;

use super::firm::FirmContext;
use super::inquiry::InquiryContext;

/// Data of [`OperatorNew`](crate::templates::MailKind::OperatorNew), [`OperatorUnmatched`](crate::templates::MailKind::OperatorUnmatched),
/// [`OperatorHeld`](crate::templates::MailKind::OperatorHeld) and [`OperatorWithdrawn`](crate::templates::MailKind::OperatorWithdrawn).
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

/// Data of [`FirmRequest`](crate::templates::MailKind::FirmRequest).
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
    /// As [`german_time`](crate::templates::german_time) writes it.
    pub answer_until: String,
    /// The absolute address of the firm's page.
    pub link: String,
}

/// Data of [`FirmAddition`](crate::templates::MailKind::FirmAddition).
#[derive(Debug, Serialize)]
pub struct FirmAdditionMail {
    /// Without the person.
    pub inquiry: InquiryContext,
    /// The reader.
    pub firm: FirmContext,
    /// The absolute address of the firm's page.
    pub link: String,
}

/// Data of [`FirmWithdrawn`](crate::templates::MailKind::FirmWithdrawn) and [`FirmErased`](crate::templates::MailKind::FirmErased).
#[derive(Debug, Serialize)]
pub struct FirmErasureMail {
    /// The reference alone.
    pub inquiry: InquiryContext,
    /// The reader.
    pub firm: FirmContext,
}

/// Data of [`VisitorReceived`](crate::templates::MailKind::VisitorReceived) and [`VisitorNobody`](crate::templates::MailKind::VisitorNobody).
#[derive(Debug, Serialize)]
pub struct VisitorMail {
    /// The reference alone: the address may be a stranger's.
    pub inquiry: InquiryContext,
    /// How many firms were asked.
    pub asked_count: usize,
    /// How long each has to answer.
    pub answer_hours: u16,
    /// The absolute address of the visitor's page.
    pub link: String,
}

/// Data of [`VisitorAccepted`](crate::templates::MailKind::VisitorAccepted).
#[derive(Debug, Serialize)]
pub struct VisitorAcceptedMail {
    /// The reference alone.
    pub inquiry: InquiryContext,
    /// The firm, with its contact.
    pub firm: FirmContext,
    /// The absolute address of the visitor's page.
    pub link: String,
}

/// Data of [`NewsletterConfirm`](crate::templates::MailKind::NewsletterConfirm).
#[derive(Debug, Serialize)]
pub struct NewsletterConfirmMail {
    /// The absolute address of the page with the button.
    pub link: String,
    /// As [`german_time`](crate::templates::german_time) writes it.
    pub valid_until: String,
}
