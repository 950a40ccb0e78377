//! The outbox with a real store, against misbehaving servers and with the clock of the test.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use taubenabwehr::base::process::Shutdown;
use taubenabwehr::base::text::origin::Origin;
use taubenabwehr::config::settings::SiteSettings;
use taubenabwehr::config::{
    Encryption, Handling, MailServer, MailSettings, Matching, NotifySettings, Retention, Secret, Sender,
    Webhook,
};
use taubenabwehr::domain::inquiry::{Inquiry, NewInquiry};
use taubenabwehr::domain::matching::Firm;
use taubenabwehr::domain::reckoning::Reckoning;
use taubenabwehr::domain::referral::{
    DeliveryState, HandlingPolicy, InquiryRecord, Lane, Message, NewReferral,
};
use taubenabwehr::outbox::mail;
use taubenabwehr::outbox::{self, OutboxSetup, RetryPace};
use taubenabwehr::site::Promises;
use taubenabwehr::site::templates::Templates;
use taubenabwehr::store::{Clock, Store};
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::place::Place;
use crate::samples;
use crate::sinks::{Behaviour, Mail, Security, SmtpSink, Step, WebhookSink, message_ids};

mod bugs;
mod day;
mod failures;
mod telling;
mod time;

/// How long a test waits for an event: far more than a busy machine needs.
const TIMEOUT: Duration = Duration::from_secs(90);

/// A wait that outlasts every test.
const LONG: Duration = Duration::from_mins(10);

/// Mails for one inquiry: to the operator, three firms and the visitor.
const MAILS: usize = 5;

/// A site with four firms and its servers. It can be started several times.
struct Site {
    place: Place,
    clock: Arc<AtomicI64>,
    mail: SmtpSink,
    webhook: WebhookSink,
    handling: watch::Sender<Arc<Handling>>,
    /// How often the outbox reads the clock.
    look_every: Duration,
    bugs: Arc<Bugs>,
}

/// Counts down reads of the clock; every other one panics, to simulate a bug at that place.
#[derive(Default)]
struct Bugs {
    /// Reads by delivery attempts. A failed attempt reads the clock once more.
    in_tries: AtomicUsize,
    /// Reads by the loop that starts the attempts.
    in_the_loop: AtomicUsize,
}

impl Bugs {
    fn strike(&self) {
        if std::thread::current().name() != Some("outbox") {
            return;
        }
        let left = match tokio::task::try_id() {
            Some(_) => &self.in_tries,
            None => &self.in_the_loop,
        };
        let less = |left: usize| left.checked_sub(1);
        let struck = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        assert!(!struck.is_ok_and(|left| left % 2 == 0), "a bug of the test's own");
    }
}

/// The store and the outbox of a site. Dropping it stops the outbox.
struct Running {
    store: Arc<Store>,
    policy: watch::Sender<Arc<HandlingPolicy>>,
    shutdown: Shutdown,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shutdown.request();
    }
}

fn firm(id: &str) -> Firm {
    Firm {
        email: format!("auftrag@{id}.example"),
        phone: Some("+49 40 1234567".to_owned()),
        ..samples::firm(id)
    }
}

/// Settings for a server without authentication.
pub fn mail_settings(sink: &SmtpSink) -> MailSettings {
    MailSettings {
        server: MailServer {
            host: sink.address.ip().to_string(),
            port: sink.address.port(),
            encryption: Encryption::StartTlsIfOffered,
        },
        login: None,
        roots: None,
        from: Sender {
            name: Some("Taubenabwehr Hamburg".to_owned()),
            address: mail::Address::parse("anfrage@example.de").unwrap(),
        },
    }
}

impl Site {
    fn new() -> Self {
        let mail = SmtpSink::start(Security::Clear);
        let webhook = WebhookSink::start();
        let handling = Handling {
            mail: Some(mail_settings(&mail)),
            notify: NotifySettings {
                mail: vec!["team@example.de".to_owned()],
                webhook: Some(Webhook {
                    url: format!("http://{}/hook", webhook.address).parse().unwrap(),
                    key: Secret::new(vec![7; 24]),
                }),
                ..NotifySettings::default()
            },
            matching: Matching::default(),
            firms: ["nord", "sued", "west", "ost"].map(firm).into_iter().collect(),
            retention: Retention::default(),
            commission: None,
            vat: None,
        };
        let now: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
        Self {
            place: Place::new(),
            clock: Arc::new(AtomicI64::new(now.as_millisecond())),
            mail,
            webhook,
            handling: watch::channel(Arc::new(handling)).0,
            look_every: Duration::from_millis(20),
            bugs: Arc::default(),
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.clock.load(Ordering::SeqCst)).unwrap()
    }

    fn pass(&self, time: SignedDuration) {
        let millis = i64::try_from(time.as_millis()).unwrap();
        self.clock.fetch_add(millis, Ordering::SeqCst);
    }

    /// Changes the configuration, as SIGHUP does.
    fn configure(&self, change: impl FnOnce(&mut Handling)) {
        self.handling
            .send_modify(|handling| change(Arc::make_mut(handling)));
    }

    fn clock(&self) -> Clock {
        let clock = Arc::clone(&self.clock);
        let bugs = Arc::clone(&self.bugs);
        Arc::new(move || {
            bugs.strike();
            Timestamp::from_millisecond(clock.load(Ordering::SeqCst)).unwrap()
        })
    }

    fn open(&self) -> Store {
        let open = self.place.open_with(self.clock());
        tokio::task::block_in_place(|| Handle::current().block_on(open))
    }

    fn start(&self) -> Running {
        let store = Arc::new(self.open());
        let handling = self.handling.borrow().clone();
        store.set_policy(Arc::new(handling.policy())).unwrap();
        let (policy, followed) = watch::channel(Arc::new(handling.policy()));
        let shutdown = Shutdown::default();
        let settings = SiteSettings::embedded().unwrap();
        let origin = Origin::parse("https://www.example.de").unwrap();
        let setup = OutboxSetup {
            store: Arc::clone(&store),
            templates: Arc::new(Templates::new(&settings, &origin, &Promises::default())),
            origin,
            handling: self.handling.subscribe(),
            policy: followed,
            farewells: Arc::default(),
            pace: RetryPace {
                look_every: self.look_every,
                mail: mail::SmtpTimes {
                    step: LONG,
                    whole: LONG,
                },
                webhook: LONG,
            },
        };
        outbox::start(setup, &shutdown).unwrap();
        Running {
            store,
            policy,
            shutdown,
        }
    }

    /// Waits until `count` mails have arrived in total; returns them in arbitrary order.
    async fn mails(&self, count: usize) -> Vec<Mail> {
        until(async || self.mail.mails().len() >= count).await;
        self.mail.mails()
    }
}

impl Running {
    async fn insert(&self, site: &Site, number: u64) -> Inquiry {
        let body = serde_json::json!({
            "created_at": site.now().to_string(),
            "postal_code": "20095",
            "property_type": "residential",
            "types_of_problems": "nesting",
            "problem_locations": "roof",
            "first_name": "Jürgen",
            "last_name": format!("Groß {number}"),
            "email_address": format!("gross-{number}@example.de"),
            "phone_number": "+49 40 7654321",
        });
        let inquiry = NewInquiry::parse(body.to_string().as_bytes(), site.now()).unwrap();
        let inserted = self.store.insert(inquiry, NewReferral::default(), None).await;
        inserted.unwrap().into_inquiry()
    }

    async fn record(&self, inquiry: &Inquiry) -> InquiryRecord {
        self.store.record(inquiry.id).await.unwrap().unwrap()
    }

    /// Waits until no delivery of an inquiry is due; returns its record.
    async fn settled(&self, site: &Site, inquiry: &Inquiry) -> InquiryRecord {
        let is_due = |record: &InquiryRecord| {
            let mut lanes = [Lane::Mail, Lane::Webhook].into_iter();
            lanes.any(|lane| record.referral.due_deliveries(lane, site.now()).next().is_some())
        };
        until(async || !is_due(&self.record(inquiry).await)).await;
        self.record(inquiry).await
    }

    /// Advances the clock by the hour, attempts what is due each time, and returns the record.
    async fn after_hours(&self, site: &Site, inquiry: &Inquiry, hours: u32) -> InquiryRecord {
        for _ in 0..hours {
            self.settled(site, inquiry).await;
            site.pass(SignedDuration::from_hours(1));
        }
        self.settled(site, inquiry).await
    }

    /// Stops the outbox as the server does; returns whether it stopped in time.
    async fn stop(self) -> bool {
        self.shutdown.request();
        // Hanging attempts have 5 s to finish; the rest is for a busy machine.
        self.shutdown.drain(Duration::from_secs(15)).await && self.store.close(TIMEOUT).await
    }
}

/// Waits until a condition holds.
async fn until(condition: impl AsyncFn() -> bool) {
    let end = Instant::now() + TIMEOUT;
    while !condition().await {
        assert!(Instant::now() < end, "waited too long");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn recipients(mails: &[Mail]) -> BTreeSet<&str> {
    mails.iter().map(|mail| mail.to.as_str()).collect()
}

fn are_delivered(record: &InquiryRecord) -> bool {
    let mut deliveries = record.referral.deliveries.iter();
    deliveries.all(|delivery| matches!(delivery.state, DeliveryState::Delivered(_)))
}
