//! Erasing inquiries.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::Operation;
use super::lease::readable;
use crate::domain::referral::{Review, Status};
use crate::store::entry::Entry;
use crate::store::error::EraseError;
use crate::store::map::{EngineError, Kind, Wanted};
use crate::store::reads;
use crate::store::tx::Tx;

/// Erases inquiries.
pub struct Erase {
    /// Their ids.
    pub ids: BTreeSet<Uuid>,
    /// Whether each of them must be there, or none is erased.
    pub must_exist: bool,
}

impl Operation for Erase {
    /// How many were erased.
    type Reply = Result<u64, EraseError>;

    fn needs_caller(&self) -> bool {
        true
    }

    fn wants(&self, wanted: &mut Wanted) {
        self.ids
            .iter()
            .for_each(|id| wanted.add(Kind::Inquiries, *id.as_bytes()));
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Self::Reply, EngineError> {
        tx.erase(&self.ids, self.must_exist)
    }
}

impl Tx<'_> {
    /// Erases inquiries; returns how many. None is erased if each must be there and one is not.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn erase(
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

    /// Erases an inquiry, also one that cannot be read; returns whether there was one.
    fn erase_one(&mut self, id: Uuid) -> Result<bool, EngineError> {
        match readable::<Option<Entry>>(reads::entry(self, id))? {
            Some(None) => return Ok(false),
            // What is due for it is forgotten when its time comes.
            None => self.remove(Kind::Inquiries, *id.as_bytes()),
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
        self.remove_all(Kind::Photos, id.as_bytes())?;
        self.note_erased(id.as_bytes());
        Ok(true)
    }
}
