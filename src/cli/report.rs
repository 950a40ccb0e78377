//! `taubenabwehr report`: one HTML page with plots of what became of the inquiries. It names no visitor.

use std::io::Write;

use super::export::range;
use super::failure::Failure;
use crate::config::ConfigFile;
use crate::config::args::ReportArgs;
use crate::config::settings::SiteSettings;
use crate::operate::export::Output;
use crate::operate::report::html;

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
