//! Postal codes of Hamburg and its surroundings.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::text::trim;

/// A postal code of Hamburg and its surroundings, 20000 to 22999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostalCode(u16);

/// The centres and names of places; only the names are used here.
#[derive(Default, Deserialize)]
struct Places {
    names: BTreeMap<String, String>,
}

static PLACES: LazyLock<Places> = LazyLock::new(|| {
    let json = include_str!(concat!(env!("OUT_DIR"), "/ui/generated/postal-codes.json"));
    serde_json::from_str(json).unwrap_or_default()
});

impl PostalCode {
    /// Parses trimmed text; `None` if it is not a postal code of the area.
    pub fn parse(text: &str) -> Option<Self> {
        u16::try_from(five_digits(text)?).ok().and_then(Self::from_number)
    }

    /// Whether the trimmed text has five digits but is not a postal code of the area.
    pub(super) fn is_elsewhere(text: &str) -> bool {
        five_digits(text).is_some() && Self::parse(text).is_none()
    }

    /// The code with the name of its place, such as "22763 Hamburg-Ottensen". Some codes belong to no place.
    pub fn with_place(self) -> String {
        let code = self.to_string();
        match PLACES.names.get(&code) {
            Some(name) => format!("{code} {name}"),
            None => code,
        }
    }

    /// The code as a number. All codes of the area have five digits and no leading zero.
    pub fn number(self) -> u16 {
        self.0
    }

    /// The code with this number; `None` if it does not exist.
    pub fn from_number(number: u16) -> Option<Self> {
        (20_000..=22_999).contains(&number).then_some(Self(number))
    }
}

fn five_digits(text: &str) -> Option<u32> {
    let text = trim(text);
    let is_number = text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

impl Answer for PostalCode {
    fn encode<W: Write>(&self, encoder: &mut Encoder<W>) -> Result<(), encode::Error<W::Error>> {
        encoder.u16(self.0)?;
        Ok(())
    }

    fn decode(decoder: &mut Decoder<'_>) -> Option<Self> {
        Self::from_number(decoder.u16().ok()?)
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.0.to_be_bytes().to_vec().into()
    }

    fn to_text(&self) -> Cow<'_, str> {
        self.to_string().into()
    }
}

impl fmt::Display for PostalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_what_they_came_from() {
        for number in 20_000..=22_999 {
            let code = PostalCode::from_number(number).unwrap();
            assert_eq!(PostalCode::parse(&code.to_string()), Some(code));
            assert_eq!(code.number(), number);
        }
        assert_eq!(PostalCode::from_number(19_999), None);
        assert_eq!(PostalCode::from_number(23_000), None);
    }

    #[test]
    fn a_place_is_named_where_its_code_is_known() {
        let name = |code| PostalCode::parse(code).unwrap().with_place();
        assert_eq!(name("22763"), "22763 Hamburg-Ottensen");
        assert_eq!(name("21465"), "21465 Reinbek, Wentorf bei Hamburg");
        assert_eq!(name("20000"), "20000");
    }
}
