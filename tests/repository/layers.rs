//! Restricts which modules may use which libraries (`docs/architecture.md`).

use std::collections::BTreeMap;

use regex::Regex;

use crate::pages::sources_of;

/// A library, and the files and folders below `src` that may use it.
const MAY_USE: &[(&str, &[&str])] = &[
    // Only this module uses the engine, so that it can be replaced. The facade contains the module of that name.
    ("redb", &["store/"]),
    ("tokio_postgres", &["store/postgres/"]),
    // HTTP ends here; the other modules deal with inquiries, pages and settings.
    (
        "hyper",
        &[
            "server/",
            "web/",
            "site/",
            "base/text/origin.rs",
            "outbox/sending/http_client.rs",
        ],
    ),
    ("lettre", &["outbox/mail/", "base/text/mail_address.rs"]),
    (
        "tokio_rustls",
        &[
            "server/acme/",
            "operate/doctor/",
            "outbox/mail/",
            "outbox/sending/",
            "store/postgres/tls.rs",
            "server/tls/",
        ],
    ),
    ("instant_acme", &["server/acme/"]),
    // Only one module parses untrusted files.
    ("zune_jpeg", &["photo/"]),
    ("jpeg_encoder", &["photo/"]),
    ("image_webp", &["photo/"]),
    ("moxcms", &["photo/"]),
    ("multer", &["web/upload.rs"]),
    ("minijinja", &["operate/report/", "operate/statement/", "site/"]),
    ("listenfd", &["server/systemd.rs"]),
    ("rust_embed", &["site/embedded.rs"]),
    ("clap", &["cli/", "main.rs", "config/", "base/logging/"]),
];

/// A module, and a pattern of code that it must not contain.
const NEVER: &[(&str, &str)] = &[
    // Parsing and judging an inquiry is free of I/O, so that tests can cover every case with plain values.
    ("domain/inquiry/", r"std::(fs|net|process|env)|tokio::"),
    // Choosing firms is free of I/O.
    (
        "domain/matching/",
        r"std::(fs|net|process|env)|tokio::|Timestamp::now",
    ),
    // So is computing commissions.
    (
        "domain/commission/",
        r"std::(fs|net|process|env)|tokio::|Timestamp::now",
    ),
    (
        "domain/ledger/",
        r"std::(fs|net|process|env)|tokio::|Timestamp::now",
    ),
    // So is decoding photos.
    ("photo/", r"std::(fs|net|process|env)|tokio::|Timestamp::now"),
    // So is building reports.
    ("operate/report/", r"std::(fs|net|process|env)|tokio::"),
    // Settings and pages are loaded at startup: a request reads no file.
    ("web/", r"std::fs|tokio::fs"),
];

#[test]
fn only_some_modules_know_each_library() {
    let mut wrong = Vec::new();
    for (library, allowed) in MAY_USE {
        // Elsewhere in a path, the name is a module of this crate.
        let named = Regex::new(&format!(r"(^|[^:\w]){library}::")).unwrap();
        let users: Vec<_> = sources()
            .into_iter()
            .filter(|(_, text)| named.is_match(text))
            .collect();
        assert!(
            !users.is_empty(),
            "nothing uses {library} any more: remove its line"
        );
        for (path, _) in users {
            if !allowed.iter().any(|place| path.starts_with(place)) {
                wrong.push(format!("src/{path} names {library}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn some_modules_do_no_io() {
    let mut wrong = Vec::new();
    for (place, pattern) in NEVER {
        let pattern = Regex::new(pattern).unwrap();
        let files: Vec<_> = sources()
            .into_iter()
            .filter(|(path, _)| path.starts_with(place) && !path.starts_with("photo/sandbox/"))
            .collect();
        assert!(!files.is_empty(), "there is no src/{place}");
        for (path, text) in files {
            wrong.extend(
                pattern
                    .find(&text)
                    .map(|found| format!("src/{path}: {}", found.as_str())),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The code of each file by its path below `src`, without comments.
fn sources() -> BTreeMap<String, String> {
    let sources = sources_of("src").into_iter().map(|(path, text)| {
        let lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        (path, lines.collect::<Vec<_>>().join("\n"))
    });
    sources.collect()
}
