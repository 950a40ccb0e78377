//! What a check of every record has found.

use serde::{Deserialize, Serialize};

/// Damaged records that are named; more are only counted, so that a broken disk does not fill the memory.
const NAMED: usize = 1000;

/// What a check has found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// The records of each table that could be read.
    pub tables: Vec<(String, u64)>,
    /// What is damaged, one line each; the first thousand.
    pub damaged: Vec<String>,
    /// How many are damaged.
    pub count: u64,
}

impl Findings {
    /// Notes something that is damaged.
    pub fn note(&mut self, line: impl FnOnce() -> String) {
        self.count += 1;
        if self.damaged.len() < NAMED {
            self.damaged.push(crate::base::text::one_line::one_line(&line()));
        }
    }

    /// Returns how many records a table has that could be read.
    pub fn records(&self, table: &str) -> u64 {
        let found = self.tables.iter().find(|(name, _)| name == table);
        found.map_or(0, |(_, count)| *count)
    }

    /// Returns the number of inquiries that could be read.
    pub fn inquiries(&self) -> u64 {
        self.records("inquiries")
    }
}
