//! The parts of the configuration that the site depends on: what its texts may promise, and the operator's settings.

use std::num::NonZeroU32;

use jiff::civil::Date;
use serde::Serialize;

use crate::base::text::origin::Origin;
use crate::config::claims::ClaimMap;
use crate::config::settings::SiteSettings;
use crate::config::{Handling, Sayings};

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
}

/// What happens to an inquiry without the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Handled {
    /// Whether mails are sent.
    pub mail: bool,
    /// Whether firms are asked.
    pub firms: bool,
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
            vetted: sayings.vetting_gaps.is_empty(),
            claims: sayings.claims.shown,
        }
    }
}
