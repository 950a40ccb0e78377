//! Outcomes that firms report, the commission that they owe, and closing a month (`docs/behaviour.md`, "Commission and
//! statements").

use std::sync::Arc;
use std::time::Duration;

use calamine::{Reader, Xlsx, open_workbook};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use taubenabwehr::config::ConfigFile;
use taubenabwehr::domain::commission::{Euro, Outcome};
use taubenabwehr::domain::ledger::Month;
use taubenabwehr::domain::matching::FirmId;
use taubenabwehr::domain::referral::{Change, NewReferral};
use taubenabwehr::store::postgres::Connector;
use taubenabwehr::store::{Clock, IdempotencyKey, Store};

use crate::harness::command::Finished;
use crate::harness::referral::{NAME, Referred, config, stop, submit};
use crate::harness::{
    Dir, Document, Server, Setup, block_on, leave_out_on_postgres, record, run, until, until_true,
};
use crate::sinks::{Security, SmtpSink};

/// Personal data that must not appear in statements or on the page of a firm after its inquiry is erased.
const PERSON: [&str; 4] = [NAME, "Änne", "aenne@example.org", "123456-78"];

const ORDER: &str = "outcome=order&net_sum=1.234%2C50";

/// Firms with commission: `nord` by the common table, `sued` by its own table.
pub fn priced() -> String {
    format!(
        "{}commission = {{ per_acceptance = '10.00' }}\n[commission]\nper_acceptance = '25.00'\nshare = '8'\n",
        config(&["nord", "sued"])
    )
}

pub fn now() -> Month {
    Month::of(Timestamp::now())
}

pub fn month_before() -> String {
    now().previous().to_string()
}

fn statement(dir: &Dir, args: &[&str]) -> Finished {
    let month = now().to_string();
    run(
        dir.path(),
        &[&["firms", "statement", "--month", &month], args].concat(),
    )
}

/// The columns that do not depend on the time of the test; the last two only if they are not empty.
fn lines(csv: &str) -> Vec<String> {
    assert!(
        csv.starts_with("firm,reference,received,accepted,outcome,net_sum,commission,late,credit\r\n"),
        "{csv}"
    );
    let lines = csv.lines().skip(1).map(|line| {
        let cells: Vec<_> = line.split(',').collect();
        assert_eq!(cells.len(), 9, "{line}");
        assert_eq!(cells[1].len(), 12, "{line}");
        assert!(
            cells[2].ends_with('Z') && cells[3].parse::<Timestamp>().is_ok(),
            "{line}"
        );
        let shown = [cells[0], cells[4], cells[5], cells[6], cells[7], cells[8]].join(",");
        shown.trim_end_matches(",,").to_owned()
    });
    lines.collect()
}

/// The lines of this month so far.
fn billed(dir: &Dir) -> Vec<String> {
    lines(statement(dir, &[]).success())
}

fn assert_names_nobody(text: &str) {
    for word in PERSON {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

fn opened_at(dir: &Dir, clock: Clock) -> Store {
    match dir.schema() {
        None => Store::open_with_clock(&dir.data(), Duration::ZERO, clock).unwrap(),
        Some(schema) => {
            let connector = Connector::new(&schema.url().parse().unwrap()).unwrap();
            block_on(Store::connect_now(connector, Some(clock))).unwrap()
        }
    }
}

/// Stores an inquiry that both firms accepted at a time, and optionally the first firm's order; returns the path of that firm's
/// page.
pub fn accepted(dir: &Dir, at: Timestamp, order: Option<&str>) -> String {
    let file = ConfigFile::parse(&priced(), std::path::Path::new("config.toml")).unwrap();
    let store = opened_at(dir, Arc::new(move || at));
    store
        .set_policy(Arc::new(file.handling().unwrap().policy()))
        .unwrap();
    let body = record(NAME).to_string();
    let inquiry = taubenabwehr::domain::inquiry::NewInquiry::parse(body.as_bytes(), at).unwrap();
    let nord = FirmId::parse("nord").unwrap();
    block_on(async {
        let key = None::<IdempotencyKey>;
        let stored = store.insert(inquiry, NewReferral::default(), key).await.unwrap();
        let id = stored.into_inquiry().id;
        for firm in [0, 1] {
            store.update(id, Change::Accept(firm)).await.unwrap();
        }
        if let Some(sum) = order {
            let order = Outcome::Order(Euro::parse(sum).unwrap());
            let noted = store.note_outcome(id, nord.clone(), order).await;
            noted.unwrap().unwrap();
        }
        let firm = store.secret().firm_token(id, &nord);
        store.close(Duration::from_secs(5)).await;
        format!("/betrieb/{firm}")
    })
}

#[test]
fn a_firm_is_asked_by_mail_for_an_outcome_that_stays_open() {
    let sink = SmtpSink::start(Security::Clear);
    let dir = Dir::new();
    let toml = priced().replace("127.0.0.1:1", &sink.address.to_string());
    let path = dir.write("config.toml", toml);
    accepted(
        &dir,
        Timestamp::now() - SignedDuration::from_hours(24 * 21),
        Some("100.00"),
    );
    let server = Setup::new().dir(&dir).args(&["--config", &path]).start();
    let question = |firm: &str| sink.text(&format!("{firm}@firma.example"), "Was ist aus der Anfrage");
    let asked = until("the question", || question("sued"));
    assert_names_nobody(&asked);
    let (_, link) = asked.split_once("/betrieb/").unwrap();
    let page = format!("/betrieb/{}", link.split_whitespace().next().unwrap());
    assert!(server.get(&page).text().contains("Was ist daraus geworden?"));
    assert_eq!(submit(&server, &page, "outcome=none").status, 303);
    assert_eq!(question("nord"), None, "it has reported an order");
}

/// Outcomes can be reported for 90 days, even for erased inquiries. After that, the page is gone.
#[test]
fn the_page_of_an_erased_inquiry_ends_after_90_days() {
    for (days, status) in [(89, 200), (91, 404)] {
        let dir = Dir::new();
        let path = dir.write("config.toml", priced());
        let page = accepted(
            &dir,
            Timestamp::now() - SignedDuration::from_hours(24 * days),
            None,
        );
        run(dir.path(), &["erase", "--until", "today", "--yes"]).success();
        let server: Server = Setup::new().dir(&dir).args(&["--config", &path]).start();
        let shown = server.get(&page);
        assert_eq!(shown.status, status, "{days}: {}", shown.text());
        assert_names_nobody(shown.text());
    }
}

#[test]
fn a_firm_hears_the_price_before_it_answers() {
    let case = Referred::with(&priced(), &["nord", "sued"]);
    let page = case.page(&case.firms[0]);
    assert!(
        page.contains("25,00\u{a0}Euro") && page.contains("8\u{a0}% der Auftragssumme netto"),
        "{page}"
    );
    let page = case.page(&case.firms[1]);
    assert!(
        page.contains("Annehmen kostet 10,00\u{a0}Euro. Dazu kommt die Umsatzsteuer.")
            && !page.contains("Auftragssumme"),
        "{page}"
    );
    // SIGHUP reloads both tables.
    let changed = priced()
        .replace("'25.00'", "'30.00'")
        .replace("'10.00'", "'11.50'")
        .replace("[commission]\n", "[commission]\nvat = '0'\n");
    case.server.reload(changed, "read again");
    for (firm, price) in [(0, "30,00\u{a0}Euro"), (1, "11,50\u{a0}Euro")] {
        until_true("the page to follow", || {
            case.page(&case.firms[firm]).contains(price)
        });
        assert_eq!(case.answer(firm, "accept").status, 303);
        // The agreed price is still shown afterwards, and does not change.
        let page = case.page(&case.firms[firm]);
        let agreed = format!("Bei Ihrer Zusage galt: Annehmen kostet {price}");
        assert!(page.contains(&agreed) && !page.contains("Umsatzsteuer"), "{page}");
    }
    assert_eq!(
        billed(case.server.dir()),
        ["nord,open,,30.00", "sued,open,,11.50"]
    );
}

#[test]
fn a_firm_accepts_only_at_the_price_that_it_has_read() {
    let case = Referred::with(&priced(), &["nord", "sued"]);
    let read = |page: &str| {
        let page = Document::parse(page);
        let mut inputs = page.all("input");
        let cost = inputs
            .find(|input| input.attribute("name") == Some("cost"))
            .unwrap();
        cost.attribute("value").unwrap().to_owned()
    };
    let accept = |cost: &str| {
        let cost = percent_encoding::utf8_percent_encode(cost, percent_encoding::NON_ALPHANUMERIC);
        submit(
            &case.server,
            &case.firms[0],
            &format!("answer=accept&cost={cost}"),
        )
    };
    let old = read(&case.page(&case.firms[0]));
    case.server
        .reload(priced().replace("'25.00'", "'30.00'"), "read again");
    let page = until("the page to follow", || {
        let page = case.page(&case.firms[0]);
        page.contains("30,00\u{a0}Euro").then_some(page)
    });
    let refused = accept(&old);
    assert_eq!(refused.status, 409);
    assert!(
        refused.text().contains("Der Preis hat sich geändert"),
        "{}",
        refused.text()
    );
    assert_eq!(billed(case.server.dir()), Vec::<String>::new());
    assert!(!page.contains("Der Preis hat sich geändert"), "{page}");
    assert_eq!(accept(&read(&page)).status, 303);
    assert_eq!(billed(case.server.dir()), ["nord,open,,30.00"]);
}

#[test]
fn without_a_price_nothing_is_said_of_one() {
    let case = Referred::to(&["nord"]);
    assert!(!case.page(&case.firms[0]).contains("kostet"));
    assert_eq!(case.answer(0, "accept").status, 303);
    assert!(!case.page(&case.firms[0]).contains("Bei Ihrer Zusage galt"));
    assert_eq!(billed(case.server.dir()), ["nord,open,,0.00"]);
}

#[test]
fn one_order_is_billed_the_same_after_withdrawal_erasure_and_kills() {
    let case = Referred::with(&priced(), &["nord", "sued"]);
    assert!(!case.page(&case.firms[0]).contains("Was ist daraus geworden?"));
    assert_eq!(submit(&case.server, &case.firms[0], ORDER).status, 400);
    for firm in [0, 1] {
        assert_eq!(case.answer(firm, "accept").status, 303);
        let page = case.page(&case.firms[firm]);
        for label in [
            "Noch offen",
            "Auftrag erhalten",
            "Kein Auftrag",
            "Auftragssumme netto in Euro",
        ] {
            assert!(page.contains(label), "{label}: {page}");
        }
    }
    let Referred {
        server,
        visitor,
        firms,
    } = case;
    // All answers survive a kill.
    let server = server.kill().start();
    let saved = submit(&server, &firms[0], ORDER);
    assert_eq!(
        (saved.status, saved.expect("location")),
        (303, &*format!("{}?gespeichert", firms[0]))
    );
    let server = server.kill().start();
    let page = server.get(&firms[0]).text().to_owned();
    assert!(page.contains("value=\"1.234,50\""), "{page}");
    let dir = server.dir().clone();
    let before = statement(&dir, &[]).success().to_owned();
    assert_eq!(lines(&before), ["nord,order,1234.50,123.76", "sued,open,,10.00"]);

    assert_eq!(
        submit(&server, &format!("{visitor}/zurueckziehen"), "").status,
        303
    );
    let server = server.kill().start();
    assert_eq!(statement(&dir, &[]).success(), before);
    let id = run(dir.path(), &["inquiries", "--json"]).success().to_owned();
    let id: Value = serde_json::from_str(&id).unwrap();
    run(dir.path(), &["erase", "--yes", id[0]["id"].as_str().unwrap()]).success();
    let setup = server.kill();
    // The same without a server.
    for output in [
        statement(&dir, &[]).success().to_owned(),
        statement(&dir, &["--format", "json"]).success().to_owned(),
        statement(&dir, &["--format", "html"]).success().to_owned(),
    ] {
        assert_names_nobody(&output);
    }
    assert_eq!(statement(&dir, &[]).success(), before);

    // The firm's page still accepts the outcome, without personal data.
    let server = setup.start();
    let page = server.get(&firms[0]);
    assert_eq!(page.status, 200);
    assert_eq!(
        Document::parse(page.text()).only("h1").text,
        "Die Daten der Anfrage sind gelöscht"
    );
    assert!(page.text().contains("Was ist daraus geworden?"));
    assert_names_nobody(page.text());
    assert_eq!(submit(&server, &firms[0], "answer=accept").status, 404);
    assert_eq!(submit(&server, &firms[0], "outcome=none&net_sum=").status, 303);
    assert_eq!(
        lines(statement(&dir, &[]).success()),
        ["nord,none,,25.00", "sued,open,,10.00"]
    );
    assert_eq!(server.get(&visitor).status, 404);
}

#[test]
fn a_sum_that_is_not_one_is_kept_in_the_form() {
    let case = Referred::with(&priced(), &["nord", "sued"]);
    assert_eq!(case.answer(0, "accept").status, 303);
    let firm = &case.firms[0];
    for (sent, shown) in [
        ("1.23", "1.23"),
        ("1234.50", "1234.50"),
        ("1%2C234", "1,234"),
        ("-5", "-5"),
        ("10.000.000", "10.000.000"),
    ] {
        let refused = submit(&case.server, firm, &format!("outcome=order&net_sum={sent}"));
        assert_eq!(refused.status, 400, "{sent}");
        let page = Document::parse(refused.text());
        assert!(page.title().starts_with("Fehler: "), "{}", page.title());
        let field = page
            .all("input")
            .find(|input| input.attribute("name") == Some("net_sum"))
            .unwrap();
        assert_eq!(field.attribute("value"), Some(shown));
        assert_eq!(field.attribute("aria-invalid"), Some("true"));
        let id = field.attribute("id").unwrap();
        assert!(
            field
                .attribute("aria-describedby")
                .unwrap()
                .contains(&format!("{id}-error"))
        );
        assert!(
            page.hrefs().any(|href| href == format!("#{id}")),
            "no way to the field: {}",
            refused.text()
        );
        let chosen = page
            .all("input")
            .find(|input| input.attribute("checked").is_some())
            .unwrap();
        assert_eq!(chosen.attribute("value"), Some("order"));
    }
    for body in [
        "outcome=order",
        "outcome=order&net_sum=",
        "outcome=",
        "outcome=lost&net_sum=5",
        "net_sum=5",
    ] {
        assert_eq!(submit(&case.server, firm, body).status, 400, "{body}");
    }
    assert_eq!(billed(case.server.dir()), ["nord,open,,25.00"]);
    // A sum is ignored unless the outcome is an order.
    assert_eq!(
        submit(&case.server, firm, "outcome=none&net_sum=viel").status,
        303
    );
    assert_eq!(billed(case.server.dir()), ["nord,none,,25.00"]);
}

#[test]
fn each_format_says_the_same() {
    let case = Referred::with(&priced(), &["nord", "sued"]);
    for firm in [0, 1] {
        assert_eq!(case.answer(firm, "accept").status, 303);
    }
    assert_eq!(submit(&case.server, &case.firms[0], ORDER).status, 303);
    let dir = case.server.dir();
    let config = ["--config", "config.toml"];
    let json: Value =
        serde_json::from_str(statement(dir, &[&["--format", "json"], &config[..]].concat()).success())
            .unwrap();
    assert_eq!(json.as_array().unwrap().len(), 2);
    let nord = &json[0];
    assert_eq!(
        (&nord["firm"], &nord["name"]),
        (&json!("nord"), &json!("Firma nord & Söhne"))
    );
    assert_eq!(
        [&nord["net"], &nord["vat"], &nord["gross"]],
        [&json!("123.76"), &json!("23.51"), &json!("147.27")]
    );
    assert_eq!(nord["acceptances"][0]["net_sum"], json!("1234.50"));
    assert_eq!(json[1]["acceptances"][0]["net_sum"], Value::Null);
    let one = statement(dir, &["--firm", "sued"]);
    assert_eq!(lines(one.success()), ["sued,open,,10.00"]);
    let html = statement(dir, &["--format", "html", "--output", "statement.html"]);
    assert_eq!(html.success(), "");
    let html = std::fs::read_to_string(dir.path().join("statement.html")).unwrap();
    for shown in [
        "Firma nord &amp; Söhne",
        "1.234,50",
        "123,76",
        "147,27",
        "Umsatzsteuer 19",
        "Vorläufig",
        "Aufstellung, keine Rechnung",
        "Alle Betriebe",
        "159,17",
        "Bei Ihrer Zusage galt: Annehmen kostet 25,00\u{a0}Euro; wird daraus ein Auftrag, kommen 8\u{a0}%",
        "Bei Ihrer Zusage galt: Annehmen kostet 10,00\u{a0}Euro.",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    let page = Document::parse(&html);
    assert_eq!(page.all("article").count(), 2);
    assert_names_nobody(&html);
    // The operator's statement has the total of all firms; a firm's does not.
    let one = statement(dir, &["--format", "html", "--firm", "sued"]);
    assert!(!one.success().contains("Alle Betriebe"), "{}", one.text());
    dir.write("free.toml", priced() + "vat = '0'\n");
    let free = statement(dir, &["--format", "html", "--config", "free.toml"]);
    let free = free.success();
    assert!(
        free.contains("133,76") && !free.contains("Umsatzsteuer"),
        "{free}"
    );
    run(
        dir.path(),
        &["export", "--format", "xlsx", "--output", "export.xlsx"],
    )
    .success();
    statement(dir, &["--format", "xlsx", "--output", "statement.xlsx"]).success();
    for file in ["export.xlsx", "statement.xlsx"] {
        let mut workbook: Xlsx<_> = open_workbook(dir.path().join(file)).unwrap();
        let (_, sheet) = workbook.worksheets().remove(0);
        assert!(sheet.used_cells().any(|(_, _, cell)| *cell == 123.76), "{file}");
    }
    // No firm has accepted anything in that month.
    let empty = run(dir.path(), &["firms", "statement", "--month", "2020-01"]);
    assert_eq!(lines(empty.success()), Vec::<String>::new());
    let empty = run(
        dir.path(),
        &["firms", "statement", "--month", "2020-01", "--format", "json"],
    );
    assert_eq!(empty.success(), "[]\n");
}

#[test]
fn what_cannot_be_asked_for_is_wrong_usage() {
    let dir = Dir::new();
    for args in [
        &["--month", "2026-13"][..],
        &["--month", "November"],
        &[],
        &["--month", "2026-11", "--firm", "Nord"],
        &["--month", "2026-10", "--close", "--firm", "nord"],
    ] {
        let misused = run(dir.path(), &[&["firms", "statement"], args].concat());
        assert_eq!(misused.code, Some(2), "{args:?}: {}", misused.stderr);
    }
}

#[test]
fn a_month_that_is_over_is_closed_for_good() {
    let text = priced();
    let dir = Dir::new();
    let path = dir.write("config.toml", &text);
    // Two acceptances on the last day of the previous month.
    let inquiry = accepted(
        &dir,
        now().begins() - SignedDuration::from_hours(1),
        Some("100.00"),
    );
    let server: Server = Setup::new().dir(&dir).args(&["--config", &path]).start();
    let month = month_before();
    let closed = |args: &[&str]| {
        let args = [
            &["firms", "statement", "--config", "config.toml", "--month", &month],
            args,
        ]
        .concat();
        run(dir.path(), &args)
    };
    let open = closed(&[]).success().to_owned();
    assert_eq!(lines(&open), ["nord,order,100.00,33.00", "sued,open,,10.00"]);
    // The current month is not over.
    let early = statement(&dir, &["--close"]);
    assert_eq!(early.code, Some(1), "{}", early.stderr);
    early.fails_with("not over");
    assert_eq!(early.text(), "");

    let closing = closed(&["--close"]);
    assert_eq!(closing.success(), open);
    assert!(closing.stderr.contains("1 results are open, of sued (1)"));
    let json = closed(&["--format", "json"]).success().to_owned();
    assert!(
        json.contains("\"gross\":\"39.27\"") && !json.contains("\"closed\":null"),
        "{json}"
    );
    // What a firm reports now is billed now, and a credit takes back both, once.
    assert_eq!(submit(&server, &inquiry, "outcome=order&net_sum=150").status, 303);
    assert_eq!(billed(&dir), ["nord,order,150.00,4.00,yes,"]);
    let reference = &open.lines().nth(1).unwrap()[5..17];
    let credit = |firm: &str, reference: &str| {
        let words = format!("firms credit {reference} --firm {firm} --reason =Doppelt --config config.toml");
        run(dir.path(), &words.split(' ').collect::<Vec<_>>())
    };
    credit("nord", reference).success();
    for (firm, reference) in [("nord", reference), ("west", reference), ("nord", "0123456789ab")] {
        credit(firm, reference).failure();
    }
    let page = server.get(&inquiry).text().to_owned();
    assert!(page.contains("Gutgeschrieben: =Doppelt"), "{page}");
    assert_eq!(submit(&server, &inquiry, "outcome=none").status, 303);
    let late = [
        "nord,order,150.00,-33.00,,'=Doppelt",
        "nord,none,,0.00,yes,'=Doppelt",
    ];
    assert_eq!(billed(&dir), late);
    let shown: Value = statement(&dir, &["--format", "json"]).json();
    let line = &shown[0]["acceptances"][0];
    assert_eq!(line["credit"]["reason"], "=Doppelt");
    assert_eq!(
        (&line["late"], &shown[0]["gross"]),
        (&json!(false), &json!("-39.27"))
    );
    // An erasure changes nothing, and does not keep a firm from being credited.
    run(dir.path(), &["erase", "--until", "today", "--yes"]).success();
    assert_eq!(billed(&dir), late);
    credit("sued", reference).success();
    let late = [late[0], late[1], "sued,open,,-10.00,,'=Doppelt"];
    assert_eq!(billed(&dir), late);
    // Another tax rate or closing again changes nothing either.
    dir.write(
        "config.toml",
        text.replace("share = '8'", "share = '9'\nvat = '7'"),
    );
    assert_eq!(closed(&["--close", "--format", "json"]).success(), json);
    drop(stop(server));
    assert_eq!(closed(&["--format", "json"]).success(), json);
    assert_eq!(closed(&[]).success(), open);
    assert_eq!(billed(&dir), late);
}

/// A command without a configuration file gets the tax rate from the running server.
#[test]
fn a_month_is_closed_at_the_rate_of_the_running_server() {
    let dir = Dir::new();
    leave_out_on_postgres!("a command that asks the server");
    let text = priced() + "vat = '7'\n";
    let path = dir.write("config.toml", &text);
    accepted(&dir, now().begins() - SignedDuration::from_hours(1), None);
    let server = Setup::new().dir(&dir).args(&["--config", &path]).start();
    let month = month_before();
    let gross = |args: &[&str]| {
        let all = [
            &["firms", "statement", "--month", &month, "--format", "json"],
            args,
        ]
        .concat();
        let printed = run(dir.path(), &all);
        let firms: Value = printed.json();
        firms[0]["gross"].clone()
    };
    assert_eq!(gross(&[]), "26.75");
    assert_eq!(gross(&["--close"]), "26.75");
    dir.write("config.toml", priced());
    drop(stop(server));
    assert_eq!(gross(&["--config", "config.toml"]), "26.75", "it is closed");
}
