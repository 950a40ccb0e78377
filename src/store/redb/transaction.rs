//! One transaction for many requests.

use jiff::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable, WriteTransaction};

use super::{Insert, Write};
use crate::inquiry::Inquiry;
use crate::store::ids::Ids;
use crate::store::schema::{EXPIRIES, HEALTH, INQUIRIES, Id, KEYS, META};
use crate::store::{InsertError, keys};

/// Whether each commit also writes down which pages are free. Without it, a file that was not closed is read
/// as a whole when it is opened: 200 ms for a million inquiries, instead of 1 ms. In the group commit it costs
/// no CPU time that could be measured: 8 to 9 µs an inquiry with and without (a million inquiries from 250
/// waiters on a RAM disk, `benches/store.rs`). What it writes grows with the file, some 6 KiB for each 100 MiB.
const QUICK_REPAIR: bool = true;

/// What became of one request, once the transaction is committed.
pub enum Outcome {
    /// The inquiry is stored under this id.
    Stored(Id),
    /// The key was known: this is its inquiry, or why there is none.
    Known(Result<Inquiry, InsertError>),
    /// The disk could be written.
    Checked,
}

/// Goes on behind the last id of the file.
pub fn continue_ids(database: &Database, ids: &mut Ids) -> Result<(), redb::Error> {
    let inquiries = database.begin_read()?.open_table(INQUIRIES)?;
    if let Some((last, _)) = inquiries.last()? {
        ids.skip_to(*last.value());
    }
    Ok(())
}

/// Writes the batch and commits it durably; one outcome a request, in order.
pub fn write(
    database: &Database,
    batch: &[Write],
    ids: &mut Ids,
    now: Timestamp,
) -> Result<Vec<Outcome>, redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction.set_two_phase_commit(true);
    transaction.set_quick_repair(QUICK_REPAIR);
    let (outcomes, changed) = fill(&transaction, batch, ids, now)?;
    if changed {
        transaction.commit()?;
    } else {
        transaction.abort()?;
    }
    Ok(outcomes)
}

fn fill(
    transaction: &WriteTransaction,
    batch: &[Write],
    ids: &mut Ids,
    now: Timestamp,
) -> Result<(Vec<Outcome>, bool), redb::Error> {
    let mut inquiries = transaction.open_table(INQUIRIES)?;
    let mut keys = transaction.open_table(KEYS)?;
    let mut expiries = transaction.open_table(EXPIRIES)?;
    let mut changed = keys::forget_expired(&mut keys, &mut expiries, batch.len(), now)?;
    let mut outcomes = Vec::with_capacity(batch.len());
    for request in batch {
        let insert = match request {
            Write::Insert(insert) => insert,
            Write::Check(_) => {
                transaction.open_table(META)?.insert(HEALTH, keys::millis(now))?;
                changed = true;
                outcomes.push(Outcome::Checked);
                continue;
            }
        };
        if let Some((key, fingerprint)) = &insert.key
            && let Some(known) =
                keys::known(&keys, &inquiries, (key, fingerprint), &insert.inquiry, now)?.transpose()
        {
            outcomes.push(Outcome::Known(known));
            continue;
        }
        // An id is never older than its inquiry, even when the clock was set back in between: a search from
        // some time on relies on it.
        let id = ids.next(keys::millis(now.max(insert.inquiry.created_at())));
        inquiries.insert(&id, insert.value.as_slice())?;
        if let Some((key, fingerprint)) = &insert.key {
            keys::remember(&mut keys, &mut expiries, key, (fingerprint, &id), now)?;
        }
        changed = true;
        outcomes.push(Outcome::Stored(id));
    }
    Ok((outcomes, changed))
}

/// Answers each request of a committed batch.
pub fn answer(batch: Vec<Write>, outcomes: Vec<Outcome>) {
    for (request, outcome) in batch.into_iter().zip(outcomes) {
        // Who no longer waits is not told; the inquiry is stored all the same.
        match request {
            Write::Check(answer) => drop(answer.send(true)),
            Write::Insert(insert) => {
                let Insert { inquiry, answer, .. } = *insert;
                drop(answer.send(match outcome {
                    Outcome::Stored(id) => Ok(inquiry.with_id(uuid::Uuid::from_bytes(id))),
                    Outcome::Known(known) => known,
                    Outcome::Checked => Err(InsertError::Unavailable),
                }));
            }
        }
    }
}

/// Tells each request of a batch that the store is unavailable.
pub fn refuse(batch: Vec<Write>) {
    for request in batch {
        match request {
            Write::Check(answer) => drop(answer.send(false)),
            Write::Insert(insert) => drop(insert.answer.send(Err(InsertError::Unavailable))),
        }
    }
}
