//! Everything about one inquiry as text, for people.

use std::fmt::Write;

use super::inquiry_view::{AnswersView, InquiryView};
use crate::one_line::is_unprintable;

/// Returns the text: a line for each value, then the firms and the deliveries.
pub fn text(view: &InquiryView) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        // Writing to memory does not fail.
        let _ = writeln!(text, "{name:<18}{}", harmless(value));
    };
    line("id", &view.id);
    line("created_at", &view.created_at.to_string());
    let received_at = view.received_at.map(|at| at.to_string());
    line("received_at", received_at.as_deref().unwrap_or("-"));
    line("state", view.state);
    for (name, value) in view.answers.iter().flat_map(AnswersView::iter) {
        line(name, value);
    }
    if !view.addition.is_empty() {
        for (number, part) in view.addition.lines().enumerate() {
            line(if number == 0 { "addition" } else { "" }, part);
        }
    }
    if let Some(consent) = &view.consent {
        line(
            "consent",
            &format!("{} (sentence {})", consent.at, consent.version),
        );
        line(
            "",
            consent
                .wording
                .as_deref()
                .unwrap_or("this version does not know the sentence"),
        );
    }
    if let Some(link) = &view.link {
        line("link", link);
    }
    for firm in &view.firms {
        let answered = firm.answered_at.map(|at| format!(" at {at}")).unwrap_or_default();
        let asked = format!(
            "{}: asked at {}, {}{answered}",
            firm.id, firm.asked_at, firm.answer
        );
        line("firm", &asked);
        if let Some(link) = &firm.link {
            line("", link);
        }
    }
    for delivery in &view.deliveries {
        let time = delivery.next_try.map(|at| format!(", next try at {at}"));
        let time = time.or(delivery.ended_at.map(|at| format!(" at {at}")));
        let reason = delivery.reason.as_deref().map(|reason| format!(": {reason}"));
        line("delivery", &delivery.id);
        line(
            "",
            &format!(
                "{} to {}, {}{}, failed tries: {}{}",
                delivery.kind,
                delivery.recipient,
                delivery.state,
                time.unwrap_or_default(),
                delivery.attempts,
                reason.unwrap_or_default()
            ),
        );
    }
    text
}

/// Replaces what could change the terminal: visitors write additions freely.
fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect()
}
