//! The German names of what a visitor can choose, which the build takes from the questionnaire's own list, and of places.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::choices::{Choice, Location, Problem, PropertyType};
use super::postal_code::PostalCode;

/// What the build writes.
const NAMES: &str = include_str!(concat!(env!("OUT_DIR"), "/site/private/labels.json"));

/// German names by the ids of options, and by postal codes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    problems: BTreeMap<String, String>,
    locations: BTreeMap<String, String>,
    buildings: BTreeMap<String, String>,
    places: BTreeMap<String, String>,
}

impl Labels {
    /// Reads the embedded list.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn embedded() -> Result<Self, serde_json::Error> {
        serde_json::from_str(NAMES)
    }

    /// Returns the names of options by their ids, which commas separate: `Nisten, Lärm` for `nesting,noise`.
    pub fn all(&self, ids: &str) -> String {
        let lists = [&self.problems, &self.locations, &self.buildings];
        let names = ids.split(',').map(|id| {
            let name = lists.iter().find_map(|list| list.get(id.trim()));
            name.map_or(id, String::as_str)
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// Returns the name of a problem.
    pub fn problem(&self, problem: Problem) -> &str {
        find(&self.problems, problem.id())
    }

    /// Returns the name of a place at the building.
    pub fn location(&self, location: Location) -> &str {
        find(&self.locations, location.id())
    }

    /// Returns the name of a kind of building.
    pub fn building(&self, kind: PropertyType) -> &str {
        find(&self.buildings, kind.id())
    }

    /// Returns a postal code with the name of its place, such as "22763 Hamburg-Ottensen". Some codes belong to no place.
    pub fn place(&self, code: PostalCode) -> String {
        let code = code.to_string();
        match self.places.get(&code) {
            Some(name) => format!("{code} {name}"),
            None => code,
        }
    }
}

/// Returns a name; the id where there is none, which a test rules out.
fn find<'a>(names: &'a BTreeMap<String, String>, id: &'a str) -> &'a str {
    names.get(id).map_or(id, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_where_its_code_is_known() {
        let labels = Labels::embedded().unwrap();
        let name = |code| labels.place(PostalCode::parse(code).unwrap());
        assert_eq!(name("22763"), "22763 Hamburg-Ottensen");
        assert_eq!(name("21465"), "21465 Reinbek, Wentorf bei Hamburg");
        assert_eq!(name("20000"), "20000");
    }

    #[test]
    fn every_option_has_a_german_name() {
        let labels = Labels::embedded().unwrap();
        for &problem in Problem::ALL {
            assert_ne!(labels.problem(problem), problem.id());
        }
        for &location in Location::ALL {
            assert_ne!(labels.location(location), location.id());
        }
        for &kind in PropertyType::ALL {
            assert_ne!(labels.building(kind), kind.id());
        }
        assert_eq!(labels.problem(Problem::Noise), "Lärm");
    }
}
