//! `taubenabwehr firms pause` and `firms resume`.

use std::fmt;
use std::io::{self, Write};

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::FirmsArgs;
use crate::command::failure::Failure;
use crate::command::inquiries::{policy, print_json};
use crate::command::named::{known_firm, refused};
use crate::command::view::Time;
use crate::config::ConfigFile;
use crate::control::{Request, find_by};
use crate::matching::{Firm, FirmId};
use crate::referral::Refusal;
use crate::store::Facts;

/// Whether a firm is paused, and until when.
#[derive(Debug, Serialize)]
pub struct PauseView {
    paused: bool,
    /// When the pause ends; `None` without an end, and where there is no pause.
    paused_until: Option<Time>,
}

impl PauseView {
    /// Returns what the store and the configuration say.
    pub fn of(firm: &FirmId, facts: &Facts, configured: &[Firm], now: Timestamp) -> Self {
        if is_paused_in_file(firm, configured) {
            return Self {
                paused: true,
                paused_until: None,
            };
        }
        let pause = facts.pause_of(firm, now);
        Self {
            paused: pause.is_some(),
            paused_until: pause.flatten().map(Time),
        }
    }
}

impl fmt::Display for PauseView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.paused_until {
            Some(until) => write!(formatter, "until {until}"),
            None if self.paused => formatter.write_str("yes"),
            None => formatter.write_str("no"),
        }
    }
}

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

fn is_paused_in_file(firm: &FirmId, configured: &[Firm]) -> bool {
    Firm::find(configured, firm).is_some_and(|firm| firm.paused)
}
