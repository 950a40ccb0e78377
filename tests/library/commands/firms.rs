//! Commands about firms, and the report.

use super::*;

#[test]
fn firms_are_listed_with_their_answers() {
    let (place, _) = Place::filled();
    let config = place.config();
    let firms = place.json(&["firms", "--json", "--config", config.to_str().unwrap()]);
    let counts = |at: usize| {
        let firm = &firms[at];
        let names = ["asked", "accepted", "declined", "silent"];
        let counts: Vec<_> = names.iter().map(|name| firm[name].as_u64().unwrap()).collect();
        (firm["firm"].as_str().unwrap().to_owned(), counts)
    };
    // Firms were asked in turn; after the decline of the second inquiry, the first firm was asked again.
    assert_eq!(counts(0), ("alster".to_owned(), vec![3, 1, 0, 0]), "{firms}");
    assert_eq!(counts(1), ("bille".to_owned(), vec![1, 0, 1, 0]), "{firms}");
    assert_eq!(counts(2), ("dock".to_owned(), vec![0, 0, 0, 0]), "{firms}");
    assert!(firms[0]["median_hours"].is_number() && firms[2]["median_hours"].is_null());
    let none = place.json(&["firms", "--json", "--since", "2126-01-01"]);
    assert_eq!(none, json!([]));
}

#[test]
fn firms_are_shown_in_the_order_of_their_turns() {
    let (place, _) = Place::filled();
    let config = place.config();
    let config = config.to_str().unwrap();
    let matching = [
        "firms",
        "match",
        "--json",
        "--config",
        config,
        "--postal-code",
        "22087",
    ];
    let turns = |more: &[&str]| {
        let listed = place.json(&[&matching, more].concat());
        let turns = listed.as_array().unwrap().iter();
        turns
            .map(|turn| (turn["firm"].as_str().unwrap().to_owned(), turn["at_once"] == true))
            .collect::<Vec<_>>()
    };
    let expected = |firms: &[(&str, bool)]| {
        let firms = firms.iter();
        firms
            .map(|(firm, at_once)| ((*firm).to_owned(), *at_once))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        turns(&[]),
        expected(&[("elbe", true), ("bille", false), ("alster", false)])
    );
    assert_eq!(
        turns(&["--problem", "nesting"]),
        expected(&[("bille", true), ("alster", false)])
    );
    assert_eq!(turns(&["--property-type", "industrial"])[0].0, "dock");
    for wrong in [
        vec!["firms", "match", "--postal-code", "22087"],
        vec!["firms", "match", "--config", config],
        vec!["firms", "match", "--config", config, "--postal-code", "99999"],
        vec![
            "firms",
            "match",
            "--config",
            config,
            "--postal-code",
            "22087",
            "--problem",
            "rain",
        ],
        vec!["firms", "--since", "gestern"],
    ] {
        assert_eq!(place.run(&wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn the_report_is_one_page_that_names_no_visitor() {
    let (place, _) = Place::filled();
    let store = place.open();
    let day = "2026-11-03".parse().unwrap();
    let counts = [
        ("page:/".to_owned(), 5_701),
        ("step:0".to_owned(), 401),
        ("inquiry".to_owned(), 2),
    ];
    place.runtime.block_on(async {
        store.count(day, counts.into_iter().collect()).await.unwrap();
        assert!(store.close(Duration::from_secs(10)).await);
    });
    drop(store);
    let config = place.config();
    let path = place.path().join("report.html");
    let all = [
        "report",
        "--config",
        config.to_str().unwrap(),
        "--output",
        path.to_str().unwrap(),
    ];
    let report = |more: &[&str]| {
        assert_eq!(place.read(&[&all, more].concat()), "");
        std::fs::read_to_string(&path).unwrap()
    };
    let page = report(&[]);
    for part in ["Alster GmbH", "Bille OHG", "22087", "5.701"] {
        assert!(page.contains(part), "{part}");
    }
    for private in ["Krause", "Anna", "example.de", "Zwei Nester"] {
        assert!(!page.contains(private), "{private}");
    }
    // The day after the counts.
    assert!(!report(&["--since", "2026-11-04"]).contains("5.701"));
    assert!(report(&["--until", "2026-11-04"]).contains("5.701"));
    assert!(!report(&["--until", "2026-11-03"]).contains("5.701"));
    assert_eq!(place.run(&["report"]).status.code(), Some(2));
}

#[test]
fn of_each_firm_that_is_not_asked_the_reason_is_said() {
    let (place, _) = Place::filled();
    let config = place.config();
    let more = "[[firm]]\nid = 'fleet'\nname = 'Fleet'\nemail = 'a@fleet.example'\npostal_codes = ['22']\npaused = true\n\
        [[firm]]\nid = 'geest'\nname = 'Geest'\nemail = 'a@geest.example'\npostal_codes = ['20']\n";
    // The first firm has been asked three times.
    let text = std::fs::read_to_string(&config).unwrap();
    let text = text.replacen(
        "postal_codes = ['22']\n",
        "postal_codes = ['22']\nper_week = 3\n",
        1,
    );
    std::fs::write(&config, format!("{text}{more}")).unwrap();
    let config = config.to_str().unwrap();
    let code = [
        "firms",
        "match",
        "--config",
        config,
        "--postal-code",
        "22087",
        "--problem",
        "nesting",
    ];
    let listed = place.read(&code);
    for line in [
        "not asked: alster (was asked per_week times within seven days)",
        "not asked: dock (takes other buildings)",
        "not asked: elbe (takes other problems)",
        "not asked: fleet (paused)",
        "not asked: geest (works elsewhere)",
    ] {
        assert!(listed.lines().any(|listed| listed == line), "{line}\n{listed}");
    }
    assert!(!listed.contains("not asked: bille"), "{listed}");
}
