//! What the command line alone cannot check: whether flags of `serve` go together, whichever source has set them.

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::cli::{Cli, Command};
use crate::config::TlsSettings;

/// Ends the process with the exit code for wrong usage if flags of `serve` make no sense together.
pub fn check(cli: &Cli) {
    let args = match &cli.command {
        None => &cli.serve,
        Some(Command::Serve(args)) => args,
        Some(_) => return,
    };
    if let Err(usage) = TlsSettings::from_args(args) {
        Cli::command()
            .error(ErrorKind::MissingRequiredArgument, usage)
            .exit();
    }
}
