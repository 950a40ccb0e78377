//! A mail on the wire.

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Message, MultiPart};

use crate::base::text::mail_address::{Address, is_unprintable, one_line, turns_direction};
use crate::outbox::sending::SendError;

/// A mail. No text can inject headers: line breaks are removed from them.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// The `Message-ID` between the angle brackets: `<delivery>@<host>`. A repeated mail keeps it.
    pub message_id: String,
    /// The recipient.
    pub to: Mailbox,
    /// The `SmtpReply-To`, if not the sender.
    pub reply_to: Option<Mailbox>,
    /// The subject.
    pub subject: String,
    /// The plain-text part.
    pub text: String,
    /// The same as HTML.
    pub html: String,
}

impl Outgoing {
    /// Returns the message in wire format.
    ///
    /// # Errors
    /// When the id is invalid: permanent, and a fault of this program.
    pub fn build(&self, from: &Mailbox) -> Result<Vec<u8>, SendError> {
        let mut builder = Message::builder()
            .message_id(Some(format!("<{}>", checked_id(&self.message_id)?)))
            .date_now()
            .from(from.to_lettre())
            .to(self.to.to_lettre())
            .subject(header_text(&self.subject))
            // No vacation notice may answer (RFC 3834).
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

/// Returns a `Message-ID` that holds no text but a name: printable ASCII without spaces and angle brackets.
fn checked_id(id: &str) -> Result<&str, SendError> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'<' && byte != b'>';
    if id.is_empty() || !id.bytes().all(is_plain) {
        return Err(SendError::permanent(
            "the mail's Message-ID is malformed; please report it",
        ));
    }
    Ok(id)
}

/// Returns a text with the line ends of SMTP and without control characters: a bare CR could end the mail early on a server
/// that takes it for the end of a line.
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

/// An address and its display name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// Without control characters; `None` if nothing would be left.
    name: Option<String>,
    address: Address,
}

impl Mailbox {
    /// Joins a name and an address.
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

/// Returns a text that is safe in a header: on one line, without control characters, without those that turn the
/// direction of what follows, with which a name could pose as an address, and without the beginning of an encoded word
/// (RFC 2047), in which any of these could hide.
pub(super) fn header_text(text: &str) -> String {
    one_line(&text.replace(turns_direction, "")).replace("=?", "= ?")
}
