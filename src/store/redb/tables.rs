//! The tables of the file, and one list of what is done with each. Creating, checking, erasing, compacting and backing up
//! go through that list, so that none of them can forget a table.

use jiff::Timestamp;
use redb::{
    Key, ReadTransaction, ReadableTable, ReadableTableMetadata, TableDefinition, TableHandle, Value,
    WriteTransaction,
};

use super::error::damaged;
use super::record;
use crate::store::erasure::Erasure;

/// A `UUIDv7` as bytes, which sort by time.
pub type Id = [u8; 16];

/// Part of the digest of an idempotency key, which stands for it.
pub type KeyName = [u8; 16];

/// What recognises the request that came with a key.
pub type RequestTag = [u8; 16];

/// Inquiries by id; values as [`super::record`] writes them.
pub const INQUIRIES: TableDefinition<&Id, &[u8]> = TableDefinition::new("inquiries");

/// What is remembered of an idempotency key: tag of the request, id of its inquiry, and when it may be forgotten, in
/// milliseconds since 1970. Names and tags are computed by `idempotency`.
pub const KEYS: TableDefinition<&KeyName, (&RequestTag, &Id, u64)> = TableDefinition::new("idempotency_keys");

/// The keys by the time they may be forgotten.
pub const EXPIRIES: TableDefinition<(u64, &KeyName), ()> = TableDefinition::new("idempotency_expiries");

/// Facts about the file, by name.
pub const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

/// In [`META`]: the schema of the file.
pub const SCHEMA: &str = "schema";

/// In [`META`]: when the last health check wrote, in milliseconds since 1970.
pub const HEALTH: &str = "health";

/// What is done with a table. There are no defaults: every new table needs a decision on each.
pub struct Policy {
    /// Its name in the file.
    pub name: &'static str,
    /// Creates it in a new file, or in an older one that lacks it.
    pub create: fn(&WriteTransaction) -> Result<(), redb::Error>,
    /// Looks for damage, as far as that shows quickly; runs whenever a file is opened.
    pub inspect: fn(&ReadTransaction) -> Result<(), redb::Error>,
    /// Copies what belongs in another file. With an erasure that is what remains after it; without one it is everything
    /// that is still of use, for compaction and for a backup.
    pub copy: fn(&Copying<'_>) -> Result<(), redb::Error>,
}

/// A copy of a file on its way. Tables are copied in the order of [`ALL`].
pub struct Copying<'a> {
    /// The file that is copied.
    pub old: &'a ReadTransaction,
    /// The file that it is copied to.
    pub new: &'a WriteTransaction,
    /// What is left out.
    pub erasure: Option<&'a Erasure>,
    /// The time at which keys are expired or not.
    pub now: Timestamp,
    /// Called for each entry, so that others see that the disk answers.
    pub progress: &'a dyn Fn(),
}

/// Every table of a file of today's schema.
pub const ALL: [Policy; 4] = [
    Policy {
        name: "inquiries",
        create: |new| create(new, INQUIRIES),
        inspect: |file| {
            let inquiries = file.open_table(INQUIRIES)?;
            for (id, value) in [inquiries.first()?, inquiries.last()?].into_iter().flatten() {
                decode_check(*id.value(), value.value())?;
            }
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(INQUIRIES)?;
            for entry in copying.old.open_table(INQUIRIES)?.iter()? {
                let (id, value) = entry?;
                (copying.progress)();
                if !copying.erases(id.value(), value.value())? {
                    new.insert(id.value(), value.value())?;
                }
            }
            Ok(())
        },
    },
    Policy {
        name: "idempotency_keys",
        create: |new| create(new, KEYS),
        inspect: |file| {
            file.open_table(KEYS)?.len()?;
            Ok(())
        },
        // The key of an erased inquiry stays: a repeated request must not bring the inquiry back.
        copy: |copying| {
            let mut new = copying.new.open_table(KEYS)?;
            for entry in copying.old.open_table(KEYS)?.iter()? {
                let (name, value) = entry?;
                (copying.progress)();
                let (tag, id, expiry) = value.value();
                if expiry > millis(copying.now) {
                    new.insert(name.value(), (tag, id, expiry))?;
                }
            }
            Ok(())
        },
    },
    Policy {
        name: "idempotency_expiries",
        create: |new| create(new, EXPIRIES),
        inspect: |file| {
            file.open_table(EXPIRIES)?.first()?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(EXPIRIES)?;
            for entry in copying.old.open_table(EXPIRIES)?.iter()? {
                let (entry, _) = entry?;
                (copying.progress)();
                let (expiry, name) = entry.value();
                if expiry > millis(copying.now) {
                    new.insert((expiry, name), ())?;
                }
            }
            Ok(())
        },
    },
    Policy {
        name: "meta",
        create: |new| create(new, META),
        inspect: |file| {
            file.open_table(META)?.len()?;
            Ok(())
        },
        copy: |copying| {
            let mut new = copying.new.open_table(META)?;
            for entry in copying.old.open_table(META)?.iter()? {
                let (name, value) = entry?;
                new.insert(name.value(), value.value())?;
            }
            Ok(())
        },
    },
];

/// Creates every table that is missing.
pub fn create_all(file: &WriteTransaction) -> Result<(), redb::Error> {
    ALL.iter().try_for_each(|table| (table.create)(file))
}

/// Looks for damage in every table.
pub fn inspect_all(file: &ReadTransaction) -> Result<(), redb::Error> {
    ALL.iter().try_for_each(|table| (table.inspect)(file))
}

/// Copies every table.
///
/// # Errors
/// Also when the file has a table without a policy: what is in it would be lost.
pub fn copy_all(copying: &Copying<'_>) -> Result<(), redb::Error> {
    for table in copying.old.list_tables()? {
        if !ALL.iter().any(|known| known.name == table.name()) {
            return Err(damaged(&format!(
                "there is no rule for copying the table {}",
                table.name()
            )));
        }
    }
    ALL.iter().try_for_each(|table| (table.copy)(copying))
}

impl Copying<'_> {
    fn erases(&self, id: &Id, value: &[u8]) -> Result<bool, redb::Error> {
        self.erasure
            .map_or(Ok(false), |erasure| erases(erasure, id, value))
    }
}

/// Returns whether an erasure takes an inquiry.
pub fn erases(erasure: &Erasure, id: &Id, value: &[u8]) -> Result<bool, redb::Error> {
    match erasure {
        Erasure::Ids(ids) => Ok(ids.contains(&uuid::Uuid::from_bytes(*id))),
        Erasure::Until(until) => {
            let inquiry = record::decode(*id, value).ok_or_else(|| damaged("an inquiry cannot be read"))?;
            Ok(inquiry.created_at < *until)
        }
    }
}

/// Returns a time in milliseconds since 1970; 0 before.
pub fn millis(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or(0)
}

fn create<K: Key + 'static, V: Value + 'static>(
    file: &WriteTransaction,
    table: TableDefinition<'_, K, V>,
) -> Result<(), redb::Error> {
    file.open_table(table)?;
    Ok(())
}

fn decode_check(id: Id, value: &[u8]) -> Result<(), redb::Error> {
    match record::decode(id, value) {
        Some(_) => Ok(()),
        None => Err(damaged("an inquiry cannot be read")),
    }
}
