//! `taubenabwehr`: a matching site for pigeon deterrence in Hamburg, as one executable.
//!
//! The modules stand in the order in which data flows: from the command line to the site, from the visitor's request to
//! the store, from there to the operator.

mod cli;
mod command;
mod config;
mod logging;

mod headers;
mod redirects;
mod site;

mod client_ip;
mod handler;
mod rate_limit;
mod server;

mod inquiry;
mod privacy;
mod quiet;
mod store;

mod control;
mod export;

#[cfg(test)]
mod fuzz;

use std::fmt::Display;
use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;

use clap::Parser;
use cli::{Cli, Command};

fn main() -> ExitCode {
    quiet::tell_only_where();
    panic::catch_unwind(run).unwrap_or(ExitCode::FAILURE)
}

fn run() -> ExitCode {
    let cli = Cli::parse();
    if let Err(error) = privacy::keep() {
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

/// 0 when done; 1 when failed, with exactly one line on standard error (contract, "Commands").
fn exit_code<E: Display>(result: Result<(), E>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let line = quiet::one_line(&error.to_string());
            // Where nobody listens, the exit code has to do.
            let _ = writeln!(io::stderr(), "error: {line}");
            ExitCode::FAILURE
        }
    }
}
