//! Who got confirmations, for the rule of `store/confirmation.rs`.
//!
//! What counts is kept in memory and logged, one entry a commit. Addresses come in no order, so that a table of them would
//! be written all over: with a hundred thousand in it, that halved how many inquiries a disk takes a second.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction};

use super::copying::Copying;
use super::error::damaged;
use super::schema::{self, CONFIRMATION_LOG, Id, millis};
use crate::store::confirmation::{MAX_ADDRESSES, Quota, Sent, counts_since};

/// Entries of the log that are forgotten with each commit: more than one, so that their number falls even when every
/// commit adds one.
const FORGOTTEN_AT_ONCE: usize = 4;

/// Who got confirmations in the last 24 hours. Addresses are not kept, only keyed digests of them.
#[derive(Debug, Default)]
pub struct Confirmations {
    sent: HashMap<Id, Sent>,
    /// Those that are not logged yet.
    new: Vec<Id>,
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

    /// Returns whether one more may be sent, and counts it if so.
    pub fn may_send(&mut self, quota: &Quota, now: Timestamp) -> bool {
        let may_send = match self.sent.get(&quota.key) {
            Some(sent) => sent.may_send(quota, now),
            None => self.sent.len() < MAX_ADDRESSES,
        };
        if may_send {
            self.sent.entry(quota.key).or_default().note(millis(now));
            self.new.push(quota.key);
        }
        may_send
    }

    /// Logs the new ones, and forgets some of those that no longer count.
    pub fn write(&mut self, file: &WriteTransaction, now: Timestamp) -> Result<(), redb::Error> {
        if self.new.is_empty() {
            return Ok(());
        }
        let mut log = file.open_table(CONFIRMATION_LOG)?;
        append(&mut log, millis(now), &std::mem::take(&mut self.new))?;
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

/// Returns an error if an entry of the log is damaged.
pub fn check(value: &[u8]) -> Result<(), redb::Error> {
    ids(value).map(drop)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referral::Secret;

    #[test]
    fn strangers_are_spared_where_too_many_got_some() {
        let now: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
        let mut confirmations = Confirmations::default();
        let quota = |number: usize| Quota {
            key: u128::try_from(number).unwrap().to_be_bytes(),
            ..Quota::inquiries(&Secret::new([7; 32]), "anna@example.de")
        };
        for number in 0..MAX_ADDRESSES {
            assert!(confirmations.may_send(&quota(number), now));
        }
        assert!(!confirmations.may_send(&quota(MAX_ADDRESSES), now));
        assert!(confirmations.may_send(&quota(0), now), "it is known");
    }
}
