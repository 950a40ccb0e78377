//! One transaction for many operations.

use jiff::Timestamp;
use redb::{Database, Table, WriteTransaction};

use super::claims::Claims;
use super::confirmations::Confirmations;
use super::desk;
use super::due_index::DueIndex;
use super::erased_log::ErasedLog;
use super::idempotency::{self, Expiries};
use super::lazy_table::LazyTable;
use super::schema::{
    COUNTS, EXPIRIES, INQUIRIES, Id, KEYS, KeyName, META, REFERRALS, RequestTag, SUBSCRIPTIONS, TRACES,
};
use crate::referral::{Desk, Secret};
use crate::store::ids::Ids;

/// Whether a commit also writes down which pages are free. Without that, a file that was not closed is read as a whole
/// when it is opened: 200 ms for a million inquiries, instead of 1 ms. What it writes grows with the file, some 6 KiB for
/// each 100 MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreePages {
    /// They are found by reading the file.
    Unlisted,
    /// They are written down.
    Listed,
}

/// The tables, and what operations share.
pub struct Transaction<'t> {
    /// Inquiries by id.
    pub inquiries: Table<'t, &'static Id, &'static [u8]>,
    /// Idempotency keys.
    pub keys: LazyTable<'t, &'static KeyName, (&'static RequestTag, &'static Id, u64)>,
    /// The keys by the time they may be forgotten.
    pub expiries: Expiries<'t>,
    /// Facts about the file.
    pub meta: LazyTable<'t, &'static str, u64>,
    /// The ways of inquiries to operator and firms.
    pub referrals: LazyTable<'t, &'static Id, &'static [u8]>,
    /// When something is due.
    pub due: DueIndex<'t>,
    /// Counts by day.
    pub counts: LazyTable<'t, (u32, &'static str), u64>,
    /// Subscriptions to the newsletter.
    pub subscriptions: LazyTable<'t, &'static Id, &'static [u8]>,
    /// What the writer keeps in memory.
    pub memory: Memory<'t>,
    /// The time of the transaction.
    pub now: Timestamp,
    /// What came of the operations so far.
    pub effects: Effects,
}

/// What the writer keeps in memory beside the file.
pub struct Memory<'t> {
    /// Makes ids of new inquiries.
    pub ids: &'t mut Ids,
    /// What is done with inquiries, and whose turn it is.
    pub desk: &'t mut Desk,
    /// Who was sent confirmations.
    pub confirmations: &'t mut Confirmations,
    /// The deliveries that are being tried.
    pub claims: &'t Claims,
    /// What tokens and keyed digests follow from.
    pub secret: &'t Secret,
    /// When the store was opened.
    pub opened_at: Timestamp,
    /// Lists what is erased.
    pub erased: &'t ErasedLog,
}

/// What came of the operations of a transaction.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effects {
    /// Set by every operation that writes; a transaction without changes is not committed.
    pub is_changed: bool,
    /// Set when personal data was removed, of which free pages of the file still hold traces.
    pub leaves_traces: bool,
    /// Set when something may have become due.
    pub has_due: bool,
}

impl<'t> Transaction<'t> {
    fn open(
        transaction: &'t WriteTransaction,
        memory: Memory<'t>,
        now: Timestamp,
    ) -> Result<Self, redb::Error> {
        Ok(Self {
            inquiries: transaction.open_table(INQUIRIES)?,
            keys: LazyTable::new(transaction, KEYS),
            expiries: transaction.open_table(EXPIRIES)?,
            meta: LazyTable::new(transaction, META),
            referrals: LazyTable::new(transaction, REFERRALS),
            due: DueIndex::new(transaction),
            counts: LazyTable::new(transaction, COUNTS),
            subscriptions: LazyTable::new(transaction, SUBSCRIPTIONS),
            memory,
            now,
            effects: Effects::default(),
        })
    }
}

fn begin(database: &Database, free_pages: FreePages) -> Result<WriteTransaction, redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction.set_two_phase_commit(true);
    transaction.set_quick_repair(free_pages == FreePages::Listed);
    Ok(transaction)
}

/// Writes down which pages are free, durably.
pub fn list_free_pages(database: &Database) -> Result<(), redb::Error> {
    Ok(begin(database, FreePages::Listed)?.commit()?)
}

/// Runs `count` operations in one transaction and commits it durably; returns what they return, and what came of them.
/// After an error nothing of them is in the file.
pub fn run<T>(
    database: &Database,
    memory: Memory<'_>,
    now: Timestamp,
    count: usize,
    free_pages: FreePages,
    operations: impl FnOnce(&mut Transaction<'_>) -> Result<T, redb::Error>,
) -> Result<(T, Effects), redb::Error> {
    let transaction = begin(database, free_pages)?;
    let (returned, effects) = {
        let mut open = Transaction::open(&transaction, memory, now)?;
        open.effects.is_changed =
            idempotency::forget_expired(&mut open.keys, &mut open.expiries, count, now)?;
        let returned = operations(&mut open)?;
        desk::write(open.memory.desk, &transaction)?;
        open.memory.confirmations.write(&transaction, now)?;
        open.due.write()?;
        if open.effects.leaves_traces {
            open.meta.open()?.insert(TRACES, 1)?;
        }
        (returned, open.effects)
    };
    if effects.is_changed {
        transaction.commit()?;
    } else {
        transaction.abort()?;
    }
    Ok((returned, effects))
}
