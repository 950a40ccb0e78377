//! Senders and recipients of mails.

use std::str::FromStr;

use crate::base::text::mail_address::{Address, WrongAddress};
use crate::base::text::one_line::{is_unprintable, one_line, turns_direction};

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

impl FromStr for Mailbox {
    type Err = WrongAddress;

    /// Parses `name@host` or `Name <name@host>`, the name with or without quotation marks.
    fn from_str(text: &str) -> Result<Self, WrongAddress> {
        if text.chars().any(is_unprintable) {
            return Err(WrongAddress::Malformed);
        }
        let text = text.trim();
        let Some(rest) = text.strip_suffix('>') else {
            return Address::parse(text).map(Self::from);
        };
        let (name, address) = rest.rsplit_once('<').ok_or(WrongAddress::Malformed)?;
        let name = name.trim();
        let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
        Ok(Self::new(Some(quoted.unwrap_or(name)), Address::parse(address)?))
    }
}

/// Returns a text that is safe in a header: on one line, without control characters, without those that turn the
/// direction of what follows, with which a name could pose as an address, and without the beginning of an encoded word
/// (RFC 2047), in which any of these could hide.
pub(super) fn header_text(text: &str) -> String {
    one_line(&text.replace(turns_direction, "")).replace("=?", "= ?")
}
