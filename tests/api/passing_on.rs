//! The limit of inquiries per sender that are passed on to firms: a busy sender cannot use up the quota of firms, and no lead is
//! lost.

use serde_json::Value;

use crate::harness::inquiry::{post, record};
use crate::harness::referral::config;
use crate::harness::{Request, Server, Setup, run, until_true};

/// A server with firms that accept four inquiries a week: the default daily limit of one sender, and one more.
fn server(more: &str) -> Server {
    let firms =
        config(&["a", "b", "c"]).replace("postal_codes = ['2']\n", "postal_codes = ['2']\nper_week = 4\n");
    let toml = format!("{firms}[notify]\nmail = ['team@example.de']\n{more}");
    let setup = Setup::bare().args(&["--rate-limit", "1000", "--trusted-proxy", "127.0.0.0/8"]);
    setup.config(toml).start()
}

/// Posts an inquiry as a client behind the proxy; returns its id.
fn send(server: &Server, client: &str, mail: &str, phone: &str) -> String {
    let mut record = record("Kranich");
    record["email_address"] = mail.into();
    record["phone_number"] = phone.into();
    let (stored, page) = server.inquire(&post(&record).header("X-Forwarded-For", client));
    assert!(page.starts_with("/anfrage/"));
    stored["id"].as_str().unwrap().to_owned()
}

fn command(server: &Server, args: &[&str]) -> String {
    let finished = run(server.dir().path(), args);
    finished.success().to_owned()
}

fn list(server: &Server, args: &[&str]) -> Vec<Value> {
    let printed = command(server, &[args, &["--json"]].concat());
    serde_json::from_str(&printed).unwrap()
}

/// The states of these inquiries.
fn states(server: &Server, ids: &[String]) -> Vec<String> {
    let all = list(server, &["inquiries"]);
    let state = |id: &String| {
        let row = all.iter().find(|row| row["id"] == id.as_str()).unwrap();
        row["state"].as_str().unwrap().to_owned()
    };
    ids.iter().map(state).collect()
}

fn deliveries(server: &Server, kind: &str) -> usize {
    let all = list(server, &["deliveries"]);
    all.iter().filter(|delivery| delivery["kind"] == kind).count()
}

/// The client, the email address and the phone number of the `n`th inquiry.
type Sender = fn(usize) -> [String; 3];

fn mail(n: usize) -> String {
    format!("person{n}@example.org")
}

fn phone(n: usize) -> String {
    format!("+49 40 5550{n:04}")
}

/// Ways to appear as many senders, each of which must be detected by itself.
const ABUSERS: [(&str, Sender); 5] = [
    ("one client", |n| ["198.51.100.1".to_owned(), mail(n), phone(n)]),
    ("one /64", |n| [format!("2001:db8:1:2::{n:x}"), mail(n), phone(n)]),
    ("one /48", |n| [format!("2001:db8:1:{n:x}::1"), mail(n), phone(n)]),
    ("one mail address", |n| {
        let local: String = "anna"
            .chars()
            .enumerate()
            .map(|(at, letter)| {
                if n >> at & 1 == 1 {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                }
            })
            .collect();
        [
            format!("198.51.100.{n}"),
            format!("{local}@example.org"),
            phone(n),
        ]
    }),
    ("one telephone", |n| {
        let begins = ["+49 40", "040", "40", "(040)", "+49-(40)", "49 40"];
        let number = format!("{} 12{}345678", begins[n % 6], " ".repeat(n % 2));
        [format!("198.51.100.{n}"), mail(n), number]
    }),
];

#[test]
fn who_sends_many_leaves_firms_to_others() {
    for (kind, sender) in ABUSERS {
        let server = server("");
        let ids: Vec<_> = (1..=12)
            .map(|n| {
                let [client, mail, phone] = sender(n);
                send(&server, &client, &mail, &phone)
            })
            .collect();
        let states_of = states(&server, &ids);
        assert!(
            states_of[..3].iter().all(|state| state == "asked"),
            "{kind}: {states_of:?}"
        );
        assert!(
            states_of[3..].iter().all(|state| state == "suspected"),
            "{kind}: {states_of:?}"
        );
        let honest = send(&server, "203.0.113.77", "honest@example.com", "0171 5550101");
        let shown = command(&server, &["inquiries", "show", &honest, "--json"]);
        let shown: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(shown["firms"].as_array().unwrap().len(), 3, "{kind}: {shown}");
    }
}

#[test]
fn what_is_held_is_told_and_can_be_released() {
    let server = server("");
    let [client, phone] = ["198.51.100.1", "040 123"].map(str::to_owned);
    let ids: Vec<_> = (1..=10)
        .map(|n| send(&server, &client, &mail(n), &format!("{phone}{n:05}")))
        .collect();
    // The sender of a held inquiry sees the same page as otherwise.
    let response = server.send(&post(&record("Kranich")).header("X-Forwarded-For", &client));
    assert_eq!(response.expect("firms-asked"), "?1");
    let token = response.expect("location").trim_start_matches("/anfrage/");
    let thanks = server.get(&format!("/danke?anfrage={token}"));
    assert!(thanks.text().contains("Erste Angebote"), "{}", thanks.text());
    assert_eq!(deliveries(&server, "operator-new"), 3);
    assert_eq!(deliveries(&server, "operator-held"), 5, "a mailbox is not filled");
    assert_eq!(deliveries(&server, "firm-request"), 9);
    for (number, id) in [(4, &ids[3]), (10, &ids[9])] {
        let shown: Value =
            serde_json::from_str(&command(&server, &["inquiries", "show", id, "--json"])).unwrap();
        assert_eq!(
            shown["suspicion"],
            serde_json::json!({ "kind": "number", "number": number })
        );
    }
    let held = ids.last().unwrap();
    command(&server, &["inquiries", "release", held]);
    // With a database, a server asks the firms after the command.
    until_true("the firms to be asked", || {
        states(&server, &ids[9..]) == ["asked"]
    });
    assert_eq!(deliveries(&server, "firm-request"), 12);
    server.logged("held back");
}

/// The number of inquiries that a network may send in a day before it counts as a crowd.
const DAILY_SHARE: usize = 2000;

#[test]
fn repetitions_use_up_no_share_of_a_network() {
    let server = server("[matching]\nper_day = 0\n");
    let mut connection = server.connect();
    let repeated = post(&record("Kranich"))
        .header("Idempotency-Key", "the-same")
        .header("X-Forwarded-For", "198.51.100.1");
    for _ in 0..=DAILY_SHARE {
        assert_eq!(connection.send(&repeated).status, 201);
    }
    let id = send(&server, "198.51.100.1", "anna@example.org", "040 5550101");
    assert_eq!(states(&server, &[id]), ["asked"]);
}

#[test]
fn repetitions_and_wrong_ones_are_not_counted() {
    let server = server("");
    let repeated = post(&record("Kranich")).header("Idempotency-Key", "the-same");
    for _ in 0..5 {
        assert_eq!(server.send(&repeated).status, 201);
    }
    let wrong: Request = post(&crate::harness::inquiry::with("postal_code", "x"));
    for _ in 0..5 {
        assert_eq!(server.send(&wrong).status, 400);
    }
    let ids = ["1", "2"].map(|n| {
        send(
            &server,
            "127.0.0.1",
            &format!("a{n}@example.org"),
            &format!("040 5550000{n}"),
        )
    });
    assert_eq!(states(&server, &ids), ["asked", "asked"]);
}

#[test]
fn the_operator_says_how_many() {
    for (more, asked) in [("[matching]\nper_day = 1\n", 1), ("[matching]\nper_day = 0\n", 4)] {
        let server = server(more);
        let ids: Vec<_> = (1..=4)
            .map(|n| send(&server, "198.51.100.1", &mail(n), &phone(n)))
            .collect();
        let states = states(&server, &ids);
        let count = states.iter().filter(|state| *state == "asked").count();
        assert_eq!(count, asked, "{more}: {states:?}");
    }
}
