//! Template environments for HTML and for plain text.

use jiff::Timestamp;
use jiff::civil::Time;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use crate::base::text::berlin;
use crate::base::text::mail_address::{mail_link, one_line};
use crate::base::text::phone::dialled;
use crate::domain::commission::Euro;
use crate::domain::inquiry::{PostalCode, labels};
use crate::site::german::{german_day, german_time};

/// Creates an environment that escapes every value for element text and quoted attributes.
pub fn html() -> Environment<'static> {
    // The library's own escaping would write slashes in URLs as entities.
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
    // A misspelt name in a template must fail the tests, not render as nothing. One level of absence is allowed, so that templates
    // can test whether a value exists.
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

/// Joins the entries of a list with commas.
fn joined(list: &Value) -> Result<String, minijinja::Error> {
    let entries: Vec<_> = list.try_iter()?.map(|entry| entry.to_string()).collect();
    Ok(entries.join(", "))
}

/// Quotes each line, so that no line of a visitor's text can pass as part of the mail.
fn quoted(text: &str) -> Value {
    let lines: Vec<_> = text
        .lines()
        .map(|line| format!("> {}", one_line(line)).trim_end().to_owned())
        .collect();
    Value::from_safe_string(lines.join("\n"))
}

/// Adds the filters with which the desk formats the commands' JSON output: times and amounts in German, options by name. Values
/// that they cannot parse are left as they are.
pub fn add_desk_filters(environment: &mut Environment<'_>) {
    environment.add_filter("time", |text: &str| written(text, text.parse().ok(), german_time));
    // A pause ends at the start of a day; people refer to the day before.
    environment.add_filter("last_day", |text: &str| {
        let time: Option<Timestamp> = text.parse().ok();
        let end = time.map(|time| time.to_zoned(berlin::zone()));
        let end = end.filter(|end| end.time() == Time::midnight());
        match end.and_then(|end| end.date().yesterday().ok()) {
            Some(last) => format!("einschließlich {}", german_day(last)),
            None => written(text, time, german_time),
        }
    });
    environment.add_filter("first_day", |text: &str| {
        let time: Option<Timestamp> = text.parse().ok();
        written(text, time, |time| german_day(berlin::day(time)))
    });
    environment.add_filter("day", |text: &str| written(text, text.parse().ok(), german_day));
    environment.add_filter("euro", euro);
    environment.add_filter("hours", |hours: f64| format!("{hours:.1}").replace('.', ","));
    environment.add_filter("place", |code: &str| {
        written(code, PostalCode::parse(code), PostalCode::with_place)
    });
    environment.add_filter("named", labels);
    environment.add_filter("mailto", mail_link);
    environment.add_filter("query", |text: &str| {
        form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>()
    });
    environment.add_filter("tel", dialled);
}

/// Formats an amount of the commands' output, which is negative for a credit.
pub fn euro(text: &str) -> String {
    written(text, Euro::parse_signed(text).ok(), Euro::german)
}

/// Formats the parsed value, or returns the text as is if parsing failed.
fn written<T>(text: &str, parsed: Option<T>, write: impl FnOnce(T) -> String) -> String {
    parsed.map_or_else(|| text.to_owned(), write)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_read_is_written_for_people() {
        let mut environment = html();
        add_desk_filters(&mut environment);
        for (expression, expected) in [
            ("'2026-03-03T08:05:59.000Z' | time", "3. März 2026, 09:05 Uhr"),
            ("'2026-12-09' | day", "9. Dezember 2026"),
            (
                "'2099-01-06T23:00:00.000Z' | last_day",
                "einschließlich 6. Januar 2099",
            ),
            (
                "'2099-01-06T10:00:00.000Z' | last_day",
                "6. Januar 2099, 11:00 Uhr",
            ),
            ("'2099-12-19T23:00:00.000Z' | first_day", "20. Dezember 2099"),
            ("'1234.50' | euro", "1.234,50"),
            ("'-25.00' | euro", "−25,00"),
            ("1.25 | hours", "1,2"),
            ("'nesting,noise' | named", "Nisten, Lärm"),
            ("'22763' | place", "22763 Hamburg-Ottensen"),
            ("'+49 (0)40 123-45' | tel", "+494012345"),
            ("'a?cc=b@c.de' | mailto", "mailto:a%3Fcc%3Db@c.de"),
            ("'a+b@c.de' | query", "a%2Bb%40c.de"),
            ("'what else' | time", "what else"),
        ] {
            let filled = environment.render_str(&format!("{{{{ {expression} }}}}"), ());
            assert_eq!(filled.unwrap().replace('\u{a0}', " "), expected, "{expression}");
        }
    }
}
