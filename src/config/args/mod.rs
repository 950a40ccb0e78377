//! The command line: every command and flag, with the help a newcomer reads.

pub mod arguments;
mod desk;
mod erase;
mod export;
mod installation;
mod records;
mod reviews;
mod serve;
mod statement;
mod store;
mod time;
mod upkeep;

pub use arguments::FlagDefault;
pub use desk::DeskArgs;
pub use erase::EraseArgs;
pub use export::{ExportArgs, ExportFormat, Json, OutputArgs, SubscriberFormat};
pub use installation::{CompletionsArgs, ConfigAction, ConfigArgs, HealthcheckArgs, ManualArgs, SampleFile};
pub use records::{
    DeliveriesAction, DeliveriesArgs, FirmsAction, FirmsArgs, InquiriesAction, InquiriesArgs, MailAction,
    MailArgs, MatchArgs, NewsletterAction, NewsletterArgs, PersonArgs, ReportArgs,
};
pub use reviews::{JudgedReview, ReviewsAction, ReviewsArgs};
pub use serve::ServeArgs;
pub use statement::{StatementArgs, StatementFormat};
pub use store::{Anywhere, Behind, BehindServe, FlagPlace, StoreArgs};
pub use time::{parse_bound, parse_end};
pub use upkeep::{BackupArgs, CheckArgs, CopyArgs, DoctorArgs, RestoreArgs};

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use crate::base::files::regular_file;
use crate::base::process::BuildInfo;

/// The whole command line.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "taubenabwehr",
    version = BuildInfo::of_this_executable().to_string(),
    about = "A matching site for pigeon deterrence in Hamburg, as one executable",
    long_about = "A matching site for pigeon deterrence in Hamburg, as one executable.\n\n\
        Without a command it serves the site. Inquiries are kept in one file in the data \
        directory; `export` writes them out and `erase` removes them, whether or not the server is running.",
    after_help = "Flags can also be set by an environment variable: --data-dir is \
        TAUBENABWEHR_DATA_DIR, and so on. The flags of `serve` can be set in the configuration file, too: there \
        --data-dir is data_dir. A flag beats the environment, the environment the file, the file the default. A command that is told \
        neither --config nor --data-dir nor --store reads /etc/taubenabwehr/config.toml, if it can. What destroys or answers a question (--erase, --yes, --close, --clock-is-right) is never taken from the environment.\n\n\
        Exit code 0: done. 1: failed, and one line on standard error says what to do. 2: wrong usage.\n\n\
        Examples:\n  \
        taubenabwehr\n      \
            serve the site on http://127.0.0.1:8080, inquiries in ./data, where no configuration is installed\n  \
        taubenabwehr serve --public-url https://www.example.de --data-dir /var/lib/taubenabwehr\n      \
            serve it behind a reverse proxy\n  \
        taubenabwehr export --since 2026-11-01 --output november.xlsx --format xlsx\n      \
            export the inquiries since the first of November"
)]
pub struct Cli {
    /// What to do; `serve` if nothing is given.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// TOML file with flags of `serve`, and with mail, firms and retention; paths in it are relative to it
    #[arg(long, global = true, env = "TAUBENABWEHR_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// The flags of `serve`, for a call without a command.
    #[command(flatten)]
    pub serve: ServeArgs,

    /// Whether the command line or the environment says where the inquiries are.
    #[arg(skip)]
    pub says_where: bool,
}

/// The configuration file of the Debian package.
const INSTALLED_CONFIG: &str = "/etc/taubenabwehr/config.toml";

impl Cli {
    /// Returns the configuration file to read. A command that is told nothing means the installed server.
    pub fn config_file(&self) -> Option<&Path> {
        let named = self.config.as_deref();
        match &self.command {
            // A package build writes completions and manual pages, and may not be able to read the file.
            Some(
                Command::Completions(_)
                | Command::Manual(_)
                | Command::Config(ConfigArgs {
                    action: ConfigAction::Sample { .. },
                }),
            ) => None,
            _ if self.says_where => named,
            _ => named.or_else(|| {
                let installed = Path::new(INSTALLED_CONFIG);
                regular_file::open(installed).is_ok().then_some(installed)
            }),
        }
    }

    /// Returns what to say where the installed configuration was taken beside a data directory, which may have been meant.
    pub fn note(&self) -> Option<String> {
        let is_beside = self.config.is_none() && self.config_file().is_some() && Path::new("./data").exists();
        is_beside.then(|| {
            format!("note: {INSTALLED_CONFIG} is taken, and not ./data; to take that, say --data-dir ./data")
        })
    }
}

/// One thing the executable can do.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Serve the site and take inquiries (the default command)
    Serve(ServeArgs),
    /// Write inquiries to a file or to standard output
    Export(ExportArgs),
    /// Erase inquiries for good: those with some ids, or all made before a time
    Erase(EraseArgs),
    /// List, find and show inquiries, ask a firm about one, or release a suspected one
    Inquiries(InquiriesArgs),
    /// List mails and webhooks that wait or have failed, or try them again
    Deliveries(DeliveriesArgs),
    /// List firms and their answers, pause one, or show who would be asked about an inquiry
    Firms(FirmsArgs),
    /// Print an address that lets you into the desk, the operator's page in the browser
    Desk(DeskArgs),
    /// Send a test mail
    Mail(MailArgs),
    /// Show or erase all that is kept of a person (GDPR)
    Person(PersonArgs),
    /// List what visitors say of firms, and publish it or not
    Reviews(ReviewsArgs),
    /// Write a page with plots of what became of the inquiries
    Report(ReportArgs),
    /// Write out the confirmed subscribers of the newsletter
    Newsletter(NewsletterArgs),
    /// Write a copy of everything to a file, and read it back
    Backup(BackupArgs),
    /// Put a backup in the place of a lost store
    Restore(RestoreArgs),
    /// Move everything to another store, whatever engines the two have
    Copy(CopyArgs),
    /// Read every record of the store, or of a backup
    Check(CheckArgs),
    /// Say what keeps the site from working, and what to do
    Doctor(DoctorArgs),
    /// Ask a running server whether it can take inquiries; exit code 0 if so
    Healthcheck(HealthcheckArgs),
    /// Check the configuration file, or print one to begin with
    Config(ConfigArgs),
    /// Print the completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of a command, or write all of them to a directory
    Manual(ManualArgs),
}
