//! What one firm made of the inquiries that it was asked about.

use super::hours::Hours;
use crate::referral::{Answer, Asked};

/// A firm's answers, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FirmFigures {
    /// How often it has accepted.
    pub accepted: u64,
    /// How often it has declined.
    pub declined: u64,
    /// How often it has not answered in time.
    pub silent: u64,
    /// How often it may still answer.
    pub pending: u64,
    /// How long it took to answer.
    pub hours: Hours,
}

impl FirmFigures {
    /// Adds an inquiry about which the firm was asked.
    pub fn add(&mut self, asked: &Asked) {
        let count = match asked.answer {
            Answer::Accepted(_) => &mut self.accepted,
            Answer::Declined(_) => &mut self.declined,
            Answer::Silent => &mut self.silent,
            Answer::Pending => &mut self.pending,
        };
        *count += 1;
        if let Some(duration) = asked.answered_after() {
            self.hours.add(duration);
        }
    }

    /// Returns how often it was asked.
    pub fn asked(&self) -> u64 {
        self.accepted + self.declined + self.silent + self.pending
    }
}
