//! Template data of a firm.

use jiff::civil::Date;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::base::text::phone::dialled;
use crate::domain::matching::{Check, Firm};
use crate::domain::referral::{Answer, Asked};
use crate::site::german::german_day;

/// The state of the request to a firm, in the visitor's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AskedState {
    /// Not answered yet.
    #[serde(rename = "angefragt")]
    Asked,
    /// Accepted.
    #[serde(rename = "angenommen")]
    Accepted,
    /// Declined.
    #[serde(rename = "abgelehnt")]
    Declined,
    /// Passed over because it did not answer.
    #[serde(rename = "keine Antwort")]
    Silent,
    /// Passed over because the operator has paused it.
    #[serde(rename = "pausiert")]
    Paused,
}

impl From<&Asked> for AskedState {
    fn from(asked: &Asked) -> Self {
        match asked.answer {
            _ if asked.was_paused() => Self::Paused,
            Answer::Pending => Self::Asked,
            Answer::Accepted(_) => Self::Accepted,
            Answer::Declined(_) => Self::Declined,
            Answer::Silent | Answer::Unreachable => Self::Silent,
        }
    }
}

/// Template data of a firm that was asked, with its current configuration. A firm that has been removed is shown by its name at
/// acceptance, or else its id.
pub fn asked_firm(asked: &Asked, firms: &[Firm]) -> Value {
    let firm = Firm::find(firms, &asked.firm);
    let name = firm.map_or_else(|| asked.accepted_name(), |firm| &firm.name);
    described_firm(name, firm, asked.into())
}

/// Like [`asked_firm`], with the firm's check if it is still valid on a given day.
pub fn checked_firm(asked: &Asked, firms: &[Firm], today: Date) -> Value {
    let check = Firm::find(firms, &asked.firm).and_then(|firm| firm.checked.as_ref());
    let check = check.filter(|check| check.counts(today));
    context! { checked => check.map(described_check), ..asked_firm(asked, firms) }
}

/// Template data of a firm by name and configuration, if it still has one. Its contact details are included only once it has
/// accepted.
pub fn described_firm(name: &str, firm: Option<&Firm>, state: AskedState) -> Value {
    let accepted = state == AskedState::Accepted;
    let firm = firm.filter(|_| accepted);
    let phone = firm.and_then(|firm| firm.phone.as_deref());
    let website = firm.and_then(|firm| firm.website.as_deref());
    context! {
        name,
        state => Serde(state),
        accepted,
        phone,
        phone_link => phone.map(|phone| format!("tel:{}", dialled(phone))),
        email => firm.map(|firm| &firm.email),
        website,
        website_label => website.map(label),
        checked => (),
    }
}

fn described_check(check: &Check) -> Value {
    context! {
        // In running text, where the date may wrap.
        on => german_day(check.on).replace('\u{a0}', " "),
        by => keep_together(&check.by),
        what => keep_together(&check.what.join(", ")),
    }
}

/// Keeps a paragraph sign and its number on one line, as the build does for static texts.
fn keep_together(text: &str) -> String {
    text.replace("§ ", "§\u{a0}")
}

/// Shortens a URL for display.
fn label(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    rest.trim_end_matches('/')
}
