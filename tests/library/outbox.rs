//! The outbox with a real store, against servers that misbehave, while a clock of the test's own shows the time.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use taubenabwehr::config::settings::SiteSettings;
use taubenabwehr::config::{
    Encryption, Handling, MailServer, MailSettings, Matching, NotifySettings, Retention, Secret, Sender,
    Webhook,
};
use taubenabwehr::inquiry::{Inquiry, NewInquiry};
use taubenabwehr::matching::{Firm, FirmId, PostalPrefix};
use taubenabwehr::origin::Origin;
use taubenabwehr::outbox::{self, Pace, Setup};
use taubenabwehr::referral::{DeliveryState, Dossier, Lane, Message, NewReferral, Plan};
use taubenabwehr::shutdown::Shutdown;
use taubenabwehr::store::Store;
use taubenabwehr::store::redb::Redb;
use taubenabwehr::templates::Templates;
use taubenabwehr::{mail, webhook};
use tempfile::TempDir;
use tokio::sync::watch;

use crate::sinks::{Behaviour, Mail, Security, SmtpSink, Step, WebhookSink};

/// How long a test waits for an event.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A wait that outlasts every test.
const LONG: Duration = Duration::from_mins(10);

/// Operator, three firms, visitor.
const MAILS: usize = 5;

/// A site with four firms and its servers. It can be started more than once.
struct Site {
    dir: TempDir,
    clock: Arc<AtomicI64>,
    mail: SmtpSink,
    webhook: WebhookSink,
    handling: watch::Sender<Arc<Handling>>,
}

/// The store and the outbox of a site. Dropping it ends the outbox.
struct Running {
    store: Arc<Store>,
    shutdown: Shutdown,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shutdown.request();
    }
}

fn firm(id: &str) -> Firm {
    Firm {
        id: FirmId::parse(id).unwrap(),
        name: format!("{id} Bauschutz GmbH"),
        email: format!("auftrag@{id}.example"),
        phone: Some("+49 40 1234567".to_owned()),
        website: None,
        postal_codes: vec![PostalPrefix::parse("2").unwrap()],
        property_types: None,
        problems: None,
        per_week: None,
        paused: false,
    }
}

fn mail_settings(sink: &SmtpSink) -> MailSettings {
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
            address: "anfrage@example.de".to_owned(),
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
            },
            matching: Matching::default(),
            firms: ["nord", "sued", "west", "ost"].map(firm).into_iter().collect(),
            retention: Retention::default(),
        };
        let now: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
        Self {
            dir: tempfile::tempdir_in("/dev/shm")
                .or_else(|_| tempfile::tempdir())
                .unwrap(),
            clock: Arc::new(AtomicI64::new(now.as_millisecond())),
            mail,
            webhook,
            handling: watch::channel(Arc::new(handling)).0,
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.clock.load(Ordering::SeqCst)).unwrap()
    }

    fn pass(&self, time: SignedDuration) {
        let millis = i64::try_from(time.as_millis()).unwrap();
        self.clock.fetch_add(millis, Ordering::SeqCst);
    }

    fn start(&self) -> Running {
        let store = Arc::new(open(self.dir.path(), &self.clock));
        let handling = self.handling.borrow().clone();
        let plan = Plan {
            firms: handling.firms.iter().cloned().collect(),
            operator_mailboxes: 1,
            webhook: true,
            visitor_mail: true,
            ..Plan::default()
        };
        store.follow(Arc::new(plan)).unwrap();
        let shutdown = Shutdown::default();
        let settings = SiteSettings::embedded().unwrap();
        let origin = Origin::parse("https://www.example.de").unwrap();
        let clock = Arc::clone(&self.clock);
        let setup = Setup {
            store: Arc::clone(&store),
            templates: Arc::new(Templates::new(&settings, &origin).unwrap()),
            origin,
            handling: self.handling.subscribe(),
            clock: Arc::new(move || Timestamp::from_millisecond(clock.load(Ordering::SeqCst)).unwrap()),
            pace: Pace {
                look_every: Duration::from_millis(20),
                mail: mail::Times {
                    step: LONG,
                    whole: LONG,
                },
                webhook: webhook::Times {
                    connect: LONG,
                    answer: LONG,
                },
            },
        };
        outbox::start(setup, &shutdown).unwrap();
        Running { store, shutdown }
    }

    /// Waits for this many mails in all; returns them in no order.
    async fn mails(&self, count: usize) -> Vec<Mail> {
        until(async || self.mail.mails().len() >= count).await;
        self.mail.mails()
    }
}

fn open(dir: &Path, clock: &Arc<AtomicI64>) -> Store {
    let clock = Arc::clone(clock);
    let clock = Arc::new(move || Timestamp::from_millisecond(clock.load(Ordering::SeqCst)).unwrap());
    Redb::open_with_clock(dir, TIMEOUT, clock).unwrap().into()
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

    async fn dossier(&self, inquiry: &Inquiry) -> Dossier {
        self.store.dossier(inquiry.id).await.unwrap().unwrap()
    }

    /// Waits until no delivery of an inquiry is due now; returns what is known then.
    async fn settled(&self, site: &Site, inquiry: &Inquiry) -> Dossier {
        let is_due = |dossier: &Dossier| {
            let mut lanes = [Lane::Mail, Lane::Webhook].into_iter();
            lanes.any(|lane| dossier.referral.due_deliveries(lane, site.now()).next().is_some())
        };
        until(async || !is_due(&self.dossier(inquiry).await)).await;
        self.dossier(inquiry).await
    }

    /// Ends the outbox as the server does; returns whether it did so in time.
    async fn stop(self) -> bool {
        self.shutdown.request();
        self.shutdown.drain(Duration::from_secs(7)).await && self.store.close(TIMEOUT).await
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

fn ids(mails: &[Mail]) -> BTreeSet<String> {
    mails
        .iter()
        .map(|mail| mail.header("Message-ID").unwrap())
        .collect()
}

fn recipients(mails: &[Mail]) -> BTreeSet<&str> {
    mails.iter().map(|mail| mail.to.as_str()).collect()
}

fn are_delivered(dossier: &Dossier) -> bool {
    let mut deliveries = dossier.referral.deliveries.iter();
    deliveries.all(|delivery| matches!(delivery.state, DeliveryState::Delivered(_)))
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_is_told_what_they_may_know() {
    let site = Site::new();
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    let mails = site.mails(MAILS).await;
    assert_eq!(
        recipients(&mails),
        BTreeSet::from([
            "team@example.de",
            "auftrag@nord.example",
            "auftrag@sued.example",
            "auftrag@west.example",
            "gross-1@example.de",
        ])
    );
    assert_eq!(ids(&mails).len(), MAILS);
    for mail in &mails {
        let id = mail.header("Message-ID").unwrap();
        assert!(
            id.starts_with(&format!("<{}-", inquiry.id)) && id.ends_with("@www.example.de>"),
            "{id}"
        );
        let message = mail_parser::MessageParser::new().parse(&mail.content).unwrap();
        let text = message.body_text(0).unwrap();
        let knows_person = mail.to == "team@example.de";
        assert_eq!(text.contains("7654321"), knows_person, "{text}");
        assert_eq!(text.contains("Jürgen"), knows_person, "{text}");
        let page = match mail.to.as_str() {
            "team@example.de" => continue,
            "gross-1@example.de" => "https://www.example.de/anfrage/",
            _ => "https://www.example.de/betrieb/",
        };
        assert!(text.contains(page), "{text}");
    }
    let call = site.webhook.wait_for(1).remove(0);
    let body: Value = serde_json::from_slice(&call.body).unwrap();
    assert_eq!(body["type"], "inquiry.created");
    assert_eq!(body["timestamp"], "2026-11-08T12:00:00Z");
    assert_eq!(body["data"]["id"], inquiry.id.to_string());
    assert_eq!(body["data"]["email_address"], "gross-1@example.de");
    let firms = body["data"]["firms"].as_array().unwrap();
    assert_eq!(firms.len(), 3);
    assert_eq!(
        (&firms[0]["id"], &firms[0]["state"]),
        (&"nord".into(), &"pending".into())
    );
    assert!(call.headers["webhook-id"].starts_with(&inquiry.id.to_string()));
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_server_that_is_away_for_a_day_costs_nothing() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    site.webhook.wait_for(1);
    // Longer would pass over the firms that do not answer.
    for _ in 0..23 {
        running.settled(&site, &inquiry).await;
        site.pass(SignedDuration::from_hours(1));
    }
    let dossier = running.settled(&site, &inquiry).await;
    let waiting = dossier
        .referral
        .deliveries
        .iter()
        .filter(|delivery| delivery.due().is_some());
    assert_eq!(waiting.clone().count(), MAILS);
    for delivery in waiting {
        assert!((5..20).contains(&delivery.attempts), "{delivery:?}");
        assert!(delivery.reason.is_some());
    }
    site.mail.recover();
    site.pass(SignedDuration::from_hours(7));
    let mails = site.mails(MAILS).await;
    running.settled(&site, &inquiry).await;
    // The first three firms were passed over meanwhile, so a fourth is asked.
    let found = site.mail.mails();
    assert_eq!(ids(&found).len(), found.len(), "nothing twice: {mails:?}");
    assert!(recipients(&found).contains("auftrag@ost.example"));
    assert_eq!(site.webhook.calls().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_three_days_a_delivery_has_failed() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    for _ in 0..80 {
        running.settled(&site, &inquiry).await;
        site.pass(SignedDuration::from_hours(1));
    }
    let dossier = running.settled(&site, &inquiry).await;
    let operator = &dossier.referral.deliveries[0];
    assert_eq!(operator.message, Message::OperatorNew(Some(0)));
    assert!(matches!(operator.state, DeliveryState::Failed(_)), "{operator:?}");
    site.mail.recover();
    site.pass(SignedDuration::from_hours(24));
    running.settled(&site, &inquiry).await;
    let id = format!("<{}-0@www.example.de>", inquiry.id);
    assert!(!ids(&site.mails(1).await).contains(&id));
}

#[tokio::test(flavor = "multi_thread")]
async fn greylisting_is_waited_out() {
    let site = Site::new();
    site.mail
        .next(Step::Rcpt, Behaviour::Answer("451 4.7.1 greylisted"), MAILS);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    assert!(site.mail.mails().is_empty());
    site.pass(SignedDuration::from_secs(20));
    running.settled(&site, &inquiry).await;
    assert!(site.mail.mails().is_empty(), "half a minute is not over");
    site.pass(SignedDuration::from_secs(20));
    let mails = site.mails(MAILS).await;
    assert_eq!(ids(&mails).len(), MAILS);
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_may_have_arrived_comes_again_with_its_id() {
    let site = Site::new();
    site.mail.next(Step::Content, Behaviour::KeepAndDrop, 1);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    assert_eq!(site.mail.mails().len(), MAILS);
    site.pass(SignedDuration::from_secs(40));
    let mails = site.mails(MAILS + 1).await;
    assert_eq!(ids(&mails).len(), MAILS);
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recipient_that_does_not_exist_is_given_up_at_once() {
    let site = Site::new();
    site.mail
        .next(Step::Rcpt, Behaviour::Answer("550 5.1.1 nobody here"), MAILS);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    // Its firms are passed over at once, and the next one is asked. Whose mail is the last that is refused is not sure.
    site.mails(1).await;
    let dossier = running.settled(&site, &inquiry).await;
    let last = dossier.referral.asked.last().map(|asked| asked.firm.as_str());
    assert_eq!(last, Some("ost"), "{:?}", dossier.referral.asked);
    let failed = dossier
        .referral
        .deliveries
        .iter()
        .filter(|delivery| matches!(delivery.state, DeliveryState::Failed(_)));
    for delivery in failed {
        assert_eq!(
            delivery.reason.as_deref(),
            Some("the mail server refused the recipient: 550 5.1.1")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_server_that_hangs_holds_nothing_else_up() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Hang);
    let running = site.start();
    let first = running.insert(&site, 0).await;
    let begun = Instant::now();
    for number in 1..100 {
        running.insert(&site, number).await;
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    site.webhook.wait_for(100);
    assert!(site.mail.mails().is_empty());
    // Ending does not wait for it either, and loses nothing.
    assert!(running.stop().await);
    site.mail.recover();
    let running = site.start();
    let mails = site.mails(100 * MAILS).await;
    assert_eq!(ids(&mails).len(), 100 * MAILS);
    assert!(are_delivered(&running.settled(&site, &first).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_mail_server_is_taken_over_while_running() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    let other = SmtpSink::start(Security::Clear);
    site.handling.send_modify(|handling| {
        let mut changed = (**handling).clone();
        changed.mail = Some(mail_settings(&other));
        *handling = Arc::new(changed);
    });
    site.pass(SignedDuration::from_secs(40));
    until(async || other.mails().len() >= MAILS).await;
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
    // Without [mail], what waits says why.
    site.handling.send_modify(|handling| {
        let mut changed = (**handling).clone();
        changed.mail = None;
        *handling = Arc::new(changed);
    });
    let second = running.insert(&site, 2).await;
    let dossier = running.settled(&site, &second).await;
    let reason = dossier.referral.deliveries[0].reason.as_deref();
    assert_eq!(reason, Some("the configuration has no [mail]"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_clock_demands_is_done() {
    let site = Site::new();
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    site.mails(MAILS).await;
    running.settled(&site, &inquiry).await;
    // Three firms are silent for a day, the fourth is asked.
    site.pass(SignedDuration::from_hours(25));
    let mails = site.mails(MAILS + 1).await;
    assert!(recipients(&mails).contains("auftrag@ost.example"));
    // A limit that comes with a new configuration is looked at in its time.
    site.handling.send_modify(|handling| {
        let mut changed = (**handling).clone();
        changed.retention.inquiries_days = 30.try_into().ok();
        *handling = Arc::new(changed);
    });
    site.pass(SignedDuration::from_hours(28 * 24));
    let later = running.insert(&site, 2).await;
    assert!(running.store.dossier(inquiry.id).await.unwrap().is_some());
    site.pass(SignedDuration::from_hours(2 * 24));
    until(async || running.store.dossier(inquiry.id).await.unwrap().is_none()).await;
    assert!(running.dossier(&later).await.inquiry.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_is_gone_is_given_up_and_mail_goes_on() {
    let site = Site::new();
    site.webhook
        .answer(Some("HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n"));
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    site.mails(MAILS).await;
    let dossier = running.settled(&site, &inquiry).await;
    let call = dossier
        .referral
        .deliveries
        .iter()
        .find(|delivery| delivery.message.lane() == Lane::Webhook)
        .unwrap();
    assert!(matches!(call.state, DeliveryState::Failed(_)), "{call:?}");
    assert_eq!(site.webhook.calls().len(), 1);
}
