//! Mails and private pages: templates that the build made of `content/mails` and `ui/src/private`, filled for one person.

pub mod context;
mod date;
pub mod environment;
mod kinds;

use minijinja::value::{Serde, Value};
use minijinja::{Environment, context};
use serde::Serialize;

use crate::config::settings::SiteSettings;
use crate::embedded;
use crate::inquiry::Labels;
use crate::text::one_line::one_line;
use crate::text::origin::Origin;
pub use date::{german_date, german_time, month_name};
pub use kinds::{MailKind, PageKind};

/// Every template of mails and private pages. Each is unpacked and parsed when it is filled: that takes less than a
/// millisecond, and nothing stays in memory.
#[derive(Debug)]
pub struct Templates {
    html: Environment<'static>,
    text: Environment<'static>,
    origin: Value,
    site: Value,
    labels: Labels,
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
    /// What the library says.
    reason: String,
}

impl Templates {
    /// Prepares the templates for the settings of this start.
    ///
    /// # Errors
    /// When the embedded files are damaged.
    pub fn new(settings: &SiteSettings, origin: &Origin) -> Result<Self, BrokenTemplate> {
        Ok(Self {
            html: environment::html(),
            text: environment::text(),
            origin: origin.as_str().into(),
            site: Value::from(Serde(settings)),
            labels: Labels::embedded().map_err(|error| BrokenTemplate {
                name: "labels.json".to_owned(),
                reason: error.to_string(),
            })?,
        })
    }

    /// Returns the German names of what a visitor can choose.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Fills the parts of a mail. [`context`] has a type for each kind.
    ///
    /// # Errors
    /// When `data` lacks a name that the template uses, which a test rules out.
    pub fn mail(&self, kind: MailKind, data: &impl Serialize) -> Result<RenderedMail, BrokenTemplate> {
        let data = self.context(data);
        let name = kind.name();
        let fill = |environment, ending| fill(environment, &format!("mails/{name}.{ending}"), &data);
        Ok(RenderedMail {
            subject: one_line(&fill(&self.text, "subject.txt")?),
            text: fill(&self.text, "txt")?,
            html: fill(&self.html, "html")?,
        })
    }

    /// Fills a private page. [`context`] has a type for each kind.
    ///
    /// # Errors
    /// As [`Self::mail`].
    pub fn page(&self, kind: PageKind, data: &impl Serialize) -> Result<String, BrokenTemplate> {
        let file = format!("private/{}.html", kind.name());
        fill(&self.html, &file, &self.context(data))
    }

    /// Returns what a template reads: what is known of the site, and what is known of the person.
    fn context(&self, data: &impl Serialize) -> Value {
        let data = Value::from(Serde(data));
        context! { origin => self.origin.clone(), site => self.site.clone(), ..data }
    }
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
