//! The command line: every command and flag, with its help text.

mod acme;
pub mod arguments;
mod export;
mod firms;
mod installation;
mod records;
mod serve;
mod store;
mod time;
mod upkeep;

pub use acme::AcmeSettings;
pub use arguments::FlagDefaults;
pub use export::{ExportArgs, ExportFormat, Json, OutputArgs, SubscriberFormat};
pub use firms::{
    FirmsAction, FirmsArgs, JudgedReview, MatchArgs, ReviewsAction, ReviewsArgs, StatementArgs,
    StatementFormat,
};
pub use installation::{CompletionsArgs, ConfigAction, HealthcheckArgs, ManualArgs, SampleFile};
pub use records::{
    DeliveriesAction, DeliveriesArgs, DeskArgs, EraseArgs, InquiriesAction, InquiriesArgs, MailAction,
    NewsletterAction, PersonArgs, ReportArgs,
};
pub use serve::ServeArgs;
pub use time::{RangeArgs, parse_bound, parse_end, parse_first_day};
pub use upkeep::{BackupArgs, CheckArgs, CopyArgs, DoctorArgs, RestoreArgs};

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use crate::base::files::regular_file;
use crate::base::process::BuildInfo;

/// A matching site for pigeon deterrence in Hamburg, as one executable
///
/// Without a command it serves the site. Inquiries are kept in one file in the data directory; `export` writes them out
/// and `erase` removes them, whether or not the server is running.
///
/// Flags can also be set by an environment variable: --data-dir is `TAUBENABWEHR_DATA_DIR`, and so on. The flags of `serve`
/// can be set in the configuration file, too: there --data-dir is `data_dir`. A flag beats the environment, the environment
/// the file, the file the default. A command that is told neither --config nor --data-dir nor --store reads
/// /etc/taubenabwehr/config.toml, if it can. What destroys or answers a question (--erase, --yes, --close,
/// --clock-is-right) is never taken from the environment.
///
/// Exit code 0: done. 1: failed, and one line on standard error says what to do. 2: wrong usage.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "taubenabwehr",
    version = BuildInfo::of_this_executable().to_string(),
    after_help = "Examples:\n  \
        taubenabwehr\n      \
            serve the site on http://127.0.0.1:8080, inquiries in ./data, where no configuration is installed\n  \
        taubenabwehr serve --public-url https://www.example.de --data-dir /var/lib/taubenabwehr\n      \
            serve it behind a reverse proxy\n  \
        taubenabwehr export --since 2026-11-01 --output november.xlsx --format xlsx\n      \
            export the inquiries since the first of November",
    mut_args = arguments::with_variable,
    mut_subcommands = arguments::complete
)]
pub struct Cli {
    /// What to do; `serve` if nothing is given.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// TOML file with flags of `serve`, and with mail, firms and retention; paths in it are relative to it
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// The flags of `serve`, for a call without a command.
    #[command(flatten)]
    pub serve: ServeArgs,

    /// Whether the command line or the environment says where the inquiries are.
    #[arg(skip)]
    pub says_where: bool,
}

/// The configuration file that the Debian package installs.
const INSTALLED_CONFIG: &str = "/etc/taubenabwehr/config.toml";

impl Cli {
    /// The configuration file to read: that of `--config`, or the installed server's if the location of the store is not given
    /// either.
    pub fn config_file(&self) -> Option<&Path> {
        let named = self.config.as_deref();
        match &self.command {
            // A package build writes completions and manual pages, and may lack permission to read the file.
            Some(
                Command::Completions(_) | Command::Manual(_) | Command::Config(ConfigAction::Sample { .. }),
            ) => None,
            _ if self.says_where => named,
            _ => named.or_else(|| {
                let installed = Path::new(INSTALLED_CONFIG);
                regular_file::open(installed).is_ok().then_some(installed)
            }),
        }
    }

    /// A note for the user when the installed configuration takes precedence over a data directory in the working directory.
    pub fn note(&self) -> Option<String> {
        let is_beside = self.config.is_none() && self.config_file().is_some() && Path::new("./data").exists();
        is_beside.then(|| {
            format!("note: {INSTALLED_CONFIG} is taken, and not ./data; to take that, say --data-dir ./data")
        })
    }
}

/// One thing the executable can do. What help says of each is said at the type of its flags.
#[derive(Debug, Clone, Subcommand)]
#[allow(missing_docs, reason = "a text here would take the place of that in help")]
pub enum Command {
    Serve(ServeArgs),
    Export(ExportArgs),
    Erase(EraseArgs),
    Inquiries(InquiriesArgs),
    Deliveries(DeliveriesArgs),
    Firms(FirmsArgs),
    Desk(DeskArgs),
    /// Send a test mail
    #[command(subcommand)]
    Mail(MailAction),
    Person(PersonArgs),
    Reviews(ReviewsArgs),
    Report(ReportArgs),
    /// Write out the confirmed subscribers of the newsletter
    #[command(subcommand)]
    Newsletter(NewsletterAction),
    Backup(BackupArgs),
    Restore(RestoreArgs),
    Copy(CopyArgs),
    Check(CheckArgs),
    Doctor(DoctorArgs),
    Healthcheck(HealthcheckArgs),
    /// Check the configuration file, or print one to begin with
    #[command(subcommand)]
    Config(ConfigAction),
    Completions(CompletionsArgs),
    Manual(ManualArgs),
}
