//! `taubenabwehr firms statement` and `firms credit`: the commission that firms owe for a month, and its credits.

use std::io::{self, Write};

use jiff::Timestamp;
use serde_json::json;

use super::CliError;
use super::named::{known_firm, only, refused};
use super::output::{print_json, say};
use crate::config::ConfigFile;
use crate::config::args::{FirmsArgs, StatementArgs, StatementFormat};
use crate::config::settings::SiteSettings;
use crate::control::Caller;
use crate::domain::inquiry::InquiryName;
use crate::domain::matching::FirmId;
use crate::operate::calls::{CloseMonth, CreditAcceptance, ListAcceptances, ShowStatement};
use crate::operate::export::{List, ListFormat, Output};
use crate::operate::statement::{csv, firms, page, workbook};
use crate::store::Location;

/// Writes the statement of a month, optionally closing the month first.
///
/// # Errors
/// When the month is to be closed but is not over, the ledger cannot be read, or the output cannot be written.
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
    let (open, firms_open) = statement.open_outcomes(|firm| firm.firm.as_str());
    if args.close && open > 0 {
        let note = "what these firms report from now on is billed in the month in which they report it";
        // A closed standard error is no reason to fail.
        let _ = writeln!(
            io::stderr(),
            "note: {open} results are open, of {firms_open}; {note}"
        );
    }
    let format = if is_json {
        StatementFormat::Json
    } else {
        args.output.format
    };
    match format {
        StatementFormat::Csv => output.put(&csv(&statement)?)?,
        StatementFormat::Json => List::new(output, ListFormat::Json)?.complete(firms(&statement))?,
        StatementFormat::Html => {
            let page = page(&statement, args.firm.as_ref(), &settings, Timestamp::now())?;
            output.put(page.as_bytes())?;
        }
        StatementFormat::Xlsx => {
            let workbook = workbook(&statement, Some(&output))?;
            output.put(&workbook)?;
        }
    }
    Ok(())
}

/// Credits an acceptance, whether or not its inquiry still exists.
///
/// # Errors
/// When nothing was credited.
pub fn credit(
    args: &FirmsArgs,
    name: &InquiryName,
    firm: &FirmId,
    reason: &str,
    file: Option<&ConfigFile>,
) -> Result<(), CliError> {
    let caller = Caller::new(&args.data)?;
    known_firm(&caller, firm, file)?;
    let mut accepted = caller.call(ListAcceptances {})?;
    accepted.retain(|known| known.firm == *firm && name.is_of(known.inquiry));
    let none = || format!("{firm} has accepted no inquiry with the id or reference {name}").into();
    let several = || format!("{firm} has accepted several inquiries with the reference {name}");
    let inquiry = only(
        accepted.iter().map(|known| known.inquiry).collect(),
        none,
        several,
    )?;
    let (id, reason) = (firm.clone(), reason.to_owned());
    let credited = caller.call(CreditAcceptance {
        inquiry,
        firm: id,
        reason,
    });
    let credited = credited.map_err(|error| refused(error, &format!("inquiries show {inquiry}")))?;
    if args.json.json {
        return print_json(&json!(credited));
    }
    say(format!("{firm} pays nothing for {}\n", credited.reference()));
    Ok(())
}
