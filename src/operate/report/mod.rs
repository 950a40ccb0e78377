//! The operator's report: an HTML page with plots about the inquiries (`docs/behaviour.md`, "Counts and the report"). It contains
//! no personal data. No I/O happens here.

mod counts;
mod figures;
mod map;
mod page;
mod plots;

pub use figures::{FirmFigures, ReportFigures};
pub use page::page;

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::base::text::berlin;
use crate::domain::matching::{Firm, FirmId};
use crate::operate::CallError;
use crate::store::{DayCounts, TimeRange};
use page::last_day_before;

/// The report of a range as HTML, from the figures of its inquiries. `days` are the counts from [`first_day`] on, and `site` is
/// the name of the site.
///
/// # Errors
/// When a file of this program is damaged.
pub fn html(
    mut figures: ReportFigures,
    days: Vec<(Date, DayCounts)>,
    range: TimeRange,
    site: &str,
) -> Result<String, CallError> {
    // A day counts in full if the range includes any of it.
    let last = range.until.map(last_day_before);
    for (day, counts) in days {
        if last.is_none_or(|last| day <= last) {
            figures.add_funnel(&counts);
        }
    }
    // A test renders a report, so this does not happen in production.
    let damaged = |error| CallError::Failed(format!("a file of this program is damaged: {error}"));
    page(&figures, site, range, Timestamp::now()).map_err(damaged)
}

/// The names of firms by their ids.
pub fn names(firms: &[Firm]) -> BTreeMap<FirmId, String> {
    let names = firms.iter().map(|firm| (firm.id.clone(), firm.name.clone()));
    names.collect()
}

/// The first day whose counts the report of a range needs.
pub fn first_day(range: TimeRange) -> Date {
    range.since.map_or(Date::MIN, berlin::day)
}
