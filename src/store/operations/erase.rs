//! Erasing inquiries.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::Operation;
use crate::domain::referral::{Review, Status};
use crate::store::error::EraseError;
use crate::store::map::{EngineError, Kind, View, Wanted};
use crate::store::tx::Tx;

/// Erases inquiries, all that are named or none.
pub struct Erase {
    /// Their ids.
    pub ids: BTreeSet<Uuid>,
    /// Whether each of them must be there.
    pub must_exist: bool,
}

impl Operation for Erase {
    /// How many were erased.
    type Reply = Result<u64, EraseError>;

    fn wants(&self, wanted: &mut Wanted) {
        self.ids
            .iter()
            .for_each(|id| wanted.add(Kind::Inquiries, *id.as_bytes()));
    }

    fn needs_caller(&self) -> bool {
        true
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Self::Reply, EngineError> {
        let mut erased = 0;
        for id in &self.ids {
            if tx.erase(*id)? {
                erased += 1;
            } else if self.must_exist {
                tx.undo();
                return Ok(Err(EraseError::Unknown(*id)));
            }
        }
        Ok(Ok(erased))
    }
}

impl Tx<'_> {
    /// Erases an inquiry, also one that cannot be read; returns whether there was one.
    fn erase(&mut self, id: Uuid) -> Result<bool, EngineError> {
        let entry = match self.entry(id) {
            Ok(entry) => entry,
            Err(EngineError::Damaged(_)) => None,
            Err(error) => return Err(error),
        };
        let Some(mut entry) = entry else {
            let is_there = self.get(Kind::Inquiries, id.as_bytes())?.is_some();
            if is_there {
                // What is due for it is forgotten when its time comes.
                self.remove(Kind::Inquiries, *id.as_bytes());
                self.remove_all(Kind::Photos, id.as_bytes())?;
                self.note_erased(id.as_bytes());
            }
            return Ok(is_there);
        };
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
                self.save(&entry)?;
            }
            None => self.remove_entry(&entry),
        }
        self.remove_all(Kind::Photos, id.as_bytes())?;
        self.note_erased(id.as_bytes());
        Ok(true)
    }
}
