//! The commands about inquiries, each run with and without a server: both must print and change the same. With a database, commands
//! connect to it themselves, so there the server is one more instance.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use taubenabwehr::control::{self, ControlListener};
use taubenabwehr::domain::inquiry::{NewInquiry, Suspicion};
use taubenabwehr::domain::matching::{Firm, FirmId};
use taubenabwehr::domain::referral::{
    Change, DeliveryCertainty, Failure, HandlingPolicy, Lane, Message, NewReferral,
};
use taubenabwehr::store::Store;
use uuid::Uuid;

use crate::postgres::left_out_on_postgres;
use crate::{place, samples};

mod deliveries;
mod firms;
mod inquiries;
mod people;

/// A place, with the runtime that its store runs on.
struct Place {
    place: place::Place,
    runtime: Runtime,
}

/// A server on a store, until it is stopped.
struct Server<'a> {
    place: &'a Place,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// The ids of the inquiries in a filled store.
struct Ids {
    accepted: Uuid,
    declined: Uuid,
    suspected: Uuid,
    withdrawn: Uuid,
}

const ORIGIN: &str = "https://tauben.example";

fn firm(id: &str, name: &str) -> Firm {
    Firm {
        name: name.to_owned(),
        ..samples::firm(id)
    }
}

fn policy() -> Arc<HandlingPolicy> {
    Arc::new(HandlingPolicy {
        firms: Arc::new([firm("alster", "Alster GmbH"), firm("bille", "Bille OHG")]),
        offers: 1,
        operator_mailboxes: 1,
        visitor_mail: true,
        ..HandlingPolicy::default()
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
        Self {
            place: place::Place::new(),
            runtime: Runtime::new().unwrap(),
        }
    }

    /// A place with four inquiries: Anna's was accepted by one firm, Bernd's declined by one, one from a robot is held, and the
    /// fourth was withdrawn. Every mail to the operator has failed.
    fn filled() -> (Self, Ids) {
        let place = Self::new();
        let ids = place.runtime.block_on(fill(&place.place));
        (place, ids)
    }

    fn path(&self) -> &Path {
        self.place.path()
    }

    fn open(&self) -> Store {
        self.runtime.block_on(self.place.open())
    }

    fn run(&self, args: &[&str]) -> Output {
        self.place.run(args)
    }

    fn serve(&self) -> Server<'_> {
        let store = Arc::new(self.open());
        let _inside = self.runtime.enter();
        let listener = ControlListener::bind(self.path()).unwrap();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(control::serve(listener, store, async { drop(stopped.await) }));
        Server {
            place: self,
            stop,
            task,
        }
    }

    /// Runs a read-only command without a server and with one, asserts that the output is the same, and returns it.
    fn read(&self, args: &[&str]) -> String {
        let alone = success(&self.run(args));
        let server = self.serve();
        let printed = success(&self.run(args));
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

async fn fill(place: &place::Place) -> Ids {
    let store = place.open().await;
    store.set_policy(policy()).unwrap();
    let new = || NewReferral {
        consent: Some(1),
        addition: "Zwei Nester\n\u{1b}[31mrot".to_owned(),
        is_held_told: false,
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
    let claimed = store.lease(Lane::Mail, 100).await.unwrap();
    for claim in claimed.claims {
        let outcome = match claim.delivery.message {
            Message::OperatorNew(0) => Err(Failure {
                reason: "550 no such mailbox".to_owned(),
                certainty: DeliveryCertainty::NotTaken,
                retry_at: None,
                refused: None,
            }),
            _ => Ok(()),
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

/// Runs a test on a filled place, once without a server and once with one.
fn each_way(test: impl Fn(&Place, &Ids)) {
    let (place, ids) = Place::filled();
    test(&place, &ids);
    let (place, ids) = Place::filled();
    let server = place.serve();
    test(&place, &ids);
    server.stop();
}

fn state(place: &Place, id: Uuid) -> String {
    let shown = success(&place.run(&["inquiries", "show", &id.to_string(), "--json"]));
    let shown: Value = serde_json::from_str(&shown).unwrap();
    shown["state"].as_str().unwrap().to_owned()
}
