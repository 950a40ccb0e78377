//! A firm as templates show it.

use jiff::civil::Date;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::base::text::phone::dialled;
use crate::domain::matching::{Check, Firm};
use crate::domain::referral::{Answer, Asked};
use crate::site::german::german_day;

/// The state of the request to a firm, as visitors read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AskedState {
    /// It has not answered yet.
    #[serde(rename = "angefragt")]
    Asked,
    /// It has accepted.
    #[serde(rename = "angenommen")]
    Accepted,
    /// It has declined.
    #[serde(rename = "abgelehnt")]
    Declined,
    /// It was passed over.
    #[serde(rename = "keine Antwort")]
    Silent,
    /// It was passed over, since the operator has paused it.
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

/// Describes a firm that was asked as the configuration has it now; one that has left it, by its name when it accepted, or
/// else by its id.
pub fn asked_firm(asked: &Asked, firms: &[Firm]) -> Value {
    let firm = Firm::find(firms, &asked.firm);
    let name = firm.map_or_else(|| asked.accepted_name(), |firm| &firm.name);
    described_firm(name, firm, asked.into())
}

/// Describes a firm that was asked, with what was checked of it, if that counts on a day.
pub fn checked_firm(asked: &Asked, firms: &[Firm], today: Date) -> Value {
    let check = Firm::find(firms, &asked.firm).and_then(|firm| firm.checked.as_ref());
    let check = check.filter(|check| check.counts(today));
    context! { checked => check.map(described_check), ..asked_firm(asked, firms) }
}

/// Describes a firm by its name and, unless it is no longer in the configuration, by what that says. How to reach it is known
/// only once it has accepted.
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
        // In a line of text, where the day may break.
        on => german_day(check.on).replace('\u{a0}', " "),
        by => keep_together(&check.by),
        what => keep_together(&check.what.join(", ")),
    }
}

/// Keeps a paragraph sign and its number on one line, as the build does in the site's own texts.
fn keep_together(text: &str) -> String {
    text.replace("§ ", "§\u{a0}")
}

/// Returns a web address as people write it.
fn label(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    rest.trim_end_matches('/')
}
