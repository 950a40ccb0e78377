//! Firms and plans.

use taubenabwehr::domain::matching::{Firm, PostalPrefix};
use taubenabwehr::domain::referral::HandlingPolicy;

pub use crate::samples::firm;

/// A firm that takes none of the samples.
pub fn elsewhere(id: &str) -> Firm {
    Firm {
        postal_codes: vec![PostalPrefix::parse("8").unwrap()],
        ..firm(id)
    }
}

/// Everybody is notified of everything, and these firms are asked.
pub fn policy(firms: &[&str]) -> HandlingPolicy {
    HandlingPolicy {
        firms: firms.iter().map(|id| firm(id)).collect(),
        operator_mailboxes: 1,
        webhook: true,
        visitor_mail: true,
        ..HandlingPolicy::default()
    }
}
