//! The site's advertising claims: those of `content/claims.toml` with the changes of `--site FILE`, and the rules that decide which
//! of them a site may show.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::values::Line;
use crate::base::text::counted;
use crate::domain::matching::Gap;

/// The embedded claims of the sample operator.
const SAMPLE: &str = include_str!("../../content/claims.toml");

/// The name of a claim, as in `content/claims.toml`.
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
    /// Whether the claim is a guide value: a statement of intent, which cannot be proven in advance.
    const fn is_guide(self) -> bool {
        matches!(self, Self::FirstOffers | Self::Offers)
    }
}

impl fmt::Display for ClaimName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// A claim as shown on pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The claimed value, such as `98 %`.
    pub value: Line,
    /// The evidence for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Line>,
    /// The period that the evidence covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Line>,
}

/// Claims by their names.
pub type ClaimMap = BTreeMap<ClaimName, Claim>;

/// The claims in the settings of a site, whether or not they may be shown. Claims that are switched off are absent.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "BTreeMap<ClaimName, Change>")]
pub struct Claims(ClaimMap);

/// The claims that a site may show, and the reasons for hiding the others.
#[derive(Debug, Default)]
pub struct JudgedClaims {
    /// The claims to show. Pages leave out the text around any other claim.
    pub shown: ClaimMap,
    /// The claims that are hidden or changed, each with the reason.
    pub hidden: Vec<String>,
}

/// The embedded claims of the sample operator.
impl Default for Claims {
    fn default() -> Self {
        Self(toml::from_str(SAMPLE).unwrap_or_default())
    }
}

impl TryFrom<BTreeMap<ClaimName, Change>> for Claims {
    type Error = String;

    fn try_from(changes: BTreeMap<ClaimName, Change>) -> Result<Self, String> {
        let mut claims = Self::default().0;
        for (name, change) in changes {
            match change {
                Change::Shown(true) => {}
                Change::Shown(false) => {
                    claims.remove(&name);
                }
                Change::Own(own) => {
                    if let Some(claim) = claims.get_mut(&name) {
                        claim.value = own.value.unwrap_or_else(|| claim.value.clone());
                        (claim.basis, claim.period) = (own.basis, own.period);
                    }
                }
            }
        }
        let mut guides = claims.iter().filter(|(name, _)| name.is_guide());
        if let Some((name, _)) = guides.find(|(_, claim)| hours(&claim.value).is_none()) {
            return Err(format!(
                "the value of `claims.{name}` must be a number of hours or days, such as \"24 Stunden\" or \"2 Tagen\""
            ));
        }
        Ok(Self(claims))
    }
}

impl Claims {
    /// Whether the settings of the site change or switch off this claim.
    pub fn sets(&self, name: ClaimName) -> bool {
        self.0.get(&name) != Self::default().0.get(&name)
    }

    /// Decides which claims may be shown. The claim that firms were checked is hidden while there are gaps. Other claims need
    /// `basis` and `period`, and guide values are raised to the hours that firms have to answer; `None` for the sample operator,
    /// whose claims are examples.
    pub fn judge(&self, answer_hours: Option<u16>, vetting_gaps: &[Gap]) -> JudgedClaims {
        let mut judged = JudgedClaims::default();
        for (&name, claim) in &self.0 {
            let verdict = match name {
                ClaimName::Checked if !vetting_gaps.is_empty() => {
                    Err("not each firm that is asked has a check that counts")
                }
                _ => answer_hours.map_or_else(|| Ok(claim.clone()), |hours| claim.proven(name, hours)),
            };
            match verdict {
                Ok(shown) => {
                    if shown.value != claim.value {
                        let reason = "firms may take answer_hours to answer";
                        judged
                            .hidden
                            .push(format!("{name} ({} instead: {reason})", shown.value));
                    }
                    judged.shown.insert(name, shown);
                }
                Err(reason) => judged.hidden.push(format!("{name} ({reason})")),
            }
        }
        judged
    }
}

impl Claim {
    /// The claim as an operator other than the sample's may show it, or the reason to hide it.
    fn proven(&self, name: ClaimName, answer_hours: u16) -> Result<Self, &'static str> {
        let mut claim = self.clone();
        if name.is_guide() {
            if hours(&claim.value).is_none_or(|hours| hours < u32::from(answer_hours)) {
                claim.value = Line::constant(counted(answer_hours, "Stunde", "Stunden"));
            }
            return Ok(claim);
        }
        match (&claim.basis, &claim.period) {
            (Some(_), Some(_)) => Ok(claim),
            (None, Some(_)) => Err("no `basis`"),
            (Some(_), None) => Err("no `period`"),
            (None, None) => Err("neither `basis` nor `period`"),
        }
    }
}

/// Parses a guide value such as `24 Stunden` into hours; `None` for anything else.
fn hours(value: &str) -> Option<u32> {
    let (number, unit) = value.split_once([' ', '\u{a0}'])?;
    let number: u32 = number.parse().ok().filter(|&number| number > 0)?;
    let hours = match unit {
        "Stunde" | "Stunden" => 1,
        "Tag" | "Tage" | "Tagen" | "Werktag" | "Werktage" | "Werktagen" => 24,
        "Woche" | "Wochen" => 7 * 24,
        _ => return None,
    };
    number.checked_mul(hours)
}

/// A change to a claim in the operator's settings.
#[derive(Debug)]
enum Change {
    Shown(bool),
    Own(Own),
}

/// The fields of a claim that an operator sets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    value: Option<Line>,
    basis: Option<Line>,
    period: Option<Line>,
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
        assert!(claims.values().all(|claim| claim.basis.is_none()));
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
        let basis_only = claims("[rating]\nbasis = '312 Bewertungen'\nperiod = '2026'").unwrap();
        assert_eq!(basis_only.0[&ClaimName::Rating].value.to_string(), "4,9 von 5");
    }

    fn judged(claims: &Claims, is_sample: bool, answer_hours: u16) -> JudgedClaims {
        claims.judge((!is_sample).then_some(answer_hours), &[])
    }

    #[test]
    fn under_a_real_name_only_what_is_proved_is_shown() {
        let sample = judged(&Claims::default(), true, 24);
        assert_eq!(sample.shown.len(), 12);
        assert!(sample.hidden.is_empty(), "{:?}", sample.hidden);
        assert_eq!(&*sample.shown[&ClaimName::FirstOffers].value, "6 Stunden");
        let own = claims(
            "[rating]\nbasis = '312 Bewertungen'\nperiod = '2026'\n[satisfied]\nbasis = 'Umfrage'\n\
             [projects]\nperiod = '2026'",
        );
        let own = judged(&own.unwrap(), false, 24);
        let shown: Vec<_> = own.shown.keys().map(ToString::to_string).collect();
        assert_eq!(shown, ["rating", "first_offers", "offers"]);
        let hidden = own.hidden.join(", ");
        for part in [
            "satisfied (no `period`)",
            "projects (no `basis`)",
            "checked (neither `basis` nor `period`)",
            "first_offers (24 Stunden instead",
        ] {
            assert!(hidden.contains(part), "{hidden}");
        }
    }

    #[test]
    fn guide_values_promise_no_less_than_firms_may_take() {
        let own = claims("[offers]\nvalue = '2 Tagen'\n[first_offers]\nvalue = '1 Stunde'").unwrap();
        for (answer_hours, first, all) in [
            (1, "1 Stunde", "2 Tagen"),
            (24, "24 Stunden", "2 Tagen"),
            (48, "48 Stunden", "2 Tagen"),
            (49, "49 Stunden", "49 Stunden"),
        ] {
            let shown = judged(&own, false, answer_hours).shown;
            assert_eq!(&*shown[&ClaimName::FirstOffers].value, first);
            assert_eq!(&*shown[&ClaimName::Offers].value, all);
        }
        for value in [
            "bald",
            "24",
            "0 Stunden",
            "-1 Stunden",
            "24 Minuten",
            "99999999999 Stunden",
        ] {
            let error = claims(&format!("[offers]\nvalue = '{value}'")).unwrap_err();
            assert!(error.contains("the value of `claims.offers` must be"), "{error}");
        }
    }

    #[test]
    fn no_claim_says_that_firms_were_checked_unless_they_were() {
        let own = claims("[checked]\nbasis = 'Liste'\nperiod = '2026'").unwrap();
        for is_sample in [true, false] {
            assert!(
                judged(&own, is_sample, 24)
                    .shown
                    .contains_key(&ClaimName::Checked)
            );
            let judged = own.judge((!is_sample).then_some(24), &[Gap::NoFirm]);
            assert!(!judged.shown.contains_key(&ClaimName::Checked));
            assert!(
                judged.hidden[0].starts_with("checked (not each firm"),
                "{:?}",
                judged.hidden
            );
        }
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
