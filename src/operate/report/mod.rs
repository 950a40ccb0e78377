//! The operator's report: one HTML page with plots of what became of the inquiries (`docs/behaviour.md`, "Counts and
//! the report"). It names no visitor, and no I/O happens here.

mod counts;
mod figures;
mod map;
mod page;
mod plots;

pub use figures::{FirmFigures, ReportFigures};
pub use page::page;

use futures_util::TryStreamExt;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::base::text::berlin;
use crate::config::settings::SiteSettings;
use crate::domain::matching::Firm;
use crate::domain::referral::InquiryRecord;
use crate::operate::{CallError, RecordStream};
use crate::store::{DayCounts, TimeRange};
use page::last_day_before;

/// Returns the report of a range as HTML, of its inquiries and of what was counted from [`first_day`] on.
///
/// # Errors
/// When the inquiries cannot be read.
pub async fn html(
    mut records: RecordStream<InquiryRecord>,
    days: Vec<(Date, DayCounts)>,
    range: TimeRange,
    firms: &[Firm],
    settings: &SiteSettings,
) -> Result<String, CallError> {
    let mut figures = ReportFigures::new(firms);
    while let Some(record) = records.try_next().await? {
        figures.add(&record);
    }
    // A day counts as a whole if any of it is asked for.
    let last = range.until.map(last_day_before);
    for (day, counts) in days {
        if last.is_none_or(|last| day <= last) {
            figures.add_funnel(&counts);
        }
    }
    // A test draws a report, so that no operator sees that.
    let damaged = |error| CallError::Failed(format!("a file of this program is damaged: {error}"));
    page(&figures, &settings.name.to_string(), range, Timestamp::now()).map_err(damaged)
}

/// Returns the first day of which the report of a range needs counts.
pub fn first_day(range: TimeRange) -> Date {
    range.since.map_or(Date::MIN, berlin::day)
}
