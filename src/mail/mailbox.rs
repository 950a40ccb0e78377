//! Who a mail is from and to.

use std::str::FromStr;

use crate::one_line::one_line;

/// An address that can stand in an envelope and in a header: checked, without control characters, its domain in ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(lettre::Address);

/// An address and the name that people read beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// Without control characters; `None` if nothing would be left.
    name: Option<String>,
    address: Address,
}

/// Why no mail can be sent to an address. The address itself is not repeated, since it may be a visitor's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongAddress {
    /// Not `name@host`, or with characters that no address has.
    #[error("must be an e-mail address, such as \"Taubenabwehr <anfrage@example.de>\"")]
    Malformed,
    /// The domain has letters that no domain may have.
    #[error("the domain of the e-mail address cannot exist")]
    Domain,
}

impl Address {
    /// Parses `name@host`. A host with umlauts becomes what the domain name system knows it by.
    ///
    /// # Errors
    /// When no mail server could take it.
    pub fn parse(text: &str) -> Result<Self, WrongAddress> {
        let text = text.trim();
        if text.chars().any(char::is_control) {
            return Err(WrongAddress::Malformed);
        }
        let (user, domain) = text.rsplit_once('@').ok_or(WrongAddress::Malformed)?;
        let domain = if domain.is_ascii() {
            domain.to_owned()
        } else {
            idna::domain_to_ascii(domain).map_err(|_| WrongAddress::Domain)?
        };
        lettre::Address::new(user, domain)
            .map(Self)
            .map_err(|_| WrongAddress::Malformed)
    }

    /// Returns whether every server can take it, not only those that know `SMTPUTF8`.
    pub fn is_ascii(&self) -> bool {
        self.0.user().is_ascii()
    }

    pub(super) fn to_lettre(&self) -> lettre::Address {
        self.0.clone()
    }
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
        if text.chars().any(char::is_control) {
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

/// Returns a text that can stand in a header: on one line, without control characters, without those that turn the
/// direction of what follows, with which a name could dress up as an address, and without the beginning of an encoded word
/// (RFC 2047), in which any of these could hide.
pub(super) fn header_text(text: &str) -> String {
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    one_line(&text.replace(turns, "")).replace("=?", "= ?")
}
