//! Answers preselected by a link to the questionnaire. The page is served with them.

use super::choices::{Location, PROBLEMS, Property, TYPES};

/// The preselected answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Preselection {
    /// The building.
    pub property: Option<&'static Property>,
    /// The location at the building.
    pub location: Option<Location>,
}

impl Preselection {
    /// Parses the query of an address. Unknown values are ignored.
    pub fn read(query: &str) -> Self {
        let value = |name: &str| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            pairs.find(|(key, _)| key == name).map(|(_, value)| value)
        };
        let problem = value("problem").unwrap_or_default();
        let problem = PROBLEMS.iter().find(|(name, ..)| *name == problem);
        let property = value("propertyType").and_then(|id| property(&id));
        Self {
            property: property.or_else(|| Property::of_kind(problem?.1?)),
            location: problem.and_then(|(_, _, location)| *location),
        }
    }

    /// Whether nothing is preselected.
    pub fn is_empty(&self) -> bool {
        self.property.is_none() && self.location.is_none()
    }

    /// All possible preselections.
    pub fn all() -> impl Iterator<Item = Self> {
        let named = TYPES.iter().map(|&(_, kind)| Some(kind));
        let kinds = named.chain(PROBLEMS.iter().map(|&(_, kind, _)| kind)).flatten();
        let mut properties: Vec<_> = Property::options().iter().map(Some).chain([None]).collect();
        for bare in kinds.map(Property::of_kind) {
            if !properties.contains(&bare) {
                properties.push(bare);
            }
        }
        let locations = PROBLEMS.iter().filter_map(|&(_, _, location)| location);
        let locations: Vec<_> = locations.map(Some).chain([None]).collect();
        let pairs = properties.into_iter().flat_map(move |property| {
            let with = move |location| Self { property, location };
            locations.clone().into_iter().map(with)
        });
        pairs.filter(|preselection| !preselection.is_empty())
    }
}

fn property(value: &str) -> Option<&'static Property> {
    let option = Property::options().iter().find(|option| option.id == value);
    option.or_else(|| {
        let (_, kind) = TYPES.iter().find(|(name, _)| *name == value)?;
        Property::of_kind(*kind)
    })
}
