//! Making the site for a configuration, at the start and whenever it changes.

use crate::config::Handling;
use crate::config::settings::SiteSettings;
use crate::handler::openapi;
use crate::headers::SecurityHeaders;
use crate::origin::Origin;
use crate::site::{BrokenSite, Promises, Site};

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
        let mut site = Site::prepare(&self.settings, &self.origin, promises, &self.security_headers)?;
        let origin = self.origin.clone();
        site.add(openapi::PATH, openapi::CONTENT_TYPE, move || {
            openapi::document(&origin)
        });
        Ok(site)
    }
}
