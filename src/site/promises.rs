//! What the configuration changes in the site: what its texts may promise, and whose site it is.

use std::num::NonZeroU32;

use serde::Serialize;

use super::{BrokenSite, Site};
use crate::config::Handling;
use crate::config::settings::SiteSettings;
use crate::http::headers::SecurityHeaders;
use crate::text::origin::Origin;

/// What the site does, for texts that must not promise more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Promises {
    /// Inquiries are answered with success and not kept.
    pub demo: bool,
    /// The newsletter's form sends.
    pub newsletter: bool,
    /// What happens to an inquiry without the operator.
    pub handling: Handled,
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
    /// Inquiries are erased so many days after they were received; otherwise not by themselves.
    pub retention_days: Option<u32>,
}

impl Promises {
    /// Returns what a configuration allows to promise.
    pub fn of(handling: &Handling, is_demo: bool) -> Self {
        let has_mail = handling.mail.is_some();
        Self {
            demo: is_demo,
            newsletter: has_mail && !is_demo,
            handling: Handled {
                mail: has_mail,
                firms: !handling.firms.is_empty(),
                webhook: handling.notify.webhook.is_some(),
                retention_days: handling.retention.inquiries_days.map(NonZeroU32::get),
            },
        }
    }
}

/// What the site is made from, beside what SIGHUP reads again.
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
    /// Returns what the texts may promise under a configuration.
    pub fn promises(&self, handling: &Handling) -> Promises {
        Promises::of(handling, self.is_demo)
    }

    /// Makes the site. Its pages are filled when they are first asked for.
    ///
    /// # Errors
    /// When the embedded files do not fit together.
    pub fn make(&self, promises: &Promises) -> Result<Site, BrokenSite> {
        Site::prepare(&self.settings, &self.origin, promises, &self.security_headers)
    }
}
