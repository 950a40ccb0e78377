//! `taubenabwehr`: a matching site for pigeon deterrence in Hamburg, as one executable.
#![allow(dead_code, unused_imports)]

mod cli;
mod control;
mod inquiry;
mod store;

use clap::Parser;

fn main() {
    let _ = cli::Cli::parse();
}
