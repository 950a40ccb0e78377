//! `taubenabwehr firms`: how firms answered the inquiries they were asked about, and which would be asked next.

mod pause;

use clap::error::ErrorKind;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::output::{self, Column, either, or_dash, print, text, time};
use super::statement;
use super::{CliError, usage};
use crate::config::ConfigFile;
use crate::config::args::{FirmsAction, FirmsArgs, MatchArgs};
use crate::control::Caller;
use crate::domain::inquiry::{Choice, NewInquiry, Problem, TimeRange};
use crate::domain::matching::{FirmRotation, Pause};
use crate::operate::calls::{CountAnswers, ReadFacts, ReadRequestHistory};
use crate::operate::view;

const COLUMNS: [Column; 9] = [
    ("FIRM", 24, |listed| text(listed, "firm")),
    ("ASKED", 8, |listed| text(listed, "asked")),
    ("ACCEPTED", 8, |listed| text(listed, "accepted")),
    ("DECLINED", 8, |listed| text(listed, "declined")),
    ("SILENT", 8, |listed| text(listed, "silent")),
    ("MEDIAN HOURS", 12, |listed| or_dash(text(listed, "median_hours"))),
    ("CHECKED UNTIL", 13, |listed| {
        or_dash(text(listed, "checked_until"))
    }),
    ("UNREACHABLE SINCE", 29, |listed| {
        or_dash(time(listed, "unreachable_since"))
    }),
    ("PAUSED", 0, paused),
];

/// The columns of the list of firms that would be asked about an inquiry.
const TURN_COLUMNS: [Column; 4] = [
    ("PLACE", 5, |turn| text(turn, "place")),
    ("ASKED", 8, |turn| either(turn, "at_once", "at once", "later")),
    ("FIRM", 24, |turn| text(turn, "firm")),
    ("NAME", 0, |turn| text(turn, "name")),
];

fn paused(listed: &Value) -> String {
    let (from, until) = (time(listed, "paused_from"), time(listed, "paused_until"));
    match (&*from, &*until) {
        ("", "") => either(listed, "paused", "yes", "no"),
        ("", until) => format!("until {until}"),
        (from, "") => format!("from {from}"),
        (from, until) => format!("from {from} until {until}"),
    }
}

/// Lists firms with their answers, or the firms that would be asked about an inquiry; or runs another action on firms.
///
/// # Errors
/// When the action failed, the inquiries cannot be read, or the output cannot be written; wrong usage if `--since` is not a time,
/// or `--config` is missing where firms are needed.
pub fn run(args: &FirmsArgs, file: Option<&ConfigFile>) -> Result<(), CliError> {
    match &args.action {
        Some(FirmsAction::Match(inquiry)) => {
            let missing = "--config <FILE> is required: it names the firms";
            let file = file.ok_or_else(|| usage(ErrorKind::MissingRequiredArgument, missing))?;
            return list_turns(args, inquiry, file);
        }
        Some(FirmsAction::Pause { id, from, until }) => {
            let (from, until) = (*from, *until);
            if from.zip(until).is_some_and(|(from, until)| from >= until) {
                let message = "--from is later than --until: the pause would be over before it begins";
                return Err(usage(ErrorKind::ValueValidation, message));
            }
            return pause::pause(args, id, Pause { from, until }, file);
        }
        Some(FirmsAction::Resume { id }) => return pause::resume(args, id, file),
        Some(FirmsAction::Credit { id, firm, reason }) => {
            return statement::credit(args, id, firm, reason, file);
        }
        Some(FirmsAction::Statement(statement)) => {
            return statement::run(statement, args.json.json, &args.data, file);
        }
        None => {}
    }
    let configured = file.map_or(&[][..], |file| &file.firms);
    let list = output::list(args.json.json, &COLUMNS)?;
    let caller = Caller::new(&args.data)?;
    let facts = caller.call(ReadFacts {})?;
    let range = TimeRange {
        since: args.since,
        until: None,
    };
    let figures = caller.call(CountAnswers { range })?;
    Ok(list.complete(view::firms(figures, &facts, configured))?)
}

/// Lists the firms that would be asked about an inquiry, in order, and the reasons why the others would not be asked. The first
/// ones are asked at once; the later ones when one of these declines or does not answer.
///
/// # Errors
/// When the store cannot be read, or the output cannot be written.
fn list_turns(args: &FirmsArgs, inquiry: &MatchArgs, file: &ConfigFile) -> Result<(), CliError> {
    let now = Timestamp::now();
    let caller = Caller::new(&args.data)?;
    let history = caller.call(ReadRequestHistory {})?;
    let facts = caller.call(ReadFacts {})?;
    let mut rotation = FirmRotation::new(file.firms.as_slice().into(), history);
    rotation.paused = facts.paused;
    rotation.unreachable = facts.unreachable;
    let inquiry = sample(inquiry, now)?;
    let turns = rotation.preview(&inquiry.answers, &[], file.firms.len(), now);
    let at_once = usize::from(file.matching.offers);
    let listed = turns.iter().enumerate().map(|(place, id)| {
        json!({
            "place": place + 1,
            "firm": id,
            "name": rotation.get(id).map(|firm| &firm.name),
            "at_once": place < at_once,
        })
    });
    output::list(args.json.json, &TURN_COLUMNS)?.complete(listed)?;
    // The JSON output has only the firms that would be asked, in order.
    if args.json.json {
        return Ok(());
    }
    let others = file.firms.iter().filter(|firm| !turns.contains(&firm.id));
    let others = others.map(|firm| {
        let paused = rotation
            .is_paused(&firm.id, now)
            .then_some("paused by `firms pause`");
        let unreachable = rotation
            .unreachable_since(&firm.id)
            .map(|_| "unreachable: its mail server refuses its address");
        let reason = firm.why_not(&inquiry.answers).or(paused).or(unreachable);
        let reason = reason.unwrap_or("was asked per_week times within seven days");
        format!("not asked: {} ({reason})\n", firm.id)
    });
    print(&others.collect::<String>())
}

/// An inquiry with these answers. The contact data is made up, since it does not influence the choice.
fn sample(inquiry: &MatchArgs, now: Timestamp) -> Result<NewInquiry, CliError> {
    let body = json!({
        "postal_code": inquiry.postal_code.to_string(),
        "property_type": inquiry.property_type.id(),
        "types_of_problems": Problem::join(&inquiry.problem),
        "first_name": "x",
        "last_name": "x",
        "email_address": "x@example.de",
        "phone_number": "+49 40 1234567",
    });
    let text = "no visitor can send such an inquiry, so nothing was changed; `taubenabwehr help firms match` shows what there is";
    NewInquiry::parse(body.to_string().as_bytes(), now).map_err(|_| text.into())
}
