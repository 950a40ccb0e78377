//! `taubenabwehr inquiries`: what became of inquiries.

use std::io::{self, Write};

use serde::Serialize;
use uuid::Uuid;

use super::export::range;
use super::failure::Failure;
use super::inquiry_text::text;
use super::inquiry_view::InquiryView;
use super::list::{Entry, List};
use super::source::{each_dossier, id_of, operate};
use super::time::Time;
use crate::cli::{InquiriesAction, InquiriesArgs};
use crate::control::operations::{Changed, ReadDossier, Release};
use crate::referral::{Delivery, DeliveryState, Dossier};
use crate::store::Location;

/// Lists inquiries, shows one, or releases one. A bound that is not a time ends the process with the exit code for wrong
/// usage.
///
/// # Errors
/// When that was not done.
pub fn run(args: &InquiriesArgs) -> Result<(), Failure> {
    let location = &args.data.location;
    match &args.action {
        None => {
            let range =
                range(args.since.as_deref(), args.until.as_deref()).unwrap_or_else(|error| error.exit());
            let mut list = List::begin(args.json.json)?;
            each_dossier(location, range, |dossier| {
                let is_meant = args.state.is_none_or(|state| dossier.referral.state() == state);
                if is_meant {
                    list.add(&Listed::from(&dossier))
                } else {
                    Ok(())
                }
            })?;
            list.finish()
        }
        Some(InquiriesAction::Show { id, public_url }) => {
            let found = operate(location, ReadDossier::of(id_of(location, id)?))?;
            let (line, tokens) = found.ok_or_else(|| Failure::Unknown(id.clone()))?;
            let dossier = line.dossier().ok_or(crate::control::client::AskError::Strange)?;
            let view = InquiryView::new(&dossier, Some(&tokens), public_url.as_ref());
            if args.json.json {
                let json = serde_json::to_string_pretty(&view).map_err(io::Error::from)?;
                print(&format!("{json}\n"))
            } else {
                print(&text(&view))
            }
        }
        Some(InquiriesAction::Release { id }) => release(location, id_of(location, id)?),
    }
}

fn release(location: &Location, id: Uuid) -> Result<(), Failure> {
    match operate(location, Release::of(id))? {
        Changed::Done(_) | Changed::LetGo { .. } => {
            // It is released even if standard output is closed.
            let _ = writeln!(io::stdout(), "{id} released");
            Ok(())
        }
        Changed::Refused(reason) => Err(Failure::Refused(reason, "inquiries")),
    }
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
struct Listed {
    id: String,
    created_at: Time,
    postal_code: Option<String>,
    state: &'static str,
    asked: usize,
    accepted: usize,
    waiting: usize,
    held: usize,
    failed: usize,
}

impl From<&Dossier> for Listed {
    fn from(dossier: &Dossier) -> Self {
        let referral = &dossier.referral;
        let count = |is_meant: fn(&Delivery) -> bool| {
            let deliveries = referral.deliveries.iter();
            deliveries.filter(|delivery| is_meant(delivery)).count()
        };
        let inquiry = dossier.inquiry.as_ref();
        Self {
            id: dossier.id.to_string(),
            created_at: Time(dossier.created_at()),
            postal_code: inquiry.map(|inquiry| inquiry.answers.postal_code.to_string()),
            state: referral.state().id(),
            asked: referral.asked.len(),
            accepted: referral.accepted(),
            waiting: count(|delivery| delivery.due().is_some()),
            held: count(|delivery| matches!(delivery.state, DeliveryState::Held(_))),
            failed: count(|delivery| matches!(delivery.state, DeliveryState::Failed(_))),
        }
    }
}

impl Entry for Listed {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("ID", 36),
        ("CREATED", 29),
        ("POSTAL CODE", 11),
        ("STATE", 9),
        ("ASKED", 5),
        ("ACCEPTED", 8),
        ("WAITING", 7),
        ("HELD", 4),
        ("FAILED", 0),
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.clone(),
            self.created_at.to_string(),
            self.postal_code.clone().unwrap_or_else(|| "-".to_owned()),
            self.state.to_owned(),
            self.asked.to_string(),
            self.accepted.to_string(),
            self.waiting.to_string(),
            self.held.to_string(),
            self.failed.to_string(),
        ]
    }
}
