//! The operator's report: an HTML page with plots about the inquiries (`docs/behaviour.md`, "Counts and the report"). It contains
//! no personal data. No I/O happens here.

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

/// The report of a range as HTML. `days` are the counts from [`first_day`] on.
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
    // A day counts in full if the range includes any of it.
    let last = range.until.map(last_day_before);
    for (day, counts) in days {
        if last.is_none_or(|last| day <= last) {
            figures.add_funnel(&counts);
        }
    }
    // A test renders a report, so this does not happen in production.
    let damaged = |error| CallError::Failed(format!("a file of this program is damaged: {error}"));
    page(&figures, &settings.name.to_string(), range, Timestamp::now()).map_err(damaged)
}

/// The first day whose counts the report of a range needs.
pub fn first_day(range: TimeRange) -> Date {
    range.since.map_or(Date::MIN, berlin::day)
}
