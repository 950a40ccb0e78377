//! The building: its type, which is part of the record, and what the questionnaire offers, which may say more than the type.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Answer, Stored};

/// Defines the kinds of building.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $number:literal $id:literal,)*) => {
        /// The kind of building.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum PropertyType {
            $($(#[$doc])* $kind,)*
        }

        impl PropertyType {
            /// Every kind.
            pub const ALL: [Self; [$($number),*].len()] = [$(Self::$kind,)*];

            /// Returns the id used in requests and exports.
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$kind => $id,)*
                }
            }

            /// Returns the number it is stored as. Numbers are part of the file format: never give one a new meaning.
            pub fn number(self) -> u8 {
                match self {
                    $(Self::$kind => $number,)*
                }
            }
        }
    };
}

// The kinds of `content/inquiry.toml`.
include!(concat!(env!("OUT_DIR"), "/ui/generated/inquiry/property-type.rs"));

impl PropertyType {
    /// Parses the exact id.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == text)
    }

    /// Returns the kind with that number; `None` if there is none.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }
}

impl Answer for PropertyType {
    fn to_stored(&self) -> Stored<'_> {
        Stored::Choice(self.number())
    }

    fn from_stored(stored: Stored<'_>) -> Option<Self> {
        match stored {
            Stored::Choice(number) => Self::from_number(number),
            Stored::Number(number) => Self::from_number(u8::try_from(number).ok()?),
            _ => None,
        }
    }

    fn to_text(&self) -> Cow<'_, str> {
        self.id().into()
    }

    fn schema() -> Value {
        json!({ "type": "string", "enum": Self::ALL.map(Self::id) })
    }
}

/// A choice of building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// Its value in forms and links.
    pub id: &'static str,
    /// The type, which is part of the record.
    pub kind: PropertyType,
    /// Its German name.
    pub name: &'static str,
    /// Whether it says more than its type; that is then part of the additions.
    pub has_subtype: bool,
}

// `OPTIONS` and `BARE`, from `content/inquiry.toml`.
include!(concat!(env!("OUT_DIR"), "/ui/generated/inquiry/property.rs"));

impl Property {
    /// Returns the choice with this exact id.
    pub fn find(id: &str) -> Option<&'static Self> {
        OPTIONS.iter().chain(BARE).find(|property| property.id == id)
    }

    /// Returns the type alone, or the only option of a type without subtypes.
    pub fn of_kind(kind: PropertyType) -> Option<&'static Self> {
        Self::find(kind.id())
    }

    /// Returns the options that the questionnaire shows.
    pub fn options() -> &'static [Self] {
        OPTIONS
    }

    /// Whether the questionnaire shows it.
    pub fn is_option(&self) -> bool {
        OPTIONS.contains(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_what_they_came_from() {
        for kind in PropertyType::ALL {
            assert_eq!(PropertyType::from_number(kind.number()), Some(kind));
            assert_eq!(PropertyType::parse(kind.id()), Some(kind));
        }
        // Those of the files in use.
        let ids = [0, 1, 2].map(|number| PropertyType::from_number(number).map(PropertyType::id));
        assert_eq!(ids, [Some("residential"), Some("commercial"), Some("industrial")]);
        assert_eq!(PropertyType::from_number(3), None);
    }

    #[test]
    fn property_type_is_the_exact_id() {
        for wrong in [
            "",
            "Residential",
            " residential",
            "residential-house",
            "other",
            "multi",
        ] {
            assert_eq!(PropertyType::parse(wrong), None, "{wrong:?}");
        }
    }
}
