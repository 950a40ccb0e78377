//! Firms and policies.

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

/// A policy that notifies everybody of everything, and asks these firms.
pub fn policy(firms: &[&str]) -> HandlingPolicy {
    HandlingPolicy {
        firms: firms.iter().map(|id| firm(id)).collect(),
        operator_mailboxes: 1,
        webhook: true,
        visitor_mail: true,
        ..HandlingPolicy::default()
    }
}
