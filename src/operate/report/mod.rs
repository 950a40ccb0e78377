//! The operator's report: one HTML page with plots of what became of the inquiries (`docs/behaviour.md`, "Counts and
//! the report"). It names no visitor, and no I/O happens here.

mod bars;
mod collect;
mod counts;
mod day_plot;
mod figures;
mod map;
mod page;
mod scale;
mod week_plot;

pub use collect::{first_day, html};
pub use figures::{FirmFigures, FunnelDay, ReportFigures};
pub use page::{Header, page};

use std::error::Error;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use super::CallError;
use crate::base::text::berlin;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The inquiries cannot be read.
    #[error(transparent)]
    Call(#[from] CallError),
    /// A fault of the program's own files: a test draws a report, so that no operator sees one.
    #[error("a file of this program is damaged: {0}")]
    Files(Box<dyn Error + Send + Sync>),
}

/// Returns the last day of which some part lies before a time.
pub fn last_day_before(time: Timestamp) -> Date {
    berlin::day(time.checked_sub(SignedDuration::from_nanos(1)).unwrap_or(time))
}
