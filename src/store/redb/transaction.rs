//! One transaction for a batch of operations.

use jiff::Timestamp;
use redb::{Database, WriteTransaction};
use uuid::Uuid;

use super::erasure_log::ErasureLog;
use super::memory::Memory;
use super::open_tables::OpenTables;
use super::schema::{META, TRACES};
use super::turns;
use crate::referral::Secret;
use crate::store::core::{
    Changes, Effects, Holds, Job, Prefetched, Transaction, WriterState, apply_all, read_set,
};

/// The number of the only attempt: a transaction that fails leaves nothing in the file.
pub const ATTEMPT: i32 = 1;

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

/// What a transaction uses of the store beside its file.
pub struct Around<'t> {
    /// The deliveries that are being tried.
    pub holds: &'t Holds,
    /// What tokens and keyed digests follow from.
    pub secret: &'t Secret,
    /// When the store was opened.
    pub opened_at: Timestamp,
    /// Lists what is erased.
    pub erased: &'t ErasureLog,
}

/// What a batch leaves in free pages of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traces {
    /// Photos that visitors have removed; their inquiries stay.
    OfPhotos,
    /// Something that was withdrawn or erased.
    OfErased,
}

/// What came of a batch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Committed {
    /// Whether it was committed: one that has changed nothing is not.
    pub is_changed: bool,
    /// What free pages of the file still hold of personal data that was removed.
    pub traces: Option<Traces>,
    /// What others are to hear of it.
    pub effects: Effects,
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

/// Applies a batch in one transaction and commits it durably; returns what came of it. After an error nothing of it is in the
/// file. Operations that could not be listed as erasures are taken out.
pub fn commit(
    database: &Database,
    memory: &mut Memory,
    around: &Around<'_>,
    batch: &mut Vec<Box<dyn Job>>,
    now: Timestamp,
    free_pages: FreePages,
) -> Result<Committed, redb::Error> {
    let Memory {
        ids,
        matching,
        confirmations,
        ..
    } = memory;
    let file = begin(database, free_pages)?;
    let committed = {
        let mut tables = OpenTables::new(&file);
        let is_forgotten = tables.forget_expired(batch.len(), now)?;
        let reads = read_set(batch, &matching.policy);
        let mut rows = tables.load(&reads, now, around.holds)?;
        let may_begin = rows.mailboxes_to_confirm(&matching.policy, around.secret);
        confirmations.load_rows(reads.mailboxes.iter().chain(&may_begin), &mut rows);
        list_erasures(batch, &rows, around.erased, now);
        let mut mailboxes_left = confirmations.left();
        let transaction = Transaction {
            rows,
            state: WriterState {
                ids,
                matching,
                mailboxes_left: &mut mailboxes_left,
                holder: Default::default(),
                secret: around.secret,
                opened_at: around.opened_at,
            },
            now,
            changes: Changes::default(),
        };
        let (rows, changes) = apply_all(batch, ATTEMPT, &reads, transaction)?;
        tables.save(&changes, &rows)?;
        turns::write(matching, &file)?;
        confirmations.write(&file, &changes, &rows, now)?;
        let is_subscription_gone = changes.subscriptions.iter().any(|key| {
            let entry = rows.subscriptions.get(key);
            entry.is_none_or(|entry| entry.subscription.is_none())
        });
        Committed {
            is_changed: is_forgotten || !changes.are_leases(),
            traces: if is_subscription_gone || !changes.removed.is_empty() || changes.has_traces {
                Some(Traces::OfErased)
            } else {
                let mut photos = changes.photos.values();
                photos.any(Option::is_none).then_some(Traces::OfPhotos)
            },
            effects: changes.effects(),
        }
    };
    if committed.traces.is_some() {
        file.open_table(META)?.insert(TRACES, 1)?;
    }
    if committed.is_changed {
        file.commit()?;
    } else {
        file.abort()?;
    }
    Ok(committed)
}

/// Lists what is about to be erased, before anything is written. An operation whose erasure cannot be listed is dropped, which its
/// caller hears; others in the batch do not suffer.
fn list_erasures(batch: &mut Vec<Box<dyn Job>>, rows: &Prefetched, erased: &ErasureLog, now: Timestamp) {
    batch.retain(|job| {
        let is_listed =
            |id: Uuid| {
                !rows.holds(id) || erased.note(id, now).map_err(|error| {
            tracing::error!(%error, "nothing was erased, because erased.jsonl cannot be written");
        }).is_ok()
            };
        job.erases().is_none_or(is_listed)
    });
}
