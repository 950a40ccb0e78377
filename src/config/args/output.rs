//! `--format` and `--output`, of every command that writes a list to a file or to standard output.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What is written, and where to. Every list can be written as CSV, too.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs<F: ValueEnum + Send + Sync + 'static> {
    /// Format of the output
    #[arg(
        long,
        env = "TAUBENABWEHR_FORMAT",
        value_name = "FORMAT",
        value_enum,
        default_value = "csv"
    )]
    pub format: F,

    /// File to write, replaced in one step when complete [default: standard output]
    #[arg(long = "output", env = "TAUBENABWEHR_OUTPUT", value_name = "FILE")]
    pub path: Option<PathBuf>,
}
