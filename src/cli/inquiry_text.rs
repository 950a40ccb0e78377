//! Plain-text view of a single inquiry.

use serde_json::Value;

use super::output::{is, or_dash, text, time};
use crate::base::text::mail_address::one_line;
use crate::domain::inquiry::COLUMNS;
use crate::operate::export::cell;
use crate::operate::view::harmless;

/// An inquiry as lines of name and value, followed by its firms and deliveries.
pub fn inquiry_text(view: &Value) -> String {
    let mut lines = vec![
        ("id", text(view, "id")),
        ("created_at", time(view, "created_at")),
        ("received_at", or_dash(time(view, "received_at"))),
        ("state", text(view, "state")),
    ];
    let why = view.get("suspicion").filter(|why| why.is_object());
    lines.extend(why.map(|why| ("suspicion", suspicion(why))));
    // The id and the time are already on top.
    let answers = COLUMNS.into_iter().skip(2);
    let answers = answers.filter(|name| view.get(name).is_some());
    lines.extend(answers.map(|name| (name, text(view, name))));
    let addition = cell(view, "addition").lines().enumerate();
    lines.extend(addition.map(|(number, part)| {
        let name = if number == 0 { "addition" } else { "" };
        (name, harmless(part))
    }));
    lines.extend(filled("done", time(view, "done_at")));
    for correction in entries(view, "corrections") {
        let (at, field) = (time(correction, "at"), text(correction, "field"));
        lines.push(("corrected", format!("{at}: {field}")));
    }
    for note in entries(view, "notes") {
        lines.push(("note", time(note, "at")));
        let parts = cell(note, "text").lines();
        lines.extend(parts.map(|part| ("", harmless(part))));
    }
    let photos = entries(view, "photo_numbers").count();
    if photos > 0 {
        lines.push(("photos", photos.to_string()));
    }
    if let Some(consent) = view.get("consent").filter(|consent| consent.is_object()) {
        let (at, version) = (time(consent, "at"), text(consent, "version"));
        let wording = text(consent, "wording");
        let unknown = "this version does not know the sentence".to_owned();
        lines.push(("consent", format!("{at} (sentence {version})")));
        lines.push(("", if wording.is_empty() { unknown } else { wording }));
        let revoked = after("calls no longer allowed since ", time(consent, "revoked_at"));
        lines.extend(filled("", revoked));
    }
    lines.extend(filled("link", text(view, "link")));
    for firm in entries(view, "firms") {
        let (id, asked, answer) = (text(firm, "id"), time(firm, "asked_at"), text(firm, "answer"));
        let answered = after(" at ", time(firm, "answered_at"));
        lines.push(("firm", format!("{id}: asked at {asked}, {answer}{answered}")));
        lines.extend(filled("", text(firm, "link")));
        let sum = after(" of ", text(firm, "net_sum"));
        let sum = if sum.is_empty() { sum } else { sum + " € net" };
        lines.extend(filled("", after("outcome ", text(firm, "outcome")) + &sum));
        let review = firm.get("review").filter(|review| review.is_object());
        lines.extend(review.map(|review| ("", review_line(review))));
    }
    for delivery in entries(view, "deliveries") {
        let [kind, recipient, state, attempts] =
            ["kind", "recipient", "state", "attempts"].map(|key| text(delivery, key));
        let next_try = after(", next try at ", time(delivery, "next_try"));
        let ended = after(" at ", time(delivery, "ended_at"));
        let reason = after(": ", text(delivery, "reason"));
        let line =
            format!("{kind} to {recipient}, {state}{next_try}{ended}, failed tries: {attempts}{reason}");
        lines.extend([("delivery", text(delivery, "id")), ("", line)]);
    }
    let lines = lines.iter().map(|(name, value)| format!("{name:<18}{value}\n"));
    lines.collect()
}

/// A line, or `None` if its value is empty.
fn filled(name: &str, value: String) -> Option<(&str, String)> {
    (!value.is_empty()).then_some((name, value))
}

/// Why an inquiry is suspected.
fn suspicion(why: &Value) -> String {
    match cell(why, "kind") {
        "quick" => format!("the form was filled in within {} s", text(why, "seconds")),
        "number" => format!("number {} of its sender within 24 hours", text(why, "number")),
        _ => "the field that nobody sees was filled in".to_owned(),
    }
}

/// A visitor's review of a firm, with its state of publication.
fn review_line(review: &Value) -> String {
    let state = match (cell(review, "state"), is(review, "consent")) {
        (_, false) => "is not to be published, since the visitor does not agree",
        ("waiting", true) => "waits to be published",
        (state, true) => state,
    };
    let (name, stars) = (text(review, "name"), text(review, "stars"));
    let said = after(": ", one_line(cell(review, "text")));
    format!("review by {name}, {stars} of 5 stars, {state}{said}")
}

fn entries<'a>(object: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    object.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Prefixes a text unless it is empty.
fn after(before: &str, text: String) -> String {
    if text.is_empty() {
        text
    } else {
        format!("{before}{text}")
    }
}
