//! Renders templates: public pages, which the build prerenders with placeholders for settings, and mails, private pages and desk
//! pages (`content/mails`, `ui/src/private`, `ui/src/desk`), which are filled for one person.

pub mod context;
pub mod environment;

use std::collections::BTreeMap;

pub use minijinja::context;
pub use minijinja::value::{Serde, Value};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

pub use super::german::{german_cost, german_day, german_month, german_suspicion, german_time, month_name};
use super::own_text;
use super::promises::Promises;
use crate::base::text::mail_address::one_line;
use crate::base::text::origin::Origin;
use crate::config::settings::SiteSettings;
use crate::site::embedded;

/// Settings that no script reads and that would only make each page larger.
const NOT_FOR_SCRIPTS: [&str; 7] = [
    "accepting",
    "area",
    "business",
    "claims",
    "offered",
    "sample",
    "testimonials",
];

/// Fills templates with the settings and current promises. They are parsed on each use: that takes less than a millisecond and
/// keeps nothing in memory.
#[derive(Debug)]
pub struct Templates {
    /// For public pages, whose conditions may refer to claims missing from the settings.
    html: Environment<'static>,
    /// For output that is filled for one person.
    private_html: Environment<'static>,
    private_text: Environment<'static>,
    /// Data of every template: the `origin`, the settings and promises as `site`, and the subset for the page's scripts
    /// (`#settings`) as `client`.
    common: Value,
}

/// A page filled for one person, or shown in place of one. Its source is in `ui/src/private`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum PageKind {
    /// The state of a visitor's inquiry.
    Visitor,
    /// The confirmation before an inquiry is withdrawn.
    VisitorWithdraw,
    /// A firm's page for one inquiry.
    Firm,
    /// 404: the token does not exist.
    Gone,
    /// 400 and similar: the request does not match the page's form.
    Refused,
    /// 429: too many tokens were tried.
    Limited,
    /// 503: the store cannot be read.
    Unavailable,
    /// Asks to confirm the newsletter subscription.
    NewsletterConfirm,
    /// The newsletter subscription is confirmed.
    NewsletterConfirmed,
    /// Asks to confirm the end of a subscription.
    NewsletterUnsubscribe,
    /// The subscription has ended.
    NewsletterUnsubscribed,
    /// The newsletter link has expired.
    NewsletterExpired,
}

/// A page of the operator's desk. Its source is in `ui/src/desk`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum DeskPage {
    /// The login button.
    Login,
    /// The list of inquiries.
    Inbox,
    /// The form for an inquiry by telephone.
    NewInquiry,
    /// One inquiry in full.
    Inquiry,
    /// The confirmation before an inquiry is erased.
    Erase,
    /// The confirmation before everything about a person is erased.
    ErasePerson,
    /// The firms.
    Firms,
    /// The confirmation before a firm is paused.
    Pause,
    /// What firms owe for a month.
    Statement,
    /// The confirmation before a month is closed.
    Close,
    /// The visitors' reviews of firms.
    Reviews,
    /// Links to the report.
    Report,
    /// The findings of `doctor`.
    Health,
    /// Why a page is not shown.
    Message,
}

/// A rendered mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMail {
    /// A single line without control characters.
    pub subject: String,
    /// The plain text body.
    pub text: String,
    /// The same as an HTML document.
    pub html: String,
}

/// A template that cannot be filled, with its file and the library's error: the executable itself is broken.
#[derive(Debug, thiserror::Error)]
#[error("the template {0} inside this executable is broken ({1}); build it again")]
pub struct BrokenTemplate(String, String);

impl Templates {
    /// Prepares the templates for a site with these settings at this origin.
    pub fn new(settings: &SiteSettings, origin: &Origin, promises: &Promises) -> Self {
        let mut html = environment::html();
        html.add_filter("tojson", json_for_html);
        environment::add_desk_filters(&mut html);
        let origin = origin.as_str();
        let site = context! { ..context! { origin }, ..Serde(promises), ..Serde(settings) };
        let mut client = BTreeMap::<String, Value>::deserialize(&site).unwrap_or_default();
        client.retain(|key, _| !NOT_FOR_SCRIPTS.contains(&key.as_str()));
        let own_texts = settings.own_texts.iter();
        let own: BTreeMap<_, _> = own_texts
            .map(|(page, markdown)| (page.name(), own_text::render(markdown)))
            .collect();
        let (mut private_html, mut private_text) = (html.clone(), environment::text());
        if cfg!(debug_assertions) {
            // Names missing from the data fail the tests, even if only a condition uses them.
            private_html.set_undefined_behavior(UndefinedBehavior::Strict);
            private_text.set_undefined_behavior(UndefinedBehavior::Strict);
        }
        Self {
            html,
            private_html,
            private_text,
            common: context! { origin, site => context! { own, ..site }, client },
        }
    }

    /// Renders a page from the template at this path in the site folder.
    ///
    /// # Errors
    /// If `data` lacks a name that the template uses, which a test rules out.
    pub fn fill(&self, file: &str, data: &impl Serialize) -> Result<String, BrokenTemplate> {
        self.fill_in(&self.html, file, data)
    }

    /// Renders a template string with the escaping of pages.
    ///
    /// # Errors
    /// As for [`Self::fill`].
    pub fn fill_text(&self, template: &str, data: &Value) -> Result<String, BrokenTemplate> {
        self.render(&self.html, "of a document", template, data)
    }

    /// Renders the parts of the mail with this name, whose text is in `content/mails`. `outbox::mails` defines the data of each.
    ///
    /// # Errors
    /// As for [`Self::fill`].
    pub fn mail(&self, name: &str, data: &impl Serialize) -> Result<RenderedMail, BrokenTemplate> {
        let text = |part| self.fill_in(&self.private_text, &format!("private/mails/{name}.{part}"), data);
        Ok(RenderedMail {
            subject: one_line(&text("subject.txt")?),
            text: text("txt")?,
            html: self.fill_in(&self.private_html, &format!("private/mails/{name}.html"), data)?,
        })
    }

    /// Renders a private page. [`context`] has the data types of each kind.
    ///
    /// # Errors
    /// As for [`Self::fill`].
    pub fn page(&self, kind: PageKind, data: &impl Serialize) -> Result<String, BrokenTemplate> {
        let name: &str = kind.into();
        self.fill_in(&self.private_html, &format!("private/pages/{name}.html"), data)
    }

    /// Renders a page of the desk.
    ///
    /// # Errors
    /// As for [`Self::fill`].
    pub fn desk(&self, page: DeskPage, data: &impl Serialize) -> Result<String, BrokenTemplate> {
        let name: &str = page.into();
        self.fill_in(&self.private_html, &format!("private/desk/{name}.html"), data)
    }

    fn fill_in(
        &self,
        environment: &Environment<'_>,
        file: &str,
        data: &impl Serialize,
    ) -> Result<String, BrokenTemplate> {
        let template =
            embedded::text(file).map_err(|error| BrokenTemplate(file.to_owned(), error.to_string()))?;
        self.render(environment, file, &template, data)
    }

    fn render(
        &self,
        environment: &Environment<'_>,
        name: &str,
        template: &str,
        data: &impl Serialize,
    ) -> Result<String, BrokenTemplate> {
        let filled = environment.render_str(template, context! { ..self.common.clone(), ..Serde(data) });
        filled.map_err(|error| BrokenTemplate(name.to_owned(), error.to_string()))
    }
}

/// Serializes JSON that is safe inside a `<script>`: it cannot contain tags.
fn json_for_html(value: &Value) -> Result<Value, Error> {
    let json = serde_json::to_string(value);
    let json = json.map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))?;
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
        Templates::new(&settings, &origin, &Promises::default())
            .fill_text(template, &context! {})
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
