//! An independent implementation of the rules (`docs/behaviour.md`, "Validation"), without regular expressions.

use serde_json::{Map, Value};
use taubenabwehr::base::text::mail_address::Address;

/// The code of the first rule that a record violates, in the order of the questionnaire.
pub fn fault(record: &Map<String, Value>) -> Option<&'static str> {
    let text = |name: &str| record.get(name).map_or("", |value| value.as_str().unwrap());
    let trimmed = |name: &str| trimmed(text(name));
    let is_choice = |name, ids: &[&str]| {
        let chosen: Vec<_> = text(name).split(',').collect();
        let is_new = |place: usize| !chosen[..place].contains(&chosen[place]);
        text(name).is_empty() || (0..chosen.len()).all(|place| ids.contains(&chosen[place]) && is_new(place))
    };
    let visible = |name: &str| visible(text(name));
    let is_printable = |text: &str, limit| text.chars().count() <= limit && !text.contains(is_unprintable);
    let contact = ["first_name", "last_name", "email_address", "phone_number"];
    let rules = [
        (
            matches!(text("property_type"), "residential" | "commercial" | "industrial"),
            "invalid_property_type",
        ),
        (is_postal_code(trimmed("postal_code")), "invalid_postal_code"),
        (
            is_choice(
                "types_of_problems",
                &["nesting", "droppings", "noise", "damage", "health", "other"],
            ),
            "invalid_types_of_problems",
        ),
        (
            is_choice(
                "problem_locations",
                &["balcony", "roof", "facade", "courtyard", "garden", "other"],
            ),
            "invalid_problem_locations",
        ),
        (
            contact.iter().all(|name| !trimmed(name).is_empty()),
            "missing_field",
        ),
        (is_printable(trimmed("first_name"), 100), "invalid_first_name"),
        (is_printable(trimmed("last_name"), 100), "invalid_last_name"),
        (
            is_printable(visible("email_address"), 254) && is_email(visible("email_address")),
            "invalid_email_address",
        ),
        (
            is_printable(visible("phone_number"), 100) && is_phone(visible("phone_number")),
            "invalid_phone_number",
        ),
    ];
    rules
        .into_iter()
        .find_map(|(holds, code)| (!holds).then_some(code))
}

fn is_postal_code(text: &str) -> bool {
    text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit()) && ("20000"..="22999").contains(&text)
}

fn is_email(text: &str) -> bool {
    let parts: Vec<&str> = text.split('@').collect();
    let [name, host] = parts[..] else { return false };
    // Only the mail library can decide whether the domain is possible and the local part is too long.
    !text.contains(is_white_space) && is_mailbox_name(name) && is_host(host) && Address::parse(text).is_ok()
}

fn is_mailbox_name(name: &str) -> bool {
    let Some(quoted) = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) else {
        let is_atom = |atom: &str| {
            !atom.is_empty() && !atom.contains(['"', '(', ')', ',', ':', ';', '<', '>', '[', ']', '\\'])
        };
        return name.split('.').all(is_atom);
    };
    let mut rest = quoted.chars();
    while let Some(c) = rest.next() {
        if c == '"' || (c == '\\' && !rest.next().is_some_and(|c| c.is_ascii_graphic())) {
            return false;
        }
    }
    !quoted.is_empty()
}

fn is_host(host: &str) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| {
        let is_fine = |c: char| c == '-' || c.is_ascii_alphanumeric() || !c.is_ascii();
        !label.is_empty() && !label.starts_with('-') && !label.ends_with('-') && label.chars().all(is_fine)
    };
    labels.len() > 1
        && labels.iter().all(is_label)
        && !labels[labels.len() - 1].starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a character is a control character or changes the text direction.
fn is_unprintable(c: char) -> bool {
    matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}')
}

fn is_phone(text: &str) -> bool {
    let is_around = |c: char| is_white_space(c) || "-()".contains(c);
    let digits = |text: &str| -> String {
        text.chars()
            .filter(|&c| !is_around(c) && !"/.".contains(c))
            .collect()
    };
    let number = text.trim_matches(is_around);
    let (plus, number) = match number.strip_prefix('+') {
        Some(number) => ("+", number.trim_start_matches(is_around)),
        None => ("", number),
    };
    let is_country = |text: &str| matches!((plus, digits(text).as_str()), ("+", "49") | ("", "0049"));
    let dialled = match number.split_once("(0)") {
        Some((country, rest)) if is_country(country) => digits(country) + &digits(rest),
        _ => digits(number),
    };
    let national = match plus {
        "" => dialled
            .strip_prefix("0049")
            .or_else(|| dialled.strip_prefix('0'))
            .or(Some(&dialled)),
        _ => dialled.strip_prefix("49"),
    };
    !number.starts_with(['/', '.'])
        && !number.ends_with(['/', '.'])
        && national.is_some_and(|number| {
            (9..=13).contains(&number.len())
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && !number.starts_with('0')
        })
}

/// Trims white space and invisible characters from both ends of a text.
fn visible(text: &str) -> &str {
    let is_unseen = |c| {
        is_white_space(c)
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    text.trim_matches(is_unseen)
}

/// Trims white space from both ends of a text.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

/// Whether a character has the Unicode property `White_Space` or is the byte order mark.
fn is_white_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}'
        | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}
