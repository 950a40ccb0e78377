//! The parts of the configuration that the site depends on: what its texts may promise, and the operator's settings.

use std::num::NonZeroU32;

use jiff::civil::Date;
use serde::Serialize;

use super::german::german_cost;
use crate::base::text::origin::Origin;
use crate::config::claims::ClaimMap;
use crate::config::settings::SiteSettings;
use crate::config::{Handling, Sayings};
use crate::domain::commission::Terms;

/// What the site offers, so that its texts do not promise more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that texts depend on"
)]
pub struct Promises {
    /// Whether inquiries are accepted but not stored.
    pub demo: bool,
    /// Whether the newsletter can be ordered.
    pub newsletter: bool,
    /// The automatic handling of an inquiry.
    pub handling: Handled,
    /// Whether there are testimonials: those of the sample, or published reviews.
    pub testimonials: bool,
    /// Whether firms may be called `geprüft`.
    pub vetted: bool,
    /// The advertising claims that may be shown.
    pub claims: ClaimMap,
    /// What a visitor may get, such as `bis zu drei Angebote von Fachbetrieben`.
    pub offered: String,
    /// The postal prefixes of the firms that are asked, as visitors read them; empty without such a firm.
    pub area: String,
    /// What accepting an inquiry costs a firm without its own terms; `None` if that is agreed with each.
    pub accepting: Option<String>,
}

/// What happens to an inquiry without the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that texts depend on"
)]
pub struct Handled {
    /// Whether mails are sent.
    pub mail: bool,
    /// Whether firms are asked.
    pub firms: bool,
    /// Whether the operator mediates by hand: no firm is configured, and this is not the sample, which promises firms.
    pub by_hand: bool,
    /// Whether only one firm can accept an inquiry, so that there are no offers to compare.
    pub single: bool,
    /// Whether the operator earns a commission: some firm pays one, or this is the sample without firms.
    pub commission: bool,
    /// Whether a webhook of the operator is called.
    pub webhook: bool,
    /// The hours within which a firm must answer.
    pub answer_hours: u16,
    /// The days after which inquiries are erased; `None` if they are not erased automatically.
    pub retention_days: Option<u32>,
}

/// The fixed inputs of the site, which SIGHUP does not reload.
#[derive(Debug)]
pub struct SiteSource {
    /// The operator's settings.
    pub settings: SiteSettings,
    /// The public address.
    pub origin: Origin,
    /// Whether inquiries are discarded.
    pub is_demo: bool,
}

impl SiteSource {
    /// What the texts may promise under a configuration on a given day.
    pub fn promises(&self, handling: &Handling, today: Date) -> Promises {
        let sayings = Sayings::of(&self.settings, handling, today);
        let has_mail = handling.mail.is_some();
        let has_firms = !handling.firms.is_empty();
        let is_example = self.settings.sample && !has_firms;
        let asked = handling.firms.iter().filter(|firm| !firm.paused).count();
        let offers = usize::from(handling.matching.offers);
        let offers = if is_example { offers } else { offers.min(asked) };
        let is_vetted = sayings.vetting_gaps.is_empty();
        Promises {
            demo: self.is_demo,
            newsletter: has_mail && !self.is_demo,
            handling: Handled {
                mail: has_mail,
                firms: has_firms,
                by_hand: !has_firms && !self.settings.sample,
                single: offers == 1,
                commission: is_example || handling.earns_commission(),
                webhook: handling.notify.webhook.is_some(),
                answer_hours: handling.matching.answer_hours,
                retention_days: handling.retention.inquiries_days.map(NonZeroU32::get),
            },
            testimonials: self.settings.sample,
            vetted: is_vetted,
            claims: sayings.claims.shown,
            offered: offered(offers, is_vetted),
            area: handling.area(),
            accepting: accepting(handling, is_example),
        }
    }
}

/// The offers that a visitor may get, in the accusative and nominative alike.
fn offered(offers: usize, is_vetted: bool) -> String {
    let count = match offers {
        1 if is_vetted => return "ein Angebot eines geprüften Fachbetriebs".to_owned(),
        1 => return "ein Angebot eines Fachbetriebs".to_owned(),
        2 => "bis zu zwei ",
        3 => "bis zu drei ",
        _ => "",
    };
    let firms = if is_vetted {
        "geprüfter Fachbetriebe"
    } else {
        "von Fachbetrieben"
    };
    format!("{count}Angebote {firms}")
}

/// What accepting costs by the common terms. Without them, it is free only where no firm pays.
fn accepting(handling: &Handling, is_example: bool) -> Option<String> {
    let is_agreed = is_example || handling.earns_commission();
    let terms = handling.commission.or_else(|| (!is_agreed).then(Terms::default));
    terms.map(|terms| german_cost(&terms, handling.vat()))
}
