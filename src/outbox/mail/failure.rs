//! Maps failures in an SMTP session to delivery errors.

use std::io::{self, ErrorKind};

use tokio_rustls::rustls;

use super::reply::SmtpReply;
use crate::base::text::mail_address::one_line;
use crate::outbox::sending::{SendError, SendErrorKind};

/// The steps of sending a mail. The text completes "the mail server refused" in messages to the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub(super) enum Step {
    /// The greeting and `EHLO`.
    #[strum(to_string = "the connection")]
    Greeting,
    /// The upgrade to TLS.
    #[strum(to_string = "TLS")]
    Encryption,
    /// Authentication, as long as the server has to ask for more.
    #[strum(to_string = "the log-in")]
    Prompt,
    /// Authentication.
    #[strum(to_string = "the log-in")]
    LogIn,
    /// `MAIL FROM`.
    #[strum(to_string = "the sender")]
    Sender,
    /// `RCPT TO`.
    #[strum(to_string = "the recipient")]
    Recipient,
    /// `DATA`.
    #[strum(to_string = "the mail")]
    Data,
    /// The content of the mail, and the server's confirmation.
    #[strum(to_string = "the mail's content")]
    Content,
}

impl Step {
    /// Whether a reply with this code completes the step.
    pub(super) fn is_completed_by(self, code: u16) -> bool {
        match self {
            Self::Prompt => code == 334,
            Self::Data => code == 354,
            _ => code / 100 == 2,
        }
    }

    /// The error for a connection that failed in this step.
    pub(super) fn broke_off(self, error: &io::Error) -> SendError {
        let rustls = error.get_ref().and_then(|error| error.downcast_ref());
        let is_odd = matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof);
        match rustls {
            Some(rustls::Error::InvalidMessage(_)) if self == Self::Encryption => SendError::transient(
                "the mail server does not speak TLS at once on this port; use smtp://, which goes over to TLS by STARTTLS",
            ),
            None if is_odd && self != Self::Encryption => SendError::transient(format_args!(
                "the mail server broke off or gave an unexpected reply ({self})"
            )),
            // The error is from the system or the TLS library, not the server.
            _ => SendError::transient(format_args!(
                "the connection to the mail server failed ({self}): {}",
                one_line(&error.to_string())
            )),
        }
    }

    /// The error for a reply that does not complete this step.
    pub(super) fn failed_with(self, reply: &SmtpReply) -> SendError {
        let code = reply.code;
        if code < 400 {
            return SendError::transient(format_args!("the mail server gave an unexpected reply ({self})"));
        }
        let enhanced = reply.enhanced_code();
        let detail = enhanced.map_or_else(String::new, |code| format!(" {code}"));
        let reason = format!("the mail server refused {self}: {code}{detail}");
        let is_about_mail = matches!(self, Self::Recipient | Self::Data | Self::Content);
        let kind = if code < 500 || !is_about_mail || is_fault_of_sender(reply, enhanced) {
            SendErrorKind::Transient
        } else if self == Self::Recipient {
            SendErrorKind::NoMailbox
        } else {
            SendErrorKind::Permanent
        };
        SendError {
            kind,
            answer: Some(reply.text()),
            ..SendError::transient(reason)
        }
    }
}

/// Whether a refusal is about the machine, the account or the sender's address, which the operator has to correct, rather than this
/// mail. Many servers report such a fault only after `RCPT TO`.
fn is_fault_of_sender(reply: &SmtpReply, enhanced: Option<&str>) -> bool {
    /// Words that mark a fault of the sender in a refusal without an enhanced code (RFC 3463).
    const WORDS: [&str; 6] = [
        "helo",
        "ehlo",
        "sender",
        "from address",
        "from header",
        "not verified",
    ];
    let text = reply.text().to_lowercase();
    // Login, and commands out of order.
    matches!(reply.code, 503 | 530 | 534 | 535 | 538)
        || text.contains("submissionquotaexceeded")
        || match enhanced {
            // The sender's address or domain, its sending limit, a loop, its right to send as another.
            Some("5.1.7" | "5.1.8" | "5.1.90" | "5.4.5" | "5.4.6" | "5.2.252") => true,
            // The mail is too big.
            Some("5.3.4") => false,
            // The machine, the protocol, the content, the permissions of the sender.
            Some(code) => ["5.3.", "5.5.", "5.6.", "5.7."]
                .iter()
                .any(|class| code.starts_with(class)),
            None => WORDS.iter().any(|word| text.contains(word)),
        }
}
