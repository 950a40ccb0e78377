//! `taubenabwehr firms pause` and `firms resume`.

use std::io::{self, Write};

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::inquiries::{policy, print_json};
use crate::cli::named::{known_firm, refused};
use crate::config::ConfigFile;
use crate::config::args::FirmsArgs;
use crate::domain::matching::{Firm, FirmId};
use crate::domain::referral::Refusal;
use crate::operate::view::{PauseView, Time, is_paused_in_file};
use crate::operate::{Request, find_by};

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
) -> Result<(), Failure> {
    known_firm(&args.data.location, firm, file)?;
    if let Some(file) = file.filter(|file| Firm::find(file.firms(), firm).is_none()) {
        let path = file.path().display();
        return Err(format!("{path} has no firm `{firm}`; `taubenabwehr firms` lists them").into());
    }
    let request = Request::Pause(firm.clone(), until);
    let paused: Result<u64, Refusal> = find_by(&args.data.location, &request, policy(file)?)?;
    let passed_on = paused.map_err(|refusal| refused(refusal, "firms"))?;
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
    let questions = if passed_on == 1 {
        "question was"
    } else {
        "questions were"
    };
    // It is paused even if standard output is closed.
    let _ = writeln!(
        io::stdout(),
        "{firm} is paused {end}; {passed_on} open {questions} passed on"
    );
    Ok(())
}

/// Ends a firm's pause.
///
/// # Errors
/// When that was not done.
pub fn resume(args: &FirmsArgs, firm: &FirmId, file: Option<&ConfigFile>) -> Result<(), Failure> {
    known_firm(&args.data.location, firm, file)?;
    let request = Request::Resume(firm.clone());
    find_by::<()>(&args.data.location, &request, policy(file)?)?;
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
    let _ = writeln!(io::stdout(), "{firm} is asked again{but}");
    Ok(())
}
