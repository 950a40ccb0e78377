//! The list of firms: what each did with the inquiries that it was asked about.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::domain::inquiry::rfc3339_millis;
use crate::domain::matching::{Check, Firm, FirmId};
use crate::operate::report::FirmFigures;
use crate::store::Facts;

/// Shows each firm that is configured, paused or was asked, by their figures.
pub fn firms(
    mut figures: BTreeMap<FirmId, FirmFigures>,
    facts: &Facts,
    configured: &[Firm],
) -> impl Iterator<Item = Value> {
    for firm in configured.iter().map(|firm| &firm.id).chain(facts.paused.keys()) {
        figures.entry(firm.clone()).or_default();
    }
    let now = Timestamp::now();
    figures.into_iter().map(move |(id, figures)| {
        let firm = Firm::find(configured, &id);
        let pause = match firm {
            Some(firm) if firm.paused => Some(None),
            _ => facts.pause_of(&id, now),
        };
        let check = firm.and_then(|firm| firm.checked.as_ref());
        let unreachable_since = firm.and_then(|firm| facts.unreachable_since(firm));
        json!({
            "firm": id,
            "asked": figures.asked(),
            "accepted": figures.accepted,
            "declined": figures.declined,
            "silent": figures.silent,
            "median_hours": figures.hours.median(),
            "checked_until": check.map(Check::last_day),
            "paused": pause.is_some(),
            "paused_until": pause.flatten().map(rfc3339_millis),
            "unreachable_since": unreachable_since.map(rfc3339_millis),
        })
    })
}
