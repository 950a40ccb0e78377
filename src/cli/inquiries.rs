//! `taubenabwehr inquiries`: what became of inquiries.

use std::io::{self, Write};

use serde::Serialize;
use uuid::Uuid;

use super::export::range;
use super::failure::Failure;
use super::list::{Cell, Entry, List};
use super::named::{NAME_CONFIG, id_of, known_firm, refused, unknown};
use crate::config::ConfigFile;
use crate::config::args::{InquiriesAction, InquiriesArgs};
use crate::domain::matching::FirmId;
use crate::domain::referral::{HandlingPolicy, InquiryRecord, Refusal};
use crate::operate::view::{InquiryFilter, ListedInquiry, Time, find_inquiry, harmless, text};
use crate::operate::{Request, find, find_by, records};
use crate::store::Location;

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
            let filter = InquiryFilter {
                state: args.state,
                search: args.search.clone(),
            };
            for record in records(location, range)? {
                let record = record?;
                if filter.takes(&record) {
                    list.add(&ListedInquiry::from(&record))?;
                }
            }
            Ok(list.finish()?)
        }
        Some(InquiriesAction::Show { id, public_url }) => {
            let view = find_inquiry(location, id_of(location, id)?, public_url.as_ref())?;
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

impl Entry for ListedInquiry {
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
