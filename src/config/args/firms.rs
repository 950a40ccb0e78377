//! The flags of the commands about firms, their statements and their reviews.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;

use super::export::{Json, OutputArgs};
use super::time::{parse_bound, parse_end, parse_first_day};
use crate::domain::inquiry::{Choice, InquiryName, PostalCode, Problem, PropertyType};
use crate::domain::ledger::{Credit, Month};
use crate::domain::matching::FirmId;
use crate::domain::referral::ReviewName;
use crate::store::Location;

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
    pub data: Location,
}

/// One thing that `firms` does.
#[derive(Debug, Clone, Subcommand)]
pub enum FirmsAction {
    /// Show who would be asked about an inquiry now, in order; asks nobody
    Match(MatchArgs),
    #[allow(missing_docs, reason = "a text here would take the place of that in help")]
    Statement(StatementArgs),
    /// Take back all that a firm is billed for an inquiry: a wrong number, a double, a robot
    ///
    /// Where the month of the acceptance is open, its line becomes free. Where it is closed, the current month gets a
    /// line with the negative amount. What the firm reports afterwards costs nothing. It works after an erasure, too,
    /// and cannot be undone.
    #[command(after_help = "Example:\n  \
            taubenabwehr firms credit 0123456789ab --firm nordnetz --reason \"Rufnummer falsch\"\n      \
                nordnetz pays nothing for the inquiry with this reference")]
    Credit {
        /// Id of the inquiry, or its reference
        #[arg(value_name = "ID")]
        id: InquiryName,

        /// Id of the firm
        #[arg(long, value_name = "ID", value_parser = FirmId::parse)]
        firm: FirmId,

        /// Why, in one line that the firm reads, too; it is kept for good, so name nobody
        #[arg(long, value_name = "TEXT", value_parser = Credit::parse_reason)]
        reason: String,
    },
    /// Ask a firm nothing for a while; what it has not answered is passed on
    ///
    /// The pause is kept in the store. What the firm has not answered goes to others when the first day begins. A firm that `paused = true` stands for in the configuration
    /// file stays paused whatever is said here.
    #[command(after_help = "Example:\n  \
            taubenabwehr firms pause nordnetz --from 20.12.2026 --until 6.1.2027\n      \
                these days and those between")]
    Pause {
        /// Id of the firm
        #[arg(value_name = "FIRM", value_parser = FirmId::parse)]
        id: FirmId,

        /// First day of the pause: a date, today, tomorrow, or 7d for in seven days [default: it holds at once]
        #[arg(long, value_name = "DATE", value_parser = parse_first_day)]
        from: Option<Timestamp>,

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

/// The formats of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatementFormat {
    /// RFC 4180: a line for each acceptance, no totals
    Csv,
    /// One array of firms, each with its acceptances and totals
    Json,
    /// One page to be printed on A4, a sheet a firm, and one with the total of all
    Html,
    /// Excel workbook
    Xlsx,
}

/// Write what firms owe for a month, and close it
///
/// It works whether or not a server runs on the same data directory. It holds no personal data, so that it is the same
/// after a withdrawal or an erasure. Months are those of Hamburg. Each line is rounded to cents, half a cent away from
/// zero; value added tax is on the sum of the lines: `vat` of `[commission]` in the file of --config, else that of the
/// running server, else 19 percent.
///
/// With --close the month is closed for good: its figures and its tax stay as they are. What firms report afterwards of
/// its inquiries is billed in the month in which they report it, as a line of its own.
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
    // Destructive, so it has no environment variable.
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
        value_parser = choice::<PropertyType>,
        default_value = "residential"
    )]
    pub property_type: PropertyType,

    /// A problem, such as nesting; may be given more than once
    #[arg(
        long,
        value_name = "X",
        value_delimiter = ',',
        value_parser = choice::<Problem>
    )]
    pub problem: Vec<Problem>,
}

/// List what visitors say of firms, and publish it or not
///
/// It works whether or not a server runs on the same data directory. Only visitors whose inquiry a firm has accepted
/// can say something of it, on their private page. What you publish stands on the home page from the next request on;
/// the visitor can change it, after which it waits again, or take it back.
///
/// States: waiting (nobody has decided since it was written or changed), published, rejected. Without the visitor's
/// consent it cannot be published.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr reviews --waiting\n      \
            those that wait for you\n  \
        taubenabwehr reviews publish 0123456789ab-nordnetz --written-at 2026-11-26T09:30:00.000Z\n      \
            put on the home page what the visitor with this reference says of this firm, unless it was changed since you read it")]
pub struct ReviewsArgs {
    /// What to do; list them if nothing is given.
    #[command(subcommand)]
    pub action: Option<ReviewsAction>,

    /// Only reviews that nobody has published or rejected
    #[arg(long)]
    pub waiting: bool,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where they are.
    #[command(flatten)]
    pub data: Location,
}

/// One thing that `reviews` does.
#[derive(Debug, Clone, Subcommand)]
pub enum ReviewsAction {
    /// Put a review on the home page
    Publish(JudgedReview),
    /// Keep a review off the home page, or take it from there
    Reject(JudgedReview),
}

/// A review that is published or rejected.
#[derive(Debug, Clone, Args)]
pub struct JudgedReview {
    /// Id of the review, whole or from the inquiry's reference on; where there is only one, the inquiry is enough
    #[arg(value_name = "ID")]
    pub id: ReviewName,

    /// The `written_at` of the review that you have read (`reviews --json`): if it was changed since, nothing happens
    #[arg(long, value_name = "T")]
    pub written_at: Option<Timestamp>,
}

/// Parses a postal code of the area.
pub(super) fn postal_code(text: &str) -> Result<PostalCode, String> {
    PostalCode::parse(text).ok_or_else(|| "expected a postal code from 20000 to 22999".to_owned())
}

fn choice<C: Choice>(text: &str) -> Result<C, String> {
    one_of(C::ALL, C::id, text)
}

/// Finds a value by its id.
pub(super) fn one_of<T: Copy>(all: &[T], id: fn(T) -> &'static str, text: &str) -> Result<T, String> {
    let found = all.iter().copied().find(|&one| id(one) == text);
    found.ok_or_else(|| {
        let ids: Vec<_> = all.iter().map(|&one| id(one)).collect();
        format!("expected one of {}", ids.join(", "))
    })
}
