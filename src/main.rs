//! The executable: parses the command line, runs one command, and turns its result into an exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;

use taubenabwehr::cli::{Cli, Command};
use taubenabwehr::config::ConfigFile;
use taubenabwehr::config::toml_file::FileError;
use taubenabwehr::one_line::one_line;
use taubenabwehr::{command, panic_guard, process};

fn main() -> ExitCode {
    panic_guard::report_only_location();
    panic::catch_unwind(run).unwrap_or(ExitCode::FAILURE)
}

fn run() -> ExitCode {
    let cli = Cli::parse_with(&[]);
    if let Err(error) = process::harden() {
        return exit_code(Err(format!("cannot keep inquiries out of core files: {error}")));
    }
    let (cli, file) = match configured(cli) {
        Ok(configured) => configured,
        Err(error) => return exit_code(Err(error)),
    };
    match cli.command {
        None => exit_code(command::serve::run(cli.serve, file)),
        Some(Command::Serve(args)) => exit_code(command::serve::run(args, file)),
        Some(Command::Export(args)) => exit_code(command::export::run(args)),
        Some(Command::Erase(args)) => exit_code(command::erase::run(args)),
        Some(Command::Inquiries(args)) => exit_code(command::inquiries::run(&args)),
        Some(Command::Deliveries(args)) => exit_code(command::deliveries::run(&args)),
        Some(Command::Firms(args)) => exit_code(command::firms::run(&args, file.as_ref())),
        Some(Command::Person(args)) => exit_code(command::person::run(&args)),
        Some(Command::Report(args)) => exit_code(command::report::run(&args, file.as_ref())),
        Some(Command::Newsletter(args)) => exit_code(command::newsletter::run(&args)),
        Some(Command::Healthcheck(args)) => exit_code(command::healthcheck::run(&args)),
        Some(Command::Config(args)) => exit_code(command::config::run(&args, file.as_ref())),
        Some(Command::Completions(args)) => exit_code(command::completions::run(&args)),
    }
}

/// Reads the configuration file, and parses the command line again with what the file sets.
fn configured(cli: Cli) -> Result<(Cli, Option<ConfigFile>), FileError> {
    // Whoever installs completions need not be able to read it.
    let needs_file = !matches!(cli.command, Some(Command::Completions(_)));
    let Some(path) = cli.config.as_deref().filter(|_| needs_file) else {
        return Ok((cli, None));
    };
    let file = ConfigFile::read(path)?;
    Ok((Cli::parse_with(file.defaults()), Some(file)))
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
