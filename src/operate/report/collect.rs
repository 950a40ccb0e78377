//! The report of what the store holds.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{FunnelDay, Header, ReportError, ReportFigures, last_day_before, page};
use crate::base::text::berlin;
use crate::config::settings::SiteSettings;
use crate::domain::matching::Firm;
use crate::domain::referral::InquiryRecord;
use crate::operate::RecordStream;
use crate::store::{DayCounts, TimeRange};

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
) -> Result<String, ReportError> {
    let mut figures = ReportFigures::new(firms);
    while let Some(record) = records.next().await? {
        figures.add(&record);
    }
    // A day counts as a whole if any of it is asked for.
    let last = range.until.map(last_day_before);
    for (day, counts) in days {
        if last.is_none_or(|last| day <= last) {
            figures.add_funnel(&funnel_day(&counts));
        }
    }
    let name = settings.name.to_string();
    let header = Header {
        site: &name,
        since: range.since,
        until: range.until,
        made_at: Timestamp::now(),
    };
    page(&figures, &header).map_err(ReportError::Files)
}

/// Returns the first day of which the report of a range needs counts.
pub fn first_day(range: TimeRange) -> Date {
    range.since.map_or(Date::MIN, berlin::day)
}

/// Adds up the counts of a day. Unknown names are ignored.
fn funnel_day(counts: &DayCounts) -> FunnelDay {
    let mut day = FunnelDay::default();
    for (name, count) in counts {
        match name.split_once(':') {
            Some(("inquiry", "other")) => day.others += count,
            Some(("page", _)) => day.pages += count,
            Some(("step", step)) => {
                let step = step.parse().ok().and_then(|step: usize| day.steps.get_mut(step));
                if let Some(sum) = step {
                    *sum += count;
                }
            }
            None if name == "inquiry" => day.sent += count,
            _ => {}
        }
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_added_up() {
        let counts = [
            ("page:/", 5),
            ("page:/blog", 2),
            ("step:0", 4),
            ("step:4", 1),
            ("step:9", 7),
            ("inquiry", 1),
            ("inquiry:other", 2),
            ("other", 3),
        ];
        let counts = counts
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count))
            .collect();
        let expected = FunnelDay {
            pages: 7,
            steps: [4, 0, 0, 0, 1],
            sent: 1,
            others: 2,
        };
        assert_eq!(funnel_day(&counts), expected);
    }
}
