//! The commands about inquiries, each with a running server and without: they print the same, and change the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use taubenabwehr::control::{self, Listener};
use taubenabwehr::inquiry::{NewInquiry, Suspicion};
use taubenabwehr::matching::{Firm, FirmId, PostalPrefix};
use taubenabwehr::referral::{Change, Lane, Message, NewReferral, Outcome, Plan, Reach};
use taubenabwehr::store::{Store, TimeRange};
use uuid::Uuid;

/// A data directory, and the runtime on which its store runs.
struct Place {
    dir: TempDir,
    runtime: Runtime,
}

/// A server over a store, until it is stopped.
struct Server<'a> {
    place: &'a Place,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// What was put into the store.
struct Ids {
    accepted: Uuid,
    declined: Uuid,
    suspected: Uuid,
    withdrawn: Uuid,
}

const ORIGIN: &str = "https://tauben.example";

fn firm(id: &str, name: &str) -> Firm {
    Firm {
        id: FirmId::parse(id).unwrap(),
        name: name.to_owned(),
        email: format!("{id}@firma.example"),
        phone: None,
        website: None,
        postal_codes: vec![PostalPrefix::parse("2").unwrap()],
        property_types: None,
        problems: None,
        per_week: None,
        paused: false,
    }
}

fn plan() -> Arc<Plan> {
    Arc::new(Plan {
        firms: Arc::new([firm("alster", "Alster GmbH"), firm("bille", "Bille OHG")]),
        offers: 1,
        operator_mailboxes: 1,
        visitor_mail: true,
        ..Plan::default()
    })
}

fn inquiry(email: &str, created_at: &str) -> NewInquiry {
    let body = json!({
        "created_at": created_at,
        "postal_code": "22087",
        "property_type": "residential",
        "types_of_problems": "nesting",
        "first_name": "Anna",
        "last_name": "Krause",
        "email_address": email,
        "phone_number": "+49 40 1234567",
    });
    NewInquiry::parse(body.to_string().as_bytes(), created_at.parse().unwrap()).unwrap()
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        Self {
            dir,
            runtime: Runtime::new().unwrap(),
        }
    }

    /// A directory with four inquiries: Anna's was accepted by one firm, Bernd's declined by one, a robot's is held back, and
    /// a fourth was withdrawn. Every mail to the operator has failed.
    fn filled() -> (Self, Ids) {
        let place = Self::new();
        let ids = place.runtime.block_on(fill(place.path()));
        (place, ids)
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn serve(&self) -> Server<'_> {
        let _inside = self.runtime.enter();
        let store = Arc::new(Store::open(self.path()).unwrap());
        let listener = Listener::bind(self.path()).unwrap();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(control::serve(listener, store, async { drop(stopped.await) }));
        Server {
            place: self,
            stop,
            task,
        }
    }

    /// Runs a command that only reads, without a server and with one, and returns what both print.
    fn read(&self, args: &[&str]) -> String {
        let alone = success(&run(self.path(), args));
        let server = self.serve();
        let printed = success(&run(self.path(), args));
        server.stop();
        assert_eq!(printed, alone, "{args:?}");
        alone
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.read(args)).unwrap()
    }

    fn config(&self) -> PathBuf {
        let path = self.path().join("config.toml");
        let firm = |id: &str, name: &str, types: &str| {
            format!(
                "[[firm]]\nid = '{id}'\nname = '{name}'\nemail = '{id}@firma.example'\npostal_codes = ['22']\n{types}"
            )
        };
        let text = [
            "[mail]\nserver = 'smtp://mail.example'\nfrom = 'A <a@example.de>'\n[matching]\noffers = 1\n"
                .to_owned(),
            firm("alster", "Alster GmbH", ""),
            firm("bille", "Bille OHG", ""),
            firm("dock", "Dock KG", "property_types = ['industrial']\n"),
            firm("elbe", "Elbe AG", "problems = ['noise']\n"),
        ];
        std::fs::write(&path, text.concat()).unwrap();
        path
    }
}

impl Server<'_> {
    fn stop(self) {
        self.stop.send(()).unwrap();
        self.place.runtime.block_on(self.task).unwrap();
    }
}

async fn fill(dir: &Path) -> Ids {
    let store = Store::open(dir).unwrap();
    store.follow(plan()).unwrap();
    let new = || NewReferral {
        consent: Some(1),
        addition: "Zwei Nester\n\u{1b}[31mrot".to_owned(),
    };
    let put = async |inquiry: NewInquiry, referral: NewReferral| {
        let inserted = store.insert(inquiry, referral, None).await.unwrap();
        inserted.into_inquiry().id
    };
    let accepted = put(inquiry("Anna@Example.de", "2026-11-02T08:00:00Z"), new()).await;
    let declined = put(
        inquiry("bernd@example.de", "2026-11-03T08:00:00Z"),
        NewReferral::default(),
    )
    .await;
    let robot = inquiry("robot@example.de", "2026-11-04T08:00:00Z").marked(Some(Suspicion::TrapFilled));
    let suspected = put(robot, NewReferral::default()).await;
    let withdrawn = put(inquiry("anna@example.de", "2026-11-05T08:00:00Z"), new()).await;
    store.update(accepted, Change::Accept(0)).await.unwrap();
    store.update(declined, Change::Decline(0)).await.unwrap();
    let claimed = store.claim(Lane::Mail, 100).await.unwrap();
    for claim in claimed.claims {
        let outcome = match claim.delivery.message {
            Message::OperatorNew(Some(0)) => Outcome::Failed {
                reason: "550 no such mailbox".to_owned(),
                reach: Reach::NotTaken,
            },
            _ => Outcome::Delivered,
        };
        store.settle(&claim, outcome).await.unwrap();
    }
    store.update(withdrawn, Change::Withdraw).await.unwrap();
    assert!(store.subscribe("ANNA@example.de".to_owned()).await.unwrap());
    assert!(store.subscribe("carla@example.de".to_owned()).await.unwrap());
    let key = store.subscription_key("anna@example.de");
    let asked = store.subscription(key).await.unwrap().unwrap().requested_at;
    assert!(store.confirm_subscription(key, asked).await.unwrap());
    assert!(store.close(Duration::from_secs(10)).await);
    Ids {
        accepted,
        declined,
        suspected,
        withdrawn,
    }
}

fn run(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taubenabwehr"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TAUBENABWEHR_") {
            command.env_remove(name);
        }
    }
    command.args(args).env("TAUBENABWEHR_DATA_DIR", dir);
    command.stdin(Stdio::null()).output().unwrap()
}

fn success(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn failure(output: &Output) -> String {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(1), 0),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

/// Runs a test on a filled directory, without a server and with one.
fn each_way(test: impl Fn(&Place, &Ids)) {
    let (place, ids) = Place::filled();
    test(&place, &ids);
    let (place, ids) = Place::filled();
    let server = place.serve();
    test(&place, &ids);
    server.stop();
}

fn state(place: &Place, id: Uuid) -> String {
    let shown = success(&run(
        place.path(),
        &["inquiries", "show", &id.to_string(), "--json"],
    ));
    let shown: Value = serde_json::from_str(&shown).unwrap();
    shown["state"].as_str().unwrap().to_owned()
}

#[test]
fn inquiries_are_listed_with_their_states() {
    let (place, ids) = Place::filled();
    let listed = place.json(&["inquiries", "--json"]);
    assert_eq!(
        listed[0],
        json!({
            "id": ids.accepted.to_string(), "created_at": "2026-11-02T08:00:00.000Z", "postal_code": "22087",
            "state": "accepted", "asked": 1, "accepted": 1, "waiting": 0, "failed": 1,
        })
    );
    let states: Vec<_> = (0..4).map(|at| listed[at]["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["accepted", "asked", "suspected", "withdrawn"]);
    assert_eq!(listed[3]["postal_code"], Value::Null);
    let some = place.json(&[
        "inquiries",
        "--json",
        "--since",
        "2026-11-03",
        "--until",
        "2026-11-04",
    ]);
    assert_eq!(some.as_array().unwrap().len(), 1);
    assert_eq!(some[0]["id"], ids.declined.to_string());
    assert_eq!(
        place.json(&["inquiries", "--json", "--since", "2027-01-01"]),
        json!([])
    );

    let table = place.read(&["inquiries"]);
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 5);
    let column = lines[0].find("STATE").unwrap();
    for (line, state) in lines[1..].iter().zip(states) {
        assert_eq!(line.find(state), Some(column), "{table}");
    }
}

#[test]
fn everything_about_one_inquiry_is_shown() {
    let (place, ids) = Place::filled();
    let id = ids.accepted.to_string();
    let upper = id.to_uppercase();
    let shown = place.json(&["inquiries", "show", &upper, "--json", "--public-url", ORIGIN]);
    assert_eq!(shown["id"], id);
    assert_eq!(shown["email_address"], "Anna@Example.de");
    assert_eq!(shown["addition"], "Zwei Nester\n\u{1b}[31mrot");
    assert_eq!(shown["consent"]["version"], 1);
    assert_eq!(shown["consent"]["at"], "2026-11-02T08:00:00.000Z");
    assert!(
        shown["consent"]["wording"]
            .as_str()
            .unwrap()
            .contains("Fachbetriebe")
    );
    let firm = &shown["firms"][0];
    assert_eq!(
        (&firm["id"], &firm["answer"]),
        (&json!("alster"), &json!("accepted"))
    );
    let deliveries = shown["deliveries"].as_array().unwrap();
    assert_eq!(deliveries[0]["id"], format!("{id}-0"));
    assert_eq!(deliveries[0]["reason"], "550 no such mailbox");
    let told: Vec<_> = deliveries
        .iter()
        .map(|delivery| delivery["recipient"].as_str().unwrap())
        .collect();
    assert_eq!(told, ["operator", "firm:alster", "visitor", "visitor"]);

    let store = Store::open_existing(place.path()).unwrap();
    let token = store.secret().visitor_token(ids.accepted);
    let firm_token = store
        .secret()
        .firm_token(ids.accepted, &FirmId::parse("alster").unwrap());
    assert!(place.runtime.block_on(store.close(Duration::from_secs(10))));
    drop(store);
    assert_eq!(shown["link"], format!("{ORIGIN}/anfrage/{token}"));
    assert_eq!(firm["link"], format!("{ORIGIN}/betrieb/{firm_token}"));

    let text = place.read(&["inquiries", "show", &id]);
    for part in [
        "Anna@Example.de",
        "Zwei Nester",
        "Fachbetriebe",
        "alster",
        "550 no such mailbox",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains('\u{1b}') && !text.contains("/anfrage/"), "{text}");

    let unknown = Uuid::nil().to_string();
    let alone = failure(&run(place.path(), &["inquiries", "show", &unknown]));
    let server = place.serve();
    assert_eq!(
        failure(&run(place.path(), &["inquiries", "show", &unknown])),
        alone
    );
    server.stop();
}

#[test]
fn a_suspected_inquiry_is_released_once() {
    each_way(|place, ids| {
        let id = ids.suspected.to_string().to_uppercase();
        assert_eq!(state(place, ids.suspected), "suspected");
        let released = success(&run(place.path(), &["inquiries", "release", &id]));
        assert_eq!(released, format!("{} released\n", ids.suspected));
        assert_eq!(state(place, ids.suspected), "received");
        let again = failure(&run(place.path(), &["inquiries", "release", &id]));
        assert!(again.contains("not held back"), "{again}");
        failure(&run(
            place.path(),
            &["inquiries", "release", &Uuid::nil().to_string()],
        ));
    });
}

#[test]
fn deliveries_that_failed_are_listed_and_tried_again() {
    let (place, ids) = Place::filled();
    let failed = place.json(&["deliveries", "--failed", "--json"]);
    assert_eq!(failed.as_array().unwrap().len(), 2, "{failed}");
    let first = &failed[0];
    assert_eq!(first["inquiry"], ids.accepted.to_string());
    assert_eq!(
        (&first["kind"], &first["recipient"]),
        (&json!("operator-new"), &json!("operator"))
    );
    assert_eq!(
        (&first["state"], &first["attempts"]),
        (&json!("failed"), &json!(1))
    );
    let all = place.json(&["deliveries", "--json"]);
    let kinds: Vec<_> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "operator-new",
            "operator-new",
            "firm-withdrawn",
            "operator-withdrawn",
            "newsletter-confirm"
        ],
        "{all}"
    );
    assert!(place.read(&["deliveries"]).contains("550 no such mailbox"));

    each_way(|place, ids| {
        let one = format!("{}-0", ids.declined).to_uppercase();
        assert_eq!(
            success(&run(place.path(), &["deliveries", "retry", &one])),
            "1 delivery will be tried again\n"
        );
        assert!(failure(&run(place.path(), &["deliveries", "retry", &one])).contains("no such delivery"));
        assert_eq!(
            success(&run(place.path(), &["deliveries", "retry"])),
            "1 delivery will be tried again\n"
        );
        assert_eq!(
            success(&run(place.path(), &["deliveries", "retry"])),
            "0 deliveries will be tried again\n"
        );
        assert_eq!(
            success(&run(place.path(), &["deliveries", "--failed", "--json"])),
            "[]\n"
        );
    });
}

#[test]
fn mails_of_the_newsletter_are_deliveries_without_an_inquiry() {
    each_way(|place, _| {
        let listed = |flags: &[&str]| -> Value {
            let args = [&["deliveries", "--json"], flags].concat();
            let all: Value = serde_json::from_str(&success(&run(place.path(), &args))).unwrap();
            let mut all = all.as_array().unwrap().iter();
            let found = all.find(|one| one["kind"] == "newsletter-confirm");
            found.cloned().unwrap_or_default()
        };
        let waiting = listed(&[]);
        assert_eq!(
            (&waiting["inquiry"], &waiting["recipient"], &waiting["state"]),
            (&Value::Null, &json!("subscriber"), &json!("waiting"))
        );
        assert_eq!(listed(&["--failed"]), Value::Null);
        // It is due, so there is nothing to hurry.
        let id = waiting["id"].as_str().unwrap();
        let refused = failure(&run(place.path(), &["deliveries", "retry", id]));
        assert!(refused.contains("no such"), "{refused}");
    });
    let (place, _) = Place::filled();
    place.runtime.block_on(async {
        let store = Store::open(place.path()).unwrap();
        for claim in store.claim(Lane::Mail, 100).await.unwrap().claims {
            let failed = Outcome::Failed {
                reason: "550 no such mailbox".to_owned(),
                reach: Reach::NotTaken,
            };
            store.settle(&claim, failed).await.unwrap();
        }
        assert!(store.close(Duration::from_secs(10)).await);
    });
    let all = place.json(&["deliveries", "--json", "--failed"]);
    let found = all.as_array().unwrap().last().unwrap();
    assert_eq!(found["kind"], "newsletter-confirm");
    let id = found["id"].as_str().unwrap();
    let one = "1 delivery will be tried again\n";
    assert_eq!(success(&run(place.path(), &["deliveries", "retry", id])), one);
    let server = place.serve();
    let rest = all.as_array().unwrap().len() - 1;
    let retried = success(&run(place.path(), &["deliveries", "retry"]));
    assert_eq!(retried, format!("{rest} deliveries will be tried again\n"));
    server.stop();
}

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
    // They were asked in turn; the decline of the second inquiry asked the first firm again.
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
        vec!["firms", "--since", "yesterday"],
    ] {
        assert_eq!(run(place.path(), &wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_person_gets_everything_that_is_kept_and_nothing_else() {
    let (place, ids) = Place::filled();
    let kept = place.json(&["person", "aNNa@example.DE"]);
    assert_eq!(kept.as_array().unwrap().len(), 2, "{kept}");
    assert_eq!(
        (&kept[0]["kind"], &kept[0]["id"]),
        (&json!("inquiry"), &json!(ids.accepted.to_string()))
    );
    assert_eq!(kept[0]["firms"][0]["has_contact_data"], true);
    assert_eq!(kept[0]["last_name"], "Krause");
    assert_eq!(
        (&kept[1]["kind"], &kept[1]["state"]),
        (&json!("newsletter"), &json!("confirmed"))
    );
    assert_eq!(place.json(&["person", "carla@example.de"])[0]["state"], "pending");
    assert_eq!(place.read(&["person", "nobody@example.de"]), "[]\n");
}

#[test]
fn a_person_is_erased_and_the_firm_that_accepted_is_told() {
    each_way(|place, ids| {
        let asked = failure(&run(place.path(), &["person", "anna@example.de", "--erase"]));
        assert!(asked.contains("--yes"), "{asked}");
        let erase = ["person", "anna@EXAMPLE.de", "--erase", "--yes"];
        assert_eq!(
            success(&run(place.path(), &erase)),
            "1 inquiry and the newsletter subscription erased\n"
        );
        assert_eq!(
            success(&run(place.path(), &["person", "anna@example.de"])),
            "[]\n"
        );
        assert_eq!(
            success(&run(place.path(), &erase)),
            "nothing is kept of this address\n"
        );
        assert_eq!(state(place, ids.accepted), "erased");
        let told = success(&run(place.path(), &["deliveries", "--json"]));
        assert!(
            told.contains("firm-erased") && told.contains("firm:alster"),
            "{told}"
        );
        let file = std::fs::read(place.path().join("inquiries.redb")).unwrap();
        let address = b"Anna@Example.de";
        assert!(!file.windows(address.len()).any(|bytes| bytes == address));
        assert_eq!(state(place, ids.declined), "asked");
    });
}

#[test]
fn a_withdrawn_inquiry_is_erased_by_its_id() {
    each_way(|place, ids| {
        let id = ids.withdrawn.to_string();
        assert_eq!(
            success(&run(place.path(), &["erase", &id, "--yes"])),
            "1 inquiry erased\n"
        );
        // What tells of the withdrawal is still on its way.
        assert_eq!(state(place, ids.withdrawn), "erased");
        let error = failure(&run(place.path(), &["erase", &id, "--yes"]));
        assert!(error.contains(&id), "{error}");
    });
}

#[test]
fn confirmed_subscribers_are_exported() {
    let (place, _) = Place::filled();
    let json = place.json(&["newsletter", "export", "--format", "json"]);
    assert_eq!(json.as_array().unwrap().len(), 1);
    assert_eq!(json[0]["email_address"], "ANNA@example.de");
    assert!(
        json[0]["confirmed_at"]
            .as_str()
            .unwrap()
            .parse::<Timestamp>()
            .is_ok()
    );
    let csv = place.read(&["newsletter", "export"]);
    assert!(
        csv.starts_with("email_address,confirmed_at,unsubscribe_link\r\nANNA@example.de,")
            && csv.contains(",/newsletter/abmelden/"),
        "{csv}"
    );
    let linked = place.read(&["newsletter", "export", "--public-url", "https://www.example.de"]);
    assert!(
        linked.contains(",https://www.example.de/newsletter/abmelden/"),
        "{linked}"
    );
    let empty = Place::new();
    drop(Store::open(empty.path()).unwrap());
    assert_eq!(
        empty.read(&["newsletter", "export"]),
        "email_address,confirmed_at,unsubscribe_link\r\n"
    );
    assert_eq!(empty.read(&["newsletter", "export", "--format", "json"]), "[]\n");
}

#[test]
fn the_report_is_one_page_that_names_no_visitor() {
    let (place, _) = Place::filled();
    let store = Store::open_existing(place.path()).unwrap();
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
    for part in ["Alster GmbH", "Bille OHG", "22087", "5,701"] {
        assert!(page.contains(part), "{part}");
    }
    for private in ["Krause", "Anna", "example.de", "Zwei Nester"] {
        assert!(!page.contains(private), "{private}");
    }
    // The day after what was counted.
    assert!(!report(&["--since", "2026-11-04"]).contains("5,701"));
    assert!(report(&["--until", "2026-11-04"]).contains("5,701"));
    assert!(!report(&["--until", "2026-11-03"]).contains("5,701"));
    assert_eq!(run(place.path(), &["report"]).status.code(), Some(2));
}

#[test]
fn a_server_sends_dossiers_as_they_are_kept() {
    let (place, _) = Place::filled();
    let server = place.serve();
    let mut stream = control::client::dossiers(place.path(), TimeRange::default()).unwrap();
    let mut sent = Vec::new();
    while let Some(dossier) = stream.next_dossier().unwrap() {
        sent.push(dossier);
    }
    server.stop();
    let store = Store::open_existing(place.path()).unwrap();
    let kept = place.runtime.block_on(async {
        let mut dossiers = store
            .snapshot()
            .await
            .unwrap()
            .into_dossiers(TimeRange::default());
        let mut kept = Vec::new();
        while let Some(dossier) = dossiers.next().await.unwrap() {
            kept.push(dossier);
        }
        kept
    });
    assert_eq!(sent.len(), 4);
    assert_eq!(sent, kept);
}

#[test]
fn commands_on_no_store_create_none() {
    let place = Place::new();
    let missing = place.path().join("missing");
    for args in [
        &["inquiries"][..],
        &["deliveries"],
        &["deliveries", "retry"],
        &["firms"],
        &["person", "anna@example.de"],
        &["newsletter", "export"],
    ] {
        let error = failure(&run(&missing, args));
        assert!(error.contains("missing does not exist"), "{error}");
    }
    assert!(!missing.exists());
}
