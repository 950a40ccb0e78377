//! The environments in which templates are filled: one for HTML, one for plain text.

use std::num::NonZeroU32;

use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

use crate::config::Handling;
use crate::config::settings::SiteSettings;
use crate::one_line::one_line;
use crate::origin::Origin;

/// The settings as templates and the client see them (`#settings` in every page).
#[derive(Serialize)]
struct ClientSettings<'a> {
    origin: &'a str,
    #[serde(flatten)]
    promises: &'a Promises,
    #[serde(flatten)]
    settings: &'a SiteSettings,
}

/// What the site does, for texts that must not promise more.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Promises {
    /// Inquiries are answered with success and not kept.
    pub demo: bool,
    /// The newsletter's form sends.
    pub newsletter: bool,
    /// What happens to an inquiry without the operator.
    pub handling: Handled,
}

/// What happens to an inquiry without the operator.
#[derive(Debug, Clone, Default, Serialize)]
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

/// Returns what templates know of the site.
pub fn site(settings: &SiteSettings, origin: &Origin, promises: &Promises) -> Value {
    Value::from(Serde(ClientSettings {
        origin: origin.as_str(),
        promises,
        settings,
    }))
}

/// Creates an environment that escapes every value for the text of an element or a quoted attribute.
pub fn html() -> Environment<'static> {
    let mut environment = strict();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    // The library's own escaping would write every slash of a URL as an entity.
    environment.set_formatter(|out, _, value| {
        if value.is_none() {
            return Ok(());
        }
        let text = value.to_string();
        let text = if value.is_safe() {
            text.into()
        } else {
            html_escape::encode_quoted_attribute(&text)
        };
        Ok(out.write_str(&text)?)
    });
    environment
}

/// Creates an environment for plain text, in which every value stays on its line.
pub fn text() -> Environment<'static> {
    let mut environment = strict();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_formatter(|out, _, value| {
        if value.is_none() {
            return Ok(());
        }
        let text = value.to_string();
        let text = if value.is_safe() { text } else { one_line(&text) };
        Ok(out.write_str(&text)?)
    });
    environment.add_filter("quoted", quoted);
    environment
}

fn strict() -> Environment<'static> {
    let mut environment = Environment::new();
    // A misspelt name in a template must fail the tests, not vanish. One level of absence (`null`) is how a template asks
    // whether a value exists.
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.add_filter("joined", joined);
    environment
}

/// Joins the entries of a list by commas.
fn joined(list: &Value) -> Result<String, minijinja::Error> {
    let entries: Vec<_> = list.try_iter()?.map(|entry| entry.to_string()).collect();
    Ok(entries.join(", "))
}

/// Marks each line as a quotation, so that no line of a visitor's text can pass for one of the mail.
fn quoted(text: &str) -> Value {
    let lines: Vec<_> = text
        .lines()
        .map(|line| format!("> {}", one_line(line)).trim_end().to_owned())
        .collect();
    Value::from_safe_string(lines.join("\n"))
}
