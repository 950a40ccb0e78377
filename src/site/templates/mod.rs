//! Mails and private pages: templates that the build made of `content/mails` and `ui/src/private`, filled for one person.

pub mod context;
mod desk_filters;
pub mod environment;
mod german;
mod kinds;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior, context};
use serde::Serialize;

use crate::base::text::mail_address::one_line;
use crate::base::text::origin::Origin;
use crate::config::settings::SiteSettings;
use crate::site::embedded;
pub use german::{german_cost, german_day, german_month, german_time, month_name};
pub use kinds::{DeskPage, MailKind, PageKind};

/// Every template of mails and private pages. Each is unpacked and parsed when it is filled: that takes less than a
/// millisecond, and nothing stays in memory.
#[derive(Debug)]
pub struct Templates {
    html: Environment<'static>,
    text: Environment<'static>,
    origin: Value,
    site: Value,
    is_sample: bool,
    /// Whether reviews are published.
    has_reviews: Arc<AtomicBool>,
    /// Whether firms may be called vetted.
    vetted: Arc<AtomicBool>,
}

/// A mail, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMail {
    /// One line, without control characters.
    pub subject: String,
    /// The body as plain text.
    pub text: String,
    /// The same as an HTML document.
    pub html: String,
}

/// Why a template cannot be filled: the executable itself is broken.
#[derive(Debug, thiserror::Error)]
#[error("the template {name} inside this executable is broken ({reason}); build it again")]
pub struct BrokenTemplate {
    /// Its file.
    name: String,
    /// The library's error.
    reason: String,
}

impl Templates {
    /// Prepares the templates for the settings of this start.
    ///
    /// # Errors
    /// When the embedded files are damaged.
    pub fn new(settings: &SiteSettings, origin: &Origin) -> Result<Self, BrokenTemplate> {
        let mut html = environment::html();
        let mut text = environment::text();
        if cfg!(debug_assertions) {
            // A name that the data lacks fails the tests, even where a condition alone asks for it.
            html.set_undefined_behavior(UndefinedBehavior::Strict);
            text.set_undefined_behavior(UndefinedBehavior::Strict);
        }
        desk_filters::add(&mut html);
        Ok(Self {
            html,
            text,
            origin: origin.as_str().into(),
            site: Value::from(Serde(settings)),
            is_sample: settings.sample,
            has_reviews: Arc::default(),
            vetted: Arc::new(AtomicBool::new(settings.sample)),
        })
    }

    /// Takes from there, each time, whether firms may be called vetted.
    #[must_use]
    pub fn told_of_vetting(self, vetted: Arc<AtomicBool>) -> Self {
        Self { vetted, ..self }
    }

    /// Takes from there, each time, whether reviews are published.
    #[must_use]
    pub fn told_of_reviews(self, has_reviews: Arc<AtomicBool>) -> Self {
        Self { has_reviews, ..self }
    }

    /// Fills the parts of a mail. [`context`] has a type for each kind.
    ///
    /// # Errors
    /// When `data` lacks a name that the template uses, which a test rules out.
    pub fn mail(&self, kind: MailKind, data: &impl Serialize) -> Result<RenderedMail, BrokenTemplate> {
        let data = context(self.origin.clone(), self.site.clone(), data);
        let name = kind.name();
        let fill = |environment, ending| fill(environment, &format!("private/mails/{name}.{ending}"), &data);
        Ok(RenderedMail {
            subject: one_line(&fill(&self.text, "subject.txt")?),
            text: fill(&self.text, "txt")?,
            html: fill(&self.html, "html")?,
        })
    }

    /// Fills a private page. [`context`] has a type for each kind. It calls firms vetted only where the site does.
    ///
    /// # Errors
    /// As [`Self::mail`].
    pub fn page(&self, kind: PageKind, data: &impl Serialize) -> Result<String, BrokenTemplate> {
        let file = format!("private/pages/{}.html", kind.name());
        let vetted = self.vetted.load(Ordering::Relaxed);
        let testimonials = self.is_sample || self.has_reviews.load(Ordering::Relaxed);
        let site = context! { vetted, testimonials, ..self.site.clone() };
        fill(&self.html, &file, &context(self.origin.clone(), site, data))
    }
}

impl Templates {
    /// Fills a page of the desk.
    ///
    /// # Errors
    /// As [`Self::mail`].
    pub fn desk(&self, page: DeskPage, data: &impl Serialize) -> Result<String, BrokenTemplate> {
        let file = format!("private/desk/{}.html", page.name());
        fill(
            &self.html,
            &file,
            &context(self.origin.clone(), self.site.clone(), data),
        )
    }
}

/// Returns what a template reads: what is known of the site, and what is known of the person.
fn context(origin: Value, site: Value, data: &impl Serialize) -> Value {
    let data = Value::from(Serde(data));
    context! { origin, site, ..data }
}

fn fill(environment: &Environment<'_>, name: &str, data: &Value) -> Result<String, BrokenTemplate> {
    let broken = |reason| BrokenTemplate {
        name: name.to_owned(),
        reason,
    };
    let template = embedded::text(name).map_err(|error| broken(error.to_string()))?;
    environment
        .render_str(&template, data)
        .map_err(|error| broken(error.to_string()))
}
