//! `taubenabwehr firms match`: who would be asked about an inquiry now.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;

use super::failure::Failure;
use super::inquiries::print;
use super::list::{Entry, List};
use super::source::operate;
use crate::cli::{FirmsArgs, MatchArgs};
use crate::config::ConfigFile;
use crate::control::client::AskError;
use crate::control::operations::{AsksLine, ReadAsks};
use crate::inquiry::{Choice, NewInquiry, Problem};
use crate::matching::Roster;

/// Lists the firms that would be asked about an inquiry, in order, and says of the others why they would not. The first ones are
/// asked at once, those behind them when one of these declines or does not answer.
///
/// # Errors
/// When the store cannot be read, or the output not written.
pub fn run(args: &FirmsArgs, inquiry: &MatchArgs, file: &ConfigFile) -> Result<(), Failure> {
    let now = Timestamp::now();
    let history: Option<Vec<_>> = operate(&args.data.location, ReadAsks {})?
        .into_iter()
        .map(AsksLine::read)
        .collect();
    let history = history.ok_or(AskError::Strange)?;
    let roster = Roster::new(file.firms().into(), history);
    let inquiry = sample(inquiry, now)?;
    let turns = roster.preview(inquiry.answers(), &[], file.firms().len(), now);
    let at_once = usize::from(file.matching().offers);
    let mut list = List::begin(args.json.json)?;
    for (place, id) in turns.iter().enumerate() {
        list.add(&Turn {
            place: place + 1,
            firm: id.to_string(),
            name: roster.get(id).map(|firm| firm.name.clone()),
            at_once: place < at_once,
        })?;
    }
    list.finish()?;
    // Programs get those that are asked, in their order.
    if args.json.json {
        return Ok(());
    }
    let others = file.firms().iter().filter(|firm| !turns.contains(&firm.id));
    let others = others.map(|firm| {
        let reason = firm.why_not(inquiry.answers());
        let reason = reason.unwrap_or("was asked per_week times within seven days");
        format!("not asked: {} ({reason})\n", firm.id)
    });
    print(&others.collect::<String>())
}

/// Returns an inquiry like the one that is meant. Who sends it does not matter.
fn sample(inquiry: &MatchArgs, now: Timestamp) -> Result<NewInquiry, Failure> {
    let body = json!({
        "postal_code": inquiry.postal_code.to_string(),
        "property_type": inquiry.property_type.id(),
        "types_of_problems": Problem::join(&inquiry.problem),
        "first_name": "x",
        "last_name": "x",
        "email_address": "x@example.de",
        "phone_number": "+49 40 1234567",
    });
    NewInquiry::parse(body.to_string().as_bytes(), now).map_err(|_| {
        Failure::Refused(
            "no visitor can send such an inquiry".to_owned(),
            "help firms match",
        )
    })
}

/// A firm in its turn.
#[derive(Debug, Serialize)]
struct Turn {
    place: usize,
    firm: String,
    name: Option<String>,
    at_once: bool,
}

impl Entry for Turn {
    const COLUMNS: &'static [(&'static str, usize)] =
        &[("PLACE", 5), ("ASKED", 8), ("FIRM", 24), ("NAME", 0)];

    fn cells(&self) -> Vec<String> {
        let asked = if self.at_once { "at once" } else { "later" };
        vec![
            self.place.to_string(),
            asked.to_owned(),
            self.firm.clone(),
            self.name.clone().unwrap_or_default(),
        ]
    }
}
