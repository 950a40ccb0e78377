//! What makes the site one operator's own: the settings of `--site FILE`, checked, with line numbers in every error.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::settings_file;
use super::settings_rules::Problem;
use crate::quiet;

/// The embedded default: a sample operator.
const SAMPLE: &str = include_str!("../../content/site.toml");

/// Settings of the site; an absent one switches its feature off (contract, "Commands").
#[derive(Debug, Clone, Serialize)]
pub struct SiteSettings {
    /// Site name, the suffix of page titles.
    pub name: String,
    /// Who runs the site.
    pub operator: Operator,
    /// What search engines are told.
    pub business: Business,
    /// Addresses elsewhere.
    pub links: Links,
    /// Tag manager and conversion.
    pub tags: Tags,
}

/// Who runs the site, for imprint and privacy notice.
#[derive(Debug, Clone, Default, Serialize)]
#[allow(missing_docs, reason = "the keys of content/site.toml, explained there")]
pub struct Operator {
    pub legal_name: Option<String>,
    pub represented_by: Option<String>,
    pub street: Option<String>,
    pub postal_code: Option<String>,
    pub city: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// `tel:` address made from `phone`.
    pub phone_link: Option<String>,
    pub register_court: Option<String>,
    pub register_number: Option<String>,
    pub vat_id: Option<String>,
}

/// schema.org data of the business.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Business {
    /// Such as `€€`.
    pub price_range: Option<String>,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// schema.org notation, such as `Mo-Fr 08:00-18:00`.
    pub opening_hours: Vec<String>,
}

/// Addresses elsewhere.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Links {
    /// External chat.
    pub chat: Option<String>,
    /// Profiles in social networks.
    pub social: Vec<String>,
    /// Comparison sites of the same operator.
    pub sister_sites: Vec<SisterSite>,
    /// Partner id of the affiliate retailer.
    pub affiliate_partner: Option<String>,
}

/// A comparison site of the same operator.
#[derive(Debug, Clone, Serialize)]
pub struct SisterSite {
    /// Its address.
    pub url: String,
    /// Its host, as the text of the link.
    pub label: String,
}

/// Ids of the advertising account; nothing loads without them, nor before marketing consent.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Tags {
    /// `GTM-…`, `AW-…` or `G-…`.
    pub tag_manager: Option<String>,
    /// `AW-…/label`.
    pub conversion: Option<String>,
}

/// Why a settings file cannot be used, in one line.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read the site settings {path}: {source}; check --site")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Something in the file is wrong.
    #[error("{path}:{line}: {message}; see content/site.toml for every key")]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong and what was expected.
        message: String,
    },
}

impl SiteSettings {
    /// Reads and checks a settings file.
    ///
    /// # Errors
    /// When it cannot be read, or a key is unknown or its value wrong.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = std::fs::read_to_string(path).map_err(|source| SettingsError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(&text, path)
    }

    /// The settings of the sample operator.
    ///
    /// # Errors
    /// When `content/site.toml` is wrong, which a test keeps from happening.
    pub fn embedded() -> Result<Self, SettingsError> {
        Self::parse(SAMPLE, Path::new("content/site.toml"))
    }

    fn parse(text: &str, path: &Path) -> Result<Self, SettingsError> {
        settings_file::parse(text).map_err(|Problem { message, span }| SettingsError::Wrong {
            path: path.to_owned(),
            line: line_of(text, span),
            message: quiet::one_line(&message),
        })
    }
}

fn line_of(text: &str, span: Option<Range<usize>>) -> usize {
    let start = span.map_or(0, |span| span.start);
    text.bytes().take(start).filter(|&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<SiteSettings, String> {
        SiteSettings::parse(text, Path::new("site.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn the_sample_is_valid_and_complete() {
        let sample = SiteSettings::embedded().unwrap();
        assert_eq!(sample.name, "Taubenabwehr Hamburg");
        assert_eq!(sample.operator.phone_link.as_deref(), Some("tel:+4940123456789"));
        assert_eq!(sample.business.opening_hours, ["Mo-Fr 08:00-18:00"]);
    }

    #[test]
    fn what_is_absent_is_off() {
        let settings = parse("").unwrap();
        assert_eq!(settings.name, "Taubenabwehr Hamburg");
        assert!(settings.links.chat.is_none() && settings.tags.tag_manager.is_none());
        assert!(settings.operator.legal_name.is_none() && settings.business.latitude.is_none());
    }

    #[test]
    fn a_wrong_key_or_value_names_file_line_and_what_was_expected() {
        for (text, expected) in [
            (
                "name = 'A'\n\n[operator]\nemial = 'x'",
                "site.toml:4: unknown field `emial`, expected one of `legal_name`",
            ),
            (
                "nam = 'A'",
                "site.toml:1: unknown field `nam`, expected one of `name`",
            ),
            (
                "name = 5",
                "site.toml:1: invalid type: integer `5`, expected a string",
            ),
            ("name = ''", "site.toml:1: `name` is empty"),
            (
                "[operator]\nemail = 'nobody'",
                "site.toml:2: `operator.email` must be an e-mail address",
            ),
            (
                "[operator]\nphone = 'call me'",
                "site.toml:2: `operator.phone` must be a phone number",
            ),
            (
                "[links]\n\nchat = 'javascript:alert(1)'",
                "site.toml:3: `links.chat` must be an https:// address",
            ),
            (
                "[links]\nsocial = ['https://a.example', 'b']",
                "site.toml:2: `links.social` must be an https:// address",
            ),
            (
                "[tags]\ntag_manager = 'UA-1'",
                "site.toml:2: `tags.tag_manager` must look like",
            ),
            (
                "[tags]\nconversion = 'x'",
                "site.toml:2: `tags.conversion` must look like",
            ),
            (
                "[business]\nlatitude = 91.0",
                "site.toml:2: `business.latitude` must lie between -90 and 90",
            ),
            (
                "[business]\nopening_hours = 'always'",
                "site.toml:2: `business.opening_hours` must look like",
            ),
            (
                "[business]\nopening_hours = 'Mo +8:00-18:00'",
                "site.toml:2: `business.opening_hours` must look like",
            ),
            (
                "[business]\nopening_hours = 'Mo 08:00-24:30'",
                "site.toml:2: `business.opening_hours` must look like",
            ),
            ("name = 'A\n", "site.toml:1: "),
            ("\"a\\u001b\\nb\" = 1", "site.toml:1: unknown field `a b`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{text:?}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
