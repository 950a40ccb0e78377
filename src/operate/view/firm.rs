//! The list of firms: what each did with the inquiries that it was asked about.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;

use super::Time;
use crate::domain::matching::{Check, Firm, FirmId};
use crate::operate::report::FirmFigures;
use crate::store::Facts;

/// Returns what each firm did, of those that are configured, paused or were asked, by their figures.
pub fn firms(
    mut figures: BTreeMap<FirmId, FirmFigures>,
    facts: &Facts,
    configured: &[Firm],
) -> Vec<ListedFirm> {
    for firm in configured.iter().map(|firm| &firm.id).chain(facts.paused.keys()) {
        figures.entry(firm.clone()).or_default();
    }
    let listed = figures.iter();
    let listed = listed.map(|(firm, figures)| ListedFirm::new(firm, figures, facts, configured));
    listed.collect()
}

/// A firm in the list.
#[derive(Debug, Serialize)]
pub struct ListedFirm {
    /// Its id.
    pub firm: FirmId,
    /// How often it was asked.
    pub asked: u64,
    /// How often it accepted.
    pub accepted: u64,
    /// How often it declined.
    pub declined: u64,
    /// How often it did not answer in time.
    pub silent: u64,
    /// The median of its hours to an answer.
    pub median_hours: Option<f64>,
    /// The last day on which its check counts.
    pub checked_until: Option<Date>,
    /// Whether it is paused.
    #[serde(flatten)]
    pub pause: PauseView,
    /// Since when its mail server refuses its address.
    pub unreachable_since: Option<Time>,
}

impl ListedFirm {
    fn new(id: &FirmId, figures: &FirmFigures, facts: &Facts, configured: &[Firm]) -> Self {
        let firm = Firm::find(configured, id);
        let check = firm.and_then(|firm| firm.checked.as_ref());
        let unreachable_since = firm.and_then(|firm| facts.unreachable_since(firm));
        Self {
            firm: id.clone(),
            asked: figures.asked(),
            accepted: figures.accepted,
            declined: figures.declined,
            silent: figures.silent,
            median_hours: figures.hours.median(),
            checked_until: check.map(Check::last_day),
            pause: PauseView::of(id, facts, configured, Timestamp::now()),
            unreachable_since: unreachable_since.map(Time),
        }
    }
}

/// Whether a firm is paused, and until when.
#[derive(Debug, Serialize)]
pub struct PauseView {
    /// Whether it is.
    pub paused: bool,
    /// When the pause ends; `None` without an end, and where there is no pause.
    pub paused_until: Option<Time>,
}

impl PauseView {
    /// Returns what the store and the configuration say.
    pub fn of(firm: &FirmId, facts: &Facts, configured: &[Firm], now: Timestamp) -> Self {
        if is_paused_in_file(firm, configured) {
            return Self {
                paused: true,
                paused_until: None,
            };
        }
        let pause = facts.pause_of(firm, now);
        Self {
            paused: pause.is_some(),
            paused_until: pause.flatten().map(Time),
        }
    }
}

impl fmt::Display for PauseView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.paused_until {
            Some(until) => write!(formatter, "until {until}"),
            None if self.paused => formatter.write_str("yes"),
            None => formatter.write_str("no"),
        }
    }
}

/// Whether the configuration file pauses a firm.
pub fn is_paused_in_file(firm: &FirmId, configured: &[Firm]) -> bool {
    Firm::find(configured, firm).is_some_and(|firm| firm.paused)
}
