//! `taubenabwehr report`: one HTML page with plots of what became of the inquiries. It names no visitor.

use std::io::Write;

use jiff::Timestamp;
use jiff::civil::Date;

use super::export::range;
use super::failure::Failure;
use crate::cli::ReportArgs;
use crate::config::ConfigFile;
use crate::config::settings::SiteSettings;
use crate::control::{AskError, Asked, Request, find, records};
use crate::export::Output;
use crate::matching::Firm;
use crate::report::{Figures, FunnelDay, Header, last_day_before, page};
use crate::store::{DayCounts, TimeRange};
use crate::text::berlin;

/// Writes the report.
///
/// # Errors
/// When it was not written; a file of that name is then as it was. Wrong usage if a bound is not a time.
pub fn run(args: &ReportArgs, file: Option<&ConfigFile>) -> Result<(), Failure> {
    let range = range(args.since.as_deref(), args.until.as_deref())?;
    let settings = match &args.site {
        Some(path) => SiteSettings::read(path)?,
        None => SiteSettings::embedded()?,
    };
    let firms = file.map_or(&[][..], ConfigFile::firms);
    let html = html(&args.data.location, range, firms, &settings)?;
    let mut output = Output::open(Some(&args.output))?;
    let written = output.write_all(html.as_bytes());
    written.map_err(|error| output.error(error))?;
    Ok(output.keep()?)
}

/// Returns the report as HTML.
///
/// # Errors
/// When the inquiries cannot be read.
pub fn html(
    asked: &dyn Asked,
    range: TimeRange,
    firms: &[Firm],
    settings: &SiteSettings,
) -> Result<String, Failure> {
    let figures = figures(asked, range, firms)?;
    let name = settings.name.to_string();
    let header = Header {
        site: &name,
        since: range.since,
        until: range.until,
        made_at: Timestamp::now(),
    };
    Ok(page(&figures, &header)?)
}

fn figures(asked: &dyn Asked, range: TimeRange, firms: &[Firm]) -> Result<Figures, AskError> {
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
