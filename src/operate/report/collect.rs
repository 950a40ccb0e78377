//! The report of what the store holds.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{Figures, FunnelDay, Header, ReportError, last_day_before, page};
use crate::base::text::berlin;
use crate::config::settings::SiteSettings;
use crate::domain::matching::Firm;
use crate::operate::{AskError, Backend, Request, find, records};
use crate::store::{DayCounts, TimeRange};

/// Returns the report as HTML.
///
/// # Errors
/// When the inquiries cannot be read.
pub fn html(
    asked: &dyn Backend,
    range: TimeRange,
    firms: &[Firm],
    settings: &SiteSettings,
) -> Result<String, ReportError> {
    let figures = figures(asked, range, firms)?;
    let name = settings.name.to_string();
    let header = Header {
        site: &name,
        since: range.since,
        until: range.until,
        made_at: Timestamp::now(),
    };
    page(&figures, &header)
}

fn figures(asked: &dyn Backend, range: TimeRange, firms: &[Firm]) -> Result<Figures, AskError> {
    let mut figures = Figures::new(firms);
    for record in records(asked, range)? {
        figures.add(&record?);
    }
    let since = range.since.map_or(Date::MIN, berlin::day);
    // A day counts as a whole if any of it is asked for.
    let last = range.until.map(last_day_before);
    let days: Vec<(Date, DayCounts)> = find(asked, &Request::Counts(since))?;
    for (day, counts) in days {
        if last.is_none_or(|last| day <= last) {
            figures.add_funnel(&funnel_day(&counts));
        }
    }
    Ok(figures)
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
