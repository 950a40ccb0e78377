//! Reading every record, and finding those that are damaged.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::Timestamp;

use super::row::{Row, copied_kinds};
use super::tally::Tally;
use crate::store::findings::Findings;
use crate::store::map::{EngineError, Key, Kind, Span, View, scan};
use crate::store::reads;

/// A check of rows under way.
#[derive(Default)]
pub struct Check {
    findings: Findings,
    tally: Tally,
    /// What the indexes must hold: how many keys, and a sum of their hashes, which is the same in whatever order.
    indexes: BTreeMap<Kind, (u64, u64)>,
    now: Timestamp,
}

impl Check {
    /// Checks a row.
    pub fn add(&mut self, row: &Row) {
        match row.is_of_use(self.now).and_then(|_| row.indexes()) {
            // Those that are of no use any more were written, too.
            Ok(indexes) => {
                self.tally.add(row);
                for (kind, key) in indexes {
                    add(self.indexes.entry(kind).or_default(), &key);
                }
            }
            Err(error) => self.findings.note(|| format!("{}: {error}", row.label())),
        }
    }

    /// Returns what was found.
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

/// Reads every record that a view shows, and whether the indexes follow from them.
pub fn check(view: &dyn View) -> Findings {
    let mut check = Check {
        now: Timestamp::now(),
        ..Check::default()
    };
    let unreadable = |findings: &mut Findings, kind: Kind, error: EngineError| {
        findings.note(|| format!("{}: {error}", kind.label()));
    };
    for kind in copied_kinds() {
        let read = scan(view, Span::all(kind), |key, value| {
            check.add(&Row { kind, key, value });
            Ok(true)
        });
        if let Err(error) = read {
            unreadable(&mut check.findings, kind, error);
        }
    }
    if !matches!(reads::secret(view), Ok(Some(_))) {
        check
            .findings
            .note(|| "secrets: the secret of private pages is missing".to_owned());
    }
    let is_whole = check.findings.count == 0;
    for kind in [Kind::Expiries, Kind::Due] {
        let mut found = (0, 0);
        let read = scan(view, Span::all(kind), |key, _| {
            add(&mut found, &key);
            Ok(true)
        });
        match read {
            Err(error) => unreadable(&mut check.findings, kind, error),
            // What cannot be read is not known to be due.
            Ok(()) if is_whole && found != check.indexes.get(&kind).copied().unwrap_or_default() => {
                check
                    .findings
                    .note(|| format!("{}: the index does not say what the records say", kind.label()));
            }
            Ok(()) => {}
        }
    }
    check.finish()
}
