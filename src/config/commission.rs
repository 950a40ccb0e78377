//! `[commission]`: what firms pay for inquiries that they accept.

use serde::Deserialize;

use super::values::{FromText, Parsed};
use crate::domain::commission::{Euro, Percent, Terms};

/// The table of all firms that have none of their own.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommissionTable {
    per_acceptance: Option<Parsed<Euro>>,
    per_order: Option<Parsed<Euro>>,
    share: Option<Parsed<Percent>>,
    vat: Option<Parsed<Percent>>,
}

/// The table of one firm.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TermsTable {
    per_acceptance: Option<Parsed<Euro>>,
    per_order: Option<Parsed<Euro>>,
    share: Option<Parsed<Percent>>,
}

impl CommissionTable {
    /// Returns the rate of value added tax.
    pub(super) fn vat(&self) -> Percent {
        self.vat.map_or(Percent::USUAL_VAT, |vat| vat.0)
    }

    /// Returns what firms pay.
    pub(super) fn terms(self) -> Terms {
        Terms::from(TermsTable {
            per_acceptance: self.per_acceptance,
            per_order: self.per_order,
            share: self.share,
        })
    }
}

impl From<TermsTable> for Terms {
    fn from(table: TermsTable) -> Self {
        Self {
            per_acceptance: table.per_acceptance.map_or(Euro::ZERO, |amount| amount.0),
            per_order: table.per_order.map_or(Euro::ZERO, |amount| amount.0),
            share: table.share.map_or(Percent::ZERO, |share| share.0),
        }
    }
}

impl FromText for Euro {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|wrong| wrong.to_string())
    }
}

impl FromText for Percent {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|wrong| wrong.to_string())
    }
}
