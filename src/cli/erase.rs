//! `taubenabwehr erase`: erases inquiries permanently.

use std::io::{self, BufRead, IsTerminal, Write};

use super::CliError;
use super::named::ids_of;
use super::output::{inquiries, say};
use crate::base::text::berlin::in_berlin;
use crate::config::args::EraseArgs;
use crate::control::Caller;
use crate::operate::calls::Erase;
use crate::operate::{Call, CallError};
use crate::store::{Erasure, TimeRange};

/// The error if there is no terminal to confirm on.
const NOBODY_TO_ASK: &str =
    "erasing cannot be undone, and there is no terminal to ask on: add --yes if you mean it";

/// Erases the given inquiries after confirmation, and prints their number.
///
/// # Errors
/// When not all inquiries were erased. Unless the error says otherwise, none were erased.
pub fn run(args: &EraseArgs) -> Result<(), CliError> {
    let caller = Caller::new(&args.data)?;
    let what = if let Some(time) = args.until {
        Erasure::Until(time)
    } else {
        Erasure::Ids(ids_of(&caller, &args.ids)?.into_iter().collect())
    };
    if !args.yes {
        ask(|| question(&caller, &what))?;
    }
    let count = erase(&caller, Erase { what })?;
    say(format!("{} erased\n", inquiries(count)));
    Ok(())
}

/// Erases inquiries without confirmation, and returns their number.
///
/// # Errors
/// As for [`run`].
pub fn erase(caller: &Caller, what: impl Call<Answer = u64>) -> Result<u64, CliError> {
    caller.call(what).map_err(|error| match error {
        CallError::Broken(reason) => CliError::from(format!(
            "the server broke off before it said what it erased: {reason}; see with `taubenabwehr export` what is there"
        )),
        error => error.into(),
    })
}

/// The question that asks for confirmation.
fn question(caller: &Caller, what: &Erasure) -> Result<String, CallError> {
    Ok(match what {
        Erasure::Ids(ids) => format!("Erase {} for good?", inquiries(ids.len() as u64)),
        Erasure::Until(time) | Erasure::ReceivedBefore(time) => {
            let range = TimeRange {
                since: None,
                until: Some(*time),
            };
            let mut count = 0;
            for record in caller.records(range)? {
                count += u64::from(record?.inquiry.is_some());
            }
            let count = inquiries(count);
            format!("Erase {count} for good, all made before {}?", in_berlin(*time))
        }
    })
}

/// Asks for confirmation on the terminal. `question` is only called if there is one, since counting the inquiries may take a while.
///
/// # Errors
/// When there is no terminal, or the answer is not yes.
pub fn ask(question: impl FnOnce() -> Result<String, CallError>) -> Result<(), CliError> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(NOBODY_TO_ASK.into());
    }
    let question = question()?;
    let mut answer = String::new();
    let asked = write!(io::stderr(), "{question} [y/N] ").and_then(|()| stdin.lock().read_line(&mut answer));
    asked.map_err(|error| format!("cannot ask on the terminal: {error}; add --yes if you mean it"))?;
    if is_yes(&answer) {
        Ok(())
    } else {
        Err("nothing was erased: answer y to erase, or add --yes".into())
    }
}

fn is_yes(answer: &str) -> bool {
    ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        for yes in ["y\n", "Y\n", " yes \n", "YES"] {
            assert!(is_yes(yes), "{yes:?}");
        }
        for no in ["", "\n", "n\n", "no\n", "ja\n", "yeah\n", "y y\n"] {
            assert!(!is_yes(no), "{no:?}");
        }
    }
}
