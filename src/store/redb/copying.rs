//! A copy of a file on its way, and what an erasure leaves out of it.

use jiff::Timestamp;
use redb::{ReadTransaction, WriteTransaction};

use super::error::damaged;
use super::schema::{Id, millis};
use crate::store::core::{self, record};
use crate::store::erasure::{Erasure, made_before};

/// A copy of a file on its way.
pub struct Copying<'a> {
    /// The file that is copied.
    pub old: &'a ReadTransaction,
    /// The file that it is copied to.
    pub new: &'a WriteTransaction,
    /// What is left out.
    pub erasure: Option<&'a Erasure>,
    /// The time at which keys are expired or not.
    pub now: Timestamp,
    /// Called for each entry, so that others see that the disk answers.
    pub progress: &'a dyn Fn(),
}

impl Copying<'_> {
    /// Returns whether the inquiry with this id and value is left out.
    pub fn erases(&self, id: &Id, value: &[u8]) -> Result<bool, redb::Error> {
        self.erasure
            .map_or(Ok(false), |erasure| erases(erasure, id, value))
    }

    /// Returns whether the erasure names this id.
    pub fn names(&self, id: &Id) -> bool {
        matches!(self.erasure, Some(Erasure::Ids(ids)) if ids.contains(&uuid::Uuid::from_bytes(*id)))
    }
}

/// Returns whether an erasure takes an inquiry.
pub fn erases(erasure: &Erasure, id: &Id, value: &[u8]) -> Result<bool, redb::Error> {
    match erasure {
        Erasure::Ids(ids) => Ok(ids.contains(&uuid::Uuid::from_bytes(*id))),
        Erasure::ReceivedBefore(time) => {
            Ok(*id < core::first_since(millis(*time)) || created_at(value)? < made_before(*time))
        }
        Erasure::Until(until) => Ok(created_at(value)? < *until),
    }
}

fn created_at(value: &[u8]) -> Result<Timestamp, redb::Error> {
    record::created_at(value).ok_or_else(|| damaged("an inquiry cannot be read"))
}
