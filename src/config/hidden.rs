//! Texts that a site has but does not show, and the reasons: for the log, `config check` and `doctor`.

use jiff::civil::Date;

use super::Handling;
use super::claims::{ClaimName, JudgedClaims};
use super::settings::SiteSettings;
use crate::domain::matching::{Gap, VETTED, vetting_gaps, vetting_summary};

/// The statements that the settings and the firms allow a site to make.
#[derive(Debug)]
pub struct Sayings {
    /// Why the site may not call firms vetted; empty if it may.
    pub vetting_gaps: Vec<Gap>,
    /// The claims the site may make.
    pub claims: JudgedClaims,
    is_sample: bool,
}

impl Sayings {
    /// Decides which statements are allowed on a day.
    pub fn of(settings: &SiteSettings, handling: &Handling, today: Date) -> Self {
        let vetting_gaps = vetting_gaps(&handling.firms, today, settings.sample);
        let answer_hours = (!settings.sample).then_some(handling.matching.answer_hours);
        let mut claims = settings.claims.judge(answer_hours, &vetting_gaps);
        // Without firms, only the operator's own word says when offers come.
        let is_promised =
            settings.sample || !handling.firms.is_empty() || settings.claims.sets(ClaimName::Offers);
        if !is_promised && claims.shown.remove(&ClaimName::Offers).is_some() {
            claims.hidden.push("offers (no [[firm]] is asked)".to_owned());
        }
        Self {
            claims,
            vetting_gaps,
            is_sample: settings.sample,
        }
    }

    /// The hidden texts with reasons, one per line. Empty for the sample operator, unless it has firms.
    pub fn hidden(&self) -> Vec<String> {
        let gaps = self.vetting_gaps.iter().map(ToString::to_string);
        self.lines(&gaps.collect::<Vec<_>>().join(", "))
    }

    /// Logs the hidden texts, without naming firms.
    pub fn log(&self) {
        for line in self.lines(&vetting_summary(&self.vetting_gaps)) {
            tracing::info!("not shown: {line}");
        }
    }

    fn lines(&self, gaps: &str) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.claims.hidden.is_empty() {
            lines.push(format!("claims: {}", self.claims.hidden.join(", ")));
        }
        if !self.is_sample {
            lines.push("testimonials: no review but those that you publish (`taubenabwehr reviews`); the sample's are invented".to_owned());
        }
        if !self.vetting_gaps.is_empty() {
            lines.push(format!("the word \"{VETTED}\" of firms: {gaps}"));
        }
        lines
    }
}
