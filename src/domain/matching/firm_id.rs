//! A firm's permanent id.

use std::fmt;
use std::sync::Arc;

use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder, decode};
use serde::{Deserialize, Serialize};

/// The id of a firm: lower-case letters, digits and hyphens. It stays when the firm's name changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FirmId(Arc<str>);

/// The longest id, in bytes: each inquiry keeps those of the firms that were asked.
const MAX_LENGTH: usize = 64;

/// Why a text is not an id of a firm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 lower-case letters, digits and hyphens, such as \"nordnetz\"")]
pub struct NotAFirmId;

impl FirmId {
    /// Parses an id.
    ///
    /// # Errors
    /// When it is empty, too long, or has other characters.
    pub fn parse(text: &str) -> Result<Self, NotAFirmId> {
        let is_valid = !text.is_empty()
            && text.len() <= MAX_LENGTH
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if is_valid {
            Ok(Self(text.into()))
        } else {
            Err(NotAFirmId)
        }
    }

    /// Returns its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for FirmId {
    type Error = NotAFirmId;

    fn try_from(text: String) -> Result<Self, NotAFirmId> {
        Self::parse(&text)
    }
}

impl From<FirmId> for String {
    fn from(id: FirmId) -> Self {
        id.as_str().to_owned()
    }
}

impl fmt::Display for FirmId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<C> minicbor::Encode<C> for FirmId {
    fn encode<W: Write>(&self, encoder: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
        encoder.str(self.as_str())?;
        Ok(())
    }
}

impl<'b, C> minicbor::Decode<'b, C> for FirmId {
    fn decode(decoder: &mut Decoder<'b>, _: &mut C) -> Result<Self, decode::Error> {
        Self::parse(decoder.str()?).map_err(|_| decode::Error::message("not the id of a firm"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain() {
        for id in ["a", "nordnetz", "firma-24", "0"] {
            assert_eq!(FirmId::parse(id).unwrap().as_str(), id);
        }
        for wrong in ["", "Nordnetz", "nord netz", "nörd", "a_b", "a.b", &"a".repeat(65)] {
            assert_eq!(FirmId::parse(wrong), Err(NotAFirmId), "{wrong}");
        }
    }
}
