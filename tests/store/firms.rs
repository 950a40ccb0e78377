//! Firms and plans.

use taubenabwehr::matching::{Firm, FirmId, PostalPrefix};
use taubenabwehr::referral::Plan;

/// A firm that takes every inquiry of Hamburg.
pub fn firm(id: &str) -> Firm {
    Firm {
        id: FirmId::parse(id).unwrap(),
        name: format!("Firma {id}"),
        email: format!("{id}@example.de"),
        phone: None,
        website: None,
        postal_codes: vec![PostalPrefix::parse("2").unwrap()],
        property_types: None,
        problems: None,
        per_week: None,
        paused: false,
    }
}

/// A firm that takes none of the samples.
pub fn elsewhere(id: &str) -> Firm {
    Firm {
        postal_codes: vec![PostalPrefix::parse("8").unwrap()],
        ..firm(id)
    }
}

/// Everybody is told of everything, and these firms are asked.
pub fn plan(firms: &[&str]) -> Plan {
    Plan {
        firms: firms.iter().map(|id| firm(id)).collect(),
        operator_mailboxes: 1,
        webhook: true,
        visitor_mail: true,
        ..Plan::default()
    }
}
