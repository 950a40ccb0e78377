//! The index of when something is due.
//!
//! An entry lists all that became due in one lane at the same time. What is stored in one commit does, so that dozens of
//! inquiries add an entry a lane, and not one each.

use redb::{ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};

use super::error::damaged;
use super::lazy_table::LazyTable;
use super::schema::{self, DUE, Id};
use crate::store::findings::Findings;

/// Ids in an entry, at most: 1 KiB, so that taking one out rewrites no more than a page.
const LISTED: usize = 64;

/// Additions that are gathered before they are written, at most, while a whole file is copied.
const GATHERED: usize = 4096;

/// The index, open for writing. Additions are gathered; whatever reads writes them first.
pub struct DueIndex<'t> {
    table: LazyTable<'t, (u8, u64, &'static Id), &'static [u8]>,
    new: Vec<(u8, u64, Id)>,
}

impl<'t> DueIndex<'t> {
    /// Prepares the index of a file.
    pub fn new(file: &'t WriteTransaction) -> Self {
        Self {
            table: LazyTable::new(file, DUE),
            new: Vec::new(),
        }
    }

    /// Adds an id to a lane, at a time in milliseconds since 1970.
    pub fn add(&mut self, lane: u8, at: u64, id: &Id) -> Result<(), redb::Error> {
        self.new.push((lane, at, *id));
        if self.new.len() >= GATHERED {
            self.write()?;
        }
        Ok(())
    }

    /// Takes out what was added.
    pub fn remove(&mut self, lane: u8, at: u64, id: &Id) -> Result<(), redb::Error> {
        self.write()?;
        let table = self.table.open()?;
        let mut found = None;
        // Entries begin with their first id, so that it is the last that begins before, if no other was added in between.
        for entry in table.range((lane, at, &Id::default())..=(lane, at, id))?.rev() {
            let (key, value) = entry?;
            let listed = ids(value.value())?;
            if listed.contains(id) {
                let rest: Vec<Id> = listed.iter().filter(|&other| other != id).copied().collect();
                found = Some((*key.value().2, rest));
                break;
            }
        }
        if let Some((first, rest)) = found {
            if rest.is_empty() {
                table.remove((lane, at, &first))?;
            } else {
                table.insert((lane, at, &first), rest.as_flattened())?;
            }
        }
        Ok(())
    }

    /// Returns what is due in a lane until a time, itself included: with its time, in order, at most `limit`.
    pub fn until(&mut self, lane: u8, time: u64, limit: usize) -> Result<Vec<(u64, Id)>, redb::Error> {
        self.write()?;
        let mut found = Vec::new();
        let end = (lane, time.saturating_add(1), &Id::default());
        for entry in self.table.open()?.range((lane, 0, &Id::default())..end)? {
            let (key, value) = entry?;
            let at = key.value().1;
            found.extend(ids(value.value())?.iter().map(|id| (at, *id)));
            if found.len() >= limit {
                found.truncate(limit);
                break;
            }
        }
        Ok(found)
    }

    /// Returns the first time after another at which something is due in a lane.
    pub fn next_after(&mut self, lane: u8, time: u64) -> Result<Option<u64>, redb::Error> {
        self.write()?;
        let (first, end) = (
            (lane, time.saturating_add(1), &Id::default()),
            (lane + 1, 0, &Id::default()),
        );
        let next = self.table.open()?.range(first..end)?.next().transpose()?;
        Ok(next.map(|(key, _)| key.value().1))
    }

    /// Writes what was added.
    pub fn write(&mut self) -> Result<(), redb::Error> {
        if self.new.is_empty() {
            return Ok(());
        }
        let mut new = std::mem::take(&mut self.new);
        new.sort_unstable();
        let table = self.table.open()?;
        for together in new.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            for part in together.chunks(LISTED) {
                let Some(&(lane, at, first)) = part.first() else {
                    continue;
                };
                // There may be an entry that began with an id that was taken out and comes back.
                let mut value = match table.get((lane, at, &first))? {
                    Some(before) => before.value().to_vec(),
                    None => Vec::with_capacity(std::mem::size_of_val(part)),
                };
                value.extend(part.iter().flat_map(|(_, _, id)| id));
                table.insert((lane, at, &first), value.as_slice())?;
            }
        }
        Ok(())
    }
}

/// From schema 4 to 5: lists ids together that had an entry each.
pub fn list(file: &WriteTransaction) -> Result<(), redb::Error> {
    const OLD: TableDefinition<(u8, u64, &Id), ()> = TableDefinition::new("due");
    let mut index = DueIndex::new(file);
    for entry in file.open_table(OLD)?.iter()? {
        let (key, _) = entry?;
        let (lane, at, id) = key.value();
        index.add(lane, at, id)?;
    }
    index.write()?;
    file.delete_table(OLD)?;
    Ok(())
}

/// Reads every entry, and notes those that are damaged.
pub fn check(file: &ReadTransaction, findings: &mut Findings) -> Result<(), redb::Error> {
    for entry in file.open_table(DUE)?.iter()? {
        let (key, value) = entry?;
        if let Err(error) = ids(value.value()) {
            let (lane, at, _) = key.value();
            findings.note(|| format!("what is due in lane {lane} at {at}: {error}"));
        }
    }
    Ok(())
}

fn ids(value: &[u8]) -> Result<&[Id], redb::Error> {
    schema::ids(value).ok_or_else(|| damaged("what is due cannot be read"))
}
