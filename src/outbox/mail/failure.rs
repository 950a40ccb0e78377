//! Maps failures in an SMTP session to delivery errors.

use std::io::{self, ErrorKind};

use tokio_rustls::rustls;

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

/// A reply of the server.
#[derive(Debug)]
pub(super) struct SmtpReply {
    /// From 200 to 599.
    pub(super) code: u16,
    /// The text of each line after the code; bytes that are not UTF-8 are replaced.
    pub(super) lines: Vec<String>,
}

impl SmtpReply {
    /// Code and text on one line.
    pub(super) fn text(&self) -> String {
        one_line(&format!("{} {}", self.code, self.lines.join(" ")))
    }

    /// Returns the reply if it completes a step.
    ///
    /// # Errors
    /// The failure that its code means.
    pub(super) fn completes(self, step: Step) -> Result<Self, SendError> {
        if self.code / 100 == 2 {
            return Ok(self);
        }
        Err(step.failed_with(&self))
    }

    /// The parameters of an extension in a reply to `EHLO`; `None` if the server does not offer it.
    pub(super) fn extension(&self, keyword: &str) -> Option<&str> {
        // The first line is the greeting.
        let mut lines = self.lines.iter().skip(1);
        lines.find_map(|line| {
            let (name, rest) = line.split_once([' ', '=']).unwrap_or((line, ""));
            name.eq_ignore_ascii_case(keyword).then_some(rest)
        })
    }

    /// Adds a line of a reply; returns true for the last one, and `None` for a malformed one. The text may be missing (RFC 5321,
    /// section 4.2.1).
    pub(super) fn add(&mut self, line: &[u8]) -> Option<bool> {
        let line = line.trim_ascii_end();
        let (code, rest) = line
            .split_at_checked(3)
            .filter(|(code, _)| code.iter().all(u8::is_ascii_digit))?;
        let code = str::from_utf8(code).ok()?.parse().ok()?;
        let (is_last, text) = match rest.split_first() {
            None => (true, rest),
            Some((b' ', text)) => (true, text),
            Some((b'-', text)) => (false, text),
            Some(_) => return None,
        };
        let is_other = !self.lines.is_empty() && self.code != code;
        if is_other || !(200..600).contains(&code) {
            return None;
        }
        self.code = code;
        self.lines.push(String::from_utf8_lossy(text).into_owned());
        Some(is_last)
    }
}

impl Step {
    /// Marks the mail as perhaps taken if its content was sent without an answer.
    pub(super) fn unanswered(self, error: SendError) -> SendError {
        match self {
            Self::Content => error.perhaps_taken(),
            _ => error,
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
            return self.unanswered(SendError::transient(format_args!(
                "the mail server gave an unexpected reply ({self})"
            )));
        }
        let enhanced = reply.lines.first().and_then(|line| enhanced_code(line));
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
    // Log-in, and commands out of order.
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

/// The enhanced status code (RFC 3463) at the start of a reply, such as `5.1.1`. The rest is free text.
fn enhanced_code(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next()?;
    let parts: Vec<&str> = word.split('.').collect();
    let is_number =
        |part: &&str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    (parts.len() == 3 && parts.iter().all(is_number)).then_some(word)
}
