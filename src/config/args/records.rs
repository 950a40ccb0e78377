//! The flags of the commands that show and change inquiries, and of `desk`, which opens the browser page for the same.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use jiff::Timestamp;

use super::export::{Json, OutputArgs, SubscriberFormat};
use super::firms::{one_of, postal_code};
use super::time::{RangeArgs, parse_bound};
use crate::base::text::mail_address::Address;
use crate::base::text::origin::Origin;
use crate::domain::inquiry::{
    Correction, EmailAddress, InquiryName, Person, PersonName, PhoneNumber, PostalCode, Search,
};
use crate::domain::matching::FirmId;
use crate::domain::referral::{DeliveryName, State, note_text};
use crate::store::Location;

/// List, find and show inquiries, ask a firm about one, note, correct or release one
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
        taubenabwehr inquiries correct 0123456789ab --phone '040 32109876'\n      \
            put the right number in the place of a wrong one\n  \
        taubenabwehr inquiries show 0123456789ab --public-url https://www.example.de\n      \
            everything about the one with this reference in its mails, with the addresses of its private pages")]
pub struct InquiriesArgs {
    /// What to do; list them if nothing is given.
    #[command(subcommand)]
    pub action: Option<InquiriesAction>,

    /// Which inquiries.
    #[command(flatten)]
    pub range: RangeArgs,

    /// Only inquiries with this text: a part of a name, as it is written or sounds, of a mail address, a phone number, a postal code with
    /// its place, or the visitor's own words; a reference, or the beginning of an id
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
    pub data: Location,
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
    /// Add a note that nobody but the operator sees
    ///
    /// It is kept with its time and goes with the inquiry.
    Note {
        /// Id or reference of the inquiry
        #[arg(value_name = "ID")]
        id: InquiryName,

        /// The note, 1 to 2,000 characters
        #[arg(value_name = "TEXT", value_parser = note, allow_hyphen_values = true)]
        text: String,
    },
    /// Say that there is nothing left to do about an inquiry
    ///
    /// It leaves the lists of what is to be done and the count of inquiries without a firm in the digest. Nothing else
    /// changes.
    Done {
        /// Id or reference of the inquiry
        #[arg(value_name = "ID")]
        id: InquiryName,

        /// There is something to do again
        #[arg(long)]
        undo: bool,
    },
    /// Correct the contact details or the postal code
    ///
    /// The former values are kept nowhere. Firms that have accepted are told by mail that something has changed. With a
    /// new postal code, firms that match it are asked for places that are free: by the running server, else as the
    /// file of --config says.
    Correct(CorrectArgs),
    /// Say that a suspected inquiry is no robot's: operator, firms and visitor are then told of it
    ///
    /// A running server asks the firms within a minute; otherwise the next one that starts does.
    Release {
        /// Id or reference of the inquiry
        #[arg(value_name = "ID")]
        id: InquiryName,
    },
}

/// What `inquiries correct` corrects.
#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("corrected").required(true).multiple(true))]
pub struct CorrectArgs {
    /// Id or reference of the inquiry
    #[arg(value_name = "ID")]
    pub id: InquiryName,

    /// Postal code of the building
    #[arg(long, value_name = "P", group = "corrected", value_parser = postal_code)]
    pub postal_code: Option<PostalCode>,

    /// First name
    #[arg(long, value_name = "N", group = "corrected", value_parser = name)]
    pub first_name: Option<PersonName>,

    /// Last name
    #[arg(long, value_name = "N", group = "corrected", value_parser = name)]
    pub last_name: Option<PersonName>,

    /// E-mail address
    #[arg(long, value_name = "M", group = "corrected", value_parser = email)]
    pub email: Option<EmailAddress>,

    /// Phone number, kept as it is typed
    #[arg(long, value_name = "T", group = "corrected", value_parser = phone)]
    pub phone: Option<PhoneNumber>,
}

impl CorrectArgs {
    /// The answers that replace the wrong ones.
    pub fn correction(&self) -> Correction {
        Correction {
            postal_code: self.postal_code,
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            email_address: self.email.clone(),
            phone_number: self.phone.clone(),
        }
    }
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
    // Destructive, so it has no environment variable.
    #[arg(long)]
    pub yes: bool,

    /// Where they are.
    #[command(flatten)]
    pub data: Location,
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
    pub data: Location,
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
    // Destructive, so it has no environment variable.
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
    pub data: Location,
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
    pub data: Location,
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
        data: Location,
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

/// Print an address that lets you into the desk, the operator's page in the browser
///
/// The desk is the operator's page in the browser: a server shows it at --desk-listen. The address that this prints
/// works once, within ten minutes; opening it starts a session of twelve hours, or of 30 days if that is ticked there, on
/// every server of the same store.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:\n  \
        taubenabwehr desk\n      \
            print an address to open in a browser\n  \
        taubenabwehr desk --end\n      \
            a computer was lost, or somebody leaves: everybody has to log in again")]
pub struct DeskArgs {
    /// End all sessions; no code works any more
    #[arg(long)]
    pub end: bool,

    /// Address under which the desk is reached [default: where the server that started last has it]
    #[arg(long, value_name = "URL")]
    pub desk_url: Option<Origin>,

    /// How it is printed.
    #[command(flatten)]
    pub json: Json,

    /// Where the inquiries are.
    #[command(flatten)]
    pub data: Location,
}

fn person(text: &str) -> Result<Person, &'static str> {
    Person::parse(text).ok_or("expected an e-mail address or a German phone number")
}

fn note(text: &str) -> Result<String, &'static str> {
    note_text(text).ok_or("expected 1 to 2,000 characters")
}

fn name(text: &str) -> Result<PersonName, &'static str> {
    PersonName::parse(text).ok_or("expected 1 to 100 characters")
}

fn email(text: &str) -> Result<EmailAddress, &'static str> {
    EmailAddress::parse(text).ok_or("expected an e-mail address")
}

fn phone(text: &str) -> Result<PhoneNumber, &'static str> {
    PhoneNumber::parse(text).ok_or("expected a German phone number")
}

fn state(text: &str) -> Result<State, String> {
    one_of(State::ALL, State::id, text)
}
