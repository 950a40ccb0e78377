//! `taubenabwehr firms statement`: the commission that firms owe for a month.

use jiff::Timestamp;

use super::CliError;
use super::named::{known_firm, refused};
use crate::config::ConfigFile;
use crate::config::args::{StatementArgs, StatementFormat};
use crate::config::settings::SiteSettings;
use crate::control::Caller;
use crate::operate::calls::{CloseMonth, ShowStatement};
use crate::operate::export::{List, ListFormat, Output};
use crate::operate::statement::{csv, firms, page};
use crate::store::Location;

/// Writes the statement of a month, optionally closing the month first.
///
/// # Errors
/// When the month should be closed but is not over, the ledger cannot be read, or the output cannot be written.
pub fn run(
    args: &StatementArgs,
    is_json: bool,
    location: &Location,
    file: Option<&ConfigFile>,
) -> Result<(), CliError> {
    // Read the settings and open the output first, so that these errors occur before the month is closed.
    let settings = SiteSettings::read_or_sample(args.site.as_deref())?;
    let caller = Caller::new(location)?;
    if let Some(firm) = &args.firm {
        known_firm(&caller, firm, file)?;
    }
    let output = Output::open(args.output.path.as_deref())?;
    let month = args.month;
    let vat = file.map(|file| file.vat);
    if args.close {
        let closed = caller.call(CloseMonth { month, vat });
        closed.map_err(|error| refused(error, "firms statement --month"))?;
    }
    let firm = args.firm.clone();
    let statement = caller.call(ShowStatement { month, firm, vat })?;
    let format = if is_json {
        StatementFormat::Json
    } else {
        args.output.format
    };
    match format {
        StatementFormat::Csv => output.put(&csv(&statement)?)?,
        StatementFormat::Json => List::new(output, ListFormat::Json)?.complete(firms(&statement))?,
        StatementFormat::Html => output.put(page(&statement, &settings, Timestamp::now())?.as_bytes())?,
    }
    Ok(())
}
