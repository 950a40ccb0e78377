//! The end of a month.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::month::Month;
use crate::domain::commission::Percent;

/// A month whose figures stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    /// The month.
    pub month: Month,
    /// When it was closed.
    pub at: Timestamp,
    /// The rate of value added tax of its statements.
    pub vat: Percent,
}

/// Why a month cannot be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosingRefusal {
    /// It is not over.
    #[error("{0} is not over yet")]
    NotOver(Month),
}
