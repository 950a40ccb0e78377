//! What is the same for each batch of operations, whichever engine commits it.

use super::operation::{ApplyError, Job};
use super::prefetched::Prefetched;
use super::read_set::ReadSet;
use super::transaction::{Changes, Transaction};
use crate::referral::HandlingPolicy;

/// Returns what a batch must read.
pub fn read_set(batch: &[Box<dyn Job>], policy: &HandlingPolicy) -> ReadSet {
    let mut reads = ReadSet::default();
    for job in batch {
        job.read_set(&mut reads, policy);
    }
    reads
}

/// Applies a batch; returns what was read as it is now, and what is to be saved of it.
///
/// # Errors
/// When nothing of it can be stored.
pub fn apply_all(
    batch: &mut [Box<dyn Job>],
    attempt: i32,
    reads: &ReadSet,
    mut transaction: Transaction<'_>,
) -> Result<(Prefetched, Changes), ApplyError> {
    if reads.turns {
        transaction.use_facts_about_firms();
    }
    for job in batch {
        job.apply(&mut transaction, attempt)?;
    }
    Ok((transaction.rows, transaction.changes))
}
