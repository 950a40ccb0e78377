//! The tables of the file: names, keys and values. [`super::tables`] says what is done with each.

use jiff::Timestamp;
use jiff::civil::Date;
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition};

pub use crate::store::core::{Id, KeyName, RequestTag};
pub use crate::store::time::{from_millis, millis};

/// Inquiries by id; values as [`super::record`] writes them.
pub const INQUIRIES: TableDefinition<&Id, &[u8]> = TableDefinition::new("inquiries");

/// What is remembered of an idempotency key: tag of the request, id of its inquiry, and when it may be forgotten, in
/// milliseconds since 1970. Names and tags are computed by `idempotency`.
pub const KEYS: TableDefinition<&KeyName, (&RequestTag, &Id, u64)> = TableDefinition::new("idempotency_keys");

/// The keys by the time they may be forgotten.
pub const EXPIRIES: TableDefinition<(u64, &KeyName), ()> = TableDefinition::new("idempotency_expiries");

/// Facts about the file, by name: those of [`crate::store::core::Fact`], and the following.
pub const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

/// In [`META`]: the schema of the file.
pub const SCHEMA: &str = "schema";

/// In [`META`], as 1: free pages hold traces of personal data that was removed. A copy of the file has none.
pub const TRACES: &str = "traces";

/// In [`META`], as 1: a copy into the file is not finished.
pub const COPYING: &str = "copying";

/// The way of an inquiry to operator and firms, by its id; values as [`super::referrals`] writes them.
pub const REFERRALS: TableDefinition<&Id, &[u8]> = TableDefinition::new("referrals");

/// What is to be done when: ids, one after the other, by the number of their lane, the time in milliseconds since 1970, and the
/// first of them. Written by [`super::due_index`].
pub const DUE: TableDefinition<(u8, u64, &Id), &[u8]> = TableDefinition::new("due_ids");

/// When each firm was asked, by its id, up to where [`ASK_LOG`] begins.
pub const ASKS: TableDefinition<&str, &[u8]> = TableDefinition::new("asks");

/// The last asks of all firms, by the number of the first in each entry. Now and then they are moved to [`ASKS`].
pub const ASK_LOG: TableDefinition<u64, &[u8]> = TableDefinition::new("ask_log");

/// Who was sent confirmations when, by the time in milliseconds since 1970: keyed digests of addresses, one after the other.
pub const CONFIRMATION_LOG: TableDefinition<u64, &[u8]> = TableDefinition::new("confirmation_log");

/// Counts by day, in days since 1970, and name.
pub const COUNTS: TableDefinition<(u32, &str), u64> = TableDefinition::new("counts");

/// Subscriptions to the newsletter, by a keyed digest of the address.
pub const SUBSCRIPTIONS: TableDefinition<&Id, &[u8]> = TableDefinition::new("subscriptions");

/// The ledger of acceptances, by the inquiry's id and the firm's; values as `acceptance_record` writes them.
pub const LEDGER: TableDefinition<(&Id, &str), &[u8]> = TableDefinition::new("ledger");

/// Closed months by number: when, in milliseconds since 1970, and the rate of value added tax in ten-thousandths of a percent.
pub const CLOSINGS: TableDefinition<u32, (u64, u32)> = TableDefinition::new("closings");

/// Photos as JPEGs, by the inquiry's id, the photo's number, and its size as `PhotoSize` numbers it.
pub const PHOTOS: TableDefinition<(&Id, u16, u8), &[u8]> = TableDefinition::new("photos");

/// Secrets of this store, by name.
pub const SECRETS: TableDefinition<&str, &[u8]> = TableDefinition::new("secrets");

/// Returns the ids that stand one after the other in a value; `None` if it is damaged.
pub fn ids(value: &[u8]) -> Option<&[Id]> {
    match value.as_chunks() {
        (ids, []) => Some(ids),
        _ => None,
    }
}

/// Returns the number of a day: days since 1970.
pub fn day(day: Date) -> u32 {
    let days = day
        .since(Date::constant(1970, 1, 1))
        .map_or(0, |span| span.get_days());
    u32::try_from(days).unwrap_or(0)
}

/// Returns whether [`META`] has an entry.
pub fn flag(database: &Database, name: &str) -> Result<bool, redb::Error> {
    Ok(fact(&database.begin_read()?, name)?.is_some())
}

/// Returns an entry of [`META`].
pub fn fact(file: &ReadTransaction, name: &str) -> Result<Option<u64>, redb::Error> {
    Ok(file.open_table(META)?.get(name)?.map(|value| value.value()))
}

/// Returns the time that an entry of [`META`] says.
pub fn time(file: &ReadTransaction, name: &str) -> Result<Option<Timestamp>, redb::Error> {
    Ok(fact(file, name)?.and_then(from_millis))
}

/// Returns the newest id of a file.
pub fn last_id(database: &Database) -> Result<Option<Id>, redb::Error> {
    let inquiries = database.begin_read()?.open_table(INQUIRIES)?;
    Ok(inquiries.last()?.map(|(last, _)| *last.value()))
}
