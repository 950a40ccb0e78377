//! The settings of `--site FILE`, which replace those of the sample operator. Each key is defined once, by its field here.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::claims::Claims;
use super::pages::{OwnTexts, PageFiles};
use super::toml_file::{FileError, TomlDocument, TomlKind};
use super::values::{
    Conversion, Email, Line, OpeningHours, PartnerId, Phone, TagId, WebAddress, degrees, one_or_many,
};

const DEFAULT_NAME: &str = "Taubenabwehr Hamburg";

/// The path of the sample operator's settings, for errors.
const SAMPLE_PATH: &str = "content/site.toml";

/// The data protection authorities by state.
const AUTHORITIES: &str = include_str!("../../content/authorities.toml");

/// The keys of `[operator]` that distinguish one operator from another. City, postal code and register court are left out, since a
/// real operator may share them with the sample.
const DISTINCTIVE: [&str; 7] = [
    "legal_name",
    "represented_by",
    "street",
    "email",
    "phone",
    "register_number",
    "vat_id",
];

/// The site settings; a missing value disables its feature.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteSettings {
    /// The site name, the suffix of page titles.
    #[serde(default = "default_name")]
    pub name: Line,
    /// The operator, for imprint and privacy notice.
    #[serde(default)]
    pub operator: Operator,
    /// The business data for search engines.
    #[serde(default)]
    pub business: Business,
    /// Links to other sites.
    #[serde(default)]
    pub links: Links,
    /// The ids of tag manager and conversion.
    #[serde(default)]
    pub tags: Tags,
    /// The advertising claims. Pages show only what `Promises` allows.
    #[serde(default, skip_serializing)]
    pub claims: Claims,
    /// The files with the texts of legal pages.
    #[serde(default, skip_serializing)]
    pub pages: PageFiles,
    /// The contents of these files; not a key of the file.
    #[serde(skip)]
    pub own_texts: OwnTexts,
    /// Whether this is the sample operator; not a key of the file.
    #[serde(skip_deserializing)]
    pub sample: bool,
}

/// The operator, for imprint and privacy notice.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "the keys of content/site.toml, explained there")]
pub struct Operator {
    pub legal_name: Option<Line>,
    pub represented_by: Option<Line>,
    pub street: Option<Line>,
    pub postal_code: Option<Line>,
    pub city: Option<Line>,
    pub email: Option<Email>,
    pub phone: Option<Phone>,
    /// The `tel:` URL of `phone`; not a key of the file.
    #[serde(skip_deserializing)]
    pub phone_link: Option<String>,
    pub register_court: Option<Line>,
    pub register_number: Option<Line>,
    pub vat_id: Option<Line>,
    pub economic_id: Option<Line>,
    pub data_protection_officer: Option<Line>,
    pub state: Option<FederalState>,
    /// The data protection authority of the state; not a key of the file.
    #[serde(skip_deserializing)]
    pub authority: Option<String>,
}

/// A state of Germany, with its data protection authority.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FederalState {
    name: String,
    authority: String,
}

impl TryFrom<String> for FederalState {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let mut states: BTreeMap<String, String> = toml::from_str(AUTHORITIES).unwrap_or_default();
        if let Some(authority) = states.remove(&name) {
            return Ok(Self { name, authority });
        }
        let names: Vec<_> = states.into_keys().collect();
        Err(format!("must be one of {}", names.join(", ")))
    }
}

impl From<FederalState> for String {
    fn from(state: FederalState) -> Self {
        state.name
    }
}

/// schema.org data of the business.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Business {
    /// The price range, such as `€€`.
    pub price_range: Option<Line>,
    /// Latitude in degrees north.
    #[serde(deserialize_with = "degrees::<_, 90>")]
    pub latitude: Option<f64>,
    /// Longitude in degrees east.
    #[serde(deserialize_with = "degrees::<_, 180>")]
    pub longitude: Option<f64>,
    /// Opening hours in schema.org notation, such as `Mo-Fr 08:00-18:00`.
    #[serde(deserialize_with = "one_or_many")]
    pub opening_hours: Vec<OpeningHours>,
}

/// Links to other sites.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Links {
    /// An external chat.
    pub chat: Option<WebAddress>,
    /// Profiles on social networks.
    pub social: Vec<WebAddress>,
    /// Comparison sites of the same operator.
    pub sister_sites: Vec<SisterSite>,
    /// The partner id for the affiliate retailer.
    pub affiliate_partner: Option<PartnerId>,
}

/// A comparison site of the same operator.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "WebAddress")]
pub struct SisterSite {
    /// The URL.
    pub url: WebAddress,
    /// The host, used as link text.
    pub label: String,
}

/// Ids of the advertising account. Without them, or before marketing consent, no tags are loaded.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tags {
    /// The tag to load: `GTM-…`, `AW-…` or `G-…`.
    pub tag_manager: Option<TagId>,
    /// The conversion to report: `AW-…/label`.
    pub conversion: Option<Conversion>,
    /// When to show the consent banner.
    pub banner: Banner,
}

/// When to show the consent banner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Banner {
    /// Only if a tag id is set: without one, nothing needs consent.
    #[default]
    Auto,
    /// Always.
    Always,
}

impl SiteSettings {
    /// The embedded settings of the sample operator.
    pub const SAMPLE: &'static str = include_str!("../../content/site.toml");

    /// Reads and validates a settings file.
    ///
    /// # Errors
    /// When the file or one that it names cannot be read, a key is unknown, or a value is invalid.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let document = TomlDocument::read(TomlKind::SITE, path)?;
        let settings: Self = document.parse()?;
        let own_texts = settings.pages.read(&document)?;
        Ok(Self {
            own_texts,
            ..settings.complete()
        })
    }

    /// The settings of the sample operator.
    ///
    /// # Errors
    /// When `content/site.toml` is invalid, which a test rules out.
    pub fn embedded() -> Result<Self, FileError> {
        Self::parse(Self::SAMPLE, Path::new(SAMPLE_PATH))
    }

    /// Validates the text of a settings file; `path` is for error messages. Files that it names are not read.
    ///
    /// # Errors
    /// When a key is unknown or a value is invalid.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        TomlDocument::new(TomlKind::SITE, path, text.to_owned())
            .parse()
            .map(Self::complete)
    }

    /// Reads the settings file at a path, or returns the sample operator's settings without one.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_or_sample(path: Option<&Path>) -> Result<Self, FileError> {
        path.map_or_else(Self::embedded, Self::read)
    }

    /// The keys of `[operator]` that still have the sample operator's values; empty for a real operator.
    pub fn sample_keys(&self) -> Vec<&'static str> {
        let document = TomlDocument::new(TomlKind::SITE, Path::new(SAMPLE_PATH), Self::SAMPLE.to_owned());
        let sample = document.parse::<Self>().map(|sample| sample.operator);
        let values = |operator: &Operator| serde_json::to_value(operator).unwrap_or_default();
        let (own, of_sample) = (values(&self.operator), values(&sample.unwrap_or_default()));
        let is_left = |key: &&str| {
            own.get(key)
                .is_some_and(|value| !value.is_null() && of_sample.get(key) == Some(value))
        };
        DISTINCTIVE.into_iter().filter(is_left).collect()
    }

    /// Fills in the derived fields.
    fn complete(mut self) -> Self {
        let state = self.operator.state.as_ref();
        self.operator.authority = state.map(|state| state.authority.clone());
        self.operator.phone_link = self.operator.phone.as_ref().map(Phone::link);
        self.sample = self.sample_keys().contains(&"legal_name");
        self
    }
}

impl From<WebAddress> for SisterSite {
    fn from(url: WebAddress) -> Self {
        Self {
            label: url.label().to_owned(),
            url,
        }
    }
}

fn default_name() -> Line {
    Line::constant(DEFAULT_NAME)
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
        assert_eq!(&*sample.name, "Taubenabwehr Hamburg");
        assert_eq!(sample.operator.phone_link.as_deref(), Some("tel:+4940123456789"));
        assert_eq!(&*sample.business.opening_hours[0], "Mo-Fr 08:00-18:00");
    }

    #[test]
    fn the_sample_is_known_by_each_of_its_values() {
        let sample = SiteSettings::embedded().unwrap();
        assert_eq!(sample.sample_keys(), DISTINCTIVE, "the sample lacks a key");
        let operator = Operator {
            street: sample.operator.street.clone(),
            city: sample.operator.city.clone(),
            legal_name: Some("Eigen GmbH".to_owned().try_into().unwrap()),
            ..Operator::default()
        };
        let street_left = SiteSettings { operator, ..sample };
        assert_eq!(street_left.sample_keys(), ["street"]);
        assert!(parse("").unwrap().sample_keys().is_empty());
    }

    #[test]
    fn what_is_absent_is_off() {
        let settings = parse("").unwrap();
        assert_eq!(&*settings.name, "Taubenabwehr Hamburg");
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
                "site.toml:1: `name`: invalid type: integer `5`, expected a string",
            ),
            ("name = ''", "site.toml:1: `name` is empty"),
            (
                "[operator]\nemail = 'nobody'",
                "site.toml:2: `operator.email` must be an e-mail address",
            ),
            (
                "[operator]\nstate = 'Holstein'",
                "site.toml:2: `operator.state` must be one of Baden-Württemberg, Bayern",
            ),
            (
                "[operator]\nphone = 'call me'",
                "site.toml:2: `operator.phone` must be a phone number",
            ),
            (
                "[links]\n\nchat = 'javascript:alert(1)'",
                "site.toml:3: `links.chat` must be an https:// or http:// address",
            ),
            (
                "[links]\nsocial = ['https://a.example', 'b']",
                "site.toml:2: `links.social` must be an https:// or http:// address",
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
