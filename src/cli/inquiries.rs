//! `taubenabwehr inquiries`: lists and manages inquiries.

use serde_json::{Value, json};
use uuid::Uuid;

use super::CliError;
use super::inquiry_text::inquiry_text;
use super::named::{NAME_CONFIG, caller_about, id_of, refused, unknown};
use super::output::{self, Column, or_dash, print, print_json, say, text, time};
use crate::base::text::berlin::in_berlin;
use crate::config::ConfigFile;
use crate::config::args::{InquiriesAction, InquiriesArgs};
use crate::control::Caller;
use crate::domain::inquiry::rfc3339_millis;
use crate::domain::matching::FirmId;
use crate::domain::referral::{InquiryRecord, Refusal};
use crate::operate::calls::{AskFirm, CorrectInquiry, MarkInquiry, NoteInquiry, ReleaseInquiry, ShowInquiry};
use crate::operate::view::{InquiryFilter, inquiry, listed};
use crate::operate::{CallError, Refused};

const COLUMNS: [Column; 12] = [
    ("ID", 36, |listed| text(listed, "id")),
    ("CREATED", 29, |listed| time(listed, "created_at")),
    ("NAME", 20, name),
    ("POSTAL CODE", 11, |listed| or_dash(text(listed, "postal_code"))),
    ("BUILDING", 11, |listed| or_dash(text(listed, "property_type"))),
    ("PROBLEM", 18, |listed| or_dash(text(listed, "types_of_problems"))),
    ("STATE", 9, |listed| text(listed, "state")),
    ("ASKED", 5, |listed| text(listed, "asked")),
    ("ACCEPTED", 8, |listed| text(listed, "accepted")),
    ("WAITING", 7, |listed| text(listed, "waiting")),
    ("HELD", 4, |listed| text(listed, "held")),
    ("FAILED", 0, |listed| text(listed, "failed")),
];

fn name(listed: &Value) -> String {
    let [first, last] = ["first_name", "last_name"].map(|key| text(listed, key));
    or_dash(format!("{first} {last}").trim().to_owned())
}

/// Lists inquiries, shows one, asks a firm about one, or changes one.
///
/// # Errors
/// When the store cannot be read or changed, or the output cannot be written; wrong usage if a bound is not a time.
pub fn run(args: &InquiriesArgs, file: Option<&ConfigFile>) -> Result<(), CliError> {
    let caller = Caller::new(&args.data)?;
    match &args.action {
        None => {
            let range = args.range.range()?;
            let mut list = output::list(args.json.json, &COLUMNS)?;
            let filter = InquiryFilter {
                state: args.state,
                search: args.search.clone(),
            };
            for record in caller.records(range)? {
                let record = record?;
                if filter.takes(&record) {
                    list.write(&listed(&record))?;
                }
            }
            Ok(list.finish()?)
        }
        Some(InquiriesAction::Show { id, public_url }) => {
            let found = caller.call(ShowInquiry {
                id: id_of(&caller, id)?,
            })?;
            let view = inquiry(&found.ok_or_else(|| unknown(id))?, public_url.as_ref());
            if args.json.json {
                print_json(&view)
            } else {
                print(&inquiry_text(&view))
            }
        }
        Some(InquiriesAction::Ask { id, firm }) => ask(args, id_of(&caller, id)?, firm, file),
        Some(InquiriesAction::Release { id }) => {
            let id = id_of(&caller, id)?;
            changed(caller.call(ReleaseInquiry { id, read: None }), id, "released")
        }
        Some(InquiriesAction::Note { id, text }) => {
            let id = id_of(&caller, id)?;
            let text = text.clone();
            changed(caller.call(NoteInquiry { id, text }), id, "noted")
        }
        Some(InquiriesAction::Done { id, undo }) => {
            let (id, is_done) = (id_of(&caller, id)?, !undo);
            let what = if is_done { "done" } else { "to be done again" };
            changed(caller.call(MarkInquiry { id, is_done }), id, what)
        }
        Some(InquiriesAction::Correct(args)) => {
            // Free places are filled at once: by the server, or else by the rules of the configuration.
            let handling = file.map(ConfigFile::handling).transpose()?;
            let caller = caller.with_policy(handling.map(|handling| handling.policy()));
            let id = id_of(&caller, &args.id)?;
            let (correction, read) = (args.correction(), None);
            let corrected = caller.call(CorrectInquiry { id, correction, read });
            changed(corrected, id, "corrected")
        }
    }
}

/// Reports what was done to an inquiry.
fn changed(result: Result<InquiryRecord, CallError>, id: Uuid, what: &str) -> Result<(), CliError> {
    result.map_err(|error| refused(error, "inquiries"))?;
    say(format!("{id} {what}\n"));
    Ok(())
}

/// Asks a firm about an inquiry. Without a running server, firms are looked up in the configuration file.
fn ask(args: &InquiriesArgs, id: Uuid, firm: &FirmId, file: Option<&ConfigFile>) -> Result<(), CliError> {
    let caller = caller_about(&args.data, firm, file)?;
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
    let until = asked.map(|asked| asked.until);
    if args.json.json {
        let until = until.map(rfc3339_millis);
        return print_json(&json!({ "id": id, "firm": firm, "answer_until": until }));
    }
    let until = until.map(|until| format!(" until {}", in_berlin(until)));
    let until = until.unwrap_or_default();
    say(format!("{firm} is asked about {id} and may answer{until}\n"));
    Ok(())
}
