//! Filling in run-time settings: at build time, pages are rendered with expressions in the places of settings.

use std::collections::BTreeMap;

use minijinja::value::{Serde, Value};
use minijinja::{Environment, context};
use serde::Serialize;

use super::own_text::OwnText;
use super::page_data::PageData;
use super::promises::Promises;
use crate::base::text::origin::Origin;
use crate::config::settings::SiteSettings;
use crate::site::templates::environment;

/// The settings as templates see them. Scripts see most of them (`#settings` in every page).
#[derive(Serialize)]
struct TemplateSettings<'a> {
    origin: &'a str,
    #[serde(flatten)]
    promises: &'a Promises,
    #[serde(flatten)]
    settings: &'a SiteSettings,
}

/// Returns the entries of a map.
fn entries(map: &Value) -> impl Iterator<Item = (String, Value)> {
    let keys = map.try_iter().into_iter().flatten();
    keys.filter_map(|key| Some((key.as_str()?.to_owned(), map.get_item(&key).ok()?)))
}

/// Fills templates with the settings of this start.
pub struct Renderer {
    environment: Environment<'static>,
    origin: Value,
    site: Value,
    /// What of it scripts read in the page.
    client: Value,
    /// Pages with a text of the operator's own.
    own_pages: Vec<&'static str>,
}

/// Settings that no script asks for, and that would make each page larger.
const NOT_FOR_SCRIPTS: [&str; 4] = ["business", "claims", "sample", "testimonials"];

impl Renderer {
    /// Creates a renderer for a site with these settings under this origin.
    pub fn new(settings: &SiteSettings, origin: &Origin, promises: &Promises) -> Self {
        let mut environment = environment::html();
        environment.add_filter("tojson", json_for_html);
        let site = Value::from(Serde(TemplateSettings {
            origin: origin.as_str(),
            promises,
            settings,
        }));
        let client: BTreeMap<_, _> = entries(&site)
            .filter(|(key, _)| !NOT_FOR_SCRIPTS.contains(&key.as_str()))
            .collect();
        let client = Value::from(client);
        let own: BTreeMap<_, _> = settings
            .own_texts
            .iter()
            .map(|(page, markdown)| (page.name(), OwnText::render(markdown).value()))
            .collect();
        let own_pages = own.keys().copied().collect();
        let site = context! { own, ..site };
        Self {
            environment,
            origin: origin.as_str().into(),
            site,
            client,
            own_pages,
        }
    }

    /// Returns the public address.
    pub fn origin(&self) -> &str {
        self.origin.as_str().unwrap_or_default()
    }

    /// Whether the page at a path has a text of the operator's own.
    pub fn has_own_text(&self, path: &str) -> bool {
        let name = path.strip_prefix('/');
        name.is_some_and(|name| self.own_pages.contains(&name))
    }

    /// Fills one template of the site folder.
    ///
    /// # Errors
    /// When the template is broken; a test renders every one.
    pub fn fill(&self, template: &str) -> Result<String, String> {
        self.fill_with(template, ())
    }

    /// Fills the template of a page.
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub fn fill_page(&self, template: &str, data: &PageData) -> Result<String, String> {
        let data = Value::from(Serde(data));
        self.environment
            .render_str(
                template,
                context! { origin => self.origin.clone(), site => self.site.clone(), client => self.client.clone(), ..data },
            )
            .map_err(|error| error.to_string())
    }

    /// Fills a template that also reads `data`.
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub fn fill_with(&self, template: &str, data: impl Serialize) -> Result<String, String> {
        let data = Value::from(Serde(data));
        self.environment
            .render_str(
                template,
                context! { origin => self.origin.clone(), site => self.site.clone(), data => data },
            )
            .map_err(|error| error.to_string())
    }
}

/// Writes JSON that is safe inside a `<script>` of an HTML page: no tag can begin in it.
fn json_for_html(value: &Value) -> Result<Value, minijinja::Error> {
    let json = serde_json::to_string(value).map_err(|error| {
        minijinja::Error::new(
            minijinja::ErrorKind::InvalidOperation,
            "cannot be written as JSON",
        )
        .with_source(error)
    })?;
    let json = json
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
    Ok(Value::from_safe_string(json))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str, name: &str) -> String {
        let mut settings = SiteSettings::embedded().unwrap();
        settings.name = name.to_owned().try_into().unwrap();
        settings.operator.vat_id = None;
        let origin = Origin::parse("https://example.de").unwrap();
        Renderer::new(&settings, &origin, &Promises::default())
            .fill(template)
            .unwrap()
    }

    #[test]
    fn values_are_escaped_for_where_they_stand() {
        let nasty = "A & <b>\"'</script>";
        assert_eq!(fill("{{ origin }}/faq", "A"), "https://example.de/faq");
        assert!(!fill("<p title=\"{{ site.name }}\">", nasty).contains(['\'']));
        assert!(fill("{{ site.name }}", nasty).starts_with("A &amp; &lt;b&gt;&quot;"));
        let json = fill("{{ site | tojson }}", nasty);
        assert!(!json.contains('<'));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&json).unwrap()["name"],
            nasty
        );
        assert_eq!(
            fill("{{ (origin ~ '/faq') | tojson }}", "A"),
            "\"https://example.de/faq\""
        );
    }

    #[test]
    fn texts_can_ask_what_happens_to_an_inquiry() {
        assert_eq!(
            fill(
                "{% if site.newsletter or site.handling.firms %}on{% endif %}{{ site.handling.retention_days }}",
                "A"
            ),
            ""
        );
    }

    #[test]
    fn what_is_absent_is_left_out() {
        assert_eq!(fill("{% if site.operator.vat_id %}id{% endif %}", "A"), "");
        assert_eq!(
            fill(
                "{% if site.operator.phone %}{{ site.operator.phone_link }}{% endif %}",
                "A"
            ),
            "tel:+4940123456789"
        );
    }
}
