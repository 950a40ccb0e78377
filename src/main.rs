//! The executable: parses the command line, runs one command, and turns its result into an exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;

use clap::Parser;
use taubenabwehr::cli::{Cli, Command};
use taubenabwehr::one_line::one_line;
use taubenabwehr::{command, panic_guard, process};

fn main() -> ExitCode {
    panic_guard::report_only_location();
    panic::catch_unwind(run).unwrap_or(ExitCode::FAILURE)
}

fn run() -> ExitCode {
    let cli = Cli::parse();
    if let Err(error) = process::harden() {
        return exit_code(Err(format!("cannot keep inquiries out of core files: {error}")));
    }
    match cli.command {
        None => exit_code(command::serve::run(cli.serve)),
        Some(Command::Serve(args)) => exit_code(command::serve::run(args)),
        Some(Command::Export(args)) => exit_code(command::export::run(args)),
        Some(Command::Erase(args)) => exit_code(command::erase::run(args)),
        Some(Command::Healthcheck(args)) => exit_code(command::healthcheck::run(&args)),
        Some(Command::Completions(args)) => exit_code(command::completions::run(&args)),
    }
}

/// Returns 0 if the command succeeded; else 1, after printing exactly one line to standard error (contract, "Commands").
fn exit_code<E: Display>(result: Result<(), E>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let line = one_line(&error.to_string());
            // If standard error is closed, the exit code must suffice.
            let _ = writeln!(io::stderr(), "error: {line}");
            ExitCode::FAILURE
        }
    }
}
