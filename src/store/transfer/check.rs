//! Reads every record and reports damaged ones.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::row::{RowTally, TableRow, copied_kinds};
use crate::base::text::mail_address::one_line;
use crate::store::location::{Location, whole};
use crate::store::map::{EngineError, EntryKind, Key, Span, View, scan};
use crate::store::{OpenError, reads};

/// How many damaged records are listed; further ones are only counted, so that a broken disk cannot exhaust memory.
const NAMED: usize = 1000;

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Number of readable records in each table.
    pub tables: Vec<(String, u64)>,
    /// The first thousand damaged records, one line each.
    pub damaged: Vec<String>,
    /// Number of damaged records.
    pub count: u64,
}

impl Location {
    /// Checks a store that no server has open, without changing it. Blocking.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn check(&self) -> Result<Findings, OpenError> {
        let engine = self.engine()?;
        let checked = whole(&*engine).and_then(|view| {
            let mut findings = check(&*view);
            drop(view);
            if !engine.is_intact()? {
                findings.note("pages of the file", &"their checksums are wrong");
            }
            Ok(findings)
        });
        checked.map_err(|error| self.unusable(error))
    }
}

impl Findings {
    /// Adds a damaged record.
    pub fn note(&mut self, what: &str, reason: &dyn Display) {
        self.count += 1;
        if self.damaged.len() < NAMED {
            let line = format!("{what}: {reason}");
            self.damaged.push(one_line(&line));
        }
    }

    /// Number of readable records in a table.
    pub fn records(&self, table: &str) -> u64 {
        let found = self.tables.iter().find(|(name, _)| name == table);
        found.map_or(0, |(_, count)| *count)
    }

    /// Number of readable inquiries.
    pub fn inquiries(&self) -> u64 {
        self.records("inquiries")
    }
}

/// A check in progress.
#[derive(Default)]
pub struct RowCheck {
    findings: Findings,
    tally: RowTally,
    /// The expected contents of the indexes: the number of keys, and an order-independent sum of their hashes.
    indexes: BTreeMap<EntryKind, (u64, u64)>,
}

impl RowCheck {
    /// Checks a row.
    pub fn add(&mut self, row: &TableRow) {
        // Expired ones must also be readable.
        match row.parse(Timestamp::UNIX_EPOCH) {
            Ok(parsed) => {
                self.tally.add(row, parsed.has_inquiry);
                for (kind, key) in parsed.indexes {
                    add(self.indexes.entry(kind).or_default(), &key);
                }
            }
            Err(error) => self.findings.note(&row.label(), &error),
        }
    }

    /// Ends the check.
    pub fn finish(mut self) -> Findings {
        self.findings.tables = self.tally.counts();
        self.findings
    }
}

fn add((count, sum): &mut (u64, u64), key: &Key) {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    *count += 1;
    *sum = sum.wrapping_add(hasher.finish());
}

/// Checks every record of a view, and that the indexes agree with them.
pub fn check(view: &dyn View) -> Findings {
    let mut check = RowCheck::default();
    for kind in copied_kinds() {
        let read = scan(view, Span::all(kind), |key, value| {
            check.add(&TableRow { kind, key, value });
            Ok::<_, EngineError>(true)
        });
        if let Err(error) = read {
            check.findings.note(kind.label(), &error);
        }
    }
    if !matches!(reads::secret(view), Ok(Some(_))) {
        let missing = "the secret of private pages is missing";
        check.findings.note(EntryKind::Secrets.label(), &missing);
    }
    let is_whole = check.findings.count == 0;
    for kind in [EntryKind::Expiries, EntryKind::Due] {
        let mut found = (0, 0);
        let read = scan(view, Span::all(kind), |key, _| {
            add(&mut found, &key);
            Ok::<_, EngineError>(true)
        });
        let expected = check.indexes.get(&kind).copied().unwrap_or_default();
        match read {
            Err(error) => check.findings.note(kind.label(), &error),
            // An unreadable record leaves the expected index unknown.
            Ok(()) if is_whole && found != expected => {
                let reason = "the index does not say what the records say";
                check.findings.note(kind.label(), &reason);
            }
            Ok(()) => {}
        }
    }
    check.finish()
}
