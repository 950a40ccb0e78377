//! The flags of `firms statement`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::OutputArgs;
use crate::domain::ledger::Month;
use crate::domain::matching::FirmId;

/// What a statement is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatementFormat {
    /// RFC 4180: a line for each acceptance, no totals
    Csv,
    /// One array of firms, each with its acceptances and totals
    Json,
    /// One page to be printed on A4, a sheet a firm
    Html,
}

/// Write what firms owe for a month, and close it
///
/// It works whether or not a server runs on the same data directory. It holds no personal data, so that it is the same
/// after a withdrawal or an erasure. Months are those of Hamburg. Each line is rounded to cents, half a cent away from
/// zero; value added tax is on the sum of the lines: `vat` of `[commission]` in the file of --config, else that of the
/// running server, else 19 percent.
///
/// With --close the month is closed for good: its figures and its tax stay as they are, and firms can no longer change
/// what became of its inquiries.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr firms statement --month 2026-11 > november.csv\n      \
            what firms owe for November\n  \
        taubenabwehr firms statement --month 2026-11 --close --format html --output november.html\n      \
            close November, and write a sheet for each firm")]
pub struct StatementArgs {
    /// Month, such as 2026-11
    #[arg(long, value_name = "MONTH")]
    pub month: Month,

    /// Only this firm
    #[arg(long, value_name = "ID", value_parser = FirmId::parse)]
    pub firm: Option<FirmId>,

    /// What is written, and where to.
    #[command(flatten)]
    pub output: OutputArgs<StatementFormat>,

    /// TOML file with the site's name and the operator's address, for html [default: the embedded sample]
    #[arg(long, value_name = "FILE")]
    pub site: Option<PathBuf>,

    /// Close the month: its figures stay as they are for good
    // What cannot be taken back is said where it is meant.
    #[arg(long, conflicts_with = "firm")]
    pub close: bool,
}
