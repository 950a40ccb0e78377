//! What a failed step of SMTP means for the delivery.

use std::error::Error as _;
use std::fmt;

use lettre::transport::smtp::Error;

use crate::sending::{Kind, SendError};
use crate::text::one_line::one_line;

/// The steps of sending a mail, as the operator reads them after "the mail server refused".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// From the first word to the list of what the server can.
    Greeting,
    /// Going over to TLS.
    Encryption,
    /// User and password.
    LogIn,
    /// `MAIL FROM`.
    Sender,
    /// `RCPT TO`.
    Recipient,
    /// `DATA`.
    Data,
    /// The mail itself, and the server's confirmation.
    Content,
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Greeting => "the connection",
            Self::Encryption => "TLS",
            Self::LogIn => "the log-in",
            Self::Sender => "the sender",
            Self::Recipient => "the recipient",
            Self::Data => "the mail",
            Self::Content => "the mail's content",
        })
    }
}

impl Step {
    /// Returns whether a refusal with this code of RFC 3463 concerns the recipient. Machine, account and sender's address are
    /// the operator's to set right, while the mail is as good as any other. Many servers name such a fault only once they know
    /// the recipient: a sender's address that is wrong (5.1.7, 5.1.8), or who may send what (5.7).
    fn concerns_the_recipient(self, enhanced: Option<&str>) -> bool {
        let is_of_sender = |code: &str| matches!(code, "5.1.7" | "5.1.8") || code.starts_with("5.7.");
        matches!(self, Self::Recipient | Self::Data | Self::Content) && !enhanced.is_some_and(is_of_sender)
    }

    /// Adds how far the mail came, when the server has not said what became of it.
    fn unanswered(self, error: SendError) -> SendError {
        match self {
            Self::Content => error.perhaps_taken(),
            _ => error,
        }
    }

    /// Describes a step that was not answered in time.
    pub(super) fn timed_out(self) -> SendError {
        self.unanswered(SendError::transient(format_args!(
            "the mail server did not answer in time ({self})"
        )))
    }

    /// Describes an answer that does not belong to this step.
    pub(super) fn answered_oddly(self) -> SendError {
        self.unanswered(SendError::transient(format_args!(
            "the mail server gave an unexpected reply ({self})"
        )))
    }

    /// Describes a step that failed.
    pub(super) fn failed(self, error: &Error) -> SendError {
        let Some(code) = error.status() else {
            return self.unanswered(self.broke_off(error));
        };
        let text = error.source().map(ToString::to_string).unwrap_or_default();
        let enhanced = enhanced_code(&text);
        let detail = enhanced.map_or_else(String::new, |code| format!(" {code}"));
        let reason = format!("the mail server refused {self}: {code}{detail}");
        let wants_log_in = matches!(code.to_string().as_str(), "530" | "534" | "535" | "538");
        let refusal = if error.is_permanent() && self.concerns_the_recipient(enhanced) && !wants_log_in {
            let kind = if self == Self::Recipient {
                Kind::NoMailbox
            } else {
                Kind::Permanent
            };
            SendError {
                kind,
                ..SendError::permanent(reason)
            }
        } else {
            SendError::transient(reason)
        };
        refusal.with_answer(format!("{code} {}", one_line(&text)))
    }

    fn broke_off(self, error: &Error) -> SendError {
        if error.is_response() || error.is_client() {
            return SendError::transient(format_args!(
                "the mail server broke off or gave an unexpected reply ({self})"
            ));
        }
        // The system or the TLS library says this, not the server.
        let cause = error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string);
        self.cut_off(&cause)
    }

    /// Describes a connection that failed, for a cause that the system or the TLS library names.
    pub(super) fn cut_off(self, cause: &str) -> SendError {
        SendError::transient(format_args!(
            "the connection to the mail server failed ({self}): {}",
            one_line(cause)
        ))
    }
}

/// Returns the code of RFC 3463 that an answer begins with, such as `5.1.1`. All that follows is free text.
fn enhanced_code(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next()?;
    let parts: Vec<&str> = word.split('.').collect();
    let is_number =
        |part: &&str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    (parts.len() == 3 && parts.iter().all(is_number)).then_some(word)
}
