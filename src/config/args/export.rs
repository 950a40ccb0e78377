//! The flags of `export`, and the output flags shared by all commands that write a list.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::RangeArgs;
use crate::store::Location;

/// Write inquiries to a file or to standard output
///
/// It works whether or not a server runs on the same data directory, and shows the inquiries as they were at one
/// moment. A file is replaced only when the new one is complete.
///
/// A pipe or a terminal gets its first line once all inquiries are read. So a reader that pauses, such as `less`,
/// neither keeps a server from starting nor keeps erased inquiries in the data directory. Until it goes on, the
/// inquiries wait in memory, beyond 2 MiB in a file without a name in the directory for temporary files (TMPDIR).
///
/// In CSV, a cell that a spreadsheet would run as a formula (one that begins with = + - @, a tab or a carriage return,
/// or the full-width form of such a sign) gets an apostrophe in front. So does one that has such a sign after
/// apostrophes, so that removing one apostrophe always restores the original. Phone numbers stay as they are: they
/// contain only digits, separators and a plus. The other formats need no such guard and contain every text as it was
/// entered.
///
/// An inquiry that may be a robot's (it filled a field that no visitor sees, or was sent sooner than anybody can
/// answer) is kept and answered like any other, but left out here; a note on standard error says how many were left
/// out. Look through them now and then: the mark can be wrong.
///
/// A reader of standard output that stops early, such as `head`, is not an error.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr export > inquiries.csv\n      \
            all inquiries as CSV\n  \
        taubenabwehr export --format xlsx --since 2026-11-01 --until 2026-12-01 --output november.xlsx\n      \
            the inquiries of November, as an Excel workbook\n  \
        taubenabwehr export --format jsonl --since 2026-11-01T08:00:00+01:00 | jq .email_address\n      \
            the addresses of the inquiries since eight that morning")]
pub struct ExportArgs {
    /// What is written, and where to.
    #[command(flatten)]
    pub output: OutputArgs<ExportFormat>,

    /// Which inquiries.
    #[command(flatten)]
    pub range: RangeArgs,

    /// Include inquiries that may be a robot's
    #[arg(long)]
    pub include_suspected: bool,

    /// Only inquiries that may be a robot's, to look through them
    #[arg(long)]
    pub only_suspected: bool,

    /// Where they are.
    #[command(flatten)]
    pub data: Location,
}

/// The formats of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// RFC 4180: UTF-8, CRLF, header line
    Csv,
    /// One array of objects
    Json,
    /// One JSON object a line
    Jsonl,
    /// Excel workbook
    Xlsx,
}

/// The formats of `newsletter export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SubscriberFormat {
    /// RFC 4180: UTF-8, CRLF, header line
    Csv,
    /// One array of objects
    Json,
}

/// What is written, and where to. Every list can be written as CSV, too.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs<F: ValueEnum + Send + Sync + 'static> {
    /// Format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "csv")]
    pub format: F,

    /// File to write, replaced in one step when complete [default: standard output]
    #[arg(long = "output", value_name = "FILE")]
    pub path: Option<PathBuf>,
}

/// How a list is printed.
#[derive(Debug, Clone, Copy, Args)]
pub struct Json {
    /// Print JSON instead of a table
    #[arg(long, global = true)]
    pub json: bool,
}
