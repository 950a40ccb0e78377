//! The command line: every command and flag, with the help a newcomer reads.

mod records;
mod store;
mod upkeep;

pub use records::{
    DeliveriesAction, DeliveriesArgs, FirmsAction, FirmsArgs, InquiriesAction, InquiriesArgs, Json,
    MatchArgs, NewsletterAction, NewsletterArgs, PersonArgs, ReportArgs,
};

pub use store::{Anywhere, Behind, BehindServe, FlagPlace, StoreArgs};
pub use upkeep::{BackupArgs, CheckArgs, CopyArgs, DoctorArgs, RestoreArgs};

use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::builder::BoolishValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgGroup, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use ipnet::IpNet;
use uuid::Uuid;

use crate::acme_flags::{Contact, DirectoryUrl, Domain};
use crate::build_info::BuildInfo;
use crate::export::ExportFormat;
use crate::logging::{AccessLog, LogFormat};
use crate::origin::Origin;

/// The whole command line.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "taubenabwehr",
    version = BuildInfo::of_this_executable().to_string(),
    about = "A matching site for pigeon deterrence in Hamburg, as one executable",
    long_about = "A matching site for pigeon deterrence in Hamburg, as one executable.\n\n\
        Without a command it serves the site. Inquiries are kept in one file in the data \
        directory; `export` writes them out and `erase` removes them, whether or not the server is running.",
    after_help = "Every flag can also be set by an environment variable: --data-dir is \
        TAUBENABWEHR_DATA_DIR, and so on. The flags of `serve` can be set in the configuration file, too: there \
        --data-dir is data_dir. A flag beats the environment, the environment the file, the file the default.\n\n\
        Exit code 0: done. 1: failed, and one line on standard error says what to do. 2: wrong usage.\n\n\
        Examples:\n  \
        taubenabwehr\n      \
            serve the site on http://127.0.0.1:8080, inquiries in ./data\n  \
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
    /// List inquiries and what became of them, show one, or release a suspected one
    Inquiries(InquiriesArgs),
    /// List mails and webhooks that wait or have failed, or try them again
    Deliveries(DeliveriesArgs),
    /// List firms and their answers, or show who would be asked about an inquiry
    Firms(FirmsArgs),
    /// Show or erase all that is kept of a person (GDPR)
    Person(PersonArgs),
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
    /// Check the configuration file
    Config(ConfigArgs),
    /// Print the completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of a command, or write all of them to a directory
    Manual(ManualArgs),
}

/// What a flag is when neither the command line nor the environment sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagDefault {
    /// The name of the flag in snake case.
    pub flag: String,
    /// Its values; none leaves the flag as it is.
    pub values: Vec<OsString>,
}

impl Cli {
    /// Parses the command line and the environment. Wherever a command has one of these flags, these values take the
    /// place of its own default. Wrong usage ends the process.
    pub fn parse_with(arguments: &[OsString], defaults: &[FlagDefault]) -> Self {
        let mut command = with_defaults(Self::command(), defaults);
        let matches = command.try_get_matches_from_mut(arguments);
        let matches = matches.unwrap_or_else(|error| error.exit());
        let parsed = match misplaced_flag(&command, &matches) {
            Some(message) => Err(command.error(ErrorKind::ArgumentConflict, message)),
            None => Self::from_arg_matches(&matches),
        };
        parsed.unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

/// Flags of `serve` before another command would be ignored.
fn misplaced_flag(root: &clap::Command, matches: &ArgMatches) -> Option<String> {
    let command = matches.subcommand_name()?;
    let used = root.find_subcommand(command)?;
    let flags = ServeArgs::augment_args(clap::Command::new("serve"));
    let is_given =
        |flag: &&Arg| matches.value_source(flag.get_id().as_str()) == Some(ValueSource::CommandLine);
    let mut given = flags.get_arguments().filter(is_given);
    let flag = given
        .find(|flag| !takes_anywhere(used, flag.get_id()))?
        .get_long()?;
    Some(format!(
        "`--{flag}` belongs behind the command: taubenabwehr {command} --{flag}"
    ))
}

/// Returns whether a command takes a flag wherever it stands.
fn takes_anywhere(command: &clap::Command, flag: &clap::Id) -> bool {
    let mut flags = command.get_arguments();
    flags.any(|arg| arg.get_id() == flag && arg.is_global_set())
        || command
            .get_subcommands()
            .any(|action| takes_anywhere(action, flag))
}

fn with_defaults(mut command: clap::Command, defaults: &[FlagDefault]) -> clap::Command {
    for FlagDefault { flag, values } in defaults {
        if command.get_arguments().any(|arg| arg.get_id() == flag.as_str()) && !values.is_empty() {
            command = command.mut_arg(flag, |arg| arg.default_values(values.clone()));
        }
    }
    command.mut_subcommands(|subcommand| with_defaults(subcommand, defaults))
}

/// Flags of `serve`.
#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// Address and port to listen on; port 0 takes any free one; may be given more than once
    #[arg(
        long,
        env = "TAUBENABWEHR_LISTEN",
        value_name = "ADDRESS",
        value_delimiter = ',',
        default_value = "127.0.0.1:8080"
    )]
    pub listen: Vec<SocketAddr>,

    /// Address and port to listen on for HTTPS; may be given more than once. Needs a certificate
    #[arg(
        long,
        env = "TAUBENABWEHR_TLS_LISTEN",
        value_name = "ADDRESS",
        value_delimiter = ','
    )]
    pub tls_listen: Vec<SocketAddr>,

    /// Certificate chain in PEM, the server's own first; read again when it changes
    #[arg(long, env = "TAUBENABWEHR_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// Private key of the certificate, in PEM; read again when it changes
    #[arg(long, env = "TAUBENABWEHR_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// Domain to get a certificate for by ACME; may be given more than once. Accepts the directory's terms
    #[arg(long, env = "TAUBENABWEHR_ACME", value_name = "DOMAIN", value_delimiter = ',')]
    pub acme: Vec<Domain>,

    /// Mail address that the directory may write to
    #[arg(long, env = "TAUBENABWEHR_ACME_CONTACT", value_name = "MAIL")]
    pub acme_contact: Option<Contact>,

    /// Address of the ACME directory [default: Let's Encrypt]
    #[arg(
        long,
        env = "TAUBENABWEHR_ACME_DIRECTORY",
        value_name = "URL",
        default_value_t,
        hide_default_value = true
    )]
    pub acme_directory: DirectoryUrl,

    /// Root certificates in PEM of a directory that has its own [default: the system's]
    #[arg(long, env = "TAUBENABWEHR_ACME_CA", value_name = "FILE")]
    pub acme_ca: Option<PathBuf>,

    /// Where the inquiries are kept.
    #[command(flatten)]
    pub store: StoreArgs<BehindServe>,

    /// Origin under which visitors reach the site, for canonical links, sitemaps, the feed and social cards
    /// [default: the first TLS address, else the listen address]
    #[arg(long, env = "TAUBENABWEHR_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<Origin>,

    /// TOML file with the operator's own name, address, links and tags [default: the embedded sample]
    #[arg(long, env = "TAUBENABWEHR_SITE", value_name = "FILE")]
    pub site: Option<PathBuf>,

    /// Run without a store: inquiries are answered with success and NOT kept
    #[arg(long, env = "TAUBENABWEHR_DEMO", value_parser = BoolishValueParser::new())]
    pub demo: bool,

    /// Inquiries a minute accepted per client (an IPv4 address or an IPv6 /64); 0 switches the limit off
    #[arg(long, env = "TAUBENABWEHR_RATE_LIMIT", value_name = "N", default_value_t = 10)]
    pub rate_limit: u32,

    /// Network whose X-Forwarded-For is believed, such as 127.0.0.1/32; may be given more than once
    #[arg(
        long,
        env = "TAUBENABWEHR_TRUSTED_PROXY",
        value_name = "CIDR",
        value_delimiter = ','
    )]
    pub trusted_proxy: Vec<IpNet>,

    /// Threads that serve visitors [default: one for each core, at most 8]
    #[arg(
        long,
        env = "TAUBENABWEHR_THREADS",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS)
    )]
    pub threads: Option<u32>,

    /// Address and port of a listener for metrics that are read at /metrics
    #[arg(long, env = "TAUBENABWEHR_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// Log each request: time, method, path without query and tokens, status, size, duration and id
    #[arg(
        long,
        env = "TAUBENABWEHR_ACCESS_LOG",
        value_name = "WHAT",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_value = "off",
        default_missing_value = "on"
    )]
    pub access_log: AccessLog,

    /// Format of log lines on standard error
    #[arg(
        long,
        env = "TAUBENABWEHR_LOG_FORMAT",
        value_name = "FORMAT",
        value_enum,
        default_value = "text"
    )]
    pub log_format: LogFormat,
}

/// More threads than that are a slip: each takes memory, and the store has only one writer.
const MAX_THREADS: i64 = 256;

/// Threads that a machine with many cores gets unless told otherwise: enough for half a million pages a second, which no
/// network card of a small server carries.
const DEFAULT_THREADS: usize = 8;

impl ServeArgs {
    /// Returns how many threads serve visitors.
    pub fn threads(&self) -> NonZeroUsize {
        let given = self.threads.and_then(|threads| usize::try_from(threads).ok());
        let threads = given.unwrap_or_else(|| {
            // As many as this process may use, by its affinity and its group's quota.
            let cores = thread::available_parallelism();
            cores.map_or(1, NonZeroUsize::get).min(DEFAULT_THREADS)
        });
        NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)
    }
}

/// Flags of `export`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "It works whether or not a server runs on the same data directory, and shows the inquiries as they \
        were at one moment. A file is replaced only when the new one is complete.\n\n\
        A pipe or a terminal gets its first line once all inquiries are read. So a reader that pauses, such as \
        `less`, neither keeps a server from starting nor keeps erased inquiries in the data directory. Until it \
        goes on, the inquiries wait in memory, beyond 2 MiB in a file without a name in the directory for \
        temporary files (TMPDIR).\n\n\
        In CSV, a cell that a spreadsheet would run as a formula (one that begins with = + - @, a tab or a \
        carriage return, or the full-width form of such a sign) gets an apostrophe in front. So does one \
        that has such a sign after apostrophes, so that removing one apostrophe always restores the \
        original. Phone numbers stay as they are: they contain only digits, spaces, hyphens, parentheses and a \
        plus. The other formats need no such guard and contain every text as it was entered.\n\n\
        An inquiry that may be a robot's (it filled a field that no visitor sees, or was sent sooner than \
        anybody can answer) is kept and answered like any other, but left out here; a note on standard error \
        says how many were left out. Look through them now and then: the mark can be wrong.\n\n\
        A reader of standard output that stops early, such as `head`, is not an error.\n\n\
        Examples:\n  \
        taubenabwehr export > inquiries.csv\n      \
            all inquiries as CSV\n  \
        taubenabwehr export --format xlsx --since 2026-11-01 --until 2026-12-01 --output november.xlsx\n      \
            the inquiries of November, as an Excel workbook\n  \
        taubenabwehr export --format jsonl --since 2026-11-01T08:00:00+01:00 | jq .email_address\n      \
            the addresses of the inquiries since eight that morning"
)]
pub struct ExportArgs {
    /// Format of the output
    #[arg(
        long,
        env = "TAUBENABWEHR_FORMAT",
        value_name = "FORMAT",
        value_enum,
        default_value = "csv"
    )]
    pub format: ExportFormat,

    /// File to write, replaced in one step when complete [default: standard output]
    #[arg(long, env = "TAUBENABWEHR_OUTPUT", value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Only inquiries created at this time or later: a date (midnight in Berlin) or an RFC 3339 time
    #[arg(long, env = "TAUBENABWEHR_SINCE", value_name = "T")]
    pub since: Option<String>,

    /// Only inquiries created before this time
    #[arg(long, env = "TAUBENABWEHR_UNTIL", value_name = "T")]
    pub until: Option<String>,

    /// Include inquiries that may be a robot's
    #[arg(long, env = "TAUBENABWEHR_INCLUDE_SUSPECTED", value_parser = BoolishValueParser::new())]
    pub include_suspected: bool,

    /// Only inquiries that may be a robot's, to look through them
    #[arg(long, env = "TAUBENABWEHR_ONLY_SUSPECTED", value_parser = BoolishValueParser::new())]
    pub only_suspected: bool,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// Flags of `erase`.
#[derive(Debug, Clone, Args)]
#[command(
    group = ArgGroup::new("which").required(true),
    after_help = "It works whether or not a server runs on the same data directory. Either everything that was named is \
        erased, or, if something goes wrong or an id does not exist, nothing. What remains is written to a new \
        file that takes the place of the old one and keeps its owner, so that nothing of the erased inquiries can \
        be read in it any more. The data directory needs room for that. A running server stores inquiries \
        again when it is done (within a second for 10,000 inquiries).\n\n\
        A browser that repeats a request within seven days gets the same answer as the first time, and \
        nothing is stored again: until then a digest of the request's key is remembered, without personal data.\n\n\
        It cannot reach files that were exported, backups, copies that others have, and what the disk itself \
        keeps of a deleted file until its place is used again.\n\n\
        Examples:\n  \
        taubenabwehr export --format jsonl | grep anna@example.de\n      \
            find the id of a person who asks for erasure\n  \
        taubenabwehr erase 019a3c5e-7b1c-7def-8000-0123456789ab\n      \
            erase that inquiry, after a confirmation\n  \
        taubenabwehr erase --until \"$(date -d '-6 months' +%F)\" --yes\n      \
            erase inquiries older than six months, for a timer"
)]
pub struct EraseArgs {
    /// Ids of the inquiries, as `export` shows them
    #[arg(value_name = "ID", group = "which")]
    pub ids: Vec<Uuid>,

    /// All inquiries created before this time: a date (midnight in Berlin) or an RFC 3339 time
    #[arg(long, env = "TAUBENABWEHR_UNTIL", value_name = "T", group = "which")]
    pub until: Option<String>,

    /// Do not ask for confirmation; required without a terminal
    #[arg(long, env = "TAUBENABWEHR_YES", value_parser = BoolishValueParser::new())]
    pub yes: bool,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// Flags of `healthcheck`.
#[derive(Debug, Clone, Args)]
pub struct HealthcheckArgs {
    /// Address of the server to ask; of several, the first is asked
    #[arg(
        long,
        env = "TAUBENABWEHR_LISTEN",
        value_name = "ADDRESS",
        value_delimiter = ',',
        default_value = "127.0.0.1:8080"
    )]
    pub listen: Vec<SocketAddr>,
}

/// What `config` does.
#[derive(Debug, Clone, Args)]
pub struct ConfigArgs {
    /// What to do with the file.
    #[command(subcommand)]
    pub action: ConfigAction,
}

/// One thing that `config` does.
#[derive(Debug, Clone, Subcommand)]
pub enum ConfigAction {
    /// Say whether the file given by --config is right, without starting anything
    #[command(
        after_help = "It reads what the file names, too: the site settings, files with secrets and certificates. Run it as the \
            server's user, who must be able to read them.\n\n\
            Exit code 0 if everything is right, 1 if not, with file, line and what was expected.\n\n\
            Example:\n  \
            taubenabwehr config check --config /etc/taubenabwehr/config.toml && systemctl reload taubenabwehr\n      \
                read firms, mail, notices, matching and retention again if the file is right"
    )]
    Check,
}

/// Flags of `completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell to complete for
    pub shell: clap_complete::Shell,
}

/// Flags of `manual`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "The pages hold what --help says.\n\n\
        Examples:\n  \
        taubenabwehr manual export | man -l -\n      \
            read the page of `export`\n  \
        taubenabwehr manual --output /usr/local/share/man/man1\n      \
            install all pages, for `man taubenabwehr`")]
pub struct ManualArgs {
    /// The command, such as `export` or `config check` [default: the page about all of them]
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Vec<String>,

    /// Directory to which all pages are written; created if missing
    #[arg(long, env = "TAUBENABWEHR_OUTPUT", value_name = "DIR")]
    pub output: Option<PathBuf>,
}
