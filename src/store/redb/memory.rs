//! What the writer keeps in memory of the open file.

use std::mem;
use std::sync::Arc;

use jiff::Timestamp;
use redb::Database;

use super::confirmations::Confirmations;
use super::{schema, turns};
use crate::referral::MatchingState;
use crate::store::core::Ids;

/// What the writer keeps in memory of the open file.
pub struct Memory {
    /// Makes ids of new inquiries.
    pub ids: Ids,
    /// What is done with inquiries, and whose turn it is.
    pub matching: MatchingState,
    /// Who was sent confirmations.
    pub confirmations: Confirmations,
    /// Whether `ids` continues after what the open file holds, and the others know what it says.
    is_true: bool,
}

impl Memory {
    /// Begins with nothing: no file was read.
    pub fn new() -> Self {
        Self {
            ids: Ids::after(None),
            matching: MatchingState::default(),
            confirmations: Confirmations::default(),
            is_true: false,
        }
    }

    /// Reads what the file says, unless that is known, for a transaction that will change it. Until [`Self::keep`] it counts as
    /// unknown: after an error it may be ahead of the file.
    pub fn lend(&mut self, database: &Database, now: Timestamp) -> Result<&mut Self, redb::Error> {
        if !mem::replace(&mut self.is_true, false) {
            if let Some(last) = schema::last_id(database)? {
                self.ids.skip_to(last);
            }
            let MatchingState {
                policy, is_serving, ..
            } = &self.matching;
            self.matching = turns::load(database, Arc::clone(policy), *is_serving)?;
            self.confirmations = Confirmations::load(database, now)?;
        }
        Ok(self)
    }

    /// Notes that the file says the same.
    pub fn keep(&mut self) {
        self.is_true = true;
    }

    /// Notes that the file may say something else.
    pub fn doubt(&mut self) {
        self.is_true = false;
    }
}
