//! Rows on their way from where they are read to whoever takes them.

use std::fmt::Display;

use jiff::Timestamp;

use super::restoring::{Restored, Restoring};
use super::row::{Row, Section};
use super::tally::Tally;
use crate::store::error::Damaged;
use crate::store::findings::Findings;

/// Rows that are handed on together, so that handing them on costs little.
pub type Batch = Vec<Row>;

/// Takes a batch; may wait.
pub type Take<'a> = &'a mut dyn FnMut(Batch) -> Result<(), Untaken>;

/// Nobody takes the rows any more; whoever took them before says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untaken;

/// Bytes of the rows in a batch: some hundreds of usual ones.
const BATCH: usize = 100 << 10;

/// Collects rows: reads their values, leaves out what is of no use any more, counts, and gathers batches.
pub struct Rows {
    now: Timestamp,
    purpose: Purpose,
    tally: Tally,
    batch: Batch,
    /// The length of the batch.
    bytes: usize,
}

enum Purpose {
    Copy,
    Backup,
    Check(Findings),
    Restore(Box<Restoring>),
}

impl Rows {
    /// Prepares copying a store as it is of use at a time, or reading the copy back.
    pub fn copying(now: Timestamp) -> Self {
        Self::new(now, Purpose::Copy)
    }

    /// Prepares backing up a store. What was erased is listed beside backups.
    pub fn backing_up(now: Timestamp) -> Self {
        Self::new(now, Purpose::Backup)
    }

    /// Prepares reading every row; nobody takes them.
    pub fn checking(now: Timestamp) -> Self {
        Self::new(now, Purpose::Check(Findings::default()))
    }

    /// Prepares restoring a backup.
    pub fn restoring(restoring: Restoring) -> Self {
        Self::new(restoring.now(), Purpose::Restore(Box::new(restoring)))
    }

    fn new(now: Timestamp, purpose: Purpose) -> Self {
        Self {
            now,
            purpose,
            tally: Tally::default(),
            batch: Batch::new(),
            bytes: 0,
        }
    }

    /// Adds the row that is next; returns a batch that is full.
    ///
    /// # Errors
    /// When its value cannot be read.
    pub fn add(&mut self, row: Row) -> Result<Option<Batch>, Damaged> {
        let is_of_use = row.is_of_use(self.now);
        match &mut self.purpose {
            Purpose::Check(findings) => match is_of_use {
                // Those that are of no use any more were written, too.
                Ok(_) => drop(self.tally.add(&row)),
                Err(error) => findings.note(|| format!("{}: {error}", row.label())),
            },
            _ if !is_of_use? => {}
            Purpose::Backup if row.section() == Section::Erased => {}
            Purpose::Restore(restoring) => {
                if let Some(row) = restoring.change(row)? {
                    self.gather(row);
                }
            }
            Purpose::Copy | Purpose::Backup => self.gather(row),
        }
        Ok((self.bytes >= BATCH).then(|| self.take_batch()))
    }

    /// Adds the row that is next, and hands on a batch that is full.
    ///
    /// # Errors
    /// When its value cannot be read, or nobody takes the batch.
    pub fn push<E: From<Damaged> + From<Untaken>>(&mut self, row: Row, take: Take<'_>) -> Result<(), E> {
        match self.add(row)? {
            Some(batch) => Ok(take(batch)?),
            None => Ok(()),
        }
    }

    /// Takes note that a section cannot be read on, or what comes next in it is no row. Only a check goes on behind that.
    ///
    /// # Errors
    /// When this is no check: the same error.
    pub fn unreadable<E: Display>(&mut self, section: Section, error: E) -> Result<(), E> {
        let Purpose::Check(findings) = &mut self.purpose else {
            return Err(error);
        };
        let count = self.tally.count(section);
        findings.note(|| format!("{}, behind record {count}: {error}", section.name()));
        Ok(())
    }

    /// Returns the last batch, once everything was read.
    pub fn last(&mut self) -> Batch {
        if let Purpose::Restore(restoring) = &mut self.purpose {
            for row in restoring.end() {
                self.gather(row);
            }
        }
        self.take_batch()
    }

    fn gather(&mut self, row: Row) {
        self.bytes += self.tally.add(&row).len();
        self.batch.push(row);
    }

    fn take_batch(&mut self) -> Batch {
        self.bytes = 0;
        std::mem::take(&mut self.batch)
    }

    /// Returns what was read, and is handed on.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns what was restored; nothing unless that was the purpose.
    pub fn restored(&self) -> Restored {
        match &self.purpose {
            Purpose::Restore(restoring) => restoring.restored(),
            _ => Restored::default(),
        }
    }

    /// Returns what a check has found.
    pub fn into_findings(self) -> Findings {
        let mut findings = match self.purpose {
            Purpose::Check(findings) => findings,
            _ => Findings::default(),
        };
        let counted = Section::ALL.map(|section| (section.name().to_owned(), self.tally.count(section)));
        findings.tables = counted.to_vec();
        findings
    }
}
