//! What the site claims in its advertising: the claims of `content/claims.toml`, as `--site FILE` changes them.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::values::Line;

/// The embedded claims, which are the sample operator's.
const SAMPLE: &str = include_str!("../../content/claims.toml");

/// The name of a claim, as `content/claims.toml` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the tables of content/claims.toml, explained there")]
pub enum ClaimName {
    Checked,
    Welfare,
    Experience,
    ExperienceServices,
    Customers,
    Projects,
    Satisfied,
    Rating,
    RatingFirms,
    Success,
    FirstOffers,
    Offers,
}

impl ClaimName {
    /// Whether the claim says what the site intends to do, which cannot be proved beforehand.
    const fn is_intent(self) -> bool {
        matches!(self, Self::FirstOffers | Self::Offers)
    }
}

impl fmt::Display for ClaimName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// A claim as pages show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What is claimed, such as `98 %`.
    pub value: Line,
    /// What proves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Line>,
    /// The time that the proof covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Line>,
}

/// The claims of a site. One that is switched off is absent, and pages leave out the text that makes it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "BTreeMap<ClaimName, Change>")]
pub struct Claims(BTreeMap<ClaimName, Claim>);

/// The embedded claims.
impl Default for Claims {
    fn default() -> Self {
        Self(toml::from_str(SAMPLE).unwrap_or_default())
    }
}

impl From<BTreeMap<ClaimName, Change>> for Claims {
    fn from(changes: BTreeMap<ClaimName, Change>) -> Self {
        let mut claims = Self::default().0;
        for (name, change) in changes {
            match change {
                Change::Shown(true) => {}
                Change::Shown(false) => {
                    claims.remove(&name);
                }
                Change::Own(own) => {
                    if let Some(claim) = claims.get_mut(&name) {
                        own.apply(claim);
                    }
                }
            }
        }
        Self(claims)
    }
}

impl Claims {
    /// Returns the names of the claims that are shown without a proof.
    pub fn without_basis(&self) -> Vec<String> {
        let unproven = self
            .0
            .iter()
            .filter(|(name, claim)| claim.basis.is_none() && !name.is_intent());
        unproven.map(|(name, _)| name.to_string()).collect()
    }
}

/// What an operator's settings say of a claim.
#[derive(Debug)]
enum Change {
    Shown(bool),
    Own(Own),
}

/// The parts of a claim that an operator replaces.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    value: Option<Line>,
    basis: Option<Line>,
    period: Option<Line>,
}

impl Own {
    fn apply(self, claim: &mut Claim) {
        if let Some(value) = self.value {
            claim.value = value;
        }
        claim.basis = self.basis;
        claim.period = self.period;
    }
}

impl<'de> Deserialize<'de> for Change {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ChangeVisitor)
    }
}

struct ChangeVisitor;

impl<'de> Visitor<'de> for ChangeVisitor {
    type Value = Change;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("false, true, or a table with value, basis and period")
    }

    fn visit_bool<E: de::Error>(self, is_shown: bool) -> Result<Change, E> {
        Ok(Change::Shown(is_shown))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Change, A::Error> {
        Own::deserialize(MapAccessDeserializer::new(map)).map(Change::Own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(text: &str) -> Result<Claims, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn the_embedded_claims_are_complete_and_without_proof() {
        let claims = toml::from_str::<BTreeMap<ClaimName, Claim>>(SAMPLE).unwrap();
        assert_eq!(claims.len(), 12);
        let unproven = Claims(claims).without_basis();
        assert_eq!(unproven.len(), 10);
        assert!(unproven.contains(&"rating_firms".to_owned()));
    }

    #[test]
    fn an_operator_replaces_or_switches_off_each() {
        let own =
            claims("projects = false\ncustomers = true\n[satisfied]\nvalue = '96 %'\nbasis = 'Umfrage'")
                .unwrap();
        assert_eq!(own.0.len(), 11);
        assert!(!own.0.contains_key(&ClaimName::Projects));
        let satisfied = &own.0[&ClaimName::Satisfied];
        assert_eq!(&*satisfied.value, "96 %");
        assert_eq!(own.without_basis().len(), 8);
        let basis_only = claims("[rating]\nbasis = '312 Bewertungen'\nperiod = '2026'").unwrap();
        assert_eq!(basis_only.0[&ClaimName::Rating].value.to_string(), "4,9 von 5");
    }

    #[test]
    fn what_is_no_claim_is_refused() {
        for (text, expected) in [
            (
                "awards = false",
                "unknown variant `awards`, expected one of `checked`",
            ),
            ("projects = 'many'", "expected false, true, or a table"),
            (
                "[projects]\nproof = 'x'",
                "unknown field `proof`, expected one of `value`",
            ),
            ("[projects]\nvalue = ''", ""),
        ] {
            let error = claims(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
