//! `taubenabwehr inquiries`: what became of inquiries.

use serde::Serialize;
use uuid::Uuid;

use super::CliError;
use super::named::{NAME_CONFIG, id_of, known_firm, refused, unknown};
use super::output::{Cell, List, ListEntry, print, print_json, say};
use crate::config::ConfigFile;
use crate::config::args::{InquiriesAction, InquiriesArgs};
use crate::control::Caller;
use crate::domain::matching::FirmId;
use crate::domain::referral::{HandlingPolicy, Refusal};
use crate::operate::calls::{AskFirm, ReleaseInquiry, ShowInquiry};
use crate::operate::view::{InquiryFilter, InquiryView, ListedInquiry, Time, harmless, text};
use crate::operate::{CallError, Refused};

/// Lists inquiries, shows one, asks a firm about one, or releases one.
///
/// # Errors
/// When that was not done; wrong usage if a bound is not a time.
pub fn run(args: &InquiriesArgs, file: Option<&ConfigFile>) -> Result<(), CliError> {
    let caller = Caller::new(&args.data.location)?;
    match &args.action {
        None => {
            let range = args.range.range()?;
            let mut list = List::begin(args.json.json)?;
            let filter = InquiryFilter {
                state: args.state,
                search: args.search.clone(),
            };
            for record in caller.records(range)? {
                let record = record?;
                if filter.takes(&record) {
                    list.add(&ListedInquiry::from(&record))?;
                }
            }
            Ok(list.finish()?)
        }
        Some(InquiriesAction::Show { id, public_url }) => {
            let found = caller.call(ShowInquiry {
                id: id_of(&caller, id)?,
            })?;
            let view = InquiryView::new(&found.ok_or_else(|| unknown(id))?, public_url.as_ref());
            if args.json.json {
                print_json(&view)
            } else {
                print(&text(&view))
            }
        }
        Some(InquiriesAction::Ask { id, firm }) => {
            let caller = caller.with_policy(policy(file)?);
            ask(&caller, id_of(&caller, id)?, firm, file, args.json.json)
        }
        Some(InquiriesAction::Release { id }) => {
            let id = id_of(&caller, id)?;
            let released = caller.call(ReleaseInquiry { id, read: None });
            released.map_err(|error| refused(error, "inquiries"))?;
            say(format!("{id} released\n"));
            Ok(())
        }
    }
}

/// Asks a firm about an inquiry. Where no server knows the firms, the configuration file does.
fn ask(
    caller: &Caller,
    id: Uuid,
    firm: &FirmId,
    file: Option<&ConfigFile>,
    json: bool,
) -> Result<(), CliError> {
    known_firm(caller, firm, file)?;
    let asked = caller.call(AskFirm {
        id,
        firm: firm.clone(),
    });
    let record = asked.map_err(|error| match (error, file) {
        (CallError::Refused(Refused::Change(Refusal::UnknownFirm)), None) => format!(
            "what is known of {firm} does not suffice to ask it, so nothing was changed; {NAME_CONFIG}"
        )
        .into(),
        (error, _) => refused(error, &format!("inquiries show {id}")),
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
    say(format!("{firm} is asked about {id} and may answer{until}\n"));
    Ok(())
}

/// Returns by what policy firms are asked where no server does.
///
/// # Errors
/// When a file that the configuration names cannot be used.
pub fn policy(file: Option<&ConfigFile>) -> Result<Option<HandlingPolicy>, CliError> {
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

impl ListEntry for ListedInquiry {
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
