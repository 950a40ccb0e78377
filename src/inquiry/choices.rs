//! The lists a visitor ticks: problems and where they show (spec section 3).

use std::borrow::Cow;

use serde_json::{Value, json};

use super::answer::{Answer, Stored};

/// One option of a list: an id for requests and exports, a number for the store.
pub trait Choice: Copy + Eq + 'static {
    /// What the list is about, for the description of the API.
    const ABOUT: &'static str;

    /// Every option, in the order the questionnaire shows them.
    const ALL: &'static [Self];

    /// Returns the id used in requests and exports.
    fn id(self) -> &'static str;

    /// Returns the number it is stored as. Numbers are part of the file format: never give one a new meaning.
    fn number(self) -> u8;

    /// Returns the option with that number; `None` if there is none.
    fn from_number(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.number() == number)
    }

    /// Parses ids joined by `,` and keeps their order; the empty text is the empty list. `None` if an id is
    /// unknown or occurs twice.
    fn parse_list(text: &str) -> Option<Vec<Self>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        let mut list = Vec::with_capacity(Self::ALL.len());
        for id in text.split(',') {
            let choice = Self::ALL.iter().copied().find(|choice| choice.id() == id)?;
            if list.contains(&choice) {
                return None;
            }
            list.push(choice);
        }
        Some(list)
    }

    /// Joins the ids by `,`.
    fn join(list: &[Self]) -> String {
        let ids: Vec<&str> = list.iter().map(|choice| choice.id()).collect();
        ids.join(",")
    }
}

impl<C: Choice> Answer for Vec<C> {
    fn to_stored(&self) -> Stored<'_> {
        Stored::Choices(self.iter().map(|choice| choice.number()).collect())
    }

    fn from_stored(stored: Stored<'_>) -> Option<Self> {
        match stored {
            Stored::Choices(numbers) => numbers.iter().map(|&number| C::from_number(number)).collect(),
            _ => None,
        }
    }

    fn to_text(&self) -> Cow<'_, str> {
        C::join(self).into()
    }

    fn schema() -> Value {
        let ids: Vec<_> = C::ALL.iter().map(|choice| choice.id()).collect();
        let any = format!("(?:{})", ids.join("|"));
        let twice: Vec<_> = ids.iter().map(|id| format!("{id}.*{id}")).collect();
        json!({
            "type": "string",
            "pattern": format!("^(?:{any}(?:,{any}){{0,{}}})?$", ids.len() - 1),
            "not": { "pattern": twice.join("|") },
            "description":
                format!("{}: ids out of {}, each at most once, joined by a comma.", C::ABOUT, ids.join(", ")),
            "examples": [ids.join(",")],
        })
    }
}

/// What the pigeons do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Nisten
    Nesting,
    /// Verschmutzung durch Kot
    Droppings,
    /// Lärm
    Noise,
    /// Beschädigung des Gebäudes
    Damage,
    /// Gesundheitliche Bedenken
    Health,
    /// Sonstiges
    Other,
}

impl Choice for Problem {
    const ABOUT: &'static str = "What the pigeons do";

    const ALL: &'static [Self] = &[
        Self::Nesting,
        Self::Droppings,
        Self::Noise,
        Self::Damage,
        Self::Health,
        Self::Other,
    ];

    fn id(self) -> &'static str {
        match self {
            Self::Nesting => "nesting",
            Self::Droppings => "droppings",
            Self::Noise => "noise",
            Self::Damage => "damage",
            Self::Health => "health",
            Self::Other => "other",
        }
    }

    fn number(self) -> u8 {
        match self {
            Self::Nesting => 0,
            Self::Droppings => 1,
            Self::Noise => 2,
            Self::Damage => 3,
            Self::Health => 4,
            Self::Other => 5,
        }
    }
}

/// Where at the building the pigeons are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// Balkon
    Balcony,
    /// Dach
    Roof,
    /// Fassade
    Facade,
    /// Innenhof
    Courtyard,
    /// Garten
    Garden,
    /// Sonstiges
    Other,
}

impl Choice for Location {
    const ABOUT: &'static str = "Where at the building";

    const ALL: &'static [Self] = &[
        Self::Balcony,
        Self::Roof,
        Self::Facade,
        Self::Courtyard,
        Self::Garden,
        Self::Other,
    ];

    fn id(self) -> &'static str {
        match self {
            Self::Balcony => "balcony",
            Self::Roof => "roof",
            Self::Facade => "facade",
            Self::Courtyard => "courtyard",
            Self::Garden => "garden",
            Self::Other => "other",
        }
    }

    fn number(self) -> u8 {
        match self {
            Self::Balcony => 0,
            Self::Roof => 1,
            Self::Facade => 2,
            Self::Courtyard => 3,
            Self::Garden => 4,
            Self::Other => 5,
        }
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
}
