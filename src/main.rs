//! `taubenabwehr`: a matching site for pigeon deterrence in Hamburg, as one executable.
#![allow(dead_code, unused_imports)]

mod cli;
mod command;
mod control;
mod export;
mod inquiry;
mod quiet;
mod store;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let Some(cli::Command::Export(args)) = cli.command else {
        return ExitCode::SUCCESS;
    };
    match command::export::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
