//! `taubenabwehr completions SHELL`

use std::io::{self, Write};

use clap::CommandFactory;

use super::failure::Failure;
use crate::config::args::{Cli, CompletionsArgs};

/// Prints the completion script.
pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "taubenabwehr", &mut script);
    let printed = io::stdout().write_all(&script);
    printed.map_err(|error| error.to_string().into())
}
