//! The text format, checked by a parser that rejects everything the format does not allow.

use std::collections::{BTreeMap, BTreeSet};

use super::Watched;
use crate::harness::store::is_postgres;
use crate::harness::{Setup, record};

/// A metric: its type, and its samples by name and labels, as written.
#[derive(Debug, Default)]
struct Family {
    kind: String,
    unit: String,
    has_help: bool,
    samples: Vec<(String, String, f64)>,
}

/// Parses a text strictly.
fn parse(text: &str) -> BTreeMap<String, Family> {
    let body = text.strip_suffix("# EOF\n").expect("the end is marked");
    assert!(!body.contains("# EOF"), "{text}");
    let mut families = BTreeMap::<String, Family>::new();
    let mut current = String::new();
    let mut seen = BTreeSet::new();
    for line in body.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let (keyword, rest) = comment.split_once(' ').unwrap();
            let (name, value) = rest.split_once(' ').unwrap();
            if name != current {
                assert!(!families.contains_key(name), "{name} comes twice");
                name.clone_into(&mut current);
            }
            let family = families.entry(name.to_owned()).or_default();
            assert!(family.samples.is_empty(), "{line}");
            match keyword {
                "TYPE" => value.clone_into(&mut family.kind),
                "UNIT" => {
                    assert!(name.ends_with(&format!("_{value}")), "{line}");
                    value.clone_into(&mut family.unit);
                }
                "HELP" => family.has_help = !value.is_empty(),
                other => panic!("unknown keyword {other}"),
            }
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        let value: f64 = value.parse().unwrap_or_else(|_| panic!("no number: {line}"));
        let (name, labels) = match series.split_once('{') {
            Some((name, labels)) => (name, labels.strip_suffix('}').unwrap()),
            None => (series, ""),
        };
        let is_name = |name: &str| {
            !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        for label in labels.split(',').filter(|label| !label.is_empty()) {
            let (label, value) = label.split_once('=').unwrap();
            assert!(is_name(label), "{line}");
            assert!(
                value.len() > 2 && value.starts_with('"') && value.ends_with('"'),
                "{line}"
            );
        }
        let family = families
            .get_mut(&current)
            .unwrap_or_else(|| panic!("no type: {line}"));
        let suffix = name
            .strip_prefix(&current)
            .unwrap_or_else(|| panic!("{line} under {current}"));
        let allowed: &[&str] = match &*family.kind {
            "counter" => &["_total"],
            "gauge" => &[""],
            "info" => &["_info"],
            "histogram" => &["_bucket", "_count", "_sum"],
            other => panic!("unknown type {other}"),
        };
        assert!(
            is_name(name) && allowed.contains(&suffix) && family.has_help,
            "{line}"
        );
        assert!(value >= 0.0 && seen.insert(series.to_owned()), "{line}");
        family.samples.push((suffix.to_owned(), labels.to_owned(), value));
    }
    families
}

/// Asserts that buckets are cumulative, and that the last one of each histogram equals its count.
fn check_histogram(family: &Family) {
    let mut counts = BTreeMap::<String, f64>::new();
    let mut last = BTreeMap::<String, (f64, f64)>::new();
    for (suffix, labels, value) in &family.samples {
        match &**suffix {
            "_count" => drop(counts.insert(labels.clone(), *value)),
            "_bucket" => {
                let (ends, others): (Vec<_>, Vec<_>) =
                    labels.split(',').partition(|label| label.starts_with("le="));
                let end = ends[0].trim_start_matches("le=").trim_matches('"');
                let end: f64 = end.replace("+Inf", "inf").parse().unwrap();
                let others = others.join(",");
                if let Some((before, count)) = last.insert(others, (end, *value)) {
                    assert!(before < end && count <= *value, "{labels}");
                }
            }
            _ => {}
        }
    }
    assert_eq!(counts.len(), last.len());
    for (labels, count) in counts {
        assert_eq!(last[&labels], (f64::INFINITY, count), "{labels}");
    }
}

#[test]
fn the_text_follows_the_format() {
    let watched = Watched::start(Setup::new());
    for target in ["/", "/faq", "/nichts", "/healthz", "/rest/v1/nichts", "/Sitemap"] {
        watched.server.get(target);
    }
    watched.server.store(&record("Krause"));
    let text = watched.text();
    let families = parse(&text);
    for (name, kind, unit) in [
        ("build", "info", ""),
        ("start_timestamp_seconds", "gauge", "seconds"),
        ("http_requests", "counter", ""),
        ("http_request_duration_seconds", "histogram", "seconds"),
        ("http_connections", "gauge", ""),
        ("http_refusals", "counter", ""),
        ("inquiries", "counter", ""),
        ("store_commit_duration_seconds", "histogram", "seconds"),
        ("outbox_deliveries", "gauge", ""),
        ("outbox_oldest_waiting_seconds", "gauge", "seconds"),
    ] {
        let family = families
            .get(&format!("taubenabwehr_{name}"))
            .unwrap_or_else(|| panic!("no {name} in {text}"));
        assert_eq!((&*family.kind, &*family.unit), (kind, unit), "{name}");
        assert!(!family.samples.is_empty(), "{name}");
        if kind == "histogram" {
            check_histogram(family);
        }
    }
    // The size of a database is not reported.
    let size = families.get("taubenabwehr_store_size_bytes");
    let size = size.map(|family| (&*family.kind, &*family.unit, family.samples.len()));
    let expected = (!is_postgres()).then_some(("gauge", "bytes", 1));
    assert_eq!(size, expected, "{text}");
    // No metrics of features that are off: there is no certificate.
    assert_eq!(families.len(), if is_postgres() { 10 } else { 11 }, "{text}");
    assert_has!(text, &format!("version=\"{}\"", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_demo_has_no_numbers_of_a_store() {
    let watched = Watched::start(Setup::new().args(&["--demo"]));
    let families = parse(&watched.text());
    assert!(families.contains_key("taubenabwehr_http_requests"));
    assert!(
        !families
            .keys()
            .any(|name| name.contains("store") || name.contains("outbox"))
    );
}
