//! Claims about the operator and the firms that need proof (`docs/behaviour.md`, "Claims").

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, tz};
use serde_json::Value;

use crate::harness::command::{command, finish};
use crate::harness::inquiry::post as api;
use crate::harness::referral::{Referred, config, setup};
use crate::harness::site::{self, MISSING, page};
use crate::harness::{Dir, Server, Setup, record};
use crate::plain_form;

const CLAIMS: &str = include_str!("../../content/claims.toml");
const HOME: &str = include_str!("../../content/home.toml");
const OPERATORS: &str = include_str!("../cases/operators.json");

const REAL: &str = "[operator]\nlegal_name = 'Taubenfrei Nord GmbH'\n";

/// Uses of `geprüft` that refer to sources, buildings or products, not to firms.
const OF_OTHERS: [&str; 8] = [
    "Zuletzt geprüft am",
    "vor Arbeiten geprüft, ob Bauteile Asbest",
    "vor dem Bohren auf Asbest geprüft",
    "An welcher Art geprüft?",
    "Zwei geprüfte Gele",
    "ebenfalls nicht geprüft: Spikes",
    "ebenfalls nicht geprüft;",
    "von mir regelmäßig geprüft",
];

/// The claims of the sample that need proof: all but the guide values.
fn values() -> Vec<String> {
    let claims: toml::Table = CLAIMS.parse().unwrap();
    let unproven = claims.values().filter(|claim| claim.get("fact").is_none());
    let values = unproven.map(|claim| claim["value"].as_str().unwrap().to_owned());
    // A guide value that firms cannot meet.
    values.filter(|value| value != "6 Stunden").collect()
}

/// The invented reviewers.
fn reviewers() -> Vec<String> {
    let home: toml::Table = HOME.parse().unwrap();
    let names = home["testimonial"].as_array().unwrap().iter();
    names
        .map(|one| one["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Every text response of the site, unmodified.
fn documents(server: &Server) -> Vec<(String, String)> {
    let pages = site::pages()
        .into_iter()
        .chain(MISSING.iter().map(|&path| path.to_owned()));
    let others = [
        "/blog/feed",
        "/sitemap.xml",
        "/openapi.json",
        "/site.webmanifest",
        "/robots.txt",
    ];
    let paths: Vec<_> = pages.chain(others.map(str::to_owned)).collect();
    let mut documents = Vec::new();
    let mut scripts = BTreeSet::new();
    for path in paths {
        let text = server.get(&path).text().to_owned();
        let sources = text
            .split("src=\"/")
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        scripts.extend(
            sources
                .filter(|source| is_script(source))
                .map(|source| format!("/{source}")),
        );
        documents.push((path, text));
    }
    assert!(!scripts.is_empty(), "no page has a script");
    let scripts = scripts.into_iter().map(|path| {
        let text = server.get(&path).text().to_owned();
        (path, text)
    });
    documents.into_iter().chain(scripts).collect()
}

fn is_script(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "js")
}

fn plain(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ").replace("&nbsp;", " ")
}

/// The contexts in which a text calls firms vetted.
fn vetted(text: &str) -> Vec<String> {
    let mut text = plain(text).replace("<span class=\"fact\">", "");
    for other in OF_OTHERS {
        text = text.replace(other, "");
    }
    let lower = text.to_lowercase();
    lower
        .match_indices("geprüft")
        .map(|(at, _)| {
            lower[..at]
                .chars()
                .rev()
                .take(40)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect()
        })
        .collect()
}

fn today() -> Date {
    Timestamp::now().to_zoned(tz::get!("Europe/Berlin")).date()
}

/// Adds a check to the last firm of a configuration.
fn checked(toml: &str, on: Date) -> String {
    format!(
        "{toml}checked = {{ by = 'Taubenfrei <Nord>', on = {on}, what = ['Gewerbeanmeldung', 'Betriebshaftpflicht'] }}\n"
    )
}

/// Starts the site of a real operator with this configuration.
fn real(toml: &str) -> Server {
    let dir = Dir::new();
    dir.write("site.toml", REAL);
    Setup::new()
        .dir(&dir)
        .config(format!("site = 'site.toml'\n{toml}"))
        .start()
}

#[test]
fn nothing_unproven_is_said_under_a_real_name() {
    for toml in [String::new(), config(&["nord", "sued"])] {
        let server = real(&toml);
        let words: Vec<_> = values().into_iter().chain(reviewers()).collect();
        assert!(words.len() > 12, "{words:?}");
        for (path, text) in documents(&server) {
            let text = plain(&text);
            for word in &words {
                assert!(!text.contains(word.as_str()), "{path} says {word}");
            }
            for word in ["Beispiele: Diese Berichte", "#testimonials", "Prüforganisation"] {
                assert!(is_script(&path) || !text.contains(word), "{path} says {word}");
            }
            // Scripts contain all texts, and show them only where they are true.
            if !is_script(&path) {
                assert_eq!(vetted(&text), Vec::<String>::new(), "{path}");
            }
        }
        if !toml.is_empty() {
            // Firms have 24 hours to answer, and offers are promised within the same 24 hours, so the page says it only once.
            let thanks = plain(page(&server, "/danke?status=stored&firms=asked").text());
            assert_eq!(thanks.matches("innerhalb von 24 Stunden").count(), 1, "{thanks}");
        }
        let home = page(&server, "/");
        assert!(!home.text().contains("Referenzen"));
        assert_eq!(
            home.meta("og:image")
                .map(|image| image.ends_with("/og-image-plain.png")),
            Some(true)
        );
    }
}

#[test]
fn the_sample_operators_site_stays_as_it_is() {
    let server = Server::start();
    let home = page(&server, "/");
    let text = plain(home.text());
    for value in values() {
        let elsewhere = value.contains("95");
        assert!(elsewhere || text.contains(&value), "{value}");
    }
    for name in reviewers() {
        assert!(text.contains(&name), "{name}");
    }
    for part in [
        "Taubenabwehr für Hamburg: bis zu drei Angebote geprüfter Fachbetriebe.",
        "Wir vermitteln geprüfte Fachbetriebe.",
        "Bis zu drei Vergleichsangebote innerhalb von 24 Stunden (Richtwert)",
        "Beispiele: Diese Berichte sind erfunden",
        "sind von einer technischen Prüforganisation geprüft",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert_has!(
        home.meta("description").unwrap(),
        "Angebote geprüfter Fachbetriebe für"
    );
    assert!(home.meta("og:image").unwrap().ends_with("/og-image.png"));
    assert_eq!(home.hrefs().filter(|href| *href == "/#testimonials").count(), 2);
    assert!(plain(page(&server, "/faq").text()).contains("über 95 %"));
    let thanks = plain(page(&server, "/danke").text());
    assert!(
        thanks.contains(
            "Erste Angebote geprüfter Fachbetriebe erhalten Sie innerhalb von 6 Stunden (Richtwert)"
        )
    );
    for path in site::pages() {
        let text = plain(page(&server, &path).text());
        assert!(
            text.contains("Kostenlose Vermittlung geprüfter Fachbetriebe in Hamburg"),
            "{path}"
        );
        assert!(text.contains("Referenzen"), "{path}");
    }
}

/// The text of the thank-you page when nothing is promised.
const OPERATOR_CALLS: &str = "Wir rufen Sie an oder schreiben Ihnen";

#[test]
fn the_thank_you_page_promises_offers_only_where_firms_were_asked() {
    let sample = |toml: &str| setup(toml).start();
    let elsewhere = |ids: &[&str]| config(ids).replace("['2']", "['3']");
    let full = real(&(config(&["nord"]) + "per_week = 1\n"));
    assert_eq!(full.send(&api(&record("Erste"))).expect("firms-asked"), "?1");
    // The server, whether its page promises offers without an inquiry, and whether it does after one.
    for (server, openly, stored) in [
        (sample(""), true, true),
        (sample(&config(&["nord"])), true, true),
        (sample(&elsewhere(&["nord"])), true, false),
        (real(""), false, false),
        (real(&config(&["nord"])), false, true),
        (real(&elsewhere(&["nord"])), false, false),
        (real(&(config(&["nord"]) + "paused = true\n")), false, false),
        (full, false, false),
    ] {
        let says = |path: &str| {
            let text = plain(page(&server, path).text());
            let calls = text.matches(OPERATOR_CALLS).count();
            assert!(calls < 2, "{text}");
            (text.contains("innerhalb von"), calls > 0)
        };
        assert_eq!(says("/danke"), (openly, false));
        for (name, trap) in [("Kranich", ""), ("Roboter", "filled")] {
            let fields = plain_form::RIGHT.map(|(field, value)| match field {
                "lastName" => (field, name),
                "homepage" => (field, trap),
                _ => (field, value),
            });
            let response = server.send(&plain_form::post(plain_form::encoded(fields)));
            assert_eq!(says(response.expect("location")), (stored, !stored), "{name}");
            let posted = api(&record(name));
            let posted = if trap.is_empty() {
                posted
            } else {
                posted.header("Form-Trap", trap)
            };
            let asked = server.send(&posted).expect("firms-asked") == "?1";
            let query = if asked { "&firms=asked" } else { "" };
            assert_eq!(
                says(&format!("/danke?status=stored{query}")),
                (stored, !stored),
                "{name}"
            );
        }
    }
}

#[test]
fn a_claim_needs_basis_and_period_and_guide_values_leave_firms_their_time() {
    let claims = "[claims.satisfied]\nvalue = '96 %'\nbasis = 'Umfrage'\nperiod = '2026'\n[claims.rating]\nbasis = 'Zahl'\n\
                  [claims.offers]\nvalue = '3 Tagen'\n";
    let dir = Dir::new();
    dir.write("site.toml", format!("{REAL}{claims}"));
    let path = dir.write(
        "config.toml",
        "site = 'site.toml'\n[matching]\nanswer_hours = 36\n",
    );
    let server = Setup::new().dir(&dir).args(&["--config", &path]).start();
    let home = plain(page(&server, "/").text());
    assert_has!(home, "(Umfrage, 2026)");
    assert_has!(home, "96 %");
    assert!(!home.contains("4,9"), "{home}");
    assert!(home.contains("innerhalb von 3 Tagen (Richtwert)"), "{home}");
    let thanks = plain(page(&server, "/danke?status=stored&firms=asked").text());
    for part in ["innerhalb von 36 Stunden", "innerhalb von 3 Tagen (Richtwert)"] {
        assert!(thanks.contains(part), "{part}: {thanks}");
    }
    let dienst = plain(page(&server, "/blog/hamburg-taubenabwehr-dienst").text());
    assert!(dienst.contains("innerhalb von 3 Tagen"));
    let log = server.logged("not shown: claims");
    for part in ["rating (no `period`)", "first_offers (36 Stunden instead"] {
        assert!(log.contains(part), "{part}: {log}");
    }
    server.logged("not shown: testimonials");
    assert_has!(server.logged("not shown: the word"), "no [[firm]] is asked");
    let checked = finish(command(dir.path()).args(["config", "check", "--config", &path]));
    assert_eq!(checked.code, Some(0), "{checked:?}");
    for part in [
        "rating (no `period`)",
        "testimonials: no review",
        "no [[firm]] is asked",
    ] {
        assert!(checked.stderr.contains(part), "{part}: {checked:?}");
    }
    let examined = finish(command(dir.path()).args(["doctor", "--json", "--config", &path]));
    let found: Vec<Value> = serde_json::from_str(examined.text()).unwrap();
    let claims = found.iter().find(|finding| finding["check"] == "claims").unwrap();
    assert!(
        claims["level"] == "warning"
            && claims["message"]
                .as_str()
                .unwrap()
                .contains("rating (no `period`)")
    );
}

#[test]
fn the_faq_says_how_inquiries_are_handled_here() {
    for (toml, asks) in [(config(&["nord"]), true), (String::new(), false)] {
        let page = page(&real(&toml), "/faq");
        let faq = plain(page.text());
        let says = [
            "Zuerst fragen wir passende Betriebe",
            "Wir lesen Ihre Anfrage und melden uns",
        ];
        assert_eq!(says.map(|part| faq.contains(part)), [asks, !asks], "{toml}");
        let folds = page
            .elements
            .iter()
            .filter(|one| one.attribute("class") == Some("fold"));
        assert_eq!(folds.count(), 10);
    }
}

#[test]
fn firms_are_called_vetted_once_each_that_is_asked_has_a_check_that_counts() {
    let is_said = |server: &Server| {
        let said: Vec<_> = [
            "/",
            "/danke",
            "/agb",
            "/datenschutz",
            "/fragebogen",
            "/blog/taubenabwehr-altona",
        ]
        .into_iter()
        .map(|path| !vetted(server.get(path).text()).is_empty())
        .collect();
        assert!(said.iter().all(|&one| one == said[0]), "{said:?}");
        said[0]
    };
    let (all, one) = (
        checked(&config(&["nord"]), today()),
        checked(&config(&["sued", "nord"]), today()),
    );
    let server = real(&all);
    assert!(is_said(&server));
    let line = server.reload(format!("site = 'site.toml'\n{one}"), "not shown: the word");
    assert_has!(line, "one firm that is asked");
    assert!(!is_said(&server));
    // A firm that is not asked does not count.
    let paused = one.replacen("postal_codes", "paused = true\npostal_codes", 1);
    server.reload(format!("site = 'site.toml'\n{paused}"), "read again");
    crate::harness::until_true("the pages", || !vetted(server.get("/").text()).is_empty());
    assert!(is_said(&server));
}

/// An operator with what each page must and must not say; `*` stands for every page but the one for firms.
#[derive(serde::Deserialize)]
struct Operator {
    name: String,
    site: String,
    config: String,
    says: BTreeMap<String, Vec<String>>,
    silent: BTreeMap<String, Vec<String>>,
}

#[test]
fn each_operator_says_what_its_configuration_makes_true() {
    let operators: Vec<Operator> = serde_json::from_str(OPERATORS).unwrap();
    for Operator {
        name,
        site,
        config,
        says,
        silent,
    } in operators
    {
        let dir = Dir::new();
        dir.write("site.toml", site);
        let server = Setup::new()
            .dir(&dir)
            .config(format!("site = 'site.toml'\n{config}"))
            .start();
        for (cases, is_said) in [(says, true), (silent, false)] {
            for (path, words) in cases {
                let all = || site::pages().into_iter().filter(|path| path != "/fuer-betriebe");
                let paths = if path == "*" { all().collect() } else { vec![path] };
                for path in paths {
                    let text = plain(server.get(&path).text())
                        .replace("<span class=\"fact\">", "")
                        .replace('\n', " ");
                    for word in &words {
                        assert_eq!(text.contains(word.as_str()), is_said, "{name}: {path}: {word}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_sample_operator_with_firms_calls_them_vetted_only_if_they_are() {
    let server = setup(&config(&["nord"])).start();
    let home = page(&server, "/");
    assert_eq!(vetted(home.text()), Vec::<String>::new());
    assert!(home.text().contains("Beispiele: Diese Berichte"));
}

#[test]
fn the_visitors_page_shows_each_check_that_counts() {
    let a_year_ago = today().checked_sub(1.year()).unwrap();
    let old = checked(&config(&["alt"]), a_year_ago);
    let new = checked(&config(&["neu"]), today());
    let new = new.split_once("[[firm]]").unwrap().1;
    let without = config(&["ohne"]);
    let without = without.split_once("[[firm]]").unwrap().1;
    let toml = format!("{old}[[firm]]{new}[[firm]]{without}");
    let case = Referred::with(&toml, &["alt", "neu", "ohne"]);
    let page = case.visitors_page();
    let months = [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ];
    let day = today();
    let month = months[usize::try_from(day.month()).unwrap() - 1];
    let line = format!(
        "Geprüft am {}. {month} {} von Taubenfrei &lt;Nord&gt;: Gewerbeanmeldung, Betriebshaftpflicht",
        day.day(),
        day.year()
    );
    assert_eq!(page.matches(&line).count(), 1, "{page}");
    assert_eq!(page.matches("eprüft").count(), 1, "{page}");
    let (before, _) = page.split_once(&line).unwrap();
    assert!(before.rfind("Firma neu") > before.rfind("Firma alt"), "{page}");
}

#[test]
fn firms_lists_the_end_of_each_check_and_doctor_warns_before() {
    let dir = Dir::new();
    let day = |days: i64| today().checked_sub(days.days()).unwrap();
    let firms = [("alt", 400), ("bald", 340), ("neu", 0)].map(|(id, days)| {
        let toml = checked(&config(&[id]), day(days));
        format!("[[firm]]{}", toml.split_once("[[firm]]").unwrap().1)
    });
    let mail = "[mail]\nserver = 'smtp://127.0.0.1:1'\nfrom = 'a@example.de'\n";
    let path = dir.write("config.toml", format!("{mail}{}", firms.concat()));
    let server = Setup::new().dir(&dir).args(&["--config", &path]).start();
    let listed = finish(
        command(dir.path())
            .args(["firms", "--json", "--config", &path])
            .arg(format!("--store={}", dir.store())),
    );
    let listed: Vec<Value> = serde_json::from_str(listed.text()).unwrap();
    let last = day(0).checked_add(1.year()).unwrap().yesterday().unwrap();
    assert_eq!(listed[2]["checked_until"], last.to_string(), "{listed:?}");
    let examined = finish(command(dir.path()).args(["doctor", "--json", "--config", &path]));
    let found: Vec<Value> = serde_json::from_str(examined.text()).unwrap();
    let checks = found.iter().filter(|finding| finding["check"] == "firm_check");
    let messages: Vec<_> = checks
        .map(|finding| finding["message"].as_str().unwrap())
        .collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("firm alt counted until") && messages[1].contains("firm bald counts until"));
    drop(server);
}

#[test]
fn a_check_that_cannot_be_is_refused() {
    let tomorrow = today().tomorrow().unwrap();
    for (check, expected) in [
        (
            format!("{{ by = 'X', on = {tomorrow}, what = ['Y'] }}"),
            "`firm.checked.on` is in the future",
        ),
        (
            "{ by = 'X', on = '2026-11-03', what = ['Y'] }".to_owned(),
            "`firm.checked.on`",
        ),
        (
            "{ by = 'X', on = 2026-11-03T10:00:00, what = ['Y'] }".to_owned(),
            "must be a day",
        ),
        (
            "{ by = 'X', on = 2026-11-03, what = [] }".to_owned(),
            "is an empty list",
        ),
        (
            "{ by = '', on = 2026-11-03, what = ['Y'] }".to_owned(),
            "is empty",
        ),
        ("{ by = 'X', what = ['Y'] }".to_owned(), "missing field `on`"),
        (
            "{ by = 'X', on = 2026-11-03, what = ['Y'], to = 1 }".to_owned(),
            "unknown field `to`",
        ),
    ] {
        let dir = Dir::new();
        let path = dir.write("config.toml", format!("{}checked = {check}\n", config(&["nord"])));
        let ended = finish(command(dir.path()).args(["config", "check", "--config", &path]));
        assert_eq!(ended.code, Some(1), "{check}: {ended:?}");
        assert!(
            ended.stderr.contains(expected) && ended.stderr.contains("config.toml:"),
            "{check}: {ended:?}"
        );
    }
}
