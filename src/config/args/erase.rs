//! The flags of `erase`.

use clap::{ArgGroup, Args};
use jiff::Timestamp;

use super::{StoreArgs, parse_bound};
use crate::domain::inquiry::InquiryName;

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
