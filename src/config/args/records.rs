//! The flags of the commands that show and change inquiries.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use jiff::Timestamp;

use super::export::SubscriberFormat;
use super::export::{Json, OutputArgs};
use super::store::StoreArgs;
use super::time::{RangeArgs, parse_bound, parse_end};
use crate::base::text::mail_address::Address;
use crate::base::text::origin::Origin;
use crate::domain::inquiry::{Choice, InquiryName, Person, PostalCode, Problem, PropertyType, Search};
use crate::domain::ledger::Month;
use crate::domain::matching::FirmId;
use crate::domain::referral::{DeliveryName, State};

/// List, find and show inquiries, ask a firm about one, or release a suspected one
///
/// It works whether or not a server runs on the same data directory.
///
/// States: suspected (it may be a robot's and waits for `release`), received (nobody was asked), asked, accepted,
/// unmatched (no firm matches, or none is left), withdrawn, erased (only notices to firms are left).
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr inquiries --since 2026-11-01\n      \
            what became of the inquiries since the first of November\n  \
        taubenabwehr inquiries --state suspected\n      \
            those that wait for you\n  \
        taubenabwehr inquiries --search Meier\n      \
            those of everybody called so\n  \
        taubenabwehr inquiries ask 0123456789ab --firm nordnetz\n      \
            ask a firm by hand\n  \
        taubenabwehr inquiries show 0123456789ab --public-url https://www.example.de\n      \
            everything about the one with this reference in its mails, with the addresses of its private pages")]
pub struct InquiriesArgs {
    /// What to do; list them if nothing is given.
    #[command(subcommand)]
    pub action: Option<InquiriesAction>,

    /// Which inquiries.
    #[command(flatten)]
    pub range: RangeArgs,

    /// Only inquiries with this text: a part of a name or of a mail address, of a phone number, a reference, or the beginning of an id
    #[arg(long, value_name = "TEXT")]
    pub search: Option<Search>,

    /// Only inquiries in this state
    #[arg(long, value_name = "S", value_parser = state)]
    pub state: Option<State>,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// One thing that `inquiries` does.
#[derive(Debug, Clone, Subcommand)]
pub enum InquiriesAction {
    /// Show everything about one inquiry
    Show {
        /// Id or reference of the inquiry
        #[arg(value_name = "ID")]
        id: InquiryName,

        /// Origin of the site, for the addresses of the private pages
        #[arg(long, value_name = "URL")]
        public_url: Option<Origin>,
    },
    /// Ask a firm about an inquiry by hand, whether or not it matches, is paused or has had enough
    ///
    /// No firm is asked twice, unless it was passed over. Where no server runs on the same data directory, --config
    /// names the firms, and the next server that starts sends the mail.
    Ask {
        /// Id or reference of the inquiry
        #[arg(value_name = "ID")]
        id: InquiryName,

        /// Id of the firm
        #[arg(long, value_name = "FIRM", value_parser = FirmId::parse)]
        firm: FirmId,
    },
    /// Say that a suspected inquiry is no robot's: operator, firms and visitor are then told of it
    ///
    /// A running server asks the firms within a minute; otherwise the next one that starts does.
    Release {
        /// Id or reference of the inquiry
        #[arg(value_name = "ID")]
        id: InquiryName,
    },
}

/// Erase inquiries for good: those with some ids, or all made before a time
///
/// It works whether or not a server runs on the same data directory. Either everything that was named is erased, or,
/// if something goes wrong or an id does not exist, nothing. What remains is written to a new file that takes the
/// place of the old one and keeps its owner, so that nothing of the erased inquiries can be read in it any more. The
/// data directory needs room for that. A running server stores inquiries again when it is done (within a second for
/// 10,000 inquiries).
///
/// A browser that repeats a request within seven days gets the same answer as the first time, and nothing is stored
/// again: until then a digest of the request's key is remembered, without personal data.
///
/// It cannot reach files that were exported, backups, copies that others have, and what the disk itself keeps of a
/// deleted file until its place is used again.
#[derive(Debug, Clone, Args)]
#[command(
    group = ArgGroup::new("which").required(true),
    after_help = "Examples:\n  \
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
    #[arg(long, value_name = "T", group = "which", value_parser = parse_bound)]
    pub until: Option<Timestamp>,

    /// Do not ask for confirmation; required without a terminal
    // What destroys is said where it is meant: it has no environment variable.
    #[arg(long)]
    pub yes: bool,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// List mails and webhooks that wait or have failed, or try them again
///
/// It works whether or not a server runs on the same data directory, and lists the mails and webhooks that wait, have
/// failed, or are held because the store was restored from a backup. A server tries each for three days.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr deliveries --failed\n      \
            what was given up, and why\n  \
        taubenabwehr deliveries retry\n      \
            try all of that now, once its cause is gone, and send what is held\n  \
        taubenabwehr deliveries retry 0123456789ab\n      \
            only what belongs to this inquiry")]
pub struct DeliveriesArgs {
    /// What to do; list them if nothing is given.
    #[command(subcommand)]
    pub action: Option<DeliveriesAction>,

    /// Only deliveries that have failed
    #[arg(long)]
    pub failed: bool,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where they are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// One thing that `deliveries` does.
#[derive(Debug, Clone, Subcommand)]
pub enum DeliveriesAction {
    /// Try a delivery now that waits for later, has failed or is held, or all of them
    Retry {
        /// Id of the delivery, whole or from the inquiry's reference on; id or reference of an inquiry for all of its deliveries [default: all of all inquiries]
        #[arg(value_name = "ID")]
        id: Option<DeliveryName>,
    },
}

/// List firms and their answers, pause one, or show who would be asked about an inquiry
///
/// It works whether or not a server runs on the same data directory. It counts what the store still has: an inquiry
/// that was erased no longer counts. The median is exact to a tenth of an hour.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr firms --config /etc/taubenabwehr/config.toml --since 2026-11-01\n      \
            what each firm did with the inquiries that it was asked about since the first of November\n  \
        taubenabwehr firms match --config /etc/taubenabwehr/config.toml --postal-code 22087\n      \
            who would be asked about an inquiry from there, and in which order")]
pub struct FirmsArgs {
    /// What to do; list what they answered if nothing is given.
    #[command(subcommand)]
    pub action: Option<FirmsAction>,

    /// Only inquiries that a firm was asked about at this time or later: a date (midnight in Berlin), today, yesterday, 7d, or an RFC 3339 time
    #[arg(long, value_name = "T", value_parser = parse_bound)]
    pub since: Option<Timestamp>,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where the inquiries are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// One thing that `firms` does.
#[derive(Debug, Clone, Subcommand)]
pub enum FirmsAction {
    /// Show who would be asked about an inquiry now, in order; asks nobody
    Match(MatchArgs),
    #[allow(missing_docs, reason = "a text here would take the place of that in help")]
    Statement(StatementArgs),
    /// Ask a firm nothing for a while; what it has not answered is passed on
    ///
    /// The pause is kept in the store and holds at once. A firm that `paused = true` stands for in the configuration
    /// file stays paused whatever is said here.
    #[command(after_help = "Example:\n  \
            taubenabwehr firms pause nordnetz --until 24.12.2026\n      \
                until the end of that day")]
    Pause {
        /// Id of the firm
        #[arg(value_name = "FIRM", value_parser = FirmId::parse)]
        id: FirmId,

        /// Last day of the pause: a date, today, tomorrow, or 7d for in seven days [default: until it is resumed]
        #[arg(long, value_name = "DATE", value_parser = parse_end)]
        until: Option<Timestamp>,
    },
    /// Ask a paused firm again
    Resume {
        /// Id of the firm
        #[arg(value_name = "FIRM", value_parser = FirmId::parse)]
        id: FirmId,
    },
}

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

/// The inquiry that `firms match` is about.
#[derive(Debug, Clone, Args)]
pub struct MatchArgs {
    /// Postal code
    #[arg(long, value_name = "P", value_parser = postal_code)]
    pub postal_code: PostalCode,

    /// Type of the building: residential, commercial or industrial
    #[arg(
        long,
        value_name = "T",
        value_parser = property_type,
        default_value = "residential"
    )]
    pub property_type: PropertyType,

    /// A problem, such as nesting; may be given more than once
    #[arg(
        long,
        value_name = "X",
        value_delimiter = ',',
        value_parser = problem
    )]
    pub problem: Vec<Problem>,
}

/// Show or erase all that is kept of a person (GDPR)
///
/// It works whether or not a server runs on the same data directory. All spellings of the address or the number are
/// found: letter case, for example, does not matter, nor whether a number begins with +49 or 0. It prints one JSON
/// array: an object for each inquiry, with the firms that have it, and one for a subscription to the newsletter. Where
/// nothing is kept, the array is empty.
///
/// With --erase it is erased instead, for good, and the firms that had accepted are told by mail. It asks first; a
/// withdrawn inquiry holds no address any more, so that it is neither found nor erased here.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr person anna@example.de > anna.json\n      \
            answer a request for access (Art. 15 GDPR)\n  \
        taubenabwehr person '040 12345678'\n      \
            the same by phone number\n  \
        taubenabwehr person anna@example.de --erase\n      \
            answer a request for erasure (Art. 17 and 19 GDPR)")]
pub struct PersonArgs {
    /// E-mail address or phone number of the person
    #[arg(value_name = "EMAIL|PHONE", value_parser = person)]
    pub person: Person,

    /// Erase everything that is kept of the person
    // What destroys is said where it is meant.
    #[arg(long)]
    pub erase: bool,

    /// Do not ask for confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,

    /// Origin of the site, for the addresses of the private pages
    #[arg(long, value_name = "URL")]
    pub public_url: Option<Origin>,

    /// Where the inquiries are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// Write a page with plots of what became of the inquiries
///
/// It works whether or not a server runs on the same data directory. The page needs no other file and names no
/// visitor. Suspected, withdrawn and erased inquiries are left out; the page says how many there were. With --config,
/// firms are called by their names.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  \
        taubenabwehr report --config /etc/taubenabwehr/config.toml --since 2026-01-01 --until 2027-01-01 --output 2026.html\n      \
            what became of the inquiries of 2026")]
pub struct ReportArgs {
    /// Which inquiries.
    #[command(flatten)]
    pub range: RangeArgs,

    /// File to write, replaced in one step when complete
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,

    /// TOML file with the site's name [default: the embedded sample]
    #[arg(long, value_name = "FILE")]
    pub site: Option<PathBuf>,

    /// Where the inquiries are.
    #[command(flatten)]
    pub data: StoreArgs,
}

/// One thing that `newsletter` does.
#[derive(Debug, Clone, Subcommand)]
pub enum NewsletterAction {
    /// Write the confirmed addresses to a file or to standard output
    Export {
        /// What is written, and where to.
        #[command(flatten)]
        output: OutputArgs<SubscriberFormat>,

        /// Origin of the public address, for the links that end a subscription [default: only their paths]
        #[arg(long, value_name = "URL")]
        public_url: Option<Origin>,

        /// Where they are.
        #[command(flatten)]
        data: StoreArgs,
    },
}

/// One thing that `mail` does.
#[derive(Debug, Clone, Subcommand)]
pub enum MailAction {
    /// Send one mail by the server of the configuration, and say what that answered
    Test {
        /// Whom to send it to
        #[arg(value_name = "ADDRESS", value_parser = Address::parse)]
        address: Address,

        /// How it is printed.
        #[command(flatten)]
        json: Json,

        /// Origin of the site, for the links in the mail
        #[arg(long, value_name = "URL")]
        public_url: Option<Origin>,

        /// TOML file with what makes the site yours [default: the embedded sample]
        #[arg(long, value_name = "FILE")]
        site: Option<PathBuf>,
    },
}

fn postal_code(text: &str) -> Result<PostalCode, String> {
    PostalCode::parse(text).ok_or_else(|| "expected a postal code from 20000 to 22999".to_owned())
}

fn person(text: &str) -> Result<Person, &'static str> {
    Person::parse(text).ok_or("expected an e-mail address or a German phone number")
}

fn property_type(text: &str) -> Result<PropertyType, String> {
    one_of(PropertyType::ALL, PropertyType::id, text)
}

fn problem(text: &str) -> Result<Problem, String> {
    one_of(Problem::ALL, Problem::id, text)
}

fn state(text: &str) -> Result<State, String> {
    one_of(State::ALL, State::id, text)
}

fn one_of<T: Copy>(all: &[T], id: fn(T) -> &'static str, text: &str) -> Result<T, String> {
    let found = all.iter().copied().find(|&one| id(one) == text);
    found.ok_or_else(|| {
        let ids: Vec<_> = all.iter().map(|&one| id(one)).collect();
        format!("expected one of {}", ids.join(", "))
    })
}
