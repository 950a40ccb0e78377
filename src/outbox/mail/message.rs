//! Builds mails in wire format.

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Message, MultiPart};

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
    /// The message in wire format.
    ///
    /// # Errors
    /// When the message id is invalid, which is permanent and a bug.
    pub fn build(&self, from: &Mailbox) -> Result<Vec<u8>, SendError> {
        let mut builder = Message::builder()
            .message_id(Some(format!("<{}>", checked_id(&self.message_id)?)))
            .date_now()
            .from(from.to_lettre())
            .to(self.to.to_lettre())
            .subject(header_text(&self.subject))
            // Suppresses automatic replies (RFC 3834).
            .raw_header(HeaderValue::new(
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ));
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(reply_to.to_lettre());
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

/// Normalizes line ends to CRLF and removes control characters: on a server that accepts a bare CR as a line end, one could end the
/// mail early.
fn body(text: &str) -> String {
    let mut body = String::with_capacity(text.len() + text.len() / 32);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\r' => {
                characters.next_if_eq(&'\n');
                body.push_str("\r\n");
            }
            '\n' => body.push_str("\r\n"),
            '\t' => body.push(c),
            c if is_unprintable(c) => {}
            c => body.push(c),
        }
    }
    body
}

/// An address with its display name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// Without control characters; `None` if nothing is left.
    name: Option<String>,
    address: Address,
}

impl Mailbox {
    /// Combines a name and an address.
    pub fn new(name: Option<&str>, address: Address) -> Self {
        let name = name.map(header_text).filter(|name| !name.is_empty());
        Self { name, address }
    }

    /// Returns the address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    pub(super) fn to_lettre(&self) -> lettre::message::Mailbox {
        lettre::message::Mailbox::new(self.name.clone(), self.address.to_lettre())
    }
}

impl From<Address> for Mailbox {
    fn from(address: Address) -> Self {
        Self { name: None, address }
    }
}

/// Makes a text safe for a header: puts it on one line, and removes control characters, bidirectional controls, which could make a
/// name look like an address, and the start of encoded words (RFC 2047), which could hide any of these.
pub(super) fn header_text(text: &str) -> String {
    one_line(&text.replace(turns_direction, "")).replace("=?", "= ?")
}
