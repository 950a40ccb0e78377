//! `taubenabwehr inquiries`: what became of inquiries.

use std::io::{self, Write};

use serde::Serialize;
use uuid::Uuid;

use super::export::range;
use super::failure::Failure;
use super::list::{Cell, Entry, List};
use super::named::{NAME_CONFIG, id_of, known_firm, refused, unknown};
use super::view::{InquiryView, Time, by_id, harmless, text};
use crate::cli::{InquiriesAction, InquiriesArgs};
use crate::config::ConfigFile;
use crate::control::{AskError, Asked, FoundInquiry, Request, find, find_by, records};
use crate::inquiry::{Choice, Problem, Search};
use crate::matching::FirmId;
use crate::referral::{DeliveryState, HandlingPolicy, InquiryRecord, Refusal, State};
use crate::store::Location;
use crate::text::origin::Origin;

/// Lists inquiries, shows one, asks a firm about one, or releases one.
///
/// # Errors
/// When that was not done; wrong usage if a bound is not a time.
pub fn run(args: &InquiriesArgs, file: Option<&ConfigFile>) -> Result<(), Failure> {
    let location = &args.data.location;
    match &args.action {
        None => {
            let range = range(args.since.as_deref(), args.until.as_deref())?;
            let mut list = List::begin(args.json.json)?;
            let filter = Filter {
                state: args.state,
                search: args.search.clone(),
            };
            for record in records(location, range)? {
                let record = record?;
                if filter.takes(&record) {
                    list.add(&Listed::from(&record))?;
                }
            }
            Ok(list.finish()?)
        }
        Some(InquiriesAction::Show { id, public_url }) => {
            let view = view(location, id_of(location, id)?, public_url.as_ref())?;
            let view = view.ok_or_else(|| unknown(id))?;
            if args.json.json {
                print_json(&view)
            } else {
                print(&text(&view))
            }
        }
        Some(InquiriesAction::Ask { id, firm }) => {
            let id = id_of(location, id)?;
            ask(location, id, firm, file, args.json.json)
        }
        Some(InquiriesAction::Release { id }) => release(location, id_of(location, id)?),
    }
}

/// Returns everything about an inquiry; `None` if there is nothing.
fn view(asked: &dyn Asked, id: Uuid, origin: Option<&Origin>) -> Result<Option<InquiryView>, AskError> {
    let found: Option<FoundInquiry> = find(asked, &Request::InquiryRecord(id))?;
    Ok(found.map(|found| InquiryView::new(&found, origin)))
}

/// Which inquiries a list holds.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Their state.
    pub state: Option<State>,
    /// What is looked for.
    pub search: Option<Search>,
}

impl Filter {
    /// Returns whether an inquiry belongs in the list.
    pub fn takes(&self, record: &InquiryRecord) -> bool {
        let is_meant = self.state.is_none_or(|state| record.referral.state() == state);
        let is_found = self.search.as_ref().is_none_or(|search| {
            search.finds(record.id, record.inquiry.as_ref().map(|inquiry| &inquiry.answers))
        });
        is_meant && is_found && !record.referral.is_notice()
    }
}

/// Asks a firm about an inquiry. Where no server knows the firms, the configuration file does.
fn ask(
    location: &Location,
    id: Uuid,
    firm: &FirmId,
    file: Option<&ConfigFile>,
    json: bool,
) -> Result<(), Failure> {
    known_firm(location, firm, file)?;
    let request = Request::Ask(id, firm.clone());
    let asked: Result<InquiryRecord, Refusal> = find_by(location, &request, policy(file)?)?;
    let record = asked.map_err(|refusal| match (refusal, file) {
        (Refusal::UnknownFirm, None) => format!(
            "what is known of {firm} does not suffice to ask it, so nothing was changed; {NAME_CONFIG}"
        )
        .into(),
        _ => refused(refusal, &format!("inquiries show {id}")),
    })?;
    let asked = record.referral.asked.iter().find(|asked| asked.firm == *firm);
    let until = asked.map(|asked| Time(asked.until));
    if json {
        return print_json(&ByHand {
            id: id.to_string(),
            firm: firm.to_string(),
            answer_until: until,
        });
    }
    let until = until.map(|until| format!(" until {until}")).unwrap_or_default();
    // It is asked even if standard output is closed.
    let _ = writeln!(io::stdout(), "{firm} is asked about {id} and may answer{until}");
    Ok(())
}

/// Returns by what policy firms are asked where no server does.
///
/// # Errors
/// When a file that the configuration names cannot be used.
pub fn policy(file: Option<&ConfigFile>) -> Result<Option<HandlingPolicy>, Failure> {
    let handling = file.map(ConfigFile::handling).transpose()?;
    Ok(handling.map(|handling| handling.policy()))
}

/// A firm that was asked by hand.
#[derive(Debug, Serialize)]
struct ByHand {
    id: String,
    firm: String,
    answer_until: Option<Time>,
}

/// Prints one object as JSON.
///
/// # Errors
/// When standard output cannot be written.
pub fn print_json(object: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(object).map_err(io::Error::from)?;
    print(&format!("{json}\n"))
}

fn release(location: &Location, id: Uuid) -> Result<(), Failure> {
    let released: Result<(), Refusal> = find(location, &Request::Release(id, None))?;
    released.map_err(|refusal| refused(refusal, "inquiries"))?;
    // It is released even if standard output is closed.
    let _ = writeln!(io::stdout(), "{id} released");
    Ok(())
}

/// Prints to standard output. A reader that stops early is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// An inquiry in the list.
#[derive(Debug, Serialize)]
pub struct Listed {
    id: String,
    created_at: Time,
    first_name: Option<String>,
    last_name: Option<String>,
    postal_code: Option<String>,
    property_type: Option<&'static str>,
    types_of_problems: Option<String>,
    #[serde(serialize_with = "by_id")]
    state: State,
    asked: usize,
    accepted: usize,
    waiting: usize,
    held: usize,
    failed: usize,
}

impl From<&InquiryRecord> for Listed {
    fn from(record: &InquiryRecord) -> Self {
        let referral = &record.referral;
        let answers = record.inquiry.as_ref().map(|inquiry| &inquiry.answers);
        Self {
            id: record.id.to_string(),
            created_at: Time(record.created_at()),
            first_name: answers.map(|answers| answers.first_name.as_str().to_owned()),
            last_name: answers.map(|answers| answers.last_name.as_str().to_owned()),
            postal_code: answers.map(|answers| answers.postal_code.to_string()),
            property_type: answers.map(|answers| answers.property_type.id()),
            types_of_problems: answers.map(|answers| Problem::join(&answers.types_of_problems)),
            state: referral.state(),
            asked: referral.reached().count(),
            accepted: referral.accepted(),
            waiting: referral.count(DeliveryState::is_waiting),
            held: referral.count(DeliveryState::is_held),
            failed: referral.count(DeliveryState::is_failed),
        }
    }
}

impl Entry for Listed {
    fn row(&self) -> Vec<Cell> {
        let or_dash = |text: Option<&str>| match text {
            Some(text) if !text.is_empty() => harmless(text),
            _ => "-".to_owned(),
        };
        let name = self.first_name.as_ref().zip(self.last_name.as_ref());
        let name = name.map(|(first, last)| format!("{first} {last}"));
        vec![
            ("ID", 36, self.id.clone()),
            ("CREATED", 29, self.created_at.to_string()),
            ("NAME", 20, or_dash(name.as_deref())),
            ("POSTAL CODE", 11, or_dash(self.postal_code.as_deref())),
            ("BUILDING", 11, or_dash(self.property_type)),
            ("PROBLEM", 18, or_dash(self.types_of_problems.as_deref())),
            ("STATE", 9, self.state.id().to_owned()),
            ("ASKED", 5, self.asked.to_string()),
            ("ACCEPTED", 8, self.accepted.to_string()),
            ("WAITING", 7, self.waiting.to_string()),
            ("HELD", 4, self.held.to_string()),
            ("FAILED", 0, self.failed.to_string()),
        ]
    }
}
