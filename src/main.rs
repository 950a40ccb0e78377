//! The executable: parses the command line, runs one command, and maps its result to an exit code.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;

use taubenabwehr::base::text::mail_address::one_line;
use taubenabwehr::base::{panics, process};
use taubenabwehr::cli;
use taubenabwehr::cli::CliError;
use taubenabwehr::config::ConfigFile;
use taubenabwehr::config::args::{Cli, Command, FlagDefaults, arguments};
use taubenabwehr::config::toml_file::FileError;
use taubenabwehr::photo::sandbox;

fn main() -> ExitCode {
    panics::report_only_location();
    if sandbox::is_meant(env::args_os()) {
        return sandbox::run();
    }
    panic::catch_unwind(run).unwrap_or(ExitCode::FAILURE)
}

fn run() -> ExitCode {
    let arguments = match arguments::read() {
        Ok(arguments) => arguments,
        Err(error) => {
            let line = format!(
                "cannot hide the password in the command line: {error}; give it by --store-password-file instead"
            );
            return exit_code(Err(line.into()));
        }
    };
    let cli = Cli::parse_with(&arguments, &FlagDefaults::new());
    if let Err(error) = process::harden() {
        let line = format!("cannot keep inquiries out of core files: {error}");
        return exit_code(Err(line.into()));
    }
    let (cli, file) = match configured(cli.clone(), &arguments) {
        Ok(configured) => configured,
        Err(error) => {
            return exit_code(match cli.command {
                Some(Command::Doctor(args)) => cli::doctor::run(args, Err(&error)),
                _ => Err(error.into()),
            });
        }
    };
    exit_code(match cli.command {
        None => cli::serve::run(cli.serve, file),
        Some(Command::Serve(args)) => cli::serve::run(args, file),
        Some(Command::Export(args)) => cli::export::run(&args),
        Some(Command::Erase(args)) => cli::erase::run(&args),
        Some(Command::Inquiries(args)) => cli::inquiries::run(&args, file.as_ref()),
        Some(Command::Deliveries(args)) => cli::deliveries::run(&args),
        Some(Command::Firms(args)) => cli::firms::run(&args, file.as_ref()),
        Some(Command::Desk(args)) => cli::desk::run(&args),
        Some(Command::Mail(args)) => cli::mail::run(&args, file.as_ref()),
        Some(Command::Person(args)) => cli::person::run(&args),
        Some(Command::Reviews(args)) => cli::reviews::run(&args),
        Some(Command::Report(args)) => cli::report::run(&args, file.as_ref()),
        Some(Command::Newsletter(args)) => cli::newsletter::run(&args),
        Some(Command::Backup(args)) => cli::backup::run(&args),
        Some(Command::Restore(args)) => cli::restore::run(&args),
        Some(Command::Copy(args)) => cli::copy::run(&args),
        Some(Command::Check(args)) => cli::check::run(&args),
        Some(Command::Doctor(args)) => cli::doctor::run(args, Ok(file.as_ref())),
        Some(Command::Healthcheck(args)) => cli::healthcheck::run(&args),
        Some(Command::Config(args)) => cli::config::run(&args, file.as_ref()),
        Some(Command::Completions(args)) => cli::manual::completions(&args),
        Some(Command::Manual(args)) => cli::manual::run(&args),
    })
}

/// Reads the configuration file, and parses the command line again with the file's values as defaults.
fn configured(cli: Cli, arguments: &[OsString]) -> Result<(Cli, Option<ConfigFile>), FileError> {
    let Some(path) = cli.config_file() else {
        return Ok((cli, None));
    };
    if let Some(note) = cli.note() {
        // The note is optional, so a closed standard error is ignored.
        let _ = writeln!(io::stderr(), "{note}");
    }
    let file = ConfigFile::read(path)?;
    Ok((Cli::parse_with(arguments, &file.defaults), Some(file)))
}

/// Maps the result to an exit code: 0 for success, or 1 after printing exactly one line to standard error. Wrong usage ends the
/// process with code 2 and clap's message.
fn exit_code(result: Result<(), CliError>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let error = match error.downcast::<clap::Error>() {
                Ok(usage) => usage.exit(),
                Err(error) => error,
            };
            let what = if error.is::<io::Error>() {
                "cannot start: "
            } else {
                ""
            };
            let line = one_line(&format!("{what}{error}"));
            // If standard error is closed, the exit code must suffice.
            let _ = writeln!(io::stderr(), "error: {line}");
            ExitCode::FAILURE
        }
    }
}
