//! Test cases for configuration files.

use std::path::Path;

use super::ConfigFile;

fn parse(text: &str) -> Result<ConfigFile, String> {
    ConfigFile::parse(text, Path::new("/etc/t/config.toml")).map_err(|error| error.to_string())
}

/// A `[mail]` table without secrets, on two lines.
const MAIL: &str = "mail.server = 'smtp://mail.example.de'\nmail.from = 'a@example.de'\n";

#[test]
fn flags_become_defaults_of_the_command_line() {
    let file = parse(
        "listen = '127.0.0.1:1'\ndata_dir = 'data'\nsite = '/srv/site.toml'\ndemo = true\nrate_limit = 7\n\
         trusted_proxy = ['10.0.0.0/8', '::1/128']\nlog_format = 'json'\npublic_url = 'https://a.example'",
    )
    .unwrap();
    let set = file.defaults.iter().map(|(flag, values)| {
        let values: Vec<_> = values.iter().map(|value| value.to_str().unwrap()).collect();
        format!("{flag} {}", values.join(" "))
    });
    let set: Vec<_> = set.collect();
    assert_eq!(
        set,
        [
            "data_dir /etc/t/data",
            "demo true",
            "listen 127.0.0.1:1",
            "log_format json",
            "public_url https://a.example",
            "rate_limit 7",
            "site /srv/site.toml",
            "trusted_proxy 10.0.0.0/8 ::1/128",
        ]
    );
}

#[test]
fn a_store_is_a_directory_beside_the_file_or_a_database() {
    for (store, expected) in [
        ("redb:data", "redb:/etc/t/data"),
        ("redb:/data", "redb:/data"),
        ("postgres://a:geheim@db/site", "postgres://a:geheim@db/site"),
    ] {
        let file = parse(&format!("store = '{store}'")).unwrap();
        assert_eq!(file.defaults["store"], [expected], "{store}");
    }
    for wrong in ["mysql://a:geheim@db", "postgres://a:geheim@db:x", "redb:"] {
        let error = parse(&format!("\nstore = '{wrong}'")).unwrap_err();
        assert!(
            error.starts_with("/etc/t/config.toml:2: `store` is wrong: "),
            "{error}"
        );
        assert!(!error.contains("geheim"), "{error}");
    }
}

#[test]
fn an_empty_file_changes_nothing() {
    let file = parse("").unwrap();
    assert!(file.defaults.is_empty() && file.firms.is_empty());
    let handling = file.handling().unwrap();
    assert!(handling.mail.is_none() && handling.notify.mail.is_empty() && handling.notify.webhook.is_none());
    assert_eq!(
        (handling.matching.offers, handling.matching.answer_hours),
        (3, 24)
    );
    assert_eq!(handling.retention.inquiries_days, None);
}

#[test]
fn mistakes_name_file_line_and_what_was_expected() {
    for (text, line, message) in WRONG {
        let text = text.replace("MAIL\n", MAIL);
        let error = parse(&text)
            .and_then(|file| file.handling().map_err(|error| error.to_string()))
            .unwrap_err();
        let expected = format!("/etc/t/config.toml:{line}: {message}");
        assert!(error.starts_with(&expected), "{text}\n{error}");
        assert!(
            error.ends_with("; `taubenabwehr config sample` prints every key"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(!error.contains("geheim"), "{error}");
    }
}

const SAMPLE: &str = include_str!("../../packaging/config.toml");

#[test]
fn the_sample_is_right_with_and_without_its_examples() {
    assert!(parse(SAMPLE).unwrap().handling().unwrap().mail.is_none());
    let all = parse(&with_examples()).unwrap();
    assert_eq!(all.firms.len(), 1);
    assert_eq!(all.defaults["site"], ["/etc/t/site.toml"]);
}

#[test]
fn the_sample_names_every_key() {
    let sample = with_examples();
    let tables = ["mail", "notify", "matching", "retention"].map(|table| format!("{table}.x = 1"));
    for wrong in tables
        .iter()
        .map(String::as_str)
        .chain(["x = 1", "[[firm]]\nx = 1"])
    {
        let error = parse(wrong).unwrap_err();
        let (_, known) = error.split_once("expected ").unwrap();
        let (known, _) = known.rsplit_once("; ").unwrap();
        // Names are in backticks.
        for key in known.split('`').skip(1).step_by(2) {
            let is_named = sample.lines().any(|line| {
                line.starts_with(&format!("{key} = "))
                    || line == format!("[{key}]")
                    || line == format!("[[{key}]]")
            });
            assert!(is_named, "packaging/config.toml lacks {key}");
        }
    }
}

/// The sample file with its examples enabled: they are commented out by a `#` without a space.
fn with_examples() -> String {
    let lines = SAMPLE.lines().map(|line| match line.strip_prefix('#') {
        Some(example) if example.starts_with(|c: char| c.is_ascii_lowercase() || c == '[') => example,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_shown_holds_no_secret() {
    let file = parse("notify.webhook = 'https://a.example/geheim'").unwrap();
    let shown = format!("{file:?}");
    assert!(
        shown.contains("a.example") && !shown.contains("geheim"),
        "{shown}"
    );
}

#[test]
fn changed_flags_are_named() {
    let one = parse("demo = true\nrate_limit = 5\nlisten = '127.0.0.1:1'").unwrap();
    let other =
        parse("listen = '127.0.0.1:1'\nrate_limit = 6\nlog_format = 'json'\n[matching]\noffers = 1").unwrap();
    let changed: Vec<_> = one.changed_flags(&other).into_iter().collect();
    assert_eq!(changed, ["demo", "log_format", "rate_limit"]);
    assert!(one.changed_flags(&one).is_empty());
}

/// A file, the line of its mistake, and the start of the message. `MAIL` is replaced with two lines.
const WRONG: &[(&str, usize, &str)] = &[
    (
        "lisen = '127.0.0.1:1'",
        1,
        "unknown field `lisen`, expected one of `listen`, `tls_listen`, `tls_cert`",
    ),
    ("\n[smtp]", 2, "unknown field `smtp`, expected one of `listen`"),
    (
        "listen = 80",
        1,
        "`listen`: invalid type: integer `80`, expected a string",
    ),
    (
        "listen = 'localhost'",
        1,
        "`listen` is wrong: invalid socket address syntax; expected: Address and port",
    ),
    (
        "data_dir = ''",
        1,
        "`data_dir` is wrong: it is empty; expected: Directory",
    ),
    (
        "public_url = 'x'",
        1,
        "`public_url` is wrong: `x` does not start with",
    ),
    (
        "demo = 'yes'",
        1,
        "`demo`: invalid type: string \"yes\", expected true or false",
    ),
    (
        "rate_limit = '10'",
        1,
        "`rate_limit`: invalid type: string \"10\", expected a number",
    ),
    (
        "rate_limit = -1",
        1,
        "`rate_limit` is wrong: -1 is not in 0..=4294967295; expected: Inquiries a minute",
    ),
    (
        "trusted_proxy = ['::1/128',\n  'me']",
        2,
        "`trusted_proxy` is wrong: invalid IP address syntax",
    ),
    (
        "trusted_proxy = [1]",
        1,
        "`trusted_proxy`: invalid type: integer `1`, expected a string",
    ),
    (
        "log_format = 'xml'",
        1,
        "`log_format` is wrong: it must be one of text, json",
    ),
    ("site = ['a']", 1, "`site`: invalid type: list, expected a string"),
    ("\n[mail]\nfrom = 'a@example.de'", 2, "missing field `server`"),
    (
        "[mail]\nserver = 'mail.example.de'",
        2,
        "`mail.server` must look like",
    ),
    (
        "[mail]\nserver = 'smtp://mail.müller.de:587'",
        2,
        "`mail.server` must look like \"smtp://mail.example.de:587\" or \"smtps://mail.example.de:465\"; the user's name and password \
         have keys of their own; umlauts are not taken here, so write its host as mail.xn--mller-kva.de",
    ),
    (
        "[notify]\nmail = ['team@müller.de']",
        2,
        "`notify.mail` must be an e-mail address in ASCII, such as \"anfrage@example.de\"; umlauts are not taken here, so write its \
         host as xn--mller-kva.de",
    ),
    (
        "[mail]\nserver = 'smtp://u:geheim@a.de'",
        2,
        "`mail.server` must look like",
    ),
    (
        "[mail]\nserver = 'smtp://a.de'\nfrom = 'me'",
        3,
        "`mail.from` must look like",
    ),
    (
        "[mail]\npassword = 'geheim'",
        2,
        "unknown field `password`, expected one of `server`, `username`",
    ),
    (
        "MAIL\nmail.username = 'a'",
        3,
        "`mail.username` needs a password: set `mail.password_file`",
    ),
    (
        "MAIL\nmail.ca_file = 'none'",
        3,
        "`mail.ca_file`: cannot use /etc/t/none: ",
    ),
    (
        "MAIL\nmail.password_file = 'none'",
        3,
        "`mail.password_file` must name a readable file with the secret in one line; /etc/t/none: ",
    ),
    (
        "[notify]\nmail = ['a@example.de']",
        2,
        "`notify.mail` needs `[mail]`",
    ),
    (
        "[notify]\nmail = 'a@example.de'",
        2,
        "`notify.mail`: invalid type: string",
    ),
    (
        "[notify]\nmail = ['a']",
        2,
        "`notify.mail` must be an e-mail address",
    ),
    (
        "[notify]\nwebhook = 'http://a.de/'",
        2,
        "`notify.webhook` must begin with https://",
    ),
    (
        "[notify]\nwebhook = 'https://u:geheim@a.de/'",
        2,
        "`notify.webhook` must look like",
    ),
    (
        "[notify]\n\nwebhook = 'https://a.de/geheim'",
        3,
        "`notify.webhook` needs `notify.webhook_secret_file`",
    ),
    (
        "[notify]\nwebhook_secret_file = 'geheim'",
        2,
        "`notify.webhook_secret_file` needs `notify.webhook`",
    ),
    (
        "notify.webhook = 'https://a.de'\nnotify.webhook_secret_file = 'whsec_geheim'",
        2,
        "`notify.webhook_secret_file` must name a readable file",
    ),
    (
        "[notify]\nmails = []",
        2,
        "unknown field `mails`, expected one of `mail`, `webhook`, `webhook_secret_file`",
    ),
    (
        "[matching]\noffers = 0",
        2,
        "`matching.offers` must lie between 1 and 3",
    ),
    (
        "[matching]\noffers = 4",
        2,
        "`matching.offers` must lie between 1 and 3",
    ),
    (
        "[matching]\noffers = '3'",
        2,
        "`matching.offers`: invalid type: string \"3\"",
    ),
    (
        "[matching]\nanswer_hours = 721",
        2,
        "`matching.answer_hours` must lie between 1 and 720",
    ),
    (
        "[matching]\nhours = 1",
        2,
        "unknown field `hours`, expected one of `offers`, `answer_hours`, `per_day`",
    ),
    (
        "[retention]\ninquiries_days = 0",
        2,
        "`retention.inquiries_days` must lie between 1 and 36500",
    ),
    (
        "[retention]\nyears = 1",
        2,
        "unknown field `years`, expected `inquiries_days`",
    ),
    (
        "\n[[firm]]\nid = 'a'\nname = 'A'\nemail = 'a@example.de'\npostal_codes = ['2']",
        2,
        "`[[firm]]` needs `[mail]`",
    ),
    ("MAIL\n[[firm]]\nname = 'A'", 3, "missing field `id`"),
    (
        "MAIL\n[[firm]]\nid = 'Ä'",
        4,
        "`firm.id` must be 1 to 64 lower-case letters",
    ),
    ("MAIL\n[[firm]]\nname = ''", 4, "`firm.name` is empty"),
    (
        "MAIL\n[[firm]]\nemail = 'a'",
        4,
        "`firm.email` must be an e-mail address",
    ),
    (
        "MAIL\n[[firm]]\nphone = 'a'",
        4,
        "`firm.phone` must be a phone number",
    ),
    (
        "MAIL\n[[firm]]\nwebsite = 'a'",
        4,
        "`firm.website` must be an https:// or http:// address",
    ),
    (
        "MAIL\n[[firm]]\npostal_codes = [20]",
        4,
        "`firm.postal_codes`: invalid type: integer `20`, expected a string",
    ),
    (
        "MAIL\n[[firm]]\npostal_codes = ['2o']",
        4,
        "`firm.postal_codes` must be the first 1 to 5 digits",
    ),
    (
        "MAIL\n[[firm]]\npostal_codes = [\n  '20',\n  '2o',\n]",
        6,
        "`firm.postal_codes` must be the first 1 to 5 digits",
    ),
    (
        "MAIL\n[[firm]]\npostal_codes = []",
        4,
        "`firm.postal_codes` is an empty list",
    ),
    (
        "MAIL\n[[firm]]\nproperty_types = ['flat']",
        4,
        "`firm.property_types` must hold only \"residential\"",
    ),
    (
        "MAIL\n[[firm]]\nproblems = ['smell']",
        4,
        "`firm.problems` must hold only \"nesting\"",
    ),
    (
        "MAIL\n[[firm]]\nper_week = 0",
        4,
        "`firm.per_week` must be a number from 1",
    ),
    (
        "MAIL\n[[firm]]\npaused = 'no'",
        4,
        "`firm.paused`: invalid type: string \"no\", expected a boolean",
    ),
    (
        "MAIL\n[[firm]]\nowner = 'A'",
        4,
        "unknown field `owner`, expected one of `id`, `name`",
    ),
    (
        "MAIL\n[[firm]]\nid = 'a'\nname = 'A'\nemail = 'a@example.de'\npostal_codes = ['2']\n\
         [[firm]]\nname = 'B'\nid = 'a'\nemail = 'b@example.de'\npostal_codes = ['2']",
        10,
        "another firm has the id `a`, too",
    ),
    (
        "MAIL\n[firm]\nid = 'a'",
        3,
        "`firm`: invalid type: table, expected a list",
    ),
    (
        "[matching]\noffers = '3'",
        2,
        "`matching.offers`: invalid type: string \"3\", expected a whole number",
    ),
    (
        "MAIL\n[[firm]]\nper_week = 'a'",
        4,
        "`firm.per_week`: invalid type: string \"a\", expected a whole number",
    ),
    (
        "MAIL\n[[firm]]\npostal_codes = '20'",
        4,
        "`firm.postal_codes`: invalid type: string \"20\", expected a list",
    ),
    ("demo = true\ndemo = false", 2, "duplicate key"),
    ("listen = ", 1, ""),
];
