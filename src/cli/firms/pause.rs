//! `taubenabwehr firms pause` and `firms resume`.

use jiff::Timestamp;
use serde_json::json;

use crate::base::text::berlin::in_berlin;
use crate::base::text::counted;
use crate::cli::CliError;
use crate::cli::named::{caller_about, refused};
use crate::cli::output::{print_json, say};
use crate::config::ConfigFile;
use crate::config::args::FirmsArgs;
use crate::domain::inquiry::rfc3339_millis;
use crate::domain::matching::{Firm, FirmId, Pause};
use crate::operate::calls::{PauseFirm, ResumeFirm};

/// Prints the new state of a firm's pause as JSON, with the number of open requests that were passed on.
fn print_change(firm: &FirmId, is_paused: bool, pause: Pause, passed_on: u64) -> Result<(), CliError> {
    print_json(&json!({
        "firm": firm,
        "paused": is_paused,
        "paused_from": pause.from.map(rfc3339_millis),
        "paused_until": pause.until.map(rfc3339_millis),
        "passed_on": passed_on,
    }))
}

/// Pauses a firm.
///
/// # Errors
/// When the firm was not paused.
pub fn pause(
    args: &FirmsArgs,
    firm: &FirmId,
    pause: Pause,
    file: Option<&ConfigFile>,
) -> Result<(), CliError> {
    let caller = caller_about(&args.data, firm, file)?;
    if let Some(file) = file.filter(|file| Firm::find(&file.firms, firm).is_none()) {
        let path = file.path().display();
        return Err(format!("{path} has no firm `{firm}`; `taubenabwehr firms` lists them").into());
    }
    let paused = caller.call(PauseFirm {
        firm: firm.clone(),
        pause,
    });
    let passed_on = paused.map_err(|error| refused(error, "firms"))?;
    if args.json.json {
        return print_change(firm, pause.holds(Timestamp::now()), pause, passed_on);
    }
    let start = pause.from.map(|from| format!(" from {}", in_berlin(from)));
    let start = start.unwrap_or_default();
    let end = match pause.until {
        Some(until) => format!("until {}", in_berlin(until)),
        None => format!("until `taubenabwehr firms resume {firm}`"),
    };
    let questions = counted(passed_on, "open question was", "open questions were");
    say(format!("{firm} is paused{start} {end}; {questions} passed on\n"));
    Ok(())
}

/// Ends a firm's pause.
///
/// # Errors
/// When the pause was not ended.
pub fn resume(args: &FirmsArgs, firm: &FirmId, file: Option<&ConfigFile>) -> Result<(), CliError> {
    let caller = caller_about(&args.data, firm, file)?;
    caller.call(ResumeFirm { firm: firm.clone() })?;
    let firms = file.map_or(&[][..], |file| &file.firms);
    let is_paused = Firm::find(firms, firm).is_some_and(|firm| firm.paused);
    if args.json.json {
        return print_change(firm, is_paused, Pause::default(), 0);
    }
    let but = if is_paused {
        "; in the configuration file it is still paused"
    } else {
        ""
    };
    say(format!("{firm} is asked again{but}\n"));
    Ok(())
}
