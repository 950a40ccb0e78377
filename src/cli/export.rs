//! `taubenabwehr export`: writes inquiries to a file or to standard output.

use std::io::{self, Write};

use clap::error::ErrorKind;
use clap::{CommandFactory, Error};
use jiff::Timestamp;

use super::failure::CliError;
use crate::config::args::parse_bound;
use crate::config::args::{Cli, ExportArgs};
use crate::control::Caller;
use crate::operate::export::{Suspected, export};
use crate::store::TimeRange;

/// Writes what was asked for.
///
/// # Errors
/// When the inquiries could not all be written; wrong usage if a bound is not a time.
pub fn run(args: ExportArgs) -> Result<(), CliError> {
    let ExportArgs {
        output,
        since,
        until,
        include_suspected,
        only_suspected,
        data,
    } = args;
    let range = range(since.as_deref(), until.as_deref())?;
    let suspected = match (include_suspected, only_suspected) {
        (_, true) => Suspected::Only,
        (true, false) => Suspected::Included,
        (false, false) => Suspected::LeftOut,
    };
    let caller = Caller::new(&data.location)?;
    let inquiries = caller.stream(range)?;
    let exported = export(inquiries, suspected, output.format, output.path.as_deref());
    let left_out = caller.wait(exported)?;
    if left_out > 0 {
        // A closed standard error is not a reason to fail.
        let _ = writeln!(io::stderr(), "{}", note(left_out));
    }
    Ok(())
}

/// No inquiry is left out silently: the mark can be wrong.
fn note(left_out: u64) -> String {
    let inquiries = match left_out {
        1 => "1 inquiry that may be a robot's was".to_owned(),
        _ => format!("{left_out} inquiries that may be a robot's were"),
    };
    format!("note: {inquiries} left out; look at them with --only-suspected")
}

/// Parses the range that two flags give.
///
/// # Errors
/// Wrong usage if one is not a time, or nothing can be in between.
pub fn range(since: Option<&str>, until: Option<&str>) -> Result<TimeRange, Error> {
    let since = since.map(|text| time("--since <T>", text)).transpose()?;
    let until = until.map(|text| time("--until <T>", text)).transpose()?;
    if let (Some(since), Some(until)) = (since, until)
        && since > until
    {
        let message = "--since is later than --until: no inquiry can be in between";
        return Err(Cli::command().error(ErrorKind::ValueValidation, message));
    }
    Ok(TimeRange { since, until })
}

/// Parses the time of a flag.
///
/// # Errors
/// Wrong usage if it is not a time.
pub fn time(flag: &str, text: &str) -> Result<Timestamp, Error> {
    parse_bound(text).map_err(|expected| {
        let message = format!("invalid value '{text}' for '{flag}': {expected}");
        Cli::command().error(ErrorKind::ValueValidation, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_bounds_are_wrong_usage() {
        let text = |since, until| {
            let error = range(since, until).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            error.to_string().lines().next().unwrap_or_default().to_owned()
        };
        let wrong = "error: invalid value 'gestern' for '--since <T>': expected a date such as 2026-11-01";
        assert!(text(Some("gestern"), None).starts_with(wrong));
        assert!(
            text(None, Some("31.11.2026")).starts_with("error: invalid value '31.11.2026' for '--until <T>'")
        );
        assert_eq!(
            text(Some("2026-11-02"), Some("2026-11-01")),
            "error: --since is later than --until: no inquiry can be in between"
        );
        assert!(range(Some("2026-11-01"), Some("2026-11-01")).is_ok());
        assert_eq!(range(None, None).unwrap(), TimeRange::default());
    }
}
