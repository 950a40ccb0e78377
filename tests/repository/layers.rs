//! Which part of the program may know which library: the walls between the modules (`docs/architecture.md`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex::Regex;

/// A library, and the files and folders below `src` that may name it.
const MAY_USE: &[(&str, &[&str])] = &[
    // Another engine can stand beside this one because nothing else knows it. The facade holds the
    // module of that name.
    (
        "redb",
        &[
            "store/redb/",
            "store/copy.rs",
            "store/copy_error.rs",
            "store/location.rs",
            "store/mod.rs",
            "store/open_error.rs",
            "store/row_source.rs",
            "store/snapshot.rs",
        ],
    ),
    ("tokio_postgres", &["store/postgres/"]),
    // The protocol ends here; everything else deals in inquiries, pages and settings.
    (
        "hyper",
        &[
            "server/",
            "handler/",
            "control/",
            "desk/",
            "site/",
            "http/",
            "limits/client_ip.rs",
            "limits/made_pages.rs",
            "text/origin.rs",
            "sending/http_client.rs",
        ],
    ),
    ("lettre", &["mail/", "text/mail_address.rs"]),
    (
        "tokio_rustls",
        &[
            "acme/",
            "doctor/",
            "mail/",
            "sending/",
            "server/tls_connection.rs",
            "store/postgres/tls.rs",
            "tls/",
            "webhook/",
        ],
    ),
    ("instant_acme", &["acme/"]),
    // What reads strangers' files is in one place.
    ("zune_jpeg", &["photo/"]),
    ("jpeg_encoder", &["photo/"]),
    ("image_webp", &["photo/"]),
    ("moxcms", &["photo/"]),
    ("multer", &["handler/upload.rs"]),
    ("webpki", &["acme/"]),
    ("minijinja", &["report/", "site/", "statement/", "templates/"]),
    ("prometheus_client", &["metrics/"]),
    ("sd_notify", &["systemd/"]),
    ("listenfd", &["systemd/"]),
    ("rust_embed", &["embedded/"]),
    (
        "clap",
        &[
            "cli.rs", "cli/", "command/", "main.rs", "export/", "config/", "logging/",
        ],
    ),
];

/// What a module never does, and the text that would show it.
const NEVER: &[(&str, &str)] = &[
    // An inquiry is parsed and judged without I/O, so that every case of it is a value in a test.
    ("inquiry/", r"std::(fs|net|process|env)|tokio::"),
    // Likewise, who is asked follows from values alone.
    ("matching/", r"std::(fs|net|process|env)|tokio::|Timestamp::now"),
    // And who owes what.
    ("commission/", r"std::(fs|net|process|env)|tokio::|Timestamp::now"),
    ("ledger/", r"std::(fs|net|process|env)|tokio::|Timestamp::now"),
    // And what becomes of a photo.
    ("photo/", r"std::(fs|net|process|env)|tokio::|Timestamp::now"),
    // And what a report shows.
    ("report/", r"std::(fs|net|process|env)|tokio::|Timestamp::now"),
    // Settings and pages are ready at start: a request reads no file.
    ("handler/", r"std::fs|tokio::fs"),
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
            .filter(|(path, _)| path.starts_with(place))
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
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![src.clone()];
    let mut files = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let lines = text
                    .lines()
                    .map(|line| line.split("//").next().unwrap_or_default());
                let name = path.strip_prefix(&src).unwrap().to_str().unwrap().to_owned();
                files.insert(name, lines.collect::<Vec<_>>().join("\n"));
            }
        }
    }
    files
}
