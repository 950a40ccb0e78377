//! Erasing inquiries.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::referral::{HandlingPolicy, Review, Status};

/// Erases inquiries, all that are named or none.
pub struct Erase {
    /// Their ids.
    pub ids: BTreeSet<Uuid>,
    /// Whether each of them must be there.
    pub must_exist: bool,
}

impl Operation for Erase {
    /// How many were erased, or which one there is not.
    type Reply = Result<u64, Uuid>;

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        reads.inquiries.extend(&self.ids);
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, ApplyError> {
        let is_there = |id: &&Uuid| {
            transaction.rows.inquiries.get(id).is_some_and(|entry| {
                let referral = entry.referral.as_ref();
                entry.inquiry.is_some()
                    || entry.damaged.is_some()
                    || referral.is_some_and(|referral| matches!(referral.status, Status::Withdrawn(_)))
            })
        };
        let there: Vec<Uuid> = self.ids.iter().filter(is_there).copied().collect();
        if self.must_exist
            && let Some(missing) = self.ids.iter().find(|id| !there.contains(id))
        {
            return Ok(Err(*missing));
        }
        for id in &there {
            let referral = transaction.rows.inquiries.get(id);
            let referral = referral.and_then(|entry| entry.referral.as_ref());
            let reviews: Vec<bool> = referral.map_or_else(Vec::new, |referral| {
                referral.reviews().map(Review::is_published).collect()
            });
            if !reviews.is_empty() {
                transaction.note_reviews(reviews.contains(&true));
            }
            if let Some(entry) = transaction.rows.inquiries.get_mut(id) {
                entry.inquiry = None;
                entry.damaged = None;
                entry.referral = entry
                    .referral
                    .take()
                    .and_then(|referral| referral.erased(transaction.now));
            }
            transaction.changes.removed.insert(*id);
            transaction.changes.erased.insert(*id);
            transaction.save_referral(*id);
        }
        Ok(Ok(there.len() as u64))
    }
}
