//! `taubenabwehr completions SHELL`

use std::io::{self, Write};

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs};

/// Prints the completion script.
pub fn run(args: &CompletionsArgs) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "taubenabwehr", &mut script);
    io::stdout().write_all(&script)
}
