//! One inquiry as text.

use std::fmt::Write;

use serde_json::Value;

use super::output::{or_dash, text, time};
use crate::base::text::mail_address::one_line;
use crate::domain::inquiry::COLUMNS;
use crate::operate::view::harmless;

/// Returns a line for each value of an inquiry, then the firms and the deliveries.
pub fn inquiry_text(view: &Value) -> String {
    let mut lines = String::new();
    let mut line = |name: &str, value: &str| {
        // Writing to memory does not fail.
        let _ = writeln!(lines, "{name:<18}{value}");
    };
    line("id", &text(view, "id"));
    line("created_at", &time(view, "created_at"));
    line("received_at", &or_dash(time(view, "received_at")));
    line("state", &text(view, "state"));
    // The id and the time come first.
    let answers = COLUMNS.into_iter().skip(2);
    for name in answers.filter(|name| view.get(name).is_some()) {
        line(name, &text(view, name));
    }
    for (number, part) in raw(view, "addition").lines().enumerate() {
        line(if number == 0 { "addition" } else { "" }, &harmless(part));
    }
    let photos = entries(view, "photo_numbers").count();
    if photos > 0 {
        line("photos", &photos.to_string());
    }
    if let Some(consent) = view.get("consent").filter(|consent| consent.is_object()) {
        let (at, version) = (time(consent, "at"), text(consent, "version"));
        line("consent", &format!("{at} (sentence {version})"));
        let wording = text(consent, "wording");
        let unknown = "this version does not know the sentence";
        line("", if wording.is_empty() { unknown } else { &wording });
    }
    if view.get("link").is_some_and(Value::is_string) {
        line("link", &text(view, "link"));
    }
    for firm in entries(view, "firms") {
        let (asked, answer) = (time(firm, "asked_at"), text(firm, "answer"));
        let answered = after(" at ", time(firm, "answered_at"));
        let id = text(firm, "id");
        line("firm", &format!("{id}: asked at {asked}, {answer}{answered}"));
        if firm.get("link").is_some_and(Value::is_string) {
            line("", &text(firm, "link"));
        }
        let outcome = text(firm, "outcome");
        if !outcome.is_empty() {
            let sum = text(firm, "net_sum");
            let sum = if sum.is_empty() {
                sum
            } else {
                format!(" of {sum} € net")
            };
            line("", &format!("outcome {outcome}{sum}"));
        }
        if let Some(review) = firm.get("review").filter(|review| review.is_object()) {
            line("", &review_line(review));
        }
    }
    for delivery in entries(view, "deliveries") {
        let next_try = after(", next try at ", time(delivery, "next_try"));
        let ended = after(" at ", time(delivery, "ended_at"));
        let reason = after(": ", text(delivery, "reason"));
        let says = |key| text(delivery, key);
        line("delivery", &says("id"));
        let (kind, recipient, state) = (says("kind"), says("recipient"), says("state"));
        let attempts = says("attempts");
        line(
            "",
            &format!("{kind} to {recipient}, {state}{next_try}{ended}, failed tries: {attempts}{reason}"),
        );
    }
    lines
}

/// Says what a visitor says of a firm, and what of it is published.
fn review_line(review: &Value) -> String {
    let has_consent = review.get("consent").and_then(Value::as_bool);
    let state = match (raw(review, "state"), has_consent) {
        (_, Some(false)) => "is not to be published, since the visitor does not agree",
        ("waiting", _) => "waits to be published",
        (state, _) => state,
    };
    let (name, stars) = (text(review, "name"), text(review, "stars"));
    let said = after(": ", one_line(raw(review, "text")));
    format!("review by {name}, {stars} of 5 stars, {state}{said}")
}

fn raw<'a>(object: &'a Value, key: &str) -> &'a str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn entries<'a>(object: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    object.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Puts something before a text that is not empty.
fn after(before: &str, text: String) -> String {
    if text.is_empty() {
        text
    } else {
        format!("{before}{text}")
    }
}
