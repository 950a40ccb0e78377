//! The flags of `firms statement`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use jiff::Timestamp;

use super::export::Json;
use super::store::Anywhere;
use super::{OutputArgs, StoreArgs};
use crate::base::text::origin::Origin;
use crate::domain::inquiry::InquiryName;
use crate::domain::ledger::Month;
use crate::domain::matching::FirmId;
use crate::domain::referral::ReviewName;

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

/// Flags of `firms statement`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "It works whether or not a server runs on the same data directory. It holds no personal data, so that it is the \
        same after a withdrawal or an erasure. Months are those of Hamburg. Each line is rounded to cents, half a cent away from \
        zero; value added tax is on the sum of the lines: `vat` of [commission] in the file of --config, else that of the running server, \
        else 19 percent.\n\n\
        With --close the month is closed for good: its figures and its tax stay as they are, and firms can no longer change what \
        became of its inquiries.\n\n\
        Examples:\n  \
        taubenabwehr firms statement --month 2026-11 > november.csv\n      \
            what firms owe for November\n  \
        taubenabwehr firms statement --month 2026-11 --close --format html --output november.html\n      \
            close November, and write a sheet for each firm"
)]
pub struct StatementArgs {
    /// Month, such as 2026-11
    #[arg(long, env = "TAUBENABWEHR_MONTH", value_name = "MONTH")]
    pub month: Month,

    /// Only this firm
    #[arg(long, env = "TAUBENABWEHR_FIRM", value_name = "ID", value_parser = FirmId::parse)]
    pub firm: Option<FirmId>,

    /// What is written, and where to.
    #[command(flatten)]
    pub output: OutputArgs<StatementFormat>,

    /// TOML file with the site's name and the operator's address, for html [default: the embedded sample]
    #[arg(long, env = "TAUBENABWEHR_SITE", value_name = "FILE")]
    pub site: Option<PathBuf>,

    /// Close the month: its figures stay as they are for good
    // What cannot be taken back is said where it is meant.
    #[arg(long, conflicts_with = "firm")]
    pub close: bool,
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
    /// Ids of the inquiries, as `export` shows them, or their references
    #[arg(value_name = "ID", group = "which")]
    pub ids: Vec<InquiryName>,

    /// All inquiries created before this time: a date (midnight in Berlin), today, yesterday, 7d, or an RFC 3339 time
    #[arg(long, env = "TAUBENABWEHR_UNTIL", value_name = "T", group = "which")]
    pub until: Option<String>,

    /// Do not ask for confirmation; required without a terminal
    // What destroys is said where it is meant: it has no environment variable.
    #[arg(long)]
    pub yes: bool,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// What `reviews` does.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "It works whether or not a server runs on the same data directory. Only visitors whose inquiry a firm has accepted \
        can say something of it, on their private page. What you publish stands on the home page from the next request on; the \
        visitor can change it, after which it waits again, or take it back.\n\n\
        States: waiting (nobody has decided since it was written or changed), published, rejected. Without the visitor's consent it \
        cannot be published.\n\n\
        Examples:\n  \
        taubenabwehr reviews --waiting\n      \
            those that wait for you\n  \
        taubenabwehr reviews publish 0123456789ab-nordnetz --written-at 2026-11-26T09:30:00.000Z\n      \
            put on the home page what the visitor with this reference says of this firm, unless it was changed since you read it"
)]
pub struct ReviewsArgs {
    /// What to do; list them if nothing is given.
    #[command(subcommand)]
    pub action: Option<ReviewsAction>,

    /// Only reviews that nobody has published or rejected
    #[arg(long, env = "TAUBENABWEHR_WAITING", value_parser = BoolishValueParser::new())]
    pub waiting: bool,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs<Anywhere>,
}

/// One thing that `reviews` does.
#[derive(Debug, Clone, Subcommand)]
pub enum ReviewsAction {
    /// Put a review on the home page
    Publish {
        /// The review.
        #[command(flatten)]
        review: JudgedReview,
    },
    /// Keep a review off the home page, or take it from there
    Reject {
        /// The review.
        #[command(flatten)]
        review: JudgedReview,
    },
}

/// A review that is published or rejected.
#[derive(Debug, Clone, Args)]
pub struct JudgedReview {
    /// Id of the review, whole or from the inquiry's reference on; where there is only one, the inquiry is enough
    #[arg(value_name = "ID")]
    pub id: ReviewName,

    /// The `written_at` of the review that you have read (`reviews --json`): if it was changed since, nothing happens
    #[arg(long, env = "TAUBENABWEHR_WRITTEN_AT", value_name = "T")]
    pub written_at: Option<Timestamp>,
}

/// Flags of `desk`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "The desk is the operator's page in the browser: a server shows it at --desk-listen. The address that this prints \
        works once, within ten minutes; whoever opens it is let in for twelve hours, on every server of the same store.\n\n\
        Examples:\n  \
        taubenabwehr desk\n      \
            print an address to open in a browser\n  \
        taubenabwehr desk --end\n      \
            a computer was lost, or somebody leaves: everybody has to log in again"
)]
pub struct DeskArgs {
    /// End all sessions; no code works any more
    #[arg(long, env = "TAUBENABWEHR_END", value_parser = BoolishValueParser::new())]
    pub end: bool,

    /// Address under which the desk is reached [default: where the server that started last has it, else --desk-listen]
    #[arg(long, env = "TAUBENABWEHR_DESK_URL", value_name = "URL")]
    pub desk_url: Option<Origin>,

    /// Address and port of the desk, for a server on another machine
    #[arg(long, env = "TAUBENABWEHR_DESK_LISTEN", value_name = "ADDRESS")]
    pub desk_listen: Option<SocketAddr>,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where the inquiries are.
    #[command(flatten)]
    pub data: StoreArgs<Anywhere>,
}
