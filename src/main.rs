//! `taubenabwehr`: a matching site for pigeon deterrence in Hamburg, as one executable.

mod cli;

use clap::Parser;

fn main() {
    let _ = cli::Cli::parse();
}
