//! Pages show the same as the output of commands.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::Value;
use taubenabwehr::base::text::berlin;
use taubenabwehr::domain::ledger::Month;

use super::{AtDesk, setup};
use crate::harness::referral::{NAME, config, submit};
use crate::harness::{Server, record, run};

/// The visible text of an HTML page, with plain spaces.
fn text(html: &str) -> String {
    let (_, body) = html.split_once("<main").unwrap();
    let mut text = String::new();
    let mut is_tag = true;
    for character in body.chars() {
        match character {
            '<' => is_tag = true,
            '>' => {
                is_tag = false;
                text.push(' ');
            }
            _ if is_tag => {}
            _ => text.push(character),
        }
    }
    let text = html_escape::decode_html_entities(&text).replace('\u{a0}', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn store(server: &Server, name: &str) -> String {
    server.store_id(&record(name))
}

#[test]
fn the_inbox_lists_what_the_command_lists() {
    let desk = AtDesk::with(&["nord", "sued"]);
    for name in ["Meier", "Kranichfeld", "Öztürk"] {
        store(&desk.server, name);
    }
    let page = desk.page("/posteingang");
    let listed = desk.json(&["inquiries"]);
    let mut places = Vec::new();
    for inquiry in listed.as_array().unwrap() {
        let id = inquiry["id"].as_str().unwrap();
        places.push(page.find(&format!("/anfragen/{id}")).unwrap());
        for key in ["last_name", "postal_code"] {
            assert!(page.contains(inquiry[key].as_str().unwrap()), "{key}");
        }
    }
    assert!(
        places.is_sorted_by(|one, next| one > next),
        "newest first: {places:?}"
    );
    assert!(text(&page).contains("0 von 2 angenommen"), "{}", text(&page));

    for (query, found) in [
        ("search=kranich", 1),
        ("search=040+123", 3),
        ("search=niemand", 0),
        ("state=asked", 3),
        ("state=accepted", 0),
        ("state=asked&search=%C3%B6zt%C3%BCrk", 1),
        ("state=unfug", 3),
    ] {
        let page = desk.page(&format!("/posteingang?{query}"));
        assert_eq!(page.matches("href=\"/anfragen/").count(), found, "{query}");
    }
}

#[test]
fn pages_of_fifty_follow_each_other() {
    let desk = AtDesk::of(setup("").start());
    for number in 0..53 {
        store(&desk.server, &format!("Nummer {number:02}"));
    }
    let first = desk.page("/posteingang");
    assert_eq!(first.matches("href=\"/anfragen/").count(), 50);
    assert!(first.contains("Nummer 52") && !first.contains("Nummer 02"));
    let (_, next) = first.split_once("href=\"/posteingang?before=").unwrap();
    let next = next.split('"').next().unwrap();
    // New inquiries do not shift the pages.
    store(&desk.server, "Neu");
    let second = desk.page(&format!("/posteingang?before={next}"));
    assert_eq!(second.matches("href=\"/anfragen/").count(), 3);
    assert!(second.contains("Nummer 02") && second.contains("Nummer 00") && !second.contains("?before="));
}

#[test]
fn the_first_screen_says_what_is_to_be_done() {
    let desk = AtDesk::with(&["nord"]);
    assert!(text(&desk.page("/posteingang")).contains("Nichts. Keine Anfrage wartet auf Sie."));
    let mut far = record("Meier");
    far["postal_code"] = "22927".into();
    let no_firm = AtDesk::of(
        setup(&config(&["nord"]).replace("postal_codes = ['2']", "postal_codes = ['20']")).start(),
    );
    no_firm.server.store(&far);
    let page = text(&no_firm.page("/posteingang"));
    assert!(page.contains("1 Anfrage ohne Betrieb"), "{page}");
    // Search results hide the list of tasks.
    assert!(!text(&no_firm.page("/posteingang?search=Meier")).contains("Jetzt zu tun"));
}

#[test]
fn an_inquiry_shows_all_that_show_says() {
    let desk = AtDesk::with(&["nord"]);
    let mut inquiry = record(NAME);
    inquiry["types_of_problems"] = "nesting".into();
    let id = desk.server.store_id(&inquiry);
    let page = desk.page(&format!("/anfragen/{id}"));
    let shown = desk.json(&["inquiries", "show", &id, "--public-url", &desk.server.origin()]);
    let plain = text(&page);
    for key in [
        "first_name",
        "last_name",
        "email_address",
        "phone_number",
        "postal_code",
        "id",
    ] {
        let value = shown[key].as_str().unwrap();
        assert!(plain.contains(value), "{key}: {value} is not in {plain}");
    }
    for label in ["Nisten", "Firma nord & Söhne", "noch keine Antwort", &id[24..]] {
        assert!(plain.contains(label), "{label}: {plain}");
    }
    for link in [&shown["link"], &shown["firms"][0]["link"]] {
        assert!(page.contains(link.as_str().unwrap()), "{link}");
    }
    let deliveries = shown["deliveries"].as_array().unwrap().len();
    assert_eq!(page.matches("name=\"number\"").count(), deliveries);
    for missing in ["/anfragen/x", "/anfragen/019a3c5e-7b1c-7def-8000-0123456789ab"] {
        let page = desk.get(missing);
        assert_eq!(page.status, 404, "{missing}");
        assert!(
            page.text().contains("Hauptmenü") && page.text().contains("/abmelden"),
            "{missing}"
        );
    }
}

/// An address is always a single recipient, whatever it contains.
#[test]
fn a_link_to_a_mail_address_adds_no_recipient() {
    let desk = AtDesk::with(&["nord"]);
    let mut inquiry = record(NAME);
    inquiry["email_address"] = "x?bcc=y@example.de".into();
    let id = desk.server.store_id(&inquiry);
    let link = "href=\"mailto:x%3Fbcc%3Dy@example.de\"";
    let page = desk.page(&format!("/anfragen/{id}"));
    assert!(page.contains(link), "{page}");
    let origin = desk.server.origin();
    let shown = desk.json(&["inquiries", "show", &id, "--public-url", &origin]);
    let firm = shown["firms"][0]["link"].as_str().unwrap();
    let firm = firm.strip_prefix(&*origin).unwrap();
    assert_eq!(submit(&desk.server, firm, "answer=accept").status, 303);
    let page = desk.server.get(firm);
    assert!(page.text().contains(link), "{}", page.text());
}

#[test]
fn firms_statement_report_and_health_are_those_of_the_commands() {
    let toml = format!(
        "{}[commission]\nper_acceptance = '25.00'\n",
        config(&["nord", "sued"])
    );
    let desk = AtDesk::of(setup(&toml).start());
    store(&desk.server, NAME);
    let path = desk.server.dir().path().join("config.toml");
    let path = path.to_str().unwrap();

    let page = text(&desk.page("/betriebe"));
    for firm in desk.json(&["firms", "--config", path]).as_array().unwrap() {
        let name = format!("Firma {} & Söhne", firm["firm"].as_str().unwrap());
        assert_has!(page, &format!("{name} aktiv gefragt {}", firm["asked"]));
    }
    let today = berlin::day(Timestamp::now());
    let tomorrow = today.tomorrow().unwrap();
    for (period, asked) in [
        (format!("since={today}"), 1),
        (format!("since={tomorrow}"), 0),
        (format!("until={today}"), 0),
        (format!("since={today}&until={tomorrow}"), 1),
    ] {
        let page = text(&desk.page(&format!("/betriebe?{period}")));
        assert_has!(page, &format!("Firma nord & Söhne aktiv gefragt {asked}"));
    }
    assert_eq!(desk.get("/betriebe?since=bald").status, 409);

    let month = Month::of(Timestamp::now()).to_string();
    for (format, file) in [("csv", ".csv"), ("html", ".html")] {
        let downloaded = desk.get(&format!("/abrechnung/{month}{file}"));
        let args = [
            "firms",
            "statement",
            "--month",
            &month,
            "--format",
            format,
            "--config",
            path,
        ];
        let printed = run(desk.server.dir().path(), &args);
        assert_eq!(downloaded.text(), printed.success());
        assert_eq!(
            downloaded.expect("content-disposition"),
            format!("attachment; filename=\"abrechnung-{month}{file}\"")
        );
    }
    assert_has!(
        desk.page(&format!("/abrechnung?month={month}")),
        "hat kein Betrieb etwas angenommen"
    );
    let one = desk.get(&format!("/abrechnung/{month}.csv?firm=nord"));
    assert_eq!(
        one.expect("content-disposition"),
        format!("attachment; filename=\"abrechnung-{month}-nord.csv\"")
    );
    let wrong = format!("/abrechnung/{month}.csv?firm=%22");
    assert_eq!(desk.get(&wrong).status, 404);

    let report = desk.page("/bericht/ansehen");
    let file = desk.server.dir().path().join("report.html");
    let args = ["report", "--output", file.to_str().unwrap(), "--config", path];
    run(desk.server.dir().path(), &args).success();
    // Both contain the minute in which they were made, so only their headings are compared.
    let headings = |html: &str| html.matches("<h2").count();
    assert_eq!(
        headings(&report),
        headings(&std::fs::read_to_string(&file).unwrap())
    );
    assert_eq!(
        desk.get("/bericht/ansehen?since=2026-02-01&until=2026-01-01")
            .status,
        409
    );

    let health = text(&desk.page("/zustand"));
    let args = ["doctor", "--config", path, "--rate-limit", "0", "--json"];
    let printed = run(desk.server.dir().path(), &args);
    let findings: Value = serde_json::from_str(printed.text()).unwrap();
    for finding in findings.as_array().unwrap() {
        let check = finding["check"].as_str().unwrap();
        assert!(health.contains(&format!("{check}: ")), "{check}: {health}");
    }
    for german in ["Einstellungen des Servers", "Festplatte: Ist noch Platz?"] {
        assert!(health.contains(german), "{german}: {health}");
    }
    for path in ["/betriebe", "/abrechnung", "/bericht", "/zustand"] {
        let page = desk.page(path);
        assert!(
            page.contains("aria-current=\"page\"") && !page.contains("<script"),
            "{path}"
        );
    }
}

#[test]
fn the_page_of_health_comes_although_nobody_answers() {
    // Accepts connections and never responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let desk = setup(&format!(
        "public_url = 'http://{address}'\n[mail]\nserver = 'smtp://{address}'\nfrom = 'a@example.de'\n[notify]\n\
         mail = ['team@example.de']\nwebhook = 'https://{address}/'\nwebhook_secret_file = 'webhook-secret'\n"
    ));
    desk.dir
        .write("webhook-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    let desk = AtDesk::of(desk.start());
    let begun = Instant::now();
    let page = text(&desk.page("/zustand"));
    assert!(begun.elapsed() < Duration::from_secs(50), "{:?}", begun.elapsed());
    for check in ["public_address", "mail", "webhook"] {
        assert!(page.contains(check), "{check}: {page}");
    }
}
