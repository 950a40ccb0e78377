//! Prints every mail and every private page in every state as JSON, for browser tests and screenshots:
//! `{"mails": {"<state>": {"subject", "text", "html"}}, "pages": {"<state>": "<html>"}}`.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    dead_code,
    reason = "made-up data that is right, shared with a test"
)]

use std::collections::BTreeMap;

use serde_json::json;
use taubenabwehr::config::settings::SiteSettings;

#[path = "../tests/templates/states/mod.rs"]
mod states;

fn main() {
    let stage = states::Stage::new(&SiteSettings::embedded().unwrap(), states::USUAL);
    let mails: BTreeMap<_, _> = stage
        .mails()
        .unwrap()
        .into_iter()
        .map(|state| {
            let mail = state.mail;
            let parts = json!({ "subject": mail.subject, "text": mail.text, "html": mail.html });
            (state.name, parts)
        })
        .collect();
    let pages: BTreeMap<_, _> = stage
        .pages()
        .unwrap()
        .into_iter()
        .map(|state| (state.name, state.html))
        .collect();
    println!("{}", json!({ "mails": mails, "pages": pages }));
}
