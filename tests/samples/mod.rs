//! Samples that several test programs share.

use taubenabwehr::domain::matching::{Firm, FirmId, PostalPrefix};

/// A firm that takes every inquiry of Hamburg.
pub fn firm(id: &str) -> Firm {
    Firm {
        id: FirmId::parse(id).unwrap(),
        name: format!("Firma {id}"),
        email: format!("{id}@firma.example"),
        phone: None,
        website: None,
        postal_codes: vec![PostalPrefix::parse("2").unwrap()],
        property_types: None,
        problems: None,
        per_week: None,
        paused: false,
        commission: None,
        checked: None,
    }
}
