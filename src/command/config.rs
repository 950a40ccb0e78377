//! `taubenabwehr config`: says whether the configuration file is right.

use std::io::{self, Write};

use clap::error::ErrorKind;
use clap::{CommandFactory, Error};

use crate::cli::{Cli, ConfigAction, ConfigArgs};
use crate::config::ConfigFile;
use crate::config::settings::SiteSettings;
use crate::config::toml_file::FileError;

/// Checks what is left to check of a file that was read, and prints that it is right. A missing `--config` ends the process
/// with the exit code for wrong usage.
///
/// # Errors
/// When a file that it names cannot be used.
pub fn run(args: &ConfigArgs, file: Option<&ConfigFile>) -> Result<(), FileError> {
    let ConfigAction::Check = args.action;
    let file = file.unwrap_or_else(|| missing_file().exit());
    let handling = file.handling()?;
    if let Some(path) = file.site() {
        SiteSettings::read(path)?;
    }
    // The exit code says it, too.
    let _ = writeln!(io::stdout(), "{} is right: {handling}", file.path().display());
    Ok(())
}

fn missing_file() -> Error {
    let message = "--config <FILE> is required: it names the file to check";
    Cli::command().error(ErrorKind::MissingRequiredArgument, message)
}
