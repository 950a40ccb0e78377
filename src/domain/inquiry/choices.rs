//! The options that a visitor can choose from: kinds of buildings, problems, and their locations.

use std::borrow::Cow;

use minicbor::encode::{self, Write};
use minicbor::{Decoder, Encoder};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::answer::Answer;

/// An option of a list, with an id for requests and exports and a number for the store.
pub trait Choice: Copy + Eq + VariantArray + Into<&'static str> {
    /// All options, in the order of the questionnaire.
    const ALL: &'static [Self] = Self::VARIANTS;

    /// The id used in requests and exports.
    fn id(self) -> &'static str {
        self.into()
    }

    /// The German name.
    fn label(self) -> &'static str;

    /// The stored number. Numbers are part of the file format: never change their meaning.
    fn number(self) -> u8;

    /// The option with this number; `None` if it does not exist.
    fn from_number(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.number() == number)
    }

    /// The option with exactly this id; `None` if it does not exist.
    fn find(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.id() == id)
    }

    /// Parses ids separated by `,` and keeps their order; the empty text is the empty list. `None` if an id is unknown or repeated.
    fn parse_list(text: &str) -> Option<Vec<Self>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        let mut list = Vec::with_capacity(Self::ALL.len());
        for id in text.split(',') {
            let choice = Self::find(id)?;
            if list.contains(&choice) {
                return None;
            }
            list.push(choice);
        }
        Some(list)
    }

    /// Joins the ids with `,`.
    fn join(list: &[Self]) -> String {
        let ids: Vec<&str> = list.iter().map(|choice| choice.id()).collect();
        ids.join(",")
    }
}

impl<C: Choice> Answer for Vec<C> {
    fn encode<W: Write>(&self, encoder: &mut Encoder<W>) -> Result<(), encode::Error<W::Error>> {
        encoder.bytes(&self.to_bytes())?;
        Ok(())
    }

    fn decode(decoder: &mut Decoder<'_>) -> Option<Self> {
        let numbers = decoder.bytes().ok()?.iter();
        numbers.map(|&number| C::from_number(number)).collect()
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.iter().map(|choice| choice.number()).collect()
    }

    fn to_text(&self) -> Cow<'_, str> {
        C::join(self).into()
    }

    fn hint() -> Option<String> {
        let ids = C::join(C::ALL).replace(',', ", ");
        Some(format!("holds {ids}, each at most once, joined by a comma"))
    }
}

impl Answer for PropertyType {
    fn encode<W: Write>(&self, encoder: &mut Encoder<W>) -> Result<(), encode::Error<W::Error>> {
        encoder.u8(self.number())?;
        Ok(())
    }

    fn decode(decoder: &mut Decoder<'_>) -> Option<Self> {
        Self::from_number(decoder.u8().ok()?)
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        vec![self.number()].into()
    }

    fn to_text(&self) -> Cow<'_, str> {
        self.id().into()
    }

    fn hint() -> Option<String> {
        let ids = Self::join(Self::ALL);
        let (most, last) = ids.rsplit_once(',')?;
        Some(format!("is {} or {last}", most.replace(',', ", ")))
    }
}

/// The German names for a comma-separated list of ids of any kind: `Nisten, Lärm` for `nesting,noise`.
pub fn labels(ids: &str) -> String {
    fn label<C: Choice>(id: &str) -> Option<&'static str> {
        C::find(id).map(C::label)
    }
    let labels = ids.split(',').map(str::trim).map(|id| {
        let found = label::<Problem>(id).or_else(|| label::<Location>(id));
        found.or_else(|| label::<PropertyType>(id)).unwrap_or(id)
    });
    labels.collect::<Vec<_>>().join(", ")
}

/// Defines an enum of options.
macro_rules! choice {
    ($choice:ident $about:literal $($(#[$doc:meta])* $variant:ident = $number:literal $id:literal $label:literal,)*) => {
        #[doc = concat!($about, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
        pub enum $choice {
            $($(#[$doc])* #[strum(serialize = $id)] $variant = $number,)*
        }

        impl Choice for $choice {
            fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => $label,)*
                }
            }

            fn number(self) -> u8 {
                self as u8
            }
        }
    };
}

// `generate.rs` generates this from `content/inquiry.toml`: the options, the limits, the messages, and what links preselect.
include!(concat!(env!("OUT_DIR"), "/inquiry.rs"));

/// A kind of building as offered by the questionnaire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// The value in forms and links.
    pub id: &'static str,
    /// The property type stored in the record.
    pub kind: PropertyType,
    /// The German name.
    pub name: &'static str,
    /// Whether it is more specific than its type; the name is then part of the additions.
    pub has_subtype: bool,
}

impl Property {
    /// The choice with exactly this id.
    pub fn find(id: &str) -> Option<&'static Self> {
        OPTIONS.iter().chain(BARE).find(|property| property.id == id)
    }

    /// The choice for the type alone, or the only option of a type without subtypes.
    pub fn of_kind(kind: PropertyType) -> Option<&'static Self> {
        Self::find(kind.id())
    }

    /// The options shown by the questionnaire.
    pub fn options() -> &'static [Self] {
        OPTIONS
    }

    /// Whether the questionnaire shows this choice.
    pub fn is_option(&self) -> bool {
        OPTIONS.contains(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_order() {
        let list = Problem::parse_list("other,nesting,health").unwrap();
        assert_eq!(list, [Problem::Other, Problem::Nesting, Problem::Health]);
        assert_eq!(Problem::join(&list), "other,nesting,health");
        assert_eq!(Location::parse_list(""), Some(vec![]));
        assert_eq!(Location::join(&[]), "");
    }

    #[test]
    fn unknown_repeated_and_oddly_joined_ids_are_refused() {
        for wrong in [
            ",",
            "noise,",
            ",noise",
            "noise,,health",
            "noise, health",
            " noise",
            "Noise",
            "noise;health",
            "pigeons",
            "noise,noise",
            "roof",
        ] {
            assert_eq!(Problem::parse_list(wrong), None, "{wrong:?}");
        }
        assert_eq!(Location::parse_list("roof,balcony,roof"), None);
    }

    #[test]
    fn numbers_lead_back_to_what_they_came_from() {
        for &problem in Problem::ALL {
            assert_eq!(Problem::from_number(problem.number()), Some(problem));
        }
        for &location in Location::ALL {
            assert_eq!(Location::from_number(location.number()), Some(location));
        }
        assert_eq!(Problem::from_number(6), None);
        assert_eq!(Location::from_number(6), None);
    }

    #[test]
    fn numbers_are_those_of_the_files_in_use() {
        let problems = ["nesting", "droppings", "noise", "damage", "health", "other"];
        let locations = ["balcony", "roof", "facade", "courtyard", "garden", "other"];
        for (number, (problem, location)) in (0..).zip(problems.into_iter().zip(locations)) {
            assert_eq!(Problem::from_number(number).map(Choice::id), Some(problem));
            assert_eq!(Location::from_number(number).map(Choice::id), Some(location));
        }
    }

    #[test]
    fn ids_are_read_as_german_names() {
        assert_eq!(labels("nesting,noise"), "Nisten, Lärm");
        assert_eq!(
            [labels("roof"), labels("industrial"), labels("x")],
            ["Dach", "Industrie", "x"]
        );
    }

    #[test]
    fn numbers_of_buildings_lead_back_to_what_they_came_from() {
        for &kind in PropertyType::ALL {
            assert_eq!(PropertyType::from_number(kind.number()), Some(kind));
            assert_eq!(PropertyType::find(kind.id()), Some(kind));
        }
        // The numbers used in existing files.
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
