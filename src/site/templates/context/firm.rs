//! A firm as templates show it.

use jiff::civil::Date;
use serde::Serialize;

use crate::base::text::phone::dialled;
use crate::domain::matching::{Check, Firm};
use crate::domain::referral::{self, Asked};
use crate::site::templates::german::german_day;

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

/// A firm that was asked. Its contact is known only once it has accepted.
#[derive(Debug, Clone, Serialize)]
pub struct FirmContext {
    name: String,
    state: AskedState,
    accepted: bool,
    phone: Option<String>,
    phone_link: Option<String>,
    email: Option<String>,
    website: Option<String>,
    website_label: Option<String>,
    checked: Option<CheckContext>,
}

/// What was checked of a firm, by whom and when.
#[derive(Debug, Clone, Serialize)]
struct CheckContext {
    on: String,
    by: String,
    what: String,
}

impl From<&Check> for CheckContext {
    fn from(check: &Check) -> Self {
        Self {
            // In a line of text, where the day may break.
            on: german_day(check.on).replace('\u{a0}', " "),
            by: keep_together(&check.by),
            what: keep_together(&check.what.join(", ")),
        }
    }
}

/// Keeps a paragraph sign and its number on one line, as the build does in the site's own texts.
fn keep_together(text: &str) -> String {
    text.replace("§ ", "§\u{a0}")
}

impl From<referral::Answer> for AskedState {
    fn from(answer: referral::Answer) -> Self {
        match answer {
            referral::Answer::Pending => Self::Asked,
            referral::Answer::Accepted(_) => Self::Accepted,
            referral::Answer::Declined(_) => Self::Declined,
            referral::Answer::Silent | referral::Answer::Unreachable => Self::Silent,
        }
    }
}

impl FirmContext {
    /// Describes a firm that was asked as the configuration has it now; one that has left it, by its name when it
    /// accepted, or else by its id.
    pub fn of(asked: &Asked, firms: &[Firm]) -> Self {
        let state = if asked.was_paused() {
            AskedState::Paused
        } else {
            asked.answer.into()
        };
        match Firm::find(firms, &asked.firm) {
            Some(firm) => Self::new(firm, state),
            None => Self::named(asked.accepted_name(), state),
        }
    }

    /// Adds what was checked of it, if that counts on a day.
    #[must_use]
    pub fn checked(self, asked: &Asked, firms: &[Firm], today: Date) -> Self {
        let firm = Firm::find(firms, &asked.firm);
        let check = firm.and_then(|firm| firm.checked.as_ref());
        let check = check.filter(|check| check.counts(today));
        Self {
            checked: check.map(CheckContext::from),
            ..self
        }
    }

    /// Describes a firm.
    pub fn new(firm: &Firm, state: AskedState) -> Self {
        if state != AskedState::Accepted {
            return Self::named(&firm.name, state);
        }
        Self {
            phone: firm.phone.clone(),
            phone_link: firm
                .phone
                .as_deref()
                .map(|phone| format!("tel:{}", dialled(phone))),
            email: Some(firm.email.clone()),
            website: firm.website.clone(),
            website_label: firm.website.as_deref().map(label),
            ..Self::named(&firm.name, state)
        }
    }

    /// Describes a firm of which only the name is known, since it is no longer in the configuration.
    pub fn named(name: &str, state: AskedState) -> Self {
        Self {
            name: name.to_owned(),
            state,
            accepted: state == AskedState::Accepted,
            phone: None,
            phone_link: None,
            email: None,
            website: None,
            website_label: None,
            checked: None,
        }
    }

    /// Whether it has accepted.
    pub(super) fn has_accepted(&self) -> bool {
        self.accepted
    }
}

/// Returns a web address as people write it.
fn label(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    rest.trim_end_matches('/').to_owned()
}
