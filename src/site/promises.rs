//! What the configuration changes in the site: what its texts may promise, and whose site it is.

use std::num::NonZeroU32;

use jiff::civil::Date;
use serde::Serialize;

use crate::base::text::origin::Origin;
use crate::config::claims::ClaimMap;
use crate::config::settings::SiteSettings;
use crate::config::{Handling, Sayings};
use crate::site::http::headers::SecurityHeaders;

/// What the site does, for texts that must not promise more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that texts depend on"
)]
pub struct Promises {
    /// Inquiries are answered with success and not kept.
    pub demo: bool,
    /// The newsletter's form sends.
    pub newsletter: bool,
    /// What happens to an inquiry without the operator.
    pub handling: Handled,
    /// There is something to be shown as testimonials: the sample's, or published reviews.
    pub testimonials: bool,
    /// Firms may be called `geprüft`.
    pub vetted: bool,
    /// The advertising claims that may be shown.
    pub claims: ClaimMap,
}

/// What happens to an inquiry without the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Handled {
    /// Mails are sent.
    pub mail: bool,
    /// Firms are asked.
    pub firms: bool,
    /// Another system of the operator is called.
    pub webhook: bool,
    /// Hours that a firm has to answer.
    pub answer_hours: u16,
    /// The days after receipt when inquiries are erased; `None`: never automatically.
    pub retention_days: Option<u32>,
}

/// What the site is made from, beside what SIGHUP reads again.
#[derive(Debug)]
pub struct SiteSource {
    /// What makes it one operator's own.
    pub settings: SiteSettings,
    /// The public address.
    pub origin: Origin,
    /// Headers that every response carries.
    pub security_headers: SecurityHeaders,
    /// Whether inquiries are not kept.
    pub is_demo: bool,
}

impl SiteSource {
    /// Returns what the texts may promise under a configuration on a day.
    pub fn promises(&self, handling: &Handling, today: Date) -> Promises {
        let sayings = Sayings::of(&self.settings, handling, today);
        let has_mail = handling.mail.is_some();
        Promises {
            demo: self.is_demo,
            newsletter: has_mail && !self.is_demo,
            handling: Handled {
                mail: has_mail,
                firms: !handling.firms.is_empty(),
                webhook: handling.notify.webhook.is_some(),
                answer_hours: handling.matching.answer_hours,
                retention_days: handling.retention.inquiries_days.map(NonZeroU32::get),
            },
            testimonials: self.settings.sample,
            vetted: sayings.vetting.is_complete(),
            claims: sayings.claims.shown,
        }
    }
}
