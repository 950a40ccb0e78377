//! Who got confirmations, for the rule of `core/confirmation.rs`.
//!
//! What counts is kept in memory and logged, one entry a commit. Addresses come in no order, so that a table of them would
//! be written all over: with a hundred thousand in it, that halved how many inquiries a disk takes a second.

use std::collections::{BTreeMap, HashMap};
use std::iter;

use jiff::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction};

use super::copying::Copying;
use super::error::damaged;
use super::schema::{self, CONFIRMATION_LOG, Id, millis};
use crate::store::core::{Changes, MAX_MAILBOXES, Prefetched, Sent, counts_since};

/// Entries of the log that are forgotten with each commit: more than one, so that their number falls even when every
/// commit adds one.
const FORGOTTEN_AT_ONCE: usize = 4;

/// Who got confirmations in the last 24 hours. Addresses are not kept, only keyed digests of them.
#[derive(Debug, Default)]
pub struct Confirmations {
    sent: HashMap<Id, Sent>,
}

impl Confirmations {
    /// Reads those that still count.
    pub fn load(database: &Database, now: Timestamp) -> Result<Self, redb::Error> {
        let mut loaded = Self::default();
        let log = database.begin_read()?.open_table(CONFIRMATION_LOG)?;
        for entry in log.range(counts_since(now)..)? {
            let (time, addresses) = entry?;
            for address in ids(addresses.value())? {
                loaded.sent.entry(*address).or_default().note(time.value());
            }
        }
        Ok(loaded)
    }

    /// Adds what mailboxes were sent to what was read for a batch.
    pub fn load_rows<'a>(&self, mailboxes: impl Iterator<Item = &'a Id>, rows: &mut Prefetched) {
        for mailbox in mailboxes {
            if let Some(sent) = self.sent.get(mailbox) {
                rows.confirmations.insert(*mailbox, *sent);
            }
        }
    }

    /// Returns how many more mailboxes may get some.
    pub fn left(&self) -> usize {
        MAX_MAILBOXES.saturating_sub(self.sent.len())
    }

    /// Logs the new ones, and forgets some of those that no longer count.
    pub fn write(
        &mut self,
        file: &WriteTransaction,
        changes: &Changes,
        rows: &Prefetched,
        now: Timestamp,
    ) -> Result<(), redb::Error> {
        if changes.confirmations.is_empty() {
            return Ok(());
        }
        let mut new = Vec::new();
        for (mailbox, &count) in &changes.confirmations {
            new.extend(iter::repeat_n(*mailbox, count));
            let sent = rows.confirmations.get(mailbox);
            self.sent.extend(sent.map(|sent| (*mailbox, *sent)));
        }
        let mut log = file.open_table(CONFIRMATION_LOG)?;
        append(&mut log, millis(now), &new)?;
        let mut old = Vec::new();
        for entry in log.range(..counts_since(now))?.take(FORGOTTEN_AT_ONCE) {
            let (time, addresses) = entry?;
            old.push(time.value());
            for address in ids(addresses.value())? {
                if self.sent.get(address).is_some_and(|sent| sent.is_over(now)) {
                    self.sent.remove(address);
                }
            }
        }
        for time in old {
            log.remove(time)?;
        }
        Ok(())
    }
}

/// Copies what still counts.
pub fn copy(copying: &Copying<'_>) -> Result<(), redb::Error> {
    let mut new = copying.new.open_table(CONFIRMATION_LOG)?;
    for entry in copying
        .old
        .open_table(CONFIRMATION_LOG)?
        .range(counts_since(copying.now)..)?
    {
        let (time, addresses) = entry?;
        (copying.progress)();
        new.insert(time.value(), addresses.value())?;
    }
    Ok(())
}

/// From schema 4 to 5: writes the log in place of a table by address.
pub fn log(file: &WriteTransaction) -> Result<(), redb::Error> {
    const OLD: TableDefinition<&Id, (u64, u64, u64)> = TableDefinition::new("confirmations");
    let mut by_time: BTreeMap<u64, Vec<Id>> = BTreeMap::new();
    for entry in file.open_table(OLD)?.iter()? {
        let (address, times) = entry?;
        let (first, second, third) = times.value();
        for time in [first, second, third].into_iter().filter(|&time| time > 0) {
            by_time.entry(time).or_default().push(*address.value());
        }
    }
    file.delete_table(OLD)?;
    let mut log = file.open_table(CONFIRMATION_LOG)?;
    for (time, addresses) in by_time {
        append(&mut log, time, &addresses)?;
    }
    Ok(())
}

fn append(
    log: &mut redb::Table<'_, u64, &'static [u8]>,
    time: u64,
    addresses: &[Id],
) -> Result<(), redb::Error> {
    let mut value = log
        .get(time)?
        .map_or_else(Vec::new, |value| value.value().to_vec());
    value.extend_from_slice(addresses.as_flattened());
    log.insert(time, value.as_slice())?;
    Ok(())
}

fn ids(value: &[u8]) -> Result<&[Id], redb::Error> {
    schema::ids(value).ok_or_else(|| damaged("what was sent to addresses cannot be read"))
}
