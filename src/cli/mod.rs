//! The commands, one per file. Each returns a [`CliError`] if it fails.

pub mod backup;
pub mod check;
pub mod config;
pub mod copy;
pub mod deliveries;
pub mod desk;
pub mod doctor;
pub mod erase;
pub mod export;
pub mod firms;
pub mod healthcheck;
pub mod inquiries;
mod inquiry_text;
pub mod mail;
pub mod manual;
mod named;
pub mod newsletter;
mod output;
pub mod person;
pub mod report;
pub mod restore;
pub mod reviews;
pub mod serve;
pub mod statement;

use std::error::Error;
use std::fmt::Display;

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::config::args::Cli;

/// Why a command failed. The text is one line that says what to do, and the exit code is 1. A [`clap::Error`] is wrong usage, with
/// exit code 2.
pub type CliError = Box<dyn Error + Send + Sync>;

/// An error for wrong usage that clap cannot detect from the definitions of the flags.
pub fn usage(kind: ErrorKind, message: impl Display) -> CliError {
    Cli::command().error(kind, message).into()
}
