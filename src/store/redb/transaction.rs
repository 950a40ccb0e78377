//! One transaction for many operations.

use jiff::Timestamp;
use redb::{Database, Table, WriteTransaction};

use super::claims::Claims;
use super::confirmations::Confirmations;
use super::counts::Counts;
use super::desk;
use super::idempotency::{self, Expiries, Keys};
use super::ids::Ids;
use super::referrals::{DueIndex, Referrals};
use super::schema::{
    CONFIRMATIONS, COUNTS, DUE, EXPIRIES, INQUIRIES, Id, KEYS, META, REFERRALS, SUBSCRIPTIONS, TRACES,
};
use super::subscriptions::Subscriptions;
use crate::referral::{Desk, Secret};

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
    /// The ways of inquiries to operator and firms.
    pub referrals: Referrals<'t>,
    /// When something is due.
    pub due: DueIndex<'t>,
    /// When confirmations were sent.
    pub confirmations: Confirmations<'t>,
    /// Counts by day.
    pub counts: Counts<'t>,
    /// Subscriptions to the newsletter.
    pub subscriptions: Subscriptions<'t>,
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
    /// The deliveries that are being tried.
    pub claims: &'t Claims,
    /// What tokens and keyed digests follow from.
    pub secret: &'t Secret,
    /// When the store was opened.
    pub opened_at: Timestamp,
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
            keys: transaction.open_table(KEYS)?,
            expiries: transaction.open_table(EXPIRIES)?,
            meta: transaction.open_table(META)?,
            referrals: transaction.open_table(REFERRALS)?,
            due: transaction.open_table(DUE)?,
            confirmations: transaction.open_table(CONFIRMATIONS)?,
            counts: transaction.open_table(COUNTS)?,
            subscriptions: transaction.open_table(SUBSCRIPTIONS)?,
            memory,
            now,
            effects: Effects::default(),
        })
    }
}

/// Runs `count` operations in one transaction and commits it durably; returns what they return, and what came of them.
/// After an error nothing of them is in the file.
pub fn run<T>(
    database: &Database,
    memory: Memory<'_>,
    now: Timestamp,
    count: usize,
    operations: impl FnOnce(&mut Transaction<'_>) -> Result<T, redb::Error>,
) -> Result<(T, Effects), redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction.set_two_phase_commit(true);
    transaction.set_quick_repair(QUICK_REPAIR);
    let (returned, effects) = {
        let mut open = Transaction::open(&transaction, memory, now)?;
        open.effects.is_changed =
            idempotency::forget_expired(&mut open.keys, &mut open.expiries, count, now)?;
        let returned = operations(&mut open)?;
        desk::write(open.memory.desk, &transaction)?;
        if open.effects.leaves_traces {
            open.meta.insert(TRACES, 1)?;
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
