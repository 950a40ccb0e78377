//! Builds mails in wire format.

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart};

use crate::base::text::mail_address::{Address, is_unprintable, one_line, turns_direction};
use crate::outbox::sending::SendError;

/// A mail. Text cannot inject headers: line breaks are removed.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// The `Message-ID` without angle brackets: `<delivery>@<host>`. A repeated mail keeps it.
    pub message_id: String,
    /// The recipient.
    pub to: Mailbox,
    /// The `Reply-To` address, if it is not the sender's.
    pub reply_to: Option<Mailbox>,
    /// The subject.
    pub subject: String,
    /// The plain-text part.
    pub text: String,
    /// The HTML part.
    pub html: String,
}

impl Outgoing {
    /// The message in wire format, with a line break at its end.
    ///
    /// # Errors
    /// When the message id is invalid, which is permanent and a bug.
    pub fn build(&self, from: &Mailbox) -> Result<Vec<u8>, SendError> {
        let mut builder = Message::builder()
            .message_id(Some(format!("<{}>", checked_id(&self.message_id)?)))
            .date_now()
            .from(with_safe_name(from))
            .to(with_safe_name(&self.to))
            .subject(header_text(&self.subject))
            // Suppresses automatic replies (RFC 3834).
            .raw_header(HeaderValue::new(
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ));
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(with_safe_name(reply_to));
        }
        let body = MultiPart::alternative_plain_html(body(&self.text), body(&self.html));
        builder
            .multipart(body)
            .map(|message| message.formatted())
            .map_err(|_| SendError::permanent("the mail cannot be put together; please report it"))
    }
}

/// Checks that a `Message-ID` is printable ASCII without spaces and angle brackets.
fn checked_id(id: &str) -> Result<&str, SendError> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'<' && byte != b'>';
    if id.is_empty() || !id.bytes().all(is_plain) {
        return Err(SendError::permanent(
            "the mail's Message-ID is malformed; please report it",
        ));
    }
    Ok(id)
}

/// Normalizes line ends to CRLF and removes control characters: on a server that accepts a bare CR as a line end, it could end
/// the mail early.
fn body(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let is_kept = |c: &char| matches!(c, '\n' | '\t') || !is_unprintable(*c);
    let printable: String = lines.chars().filter(is_kept).collect();
    printable.replace('\n', "\r\n")
}

/// An address with its display name.
pub fn mailbox(name: Option<&str>, address: &Address) -> Mailbox {
    Mailbox::new(name.map(str::to_owned), address.to_lettre())
}

/// A mailbox whose name is safe for a header.
fn with_safe_name(mailbox: &Mailbox) -> Mailbox {
    let name = mailbox.name.as_deref().map(header_text);
    Mailbox::new(name.filter(|name| !name.is_empty()), mailbox.email.clone())
}

/// Makes a text safe for a header: puts it on one line, and removes control characters, bidirectional controls, which could make a
/// name look like an address, and the start of encoded words (RFC 2047), which could hide any of these.
fn header_text(text: &str) -> String {
    one_line(&text.replace(turns_direction, "")).replace("=?", "= ?")
}
