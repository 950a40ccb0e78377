//! Checks of the claims about the operator and the firms: which ones are hidden for lack of evidence, and which firms need another
//! check soon.

use jiff::ToSpan;
use jiff::civil::Date;

use super::Finding;
use crate::config::{Config, Sayings};
use crate::domain::matching::{Firm, VETTED};

/// How many days before a firm's check ends the operator is warned: enough to ask the firm for new papers.
const WARNING_DAYS: i64 = 30;

/// The claims that pages hide, and why. `None` if none is hidden.
pub fn hidden(config: &Config, today: Date) -> Option<Finding> {
    const CHECK: &str = "claims";
    let sayings = Sayings::of(&config.settings, &config.handling, today);
    let hidden = sayings.hidden();
    if hidden.is_empty() {
        return None;
    }
    let message = format!("not shown: {}", hidden.join("; "));
    if sayings.claims.hidden.is_empty() {
        return Some(Finding::ok(CHECK, message));
    }
    Some(Finding::warning(
        CHECK,
        message,
        "prove each claim with `basis` and `period` in [claims] of --site FILE, or switch it off there by `false`",
    ))
}

/// A warning for each firm that is not paused and whose check has ended or ends soon.
pub fn checks(firms: &[Firm], today: Date) -> Vec<Finding> {
    let ending = ending_checks(firms, today).map(|(firm, last)| {
        let verb = if today > last { "counted" } else { "counts" };
        Finding::warning(
            "firm_check",
            format!("the check of firm {} {verb} until {last}", firm.id),
            format!(
                "have the firm show its papers again, and write who has seen them when into `checked` of its \
                 [[firm]]; without that, no page calls firms \"{VETTED}\""
            ),
        )
    });
    ending.collect()
}

/// The firms that are not paused and whose check has ended or ends soon, each with the last day on which the check is valid.
pub fn ending_checks(firms: &[Firm], today: Date) -> impl Iterator<Item = (&Firm, Date)> {
    let checked = firms.iter().filter(|firm| !firm.paused);
    checked.filter_map(move |firm| {
        let last = firm.checked.as_ref()?.last_day();
        let warned_from = last.checked_sub(WARNING_DAYS.days()).unwrap_or(last);
        (today >= warned_from).then_some((firm, last))
    })
}
