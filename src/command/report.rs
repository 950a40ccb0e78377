//! `taubenabwehr report`: one HTML page with plots of what became of the inquiries. It names no visitor.

use std::io::Write;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, tz};

use super::export::range;
use super::failure::Failure;
use super::source::{each_dossier, operate};
use crate::cli::ReportArgs;
use crate::config::ConfigFile;
use crate::config::settings::SiteSettings;
use crate::config::toml_file::FileError;
use crate::control::client::AskError;
use crate::control::operations::ReadCounts;
use crate::export::{ExportError, Output};
use crate::report::{Figures, FunnelDay, Header, ReportError, page};
use crate::store::{DayCounts, Location, TimeRange};

/// Why there is no report; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ReportFailure {
    /// The inquiries cannot be read.
    #[error(transparent)]
    Read(#[from] Failure),
    /// The site settings are wrong.
    #[error(transparent)]
    Settings(#[from] FileError),
    /// It cannot be drawn.
    #[error(transparent)]
    Draw(#[from] ReportError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] ExportError),
}

/// Writes the report. A bound that is not a time ends the process with the exit code for wrong usage.
///
/// # Errors
/// When it was not written; a file of that name is then as it was.
pub fn run(args: &ReportArgs, file: Option<&ConfigFile>) -> Result<(), ReportFailure> {
    let range = range(args.since.as_deref(), args.until.as_deref()).unwrap_or_else(|error| error.exit());
    let settings = match &args.site {
        Some(path) => SiteSettings::read(path)?,
        None => SiteSettings::embedded()?,
    };
    let figures = figures(&args.data.location, range, file)?;
    let name = settings.name.to_string();
    let header = Header {
        site: &name,
        since: range.since,
        until: range.until,
        made_at: Timestamp::now(),
    };
    let html = page(&figures, &header)?;
    let mut output = Output::open(Some(&args.output))?;
    let written = output.write_all(html.as_bytes());
    written.map_err(|error| output.error(error))?;
    Ok(output.keep()?)
}

fn figures(location: &Location, range: TimeRange, file: Option<&ConfigFile>) -> Result<Figures, Failure> {
    let mut figures = Figures::new(file.map(ConfigFile::firms).unwrap_or_default());
    each_dossier(location, range, |dossier| {
        figures.add(&dossier);
        Ok(())
    })?;
    let since = range.since.map(|since| day(since).to_string());
    // A day counts as a whole if any of it is asked for.
    let last = range.until.map(|until| {
        let before = SignedDuration::from_nanos(1);
        day(until.checked_sub(before).unwrap_or(until))
    });
    for (day, counts) in operate(location, ReadCounts { since })? {
        let day: Date = day.parse().map_err(|_| AskError::Strange)?;
        if last.is_none_or(|last| day <= last) {
            figures.add_funnel(&funnel_day(&counts));
        }
    }
    Ok(figures)
}

fn day(time: Timestamp) -> Date {
    time.to_zoned(tz::get!("Europe/Berlin")).date()
}

/// Adds the counts of a day up. Names that are not known are passed over.
fn funnel_day(counts: &DayCounts) -> FunnelDay {
    let mut day = FunnelDay::default();
    for (name, count) in counts {
        match name.split_once(':') {
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
        };
        assert_eq!(funnel_day(&counts), expected);
    }
}
