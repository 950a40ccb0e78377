//! `[commission]`: what firms pay for inquiries that they accept.

use serde::Deserialize;

use crate::domain::commission::{Euro, Percent, Terms};

/// The table of all firms that have none of their own.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CommissionTable {
    per_acceptance: Euro,
    per_order: Euro,
    share: Percent,
    vat: Option<Percent>,
}

/// The table of one firm.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct TermsTable {
    per_acceptance: Euro,
    per_order: Euro,
    share: Percent,
}

impl CommissionTable {
    /// Returns the rate of value added tax.
    pub(super) fn vat(&self) -> Percent {
        self.vat.unwrap_or(Percent::USUAL_VAT)
    }

    /// Returns what firms pay.
    pub(super) fn terms(self) -> Terms {
        Terms {
            per_acceptance: self.per_acceptance,
            per_order: self.per_order,
            share: self.share,
        }
    }
}

impl From<TermsTable> for Terms {
    fn from(table: TermsTable) -> Self {
        Self {
            per_acceptance: table.per_acceptance,
            per_order: table.per_order,
            share: table.share,
        }
    }
}
