//! `taubenabwehr report`: an HTML page with plots about the inquiries, without personal data.

use super::CliError;
use crate::config::ConfigFile;
use crate::config::args::ReportArgs;
use crate::config::settings::SiteSettings;
use crate::control::Caller;
use crate::operate::calls::WriteReport;
use crate::operate::export::Output;
use crate::operate::report::names;

/// Writes the report.
///
/// # Errors
/// When the report was not written; an existing file at the output path is left untouched. Wrong usage if a bound is not a time.
pub fn run(args: &ReportArgs, file: Option<&ConfigFile>) -> Result<(), CliError> {
    let range = args.range.range()?;
    let settings = SiteSettings::read_or_sample(args.site.as_deref())?;
    let html = Caller::new(&args.data)?.call(WriteReport {
        range,
        names: names(file.map_or(&[][..], |file| &file.firms)),
        site: settings.name.to_string(),
    })?;
    Ok(Output::open(Some(&args.output))?.put(html.as_bytes())?)
}
