//! Why a command failed.

use std::error::Error;
use std::fmt::Display;

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::config::args::Cli;

/// Why a command failed. Its text is one line that says what to do, and the exit code is 1. A [`clap::Error`] is wrong usage,
/// whose exit code is 2.
pub type CliError = Box<dyn Error + Send + Sync>;

/// Describes wrong usage that the definition of the flags alone does not find.
pub fn usage(kind: ErrorKind, message: impl Display) -> CliError {
    Cli::command().error(kind, message).into()
}
