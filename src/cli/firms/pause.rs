//! `taubenabwehr firms pause` and `firms resume`.

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::CliError;
use crate::cli::inquiries::policy;
use crate::cli::named::{known_firm, refused};
use crate::cli::output::{counted, print_json, say};
use crate::config::ConfigFile;
use crate::config::args::FirmsArgs;
use crate::control::Caller;
use crate::domain::matching::{Firm, FirmId};
use crate::operate::calls::{PauseFirm, ResumeFirm};
use crate::operate::view::{PauseView, Time, is_paused_in_file};

/// A change of a firm's pause.
#[derive(Debug, Serialize)]
struct Paused<'a> {
    firm: &'a FirmId,
    #[serde(flatten)]
    pause: PauseView,
    /// How many questions that were open are passed on.
    passed_on: u64,
}

/// Pauses a firm.
///
/// # Errors
/// When that was not done.
pub fn pause(
    args: &FirmsArgs,
    firm: &FirmId,
    until: Option<Timestamp>,
    file: Option<&ConfigFile>,
) -> Result<(), CliError> {
    let caller = Caller::new(&args.data.location)?.with_policy(policy(file)?);
    known_firm(&caller, firm, file)?;
    if let Some(file) = file.filter(|file| Firm::find(file.firms(), firm).is_none()) {
        let path = file.path().display();
        return Err(format!("{path} has no firm `{firm}`; `taubenabwehr firms` lists them").into());
    }
    let paused = caller.call(PauseFirm {
        firm: firm.clone(),
        end: until,
    });
    let passed_on = paused.map_err(|error| refused(error, "firms"))?;
    let pause = PauseView {
        paused: true,
        paused_until: until.map(Time),
    };
    if args.json.json {
        return print_json(&Paused {
            firm,
            pause,
            passed_on,
        });
    }
    let end = match pause.paused_until {
        Some(until) => format!("until {until}"),
        None => format!("until `taubenabwehr firms resume {firm}`"),
    };
    let questions = counted(passed_on, "open question was", "open questions were");
    say(format!("{firm} is paused {end}; {questions} passed on\n"));
    Ok(())
}

/// Ends a firm's pause.
///
/// # Errors
/// When that was not done.
pub fn resume(args: &FirmsArgs, firm: &FirmId, file: Option<&ConfigFile>) -> Result<(), CliError> {
    let caller = Caller::new(&args.data.location)?.with_policy(policy(file)?);
    known_firm(&caller, firm, file)?;
    caller.call(ResumeFirm { firm: firm.clone() })?;
    let paused = is_paused_in_file(firm, file.map_or(&[], ConfigFile::firms));
    if args.json.json {
        let pause = PauseView {
            paused,
            paused_until: None,
        };
        return print_json(&Paused {
            firm,
            pause,
            passed_on: 0,
        });
    }
    let but = if paused {
        "; in the configuration file it is still paused"
    } else {
        ""
    };
    say(format!("{firm} is asked again{but}\n"));
    Ok(())
}
