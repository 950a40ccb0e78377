//! A firm that takes inquiries.

use super::check::Check;
use super::firm_id::FirmId;
use super::postal_prefix::PostalPrefix;
use crate::domain::commission::Terms;
use crate::domain::inquiry::{Answers, PostalCode, Problem, PropertyType};

/// A firm as the configuration file has it, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Firm {
    /// Unique, stays when the name changes.
    pub id: FirmId,
    /// Shown to visitors.
    pub name: String,
    /// Where inquiries are sent.
    pub email: String,
    /// Shown to the visitor once the firm has accepted.
    pub phone: Option<String>,
    /// Shown to the visitor once the firm has accepted, too.
    pub website: Option<String>,
    /// Where it works.
    pub postal_codes: Vec<PostalPrefix>,
    /// The types of buildings that it takes; `None` for all.
    pub property_types: Option<Vec<PropertyType>>,
    /// The problems that it takes; `None` for all.
    pub problems: Option<Vec<Problem>>,
    /// How often it is asked within seven days, at most; `None` for no limit.
    pub per_week: Option<u32>,
    /// Whether the file keeps it from being asked. The store knows of pauses by the operator.
    pub paused: bool,
    /// What it pays for inquiries that it accepts; `None` where the configuration says nothing of it.
    pub commission: Option<Terms>,
    /// What somebody has checked of it.
    pub checked: Option<Check>,
}

impl Firm {
    /// Finds the firm with an id; `None` if it is not among these.
    pub fn find<'a>(firms: &'a [Self], id: &FirmId) -> Option<&'a Self> {
        firms.iter().find(|firm| firm.id == *id)
    }

    /// Whether it takes an inquiry, regardless of earlier requests.
    pub fn takes(&self, answers: &Answers) -> bool {
        self.why_not(answers).is_none()
    }

    /// Returns why it does not take an inquiry, whatever it was asked before; `None` if it does.
    pub fn why_not(&self, answers: &Answers) -> Option<&'static str> {
        if self.paused || self.per_week == Some(0) {
            Some("paused")
        } else if !self.works_at(answers.postal_code) {
            Some("works elsewhere")
        } else if !self.takes_building(answers.property_type) {
            Some("takes other buildings")
        } else if !self.takes_any(&answers.types_of_problems) {
            Some("takes other problems")
        } else {
            None
        }
    }

    fn works_at(&self, code: PostalCode) -> bool {
        self.postal_codes.iter().any(|prefix| prefix.begins(code))
    }

    fn takes_building(&self, property_type: PropertyType) -> bool {
        let types = self.property_types.as_ref();
        types.is_none_or(|types| types.contains(&property_type))
    }

    /// Whether it takes one of the problems, or none was chosen.
    fn takes_any(&self, chosen: &[Problem]) -> bool {
        let Some(problems) = &self.problems else {
            return true;
        };
        chosen.is_empty() || chosen.iter().any(|problem| problems.contains(problem))
    }
}
