//! The environments in which templates are filled: one for HTML, one for plain text.

use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use crate::base::text::mail_address::one_line;

/// Creates an environment that escapes every value for the text of an element or a quoted attribute.
pub fn html() -> Environment<'static> {
    // The library's own escaping would write every slash of a URL as an entity.
    strict(AutoEscape::Html, |text| {
        html_escape::encode_quoted_attribute(text).into_owned()
    })
}

/// Creates an environment for plain text, in which every value stays on its line.
pub fn text() -> Environment<'static> {
    let mut environment = strict(AutoEscape::None, one_line);
    environment.add_filter("quoted", quoted);
    environment
}

fn strict(auto_escape: AutoEscape, escape: fn(&str) -> String) -> Environment<'static> {
    let mut environment = Environment::new();
    // A misspelt name in a template must fail the tests, not vanish. One level of absence (`null`) is how a template asks
    // whether a value exists.
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(move |_| auto_escape.clone());
    environment.set_formatter(move |out, _, value| {
        if value.is_none() {
            return Ok(());
        }
        let text = value.to_string();
        let text = if value.is_safe() { text } else { escape(&text) };
        Ok(out.write_str(&text)?)
    });
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
