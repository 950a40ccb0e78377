//! `taubenabwehr inquiries`: what became of inquiries.

use std::io::{self, Write};

use serde::Serialize;
use uuid::Uuid;

use super::export::range;
use super::failure::Failure;
use super::list::{Cell, Entry, List};
use super::named::{id_of, refused, unknown};
use super::view::{InquiryView, Time, text};
use crate::cli::{InquiriesAction, InquiriesArgs};
use crate::control::{Request, Tokens, find, records};
use crate::referral::{Delivery, DeliveryState, InquiryRecord};
use crate::store::Location;

/// Lists inquiries, shows one, or releases one.
///
/// # Errors
/// When that was not done; wrong usage if a bound is not a time.
pub fn run(args: &InquiriesArgs) -> Result<(), Failure> {
    let location = &args.data.location;
    match &args.action {
        None => {
            let range = range(args.since.as_deref(), args.until.as_deref())?;
            let mut list = List::begin(args.json.json)?;
            for record in records(location, range)? {
                let record = record?;
                if args.state.is_none_or(|state| record.referral.state() == state) {
                    list.add(&Listed::from(&record))?;
                }
            }
            Ok(list.finish()?)
        }
        Some(InquiriesAction::Show { id, public_url }) => {
            let found: Option<(InquiryRecord, Tokens)> =
                find(location, &Request::InquiryRecord(id_of(location, id)?))?;
            let (record, tokens) = found.ok_or_else(|| unknown(id))?;
            let view = InquiryView::new(&record, &tokens, public_url.as_ref());
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
    let released: Result<(), String> = find(location, &Request::Release(id))?;
    released.map_err(|reason| refused(&reason, "inquiries"))?;
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

impl From<&InquiryRecord> for Listed {
    fn from(record: &InquiryRecord) -> Self {
        let referral = &record.referral;
        let count = |is_meant: fn(&Delivery) -> bool| {
            let deliveries = referral.deliveries.iter();
            deliveries.filter(|delivery| is_meant(delivery)).count()
        };
        let inquiry = record.inquiry.as_ref();
        Self {
            id: record.id.to_string(),
            created_at: Time(record.created_at()),
            postal_code: inquiry.map(|inquiry| inquiry.answers.postal_code.to_string()),
            state: referral.state().id(),
            asked: referral.asked.len(),
            accepted: referral.accepted(),
            waiting: count(|delivery| delivery.due().is_some()),
            held: count(|delivery| matches!(delivery.state, DeliveryState::Suspended(_))),
            failed: count(|delivery| matches!(delivery.state, DeliveryState::Failed(_))),
        }
    }
}

impl Entry for Listed {
    fn row(&self) -> Vec<Cell> {
        let postal_code = self.postal_code.clone();
        vec![
            ("ID", 36, self.id.clone()),
            ("CREATED", 29, self.created_at.to_string()),
            ("POSTAL CODE", 11, postal_code.unwrap_or_else(|| "-".to_owned())),
            ("STATE", 9, self.state.to_owned()),
            ("ASKED", 5, self.asked.to_string()),
            ("ACCEPTED", 8, self.accepted.to_string()),
            ("WAITING", 7, self.waiting.to_string()),
            ("HELD", 4, self.held.to_string()),
            ("FAILED", 0, self.failed.to_string()),
        ]
    }
}
