//! Which firms take an inquiry, whatever they were asked before.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;

use super::firm::Firm;
use super::postal_prefix::PostalPrefix;
use crate::inquiry::{Answers, Choice, Problem, PropertyType};

/// Sets of firms, each firm by its place in the file: an inquiry is matched with all of them at once.
pub struct Index {
    by_prefix: HashMap<PostalPrefix, FixedBitSet>,
    by_property_type: Vec<(PropertyType, FixedBitSet)>,
    by_problem: Vec<(Problem, FixedBitSet)>,
    none: FixedBitSet,
}

impl Index {
    /// Builds the index. Firms that are never asked are left out.
    pub fn new(firms: &[Firm]) -> Self {
        let none = FixedBitSet::with_capacity(firms.len());
        let all_where = |takes: &dyn Fn(&Firm) -> bool| {
            let mut set = none.clone();
            set.extend(
                places(firms)
                    .filter(|(_, firm)| takes(firm))
                    .map(|(place, _)| place),
            );
            set
        };
        let mut by_prefix = HashMap::new();
        for (place, firm) in places(firms).filter(|(_, firm)| firm.is_available()) {
            for prefix in &firm.postal_codes {
                let set: &mut FixedBitSet = by_prefix.entry(prefix.clone()).or_insert_with(|| none.clone());
                set.insert(place);
            }
        }
        let by_property_type = PropertyType::ALL
            .iter()
            .map(|&kind| (kind, all_where(&|firm| firm.takes_building(kind))));
        let by_problem = Problem::ALL
            .iter()
            .map(|&problem| (problem, all_where(&|firm| firm.takes_any(&[problem]))));
        Self {
            by_prefix,
            by_property_type: by_property_type.collect(),
            by_problem: by_problem.collect(),
            none,
        }
    }

    /// Returns the firms that take the inquiry.
    pub fn matching(&self, answers: &Answers) -> FixedBitSet {
        let mut firms = self.none.clone();
        let code = answers.postal_code.to_string();
        let prefixes = (1..=code.len()).filter_map(|length| code.get(..length));
        for set in prefixes.filter_map(|prefix| self.by_prefix.get(prefix)) {
            firms.union_with(set);
        }
        for (kind, set) in &self.by_property_type {
            if *kind == answers.property_type {
                firms.intersect_with(set);
            }
        }
        if !answers.types_of_problems.is_empty() {
            let mut solvers = self.none.clone();
            for (problem, set) in &self.by_problem {
                if answers.types_of_problems.contains(problem) {
                    solvers.union_with(set);
                }
            }
            firms.intersect_with(&solvers);
        }
        firms
    }
}

fn places(firms: &[Firm]) -> impl Iterator<Item = (usize, &Firm)> {
    firms.iter().enumerate()
}
