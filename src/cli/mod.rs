//! The commands, one per file. Each returns a [`CliError`] if it did not do what it was told.

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

/// Why a command failed. Its text is one line that says what to do, and the exit code is 1. A [`clap::Error`] is wrong usage,
/// whose exit code is 2.
pub type CliError = Box<dyn Error + Send + Sync>;

/// Describes wrong usage that the definition of the flags alone does not find.
pub fn usage(kind: ErrorKind, message: impl Display) -> CliError {
    Cli::command().error(kind, message).into()
}
