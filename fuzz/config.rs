//! Fuzz target: files for `--config`.

use std::path::Path;

use taubenabwehr::config::ConfigFile;

use crate::harness as fuzz;

const TOKENS: &[&str] = &[
    "=",
    "'",
    "[",
    "]",
    "[[firm]]\n",
    "[mail]\n",
    "[notify]\n",
    "[matching]\n",
    "[retention]\n",
    ",",
    ".",
    "#",
    "\n",
    "\t",
    "\0",
    "\\u001b",
    "\u{2028}",
    "-1",
    "0",
    "1e400",
    "65536",
    "9223372036854775807",
    "nan",
    "true",
    "2026-11-08",
    "smtp://",
    "smtps://[::1]:465",
    "http://127.0.0.1",
    "https://user:secret@",
    ":0",
    "<a@b.c>",
    "..",
    "per_week = 0\n",
    "offers = 2\n",
    "checked = { by = 'x', on = 2026-11-08, what = ['y'] }\n",
    "on = 2026-13-32\n",
    "listen = '[::1]:0'\n",
    "trusted_proxy = '::/0'\n",
];

#[test]
fn bytes() {
    fuzz::bytes("config", 1000, TOKENS, check);
}

/// Checks the parsed file, or the error that rejects it.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match ConfigFile::parse(&text, Path::new("config.toml")) {
        Ok(file) => assert_usable(&file),
        Err(error) => assert_readable(&text, &error.to_string()),
    }
}

/// Asserts that the error is a single printable line that names the file and one of its lines.
fn assert_readable(text: &str, error: &str) {
    let is_printable = |c: char| !c.is_control() && !"\u{2028}\u{2029}".contains(c);
    assert!(error.chars().all(is_printable), "{error:?}");
    let rest = error.strip_prefix("config.toml:").unwrap();
    let (line, message) = rest.split_once(": ").unwrap();
    let lines = text.split('\n').count();
    assert!(
        (1..=lines).contains(&line.parse().unwrap()),
        "{error} in {lines} lines"
    );
    let message = message
        .strip_suffix("; `taubenabwehr config sample` prints every key")
        .unwrap();
    assert!(!message.trim().is_empty(), "{error}");
}

/// Asserts that accepted firms satisfy the rules of each key, and that no value can break out of a mail header.
fn assert_usable(file: &ConfigFile) {
    let mut ids: Vec<_> = file.firms.iter().map(|firm| &firm.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), file.firms.len(), "ids are not unique");
    for firm in &file.firms {
        for text in [&firm.name, &firm.email]
            .into_iter()
            .chain(&firm.phone)
            .chain(&firm.website)
        {
            assert!(
                !text.is_empty() && text == text.trim() && !text.contains(char::is_control),
                "{firm:?}"
            );
        }
        assert!(
            firm.email.is_ascii() && firm.email.matches('@').count() == 1,
            "{firm:?}"
        );
        assert!(
            !firm.postal_codes.is_empty() && firm.per_week != Some(0),
            "{firm:?}"
        );
    }
}
