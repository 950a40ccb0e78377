//! The executable: parses the command line, runs one command, and turns its result into an exit code.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;

use taubenabwehr::cli::{Cli, Command};
use taubenabwehr::config::ConfigFile;
use taubenabwehr::config::toml_file::FileError;
use taubenabwehr::one_line::one_line;
use taubenabwehr::{arguments, command, panic_guard, process};

fn main() -> ExitCode {
    panic_guard::report_only_location();
    panic::catch_unwind(run).unwrap_or(ExitCode::FAILURE)
}

fn run() -> ExitCode {
    let arguments = match arguments::read() {
        Ok(arguments) => arguments,
        Err(error) => {
            return exit_code(Err(format!(
                "cannot hide the password in the command line: {error}; give it by PGPASSFILE instead"
            )));
        }
    };
    let cli = Cli::parse_with(&arguments, &[]);
    if let Err(error) = process::harden() {
        return exit_code(Err(format!("cannot keep inquiries out of core files: {error}")));
    }
    let (cli, file) = match configured(cli.clone(), &arguments) {
        Ok(configured) => configured,
        Err(error) => {
            return match cli.command {
                Some(Command::Doctor(args)) => exit_code(command::doctor::run(args, Err(&error))),
                _ => exit_code(Err(error)),
            };
        }
    };
    command::usage::check(&cli);
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
        Some(Command::Backup(args)) => exit_code(command::backup::run(&args)),
        Some(Command::Restore(args)) => exit_code(command::restore::run(&args)),
        Some(Command::Copy(args)) => exit_code(command::copy::run(&args)),
        Some(Command::Check(args)) => exit_code(command::check::run(&args)),
        Some(Command::Doctor(args)) => exit_code(command::doctor::run(args, Ok(file.as_ref()))),
        Some(Command::Healthcheck(args)) => exit_code(command::healthcheck::run(&args)),
        Some(Command::Config(args)) => exit_code(command::config::run(&args, file.as_ref())),
        Some(Command::Completions(args)) => exit_code(command::completions::run(&args)),
        Some(Command::Manual(args)) => exit_code(command::manual::run(&args)),
    }
}

/// Reads the configuration file, and parses the command line again with what the file sets.
fn configured(cli: Cli, arguments: &[OsString]) -> Result<(Cli, Option<ConfigFile>), FileError> {
    let Some(path) = cli.config_file() else {
        return Ok((cli, None));
    };
    let file = ConfigFile::read(path)?;
    Ok((Cli::parse_with(arguments, file.defaults()), Some(file)))
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
