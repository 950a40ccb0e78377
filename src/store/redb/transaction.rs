//! One transaction for many operations.

use jiff::Timestamp;
use redb::{Database, Table, WriteTransaction};

use super::idempotency::{self, Expiries, Keys};
use super::ids::Ids;
use super::tables::{EXPIRIES, INQUIRIES, Id, KEYS, META};

/// Whether each commit also writes down which pages are free. Without it, a file that was not closed is read
/// as a whole when it is opened: 200 ms for a million inquiries, instead of 1 ms. In the group commit it costs
/// no CPU time that could be measured: 8 to 9 µs an inquiry with and without (a million inquiries from 250
/// waiters on a RAM disk, `benches/store.rs`). What it writes grows with the file, some 6 KiB for each 100 MiB.
const QUICK_REPAIR: bool = true;

/// The open tables, and what operations share.
pub struct Transaction<'t> {
    /// Inquiries by id.
    pub inquiries: Table<'t, &'static Id, &'static [u8]>,
    /// Idempotency keys.
    pub keys: Keys<'t>,
    /// The keys by the time they may be forgotten.
    pub expiries: Expiries<'t>,
    /// Facts about the file.
    pub meta: Table<'t, &'static str, u64>,
    /// Makes ids of new inquiries.
    pub ids: &'t mut Ids,
    /// The time of the transaction.
    pub now: Timestamp,
    /// Set by every operation that writes; a transaction without changes is not committed.
    pub is_changed: bool,
}

impl<'t> Transaction<'t> {
    fn open(
        transaction: &'t WriteTransaction,
        ids: &'t mut Ids,
        now: Timestamp,
    ) -> Result<Self, redb::Error> {
        Ok(Self {
            inquiries: transaction.open_table(INQUIRIES)?,
            keys: transaction.open_table(KEYS)?,
            expiries: transaction.open_table(EXPIRIES)?,
            meta: transaction.open_table(META)?,
            ids,
            now,
            is_changed: false,
        })
    }
}

/// Runs `count` operations in one transaction and commits it durably; returns what they return, and whether anything
/// was written. After an error nothing of them is in the file.
pub fn run<T>(
    database: &Database,
    ids: &mut Ids,
    now: Timestamp,
    count: usize,
    operations: impl FnOnce(&mut Transaction<'_>) -> Result<T, redb::Error>,
) -> Result<(T, bool), redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction.set_two_phase_commit(true);
    transaction.set_quick_repair(QUICK_REPAIR);
    let (returned, is_changed) = {
        let mut open = Transaction::open(&transaction, ids, now)?;
        open.is_changed = idempotency::forget_expired(&mut open.keys, &mut open.expiries, count, now)?;
        let returned = operations(&mut open)?;
        (returned, open.is_changed)
    };
    if is_changed {
        transaction.commit()?;
    } else {
        transaction.abort()?;
    }
    Ok((returned, is_changed))
}
