//! The buildings that the questionnaire offers, which may say more than the type that is part of the record.

use super::choices::{Choice, PropertyType};

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
        for &kind in PropertyType::ALL {
            assert_eq!(PropertyType::from_number(kind.number()), Some(kind));
            assert_eq!(PropertyType::find(kind.id()), Some(kind));
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
            assert_eq!(PropertyType::find(wrong), None, "{wrong:?}");
        }
    }
}
