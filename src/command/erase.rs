//! `taubenabwehr erase`: removes inquiries for good.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Error;

use super::export::time;
use super::failure::Failure;
use super::source::ids_of;
use crate::cli::EraseArgs;
use crate::control::client::{self, AskError};
use crate::control::{Access, access};
use crate::export::{self, ExportError, in_berlin};
use crate::store::{EraseError, Erasure, Location, OpenError, Selection, Suspected, TimeRange};

/// Why it failed; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Nobody can confirm it.
    #[error("erasing cannot be undone, and there is no terminal to ask on: add --yes if you mean it")]
    NobodyToAsk,
    /// The answer was no.
    #[error("nothing was erased: answer y to erase, or add --yes")]
    Declined,
    /// The question cannot be asked.
    #[error("cannot ask on the terminal: {0}; add --yes if you mean it")]
    Terminal(#[source] io::Error),
    /// A reference names no inquiry.
    #[error(transparent)]
    Find(#[from] Failure),
    /// The inquiries cannot be counted.
    #[error(transparent)]
    Count(#[from] ExportError),
    /// The file of inquiries cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The server that has the store did not do it.
    #[error(transparent)]
    Ask(AskError),
    /// The server that has the store may have done it.
    #[error(
        "the server broke off before it said what it erased: {0}; see with `taubenabwehr export` what is there"
    )]
    Unclear(String),
    /// The store did not do it.
    #[error(transparent)]
    Erase(#[from] EraseError),
    /// The operating system refused.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
}

impl From<AskError> for CommandError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Broken(reason) => Self::Unclear(reason),
            error => Self::Ask(error),
        }
    }
}

/// Erases what was named, once that is confirmed, and prints how many inquiries that were. A bound that is not a time
/// ends the process with the exit code for wrong usage.
///
/// # Errors
/// When not all of them were erased; then none was, unless the error says otherwise.
pub fn run(args: EraseArgs) -> Result<(), CommandError> {
    let EraseArgs {
        ids,
        until,
        yes,
        data,
    } = args;
    let location = &data.location;
    let what = match until {
        Some(text) => until_time(&text).unwrap_or_else(|error| error.exit()),
        None => Erasure::Ids(ids_of(location, &ids)?.into_iter().collect()),
    };
    if !yes {
        confirm(location, &what)?;
    }
    let count = erase(location, what)?;
    // They are erased even if standard output is closed.
    let _ = writeln!(io::stdout(), "{} erased", inquiries(count));
    Ok(())
}

fn until_time(text: &str) -> Result<Erasure, Error> {
    time("--until <T>", text).map(Erasure::Until)
}

/// Erases what was named; returns how many inquiries that were.
///
/// # Errors
/// As for [`run`].
pub fn erase(location: &Location, what: Erasure) -> Result<u64, CommandError> {
    let asked = access::<_, CommandError>(location, |data_dir| client::erase(data_dir, &what))?;
    match asked {
        Access::Server(erased) => Ok(erased.map_err(EraseError::Unknown)?),
        Access::Store(opened) => Ok(opened.runtime.block_on(opened.store.erase(what))?),
    }
}

/// Asks whether that is meant.
fn confirm(location: &Location, what: &Erasure) -> Result<(), CommandError> {
    if !io::stdin().is_terminal() {
        // Counting first would take its time for nothing.
        return Err(CommandError::NobodyToAsk);
    }
    let question = match what {
        Erasure::Ids(ids) => format!("Erase {} for good?", inquiries(ids.len() as u64)),
        Erasure::Until(time) | Erasure::ReceivedBefore(time) => {
            let selection = Selection {
                range: TimeRange {
                    since: None,
                    until: Some(*time),
                },
                suspected: Suspected::Included,
            };
            let count = inquiries(export::count(location, selection)?);
            format!("Erase {count} for good, all made before {}?", in_berlin(*time))
        }
    };
    ask(&question)
}

/// Asks on the terminal.
///
/// # Errors
/// When there is none, or the answer is not yes.
pub fn ask(question: &str) -> Result<(), CommandError> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(CommandError::NobodyToAsk);
    }
    let mut answer = String::new();
    let asked = write!(io::stderr(), "{question} [y/N] ").and_then(|()| stdin.lock().read_line(&mut answer));
    asked.map_err(CommandError::Terminal)?;
    if is_yes(&answer) {
        Ok(())
    } else {
        Err(CommandError::Declined)
    }
}

fn is_yes(answer: &str) -> bool {
    ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str())
}

/// Returns a number of inquiries in words.
pub fn inquiries(count: u64) -> String {
    match count {
        1 => "1 inquiry".to_owned(),
        _ => format!("{count} inquiries"),
    }
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
