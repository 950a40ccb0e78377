//! Fuzz target: files for `--site`.

use std::fs;
use std::path::Path;

use taubenabwehr::base::text::origin::Origin;
use taubenabwehr::config::settings::SiteSettings;
use taubenabwehr::site::http::headers::SecurityHeaders;

use crate::harness as fuzz;

const TOKENS: &[&str] = &[
    "=",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    ".",
    "#",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "\\",
    "\\u001b",
    "\\u000a",
    "\\n",
    "\\ud800",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "nan",
    "-inf",
    "1e400",
    "+90.0",
    "-0.0",
    "true",
    "2026-11-08",
    "0x10",
    "[operator]\n",
    "[business]\n",
    "[links]\n",
    "[tags]\n",
    "[pages]\n",
    "agb = 'agb.md'\n",
    "[claims.offers]\n",
    "value = '24 Stunden'\n",
    "[other]\n",
    "name = 'A'\n",
    "\"\\u001b\" = 1\n",
    "latitude = 53.5\n",
    "phone = '+49 (0)40 1234'\n",
    "email = 'a@b.c'\n",
    "social = []\n",
    "https://",
    "http://x",
    "@",
    "GTM-",
    "AW-1/x",
    "Mo-Fr 08:00-18:00",
    "+8:00",
    "24:30",
    "<b>",
    "{{ name }}",
];

#[test]
fn bytes() {
    fuzz::bytes("settings", 1000, TOKENS, check);
}

/// Checks the parsed settings, or the error that rejects the file.
pub fn check(bytes: &[u8]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path();
    fs::write(path, bytes).unwrap();
    match SiteSettings::read(path) {
        Ok(settings) => assert_usable(&settings),
        Err(error) => assert_readable(path, bytes, &error.to_string()),
    }
}

/// Asserts that the error is a single printable line that names the file and one of its lines.
fn assert_readable(path: &Path, bytes: &[u8], error: &str) {
    assert!(
        !error.contains(|c: char| c.is_control() || "\u{2028}\u{2029}".contains(c)),
        "{error:?}"
    );
    let path = path.to_str().unwrap();
    if std::str::from_utf8(bytes).is_err() {
        assert!(
            error.starts_with(&format!("cannot read the site settings {path}: ")),
            "{error}"
        );
        return;
    }
    let rest = error
        .strip_prefix(&format!("{path}:"))
        .unwrap_or_else(|| panic!("{error}"));
    let (line, message) = rest.split_once(": ").unwrap_or_else(|| panic!("{error}"));
    let lines = bytes.split(|&byte| byte == b'\n').count();
    assert!(
        (1..=lines).contains(&line.parse().unwrap()),
        "{error} in {lines} lines"
    );
    let message = message
        .strip_suffix("; `taubenabwehr config sample site` prints every key")
        .unwrap();
    assert!(!message.trim().is_empty(), "{error}");
}

/// Asserts that accepted settings satisfy the rules of each key, and that no value can break out of a header.
fn assert_usable(settings: &SiteSettings) {
    let (operator, business, links, tags) = (
        &settings.operator,
        &settings.business,
        &settings.links,
        &settings.tags,
    );
    let json = serde_json::to_value(settings).unwrap();
    for (pointer, text) in texts("", &json) {
        assert!(
            !text.is_empty() && text == text.trim() && !text.contains(char::is_control),
            "{pointer} {text:?}"
        );
    }
    for url in links
        .chat
        .iter()
        .chain(&links.social)
        .chain(links.sister_sites.iter().map(|site| &site.url))
    {
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        assert!(is_web && !url.contains(['"', '\'', '<', '>', ' ', '\\']), "{url}");
    }
    if let Some(phone) = &operator.phone_link {
        let dialled = phone.strip_prefix("tel:").unwrap();
        let digits = dialled.strip_prefix('+').unwrap_or(dialled);
        assert!(
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()),
            "{phone}"
        );
    }
    assert!(
        operator
            .email
            .as_ref()
            .is_none_or(|email| email.matches('@').count() == 1),
        "{operator:?}"
    );
    assert!(
        business
            .latitude
            .is_none_or(|degrees| (-90.0..=90.0).contains(&degrees))
    );
    assert!(
        business
            .longitude
            .is_none_or(|degrees| (-180.0..=180.0).contains(&degrees))
    );
    for hours in &business.opening_hours {
        let (_, times) = hours.split_once(' ').unwrap();
        let is_time = |time: &str| {
            let digits: Vec<_> = time.bytes().map(|byte| byte.is_ascii_digit()).collect();
            digits == [true, true, false, true, true] && time <= "24:00"
        };
        assert!(times.split('-').all(is_time), "{hours}");
    }
    for id in [
        tags.tag_manager.as_deref(),
        tags.conversion.as_deref(),
        links.affiliate_partner.as_deref(),
    ]
    .into_iter()
    .flatten()
    {
        assert!(
            id.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_/".contains(&byte)),
            "{id}"
        );
    }
    SecurityHeaders::new(settings, &Origin::parse("https://www.example.de").unwrap());
}

/// All texts in a JSON value, with their paths.
fn texts(pointer: &str, value: &serde_json::Value) -> Vec<(String, String)> {
    let inner = |name: &str, value| texts(&format!("{pointer}/{name}"), value);
    match value {
        serde_json::Value::String(text) => vec![(pointer.to_owned(), text.clone())],
        serde_json::Value::Array(list) => list.iter().flat_map(|value| inner("", value)).collect(),
        serde_json::Value::Object(map) => map.iter().flat_map(|(name, value)| inner(name, value)).collect(),
        _ => Vec::new(),
    }
}
