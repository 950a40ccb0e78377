//! Checks that the desk has a German label for each identifier of the program.

use std::collections::BTreeMap;
use std::fs;

use regex::Regex;
use strum::VariantNames;
use taubenabwehr::domain::referral::{Event, Message};

use crate::pages::{files, root};

#[test]
fn the_desk_names_every_message_and_every_check() {
    let words = fs::read(root().join("ui/src/desk/words.json")).unwrap();
    let words: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_slice(&words).unwrap();
    // A mail has its label in its own file.
    let mails = root().join("content/mails");
    let named = |word: &str| {
        words.values().any(|table| table.contains_key(word)) || mails.join(format!("{word}.md")).exists()
    };
    // Messages about many inquiries are not listed with one, and those about none have no label.
    let unlisted = [
        "operator-suspected",
        "operator-digest",
        "operator-login",
        "newsletter-confirm",
        "webhook",
        "firm-webhook",
    ];
    let messages = Message::VARIANTS.iter().chain(Event::VARIANTS);
    let mut all: Vec<String> = messages
        .filter(|name| !unlisted.contains(name))
        .map(|name| (*name).to_owned())
        .collect();
    assert!(all.len() > 15, "{all:?}");
    let check = Regex::new(r#"(?:CHECK: &str = |Finding::[a-z]+\(\s*)"([a-z_]+)""#).unwrap();
    let before = all.len();
    for path in files(&["src/operate/doctor", "src/cli"], &["rs"]) {
        let text = fs::read_to_string(path).unwrap();
        all.extend(check.captures_iter(&text).map(|found| found[1].to_owned()));
    }
    assert!(all.len() > before + 15, "{all:?}");
    all.retain(|word| !named(word));
    assert!(all.is_empty(), "without a German word: {all:?}");
}
