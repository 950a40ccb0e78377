//! A data directory of the made-up year, and its configuration file, to look at commands and reports
//! (`scripts/sample-data`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, ToSpan};
use taubenabwehr::domain::inquiry::NewInquiry;
use taubenabwehr::domain::matching::{Firm, PostalPrefix};
use taubenabwehr::domain::referral::{
    Answer, Change, HandlingPolicy, InquiryRecord, Lane, NewReferral, Outcome,
};
use taubenabwehr::store::Clock;
use taubenabwehr::store::{FILE_NAME, Store, TimeRange, UpdateError};
use uuid::Uuid;

use super::sample::{DAYS, FIRST, Habits, Random, firms, funnel, inquiry, times};

/// What happens at a moment of the year.
enum Event {
    Inquiry(u64),
    Change(Uuid, Change),
}

/// Events that are still to happen, in the order of their times and then in that of their planning.
#[derive(Default)]
struct Agenda {
    events: BTreeMap<(Timestamp, usize), Event>,
    planned: usize,
}

impl Agenda {
    fn policy(&mut self, time: Timestamp, event: Event) {
        self.events.insert((time, self.planned), event);
        self.planned += 1;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "makes the data directory that `scripts/sample-data` asks for"]
async fn sample_data() {
    let directory = PathBuf::from(std::env::var_os("SAMPLE_DATA").unwrap());
    let count = std::env::var("SAMPLE_INQUIRIES").unwrap().parse().unwrap();
    let data = directory.join("data");
    assert!(!data.exists(), "{} exists", data.display());
    std::fs::create_dir_all(&directory).unwrap();
    let firms = firms();
    std::fs::write(directory.join("config.toml"), configuration(&firms)).unwrap();
    // Each of some 100,000 changes waits for the disk, so they are made in memory where the system allows it.
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    };
    let made = tempfile::tempdir_in(place).unwrap();
    fill(&made.path().join("data"), firms, count).await;
    let store = Store::open(&data).unwrap();
    store.close(Duration::from_secs(5)).await;
    std::fs::copy(made.path().join("data").join(FILE_NAME), data.join(FILE_NAME)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_can_be_made() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    fill(&data, firms(), 20).await;
    let store = Store::open(&data).unwrap();
    assert_eq!(store.records(TimeRange::default()).await.unwrap().total(), 20);
    assert_eq!(
        store.counts(FIRST).await.unwrap().len(),
        usize::try_from(DAYS).unwrap()
    );
    assert!(store.lease(Lane::Mail, 1).await.unwrap().claims.is_empty());
}

async fn fill(data: &Path, firms: Vec<Firm>, count: u64) {
    let time = Arc::new(AtomicI64::new(0));
    let clock: Clock = {
        let time = Arc::clone(&time);
        Arc::new(move || Timestamp::from_millisecond(time.load(Ordering::SeqCst)).unwrap())
    };
    let store = Store::open_with_clock(data, Duration::from_secs(2), clock).unwrap();
    let policy = HandlingPolicy {
        firms: firms.into(),
        operator_mailboxes: 1,
        visitor_mail: true,
        ..HandlingPolicy::default()
    };
    store.set_policy(Arc::new(policy)).unwrap();
    let mut random = Random::new();
    let mut agenda = Agenda::default();
    for (number, time) in times(&mut random, count).into_iter().enumerate() {
        agenda.policy(time, Event::Inquiry(number as u64));
    }
    while let Some(((now, _), event)) = agenda.events.pop_first() {
        time.store(now.as_millisecond(), Ordering::SeqCst);
        let record = match event {
            Event::Inquiry(number) => {
                let inquiry = inquiry(&mut random, number, now);
                let id = insert(&store, inquiry).await;
                store.record(id).await.unwrap().unwrap()
            }
            Event::Change(id, change) => match store.update(id, change).await {
                Ok(record) => record,
                Err(UpdateError::Refused(_)) => continue,
                Err(UpdateError::Unavailable(_)) => panic!("the store is unavailable"),
            },
        };
        plan_answers(&mut random, &mut agenda, &record, now);
        deliver(&store).await;
    }
    for (day, counts) in (0..DAYS).zip(funnel()) {
        let steps = counts.steps.iter().enumerate();
        let mut names: BTreeMap<String, u64> = steps
            .map(|(step, count)| (format!("step:{step}"), *count))
            .collect();
        names.insert("page:/".to_owned(), counts.pages);
        names.insert("inquiry".to_owned(), counts.sent);
        store.count(FIRST + day.days(), names).await.unwrap();
    }
    store.close(Duration::from_secs(5)).await;
}

async fn insert(store: &Store, inquiry: NewInquiry) -> Uuid {
    let referral = NewReferral {
        consent: Some(1),
        addition: String::new(),
        is_held_told: false,
    };
    store
        .insert(inquiry, referral, None)
        .await
        .unwrap()
        .into_inquiry()
        .id
}

/// Plans what firms that were asked just now will do.
fn plan_answers(random: &mut Random, agenda: &mut Agenda, record: &InquiryRecord, now: Timestamp) {
    for (number, asked) in record.referral.numbered() {
        if asked.at < now || asked.answer != Answer::Pending {
            continue;
        }
        let habits = Habits::of(&asked.firm);
        let change = match habits.answer(random) {
            Some(true) => Some(Change::Accept(number)),
            Some(false) => Some(Change::Decline(number)),
            None => None,
        };
        if let Some(change) = change {
            agenda.policy(now + habits.delay(random), Event::Change(record.id, change));
        }
        agenda.policy(
            asked.until + SignedDuration::from_mins(1),
            Event::Change(record.id, Change::Tick),
        );
    }
}

/// Settles every mail that is due.
async fn deliver(store: &Store) {
    loop {
        let claimed = store.lease(Lane::Mail, 20).await.unwrap();
        if claimed.claims.is_empty() {
            return;
        }
        for claim in &claimed.claims {
            store.settle(claim, Outcome::Delivered).await.unwrap();
        }
    }
}

fn configuration(firms: &[Firm]) -> String {
    let mut text = String::from(
        "# Of the sample data. Nothing listens at the address of the mail server.\ndata_dir = \"data\"\n\n[mail]\n\
         server = \"smtp://127.0.0.1:2525\"\nfrom = \"anfrage@example.de\"\n\n[notify]\nmail = [\"team@example.de\"]\n",
    );
    for firm in firms {
        let prefixes: Vec<_> = firm.postal_codes.iter().map(PostalPrefix::as_str).collect();
        let (id, name, email) = (&firm.id, &firm.name, &firm.email);
        write!(
            text,
            "\n[[firm]]\nid = \"{id}\"\nname = \"{name}\"\nemail = \"{email}\"\npostal_codes = {prefixes:?}\n"
        )
        .unwrap();
        if let Some(limit) = firm.per_week {
            writeln!(text, "per_week = {limit}").unwrap();
        }
    }
    text
}
