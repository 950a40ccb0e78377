//! The TOML form of the site settings; every value keeps its place in the file for the error.

use serde::Deserialize;
use toml::Spanned;

use super::settings::{Business, Links, Operator, SisterSite, SiteSettings, Tags};
use super::settings_rules::{ANY, CONVERSION, EMAIL, HOURS, PARTNER, PHONE, Problem, TAG, Text, WEB};

/// The site's own name (contract, "Names"), for a file that leaves it out.
const DEFAULT_NAME: &str = "Taubenabwehr Hamburg";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Text,
    #[serde(default)]
    operator: OperatorTable,
    #[serde(default)]
    business: BusinessTable,
    #[serde(default)]
    links: LinksTable,
    #[serde(default)]
    tags: TagsTable,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorTable {
    legal_name: Text,
    represented_by: Text,
    street: Text,
    postal_code: Text,
    city: Text,
    email: Text,
    phone: Text,
    register_court: Text,
    register_number: Text,
    vat_id: Text,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BusinessTable {
    price_range: Text,
    latitude: Option<Spanned<f64>>,
    longitude: Option<Spanned<f64>>,
    opening_hours: Option<Spanned<OneOrMany>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a string or a list of strings")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    /// The texts, each with the place of the whole value (an untagged value keeps no places of its own).
    fn spanned(value: Spanned<Self>) -> Vec<Spanned<String>> {
        let span = value.span();
        let texts = match value.into_inner() {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        };
        texts
            .into_iter()
            .map(|text| Spanned::new(span.clone(), text))
            .collect()
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinksTable {
    chat: Text,
    #[serde(default)]
    social: Vec<Spanned<String>>,
    #[serde(default)]
    sister_sites: Vec<Spanned<String>>,
    affiliate_partner: Text,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct TagsTable {
    tag_manager: Text,
    conversion: Text,
}

/// Parses and checks the text of a settings file.
pub fn parse(text: &str) -> Result<SiteSettings, Problem> {
    let file: File = toml::from_str(text).map_err(|error| Problem {
        message: error.message().to_owned(),
        span: error.span(),
    })?;
    Ok(SiteSettings {
        name: ANY
            .optional("name", file.name)?
            .unwrap_or_else(|| DEFAULT_NAME.to_owned()),
        operator: operator(file.operator)?,
        business: business(file.business)?,
        links: links(file.links)?,
        tags: Tags {
            tag_manager: TAG.optional("tags.tag_manager", file.tags.tag_manager)?,
            conversion: CONVERSION.optional("tags.conversion", file.tags.conversion)?,
        },
    })
}

fn operator(table: OperatorTable) -> Result<Operator, Problem> {
    let phone = PHONE.optional("operator.phone", table.phone)?;
    Ok(Operator {
        legal_name: ANY.optional("operator.legal_name", table.legal_name)?,
        represented_by: ANY.optional("operator.represented_by", table.represented_by)?,
        street: ANY.optional("operator.street", table.street)?,
        postal_code: ANY.optional("operator.postal_code", table.postal_code)?,
        city: ANY.optional("operator.city", table.city)?,
        email: EMAIL.optional("operator.email", table.email)?,
        phone_link: phone.as_deref().map(phone_link),
        phone,
        register_court: ANY.optional("operator.register_court", table.register_court)?,
        register_number: ANY.optional("operator.register_number", table.register_number)?,
        vat_id: ANY.optional("operator.vat_id", table.vat_id)?,
    })
}

/// `tel:` address; the zero in brackets of `+49 (0)40` is not dialled from abroad.
fn phone_link(phone: &str) -> String {
    let dialled: String = phone
        .replace("(0)", "")
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    format!("tel:{dialled}")
}

fn business(table: BusinessTable) -> Result<Business, Problem> {
    let opening_hours = table.opening_hours.map(OneOrMany::spanned).unwrap_or_default();
    Ok(Business {
        price_range: ANY.optional("business.price_range", table.price_range)?,
        latitude: degrees("business.latitude", table.latitude, 90.0)?,
        longitude: degrees("business.longitude", table.longitude, 180.0)?,
        opening_hours: HOURS.each("business.opening_hours", opening_hours)?,
    })
}

fn degrees(key: &str, value: Option<Spanned<f64>>, limit: f64) -> Result<Option<f64>, Problem> {
    let Some(value) = value else { return Ok(None) };
    if value.get_ref().abs() <= limit {
        return Ok(Some(value.into_inner()));
    }
    let message = format!("`{key}` must lie between -{limit} and {limit}");
    Err(Problem {
        message,
        span: Some(value.span()),
    })
}

fn links(table: LinksTable) -> Result<Links, Problem> {
    let sister_sites = WEB.each("links.sister_sites", table.sister_sites)?;
    Ok(Links {
        chat: WEB.optional("links.chat", table.chat)?,
        social: WEB.each("links.social", table.social)?,
        sister_sites: sister_sites
            .into_iter()
            .map(|url| SisterSite {
                label: host(&url),
                url,
            })
            .collect(),
        affiliate_partner: PARTNER.optional("links.affiliate_partner", table.affiliate_partner)?,
    })
}

fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}
