//! Erases inquiries: first in a commit, then by removing their bytes from the file. In a database, deleted rows are no longer
//! visible, but their bytes stay in the table's files until PostgreSQL reuses the space (`VACUUM FULL` rewrites a table at once),
//! and in the write-ahead log and its archives for as long as these are kept.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tokio::time::timeout;
use uuid::Uuid;

use super::lease::readable;
use crate::domain::inquiry::CREDIBLE;
use crate::domain::referral::{InquiryRecord, Review, Status};
use crate::store::entry::StoredRecord;
use crate::store::job::JobTerms;
use crate::store::map::{EngineError, EntryKind, Span, View, scan};
use crate::store::tx::Tx;
use crate::store::values::ids::first_since;
use crate::store::values::{id, millis};
use crate::store::writer::Message;
use crate::store::{EraseError, Store, Unavailable, in_time, reads};

/// Maximum number of inquiries erased in one transaction, unless they are named, because other operations wait for it.
const AT_ONCE: usize = 500;

/// How long the removal of traces may make no progress: as long as a slow disk takes to sync the copy.
const STALL: Duration = Duration::from_mins(1);

/// The inquiries to erase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Erasure {
    /// The inquiries with these ids, all of which must exist.
    Ids(BTreeSet<Uuid>),
    /// All inquiries created before this time.
    Until(Timestamp),
    /// All inquiries received before this time, which may be days after their creation.
    ReceivedBefore(Timestamp),
}

impl Erasure {
    /// Whether an inquiry is to be erased.
    fn takes(&self, entry: &StoredRecord) -> bool {
        let Some(inquiry) = &entry.record.inquiry else {
            return false;
        };
        match self {
            Self::Ids(ids) => ids.contains(&inquiry.id),
            Self::Until(until) => inquiry.created_at < *until,
            Self::ReceivedBefore(time) => {
                // The id of an inquiry stored while the clock was ahead does not show when it was received, but that was at most
                // this long after its creation.
                let made_before = time.saturating_sub(CREDIBLE).unwrap_or(Timestamp::MIN);
                inquiry.id.as_bytes() < &first_since(millis(*time)) || inquiry.created_at < made_before
            }
        }
    }
}

impl Store {
    /// Erases inquiries permanently; returns their number once their removal is durable. Named inquiries are erased all or none,
    /// others in batches.
    ///
    /// # Errors
    /// When nothing or only some of them were erased, or when traces are left; the error says which.
    pub async fn erase(&self, what: Erasure) -> Result<u64, EraseError> {
        let (mut erased, mut from) = (0, Some(Uuid::nil()));
        while let Some(begin) = from {
            match self.erase_part(&what, begin).await {
                Ok((part, next)) => (erased, from) = (erased + part, next),
                Err(EraseError::Unavailable(_)) if erased > 0 => {
                    return Err(EraseError::Failed(format!(
                        "{erased} inquiries were erased, others not: {Unavailable}; try again"
                    )));
                }
                Err(error) => return Err(error),
            }
        }
        if erased > 0 {
            tracing::info!(count = erased, "inquiries were erased");
            self.remove_traces(erased).await?;
        }
        Ok(erased)
    }

    /// Erases a batch of matching inquiries from an id on; returns their number, and where to continue.
    async fn erase_part(&self, what: &Erasure, from: Uuid) -> Result<(u64, Option<Uuid>), EraseError> {
        let (ids, next, must_exist) = if let Erasure::Ids(ids) = what {
            (ids.clone(), None, true)
        } else {
            let what = what.clone();
            let read = self.view(false, move |view| find(&*view, &what, from));
            let (ids, next) = read.await?;
            (ids, next, false)
        };
        if ids.is_empty() {
            return Ok((0, next));
        }
        let terms = JobTerms {
            needs_caller: true,
            ..JobTerms::default()
        };
        let erase = self.writer.apply(terms, move |tx| tx.erase(&ids, must_exist));
        Ok((in_time(erase).await??, next))
    }

    /// Waits until no traces of the erased inquiries are left.
    async fn remove_traces(&self, count: u64) -> Result<(), EraseError> {
        let traces = |reason: &dyn ToString| EraseError::Traces {
            count,
            reason: reason.to_string(),
        };
        let busy = "the store is busy or closed";
        let (reply, mut wiped) = oneshot::channel();
        let queued = self.writer.push(Message::Wipe(reply));
        queued.map_err(|Unavailable| traces(&busy))?;
        loop {
            let before = self.activity().steps();
            match timeout(STALL, &mut wiped).await {
                Ok(Ok(wiped)) => return wiped.map_err(|error| traces(&error)),
                Ok(Err(_)) => return Err(traces(&busy)),
                Err(_) if self.activity().steps() == before => {
                    return Err(traces(&"the disk does not answer"));
                }
                Err(_) => {}
            }
        }
    }
}

/// Finds a batch of matching inquiries from an id on, and where to continue. Unreadable ones are skipped.
fn find(view: &dyn View, what: &Erasure, from: Uuid) -> Result<(BTreeSet<Uuid>, Option<Uuid>), EngineError> {
    let (mut ids, mut next) = (BTreeSet::new(), None);
    scan(
        view,
        Span::from(EntryKind::Inquiries, *from.as_bytes()),
        |key, value| {
            let key = id(&key)?;
            if ids.len() == AT_ONCE {
                next = Some(Uuid::from_bytes(key));
                return Ok::<_, EngineError>(false);
            }
            if StoredRecord::<InquiryRecord>::decode(&key, &value).is_ok_and(|entry| what.takes(&entry)) {
                ids.insert(Uuid::from_bytes(key));
            }
            Ok(true)
        },
    )?;
    Ok((ids, next))
}

impl Tx<'_> {
    /// Erases inquiries; returns their number. With `must_exist`, erases none if one is missing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn erase(
        &mut self,
        ids: &BTreeSet<Uuid>,
        must_exist: bool,
    ) -> Result<Result<u64, EraseError>, EngineError> {
        let mut erased = 0;
        for id in ids {
            if self.erase_one(*id)? {
                erased += 1;
            } else if must_exist {
                self.undo();
                return Ok(Err(EraseError::Unknown(*id)));
            }
        }
        Ok(Ok(erased))
    }

    /// Erases an inquiry, even an unreadable one; returns whether it existed.
    fn erase_one(&mut self, id: Uuid) -> Result<bool, EngineError> {
        match readable::<Option<StoredRecord>>(reads::entry(self, id))? {
            Some(None) => return Ok(false),
            // Its index entries are removed when they come due.
            None => self.remove(EntryKind::Inquiries, *id.as_bytes()),
            Some(Some(mut entry)) => {
                let record = &mut entry.record;
                if record.inquiry.is_none() && !matches!(record.referral.status, Status::Withdrawn(_)) {
                    return Ok(false);
                }
                let reviews: Vec<bool> = record.referral.reviews().map(Review::is_published).collect();
                if !reviews.is_empty() {
                    self.note_reviews(reviews.contains(&true));
                }
                record.inquiry = None;
                match record.referral.erased(self.now) {
                    Some(referral) => {
                        record.referral = referral;
                        self.save(&entry);
                    }
                    None => self.remove_entry(&entry),
                }
            }
        }
        self.remove_all(EntryKind::Photos, id.as_bytes())?;
        self.note_erased(id.as_bytes());
        Ok(true)
    }
}
