//! What is the same for each batch of operations, whichever engine commits it.

use jiff::Timestamp;

use super::operation::{ApplyError, Job};
use super::prefetched::Prefetched;
use super::read_set::ReadSet;
use super::transaction::{Changes, Transaction, WriterState};
use crate::referral::HandlingPolicy;

/// Returns what a batch must read.
pub fn read_set(batch: &[Box<dyn Job>], policy: &HandlingPolicy) -> ReadSet {
    let mut reads = ReadSet::default();
    for job in batch {
        job.read_set(&mut reads, policy);
    }
    reads
}

/// What a batch is applied to.
pub struct Applying<'t> {
    /// What it asked to read.
    pub reads: &'t ReadSet,
    /// What was read.
    pub rows: Prefetched,
    /// What the writer keeps in memory.
    pub state: WriterState<'t>,
    /// The time of the transaction.
    pub now: Timestamp,
}

/// Applies a batch; returns what was read as it is now, and what is to be saved of it.
///
/// # Errors
/// When nothing of it can be stored.
pub fn apply_all(
    batch: &mut [Box<dyn Job>],
    attempt: i32,
    to: Applying<'_>,
) -> Result<(Prefetched, Changes), ApplyError> {
    let mut transaction = Transaction {
        rows: to.rows,
        state: to.state,
        now: to.now,
        changes: Changes::default(),
    };
    if to.reads.turns {
        transaction.use_pauses();
    }
    for job in batch {
        job.apply(&mut transaction, attempt)?;
    }
    let Transaction { rows, changes, .. } = transaction;
    Ok((rows, changes))
}
