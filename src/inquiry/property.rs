//! What a visitor chooses as the building: an option of the questionnaire, or a type alone.

use super::property_type::PropertyType;

/// A choice of building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// Its value in forms and links.
    pub id: &'static str,
    /// The type, which is part of the record.
    pub kind: PropertyType,
    /// Its German name.
    pub name: &'static str,
    /// Whether it says more than its type; what it says then is part of the additions.
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

    /// Returns whether it is one that the questionnaire shows.
    pub fn is_option(&self) -> bool {
        OPTIONS.contains(self)
    }
}
