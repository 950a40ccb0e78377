//! Which part of the program may know which library: the walls between the modules (`docs/architecture.md`).

use std::collections::BTreeMap;

use regex::Regex;

use crate::pages::sources_of;

/// A library, and the files and folders below `src` that may name it.
const MAY_USE: &[(&str, &[&str])] = &[
    // There can be another engine because nothing else knows this one. The facade holds the
    // module of that name.
    ("redb", &["store/"]),
    ("tokio_postgres", &["store/postgres/"]),
    // The protocol ends here; everything else deals in inquiries, pages and settings.
    (
        "hyper",
        &[
            "server/",
            "web/",
            "control/",
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
            "outbox/webhook/",
        ],
    ),
    ("instant_acme", &["server/acme/"]),
    // What reads strangers' files is in one place.
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

/// What a module never does, and the text that would show it.
const NEVER: &[(&str, &str)] = &[
    // An inquiry is parsed and judged without I/O, so that every case of it is a value in a test.
    ("domain/inquiry/", r"std::(fs|net|process|env)|tokio::"),
    // Nor does choosing whom to ask do any I/O.
    (
        "domain/matching/",
        r"std::(fs|net|process|env)|tokio::|Timestamp::now",
    ),
    // And who owes what.
    (
        "domain/commission/",
        r"std::(fs|net|process|env)|tokio::|Timestamp::now",
    ),
    (
        "domain/ledger/",
        r"std::(fs|net|process|env)|tokio::|Timestamp::now",
    ),
    // Nor does decoding a photo.
    ("photo/", r"std::(fs|net|process|env)|tokio::|Timestamp::now"),
    // And what a report shows.
    ("operate/report/", r"std::(fs|net|process|env)|tokio::"),
    // Settings and pages are ready at start: a request reads no file.
    ("web/", r"std::fs|tokio::fs"),
];

#[test]
fn only_some_modules_know_each_library() {
    let mut wrong = Vec::new();
    for (library, allowed) in MAY_USE {
        // A path that begins elsewhere names a module of ours.
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

/// Returns the code of every file by its path below `src`, without comments.
fn sources() -> BTreeMap<String, String> {
    let sources = sources_of("src").into_iter().map(|(path, text)| {
        let lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        (path, lines.collect::<Vec<_>>().join("\n"))
    });
    sources.collect()
}
