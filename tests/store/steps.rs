//! Power cuts and disk faults at every single step of the store's work: acknowledged inquiries survive, exactly once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use taubenabwehr::domain::inquiry::{Inquiry, NewInquiry};
use taubenabwehr::domain::referral::{Change, Lane};
use taubenabwehr::store::{InsertError, OpenError, Store, TimeRange, Unavailable, UpdateError};
use tokio::task::JoinSet;

use crate::disk::{Disk, Fault};
use crate::firms::policy;
use crate::image::Image;
use crate::support::*;

/// Inquiries in the file from the start.
const BEFORE: std::ops::Range<u64> = 0..30;

/// Inquiries inserted while the disk fails.
const NEW: std::ops::Range<u64> = 100..105;

/// Firms, of which three are asked for each inquiry.
const FIRMS: &[&str] = &["a", "b", "c", "d", "e"];

/// Sets the seed for the first step; each further step uses the next one.
const SEED: &str = "TAUBENABWEHR_CRASH_SEED";

/// The sample of each number, since parsing one takes longer than storing it.
static SAMPLES: LazyLock<Vec<NewInquiry>> = LazyLock::new(|| (0..NEW.end).map(sample).collect());

/// Inserts an inquiry; a number always has the same key.
async fn insert(store: &Store, number: u64) -> Result<Inquiry, InsertError> {
    let inquiry = SAMPLES[usize::try_from(number).unwrap()].clone();
    store.put(inquiry, key(&format!("key-{number}"))).await
}

/// The requests to a store, and its replies.
#[derive(Clone, Default)]
struct Ledger {
    asked: BTreeSet<u64>,
    acknowledged: BTreeMap<u64, Inquiry>,
    /// Inquiries for which the store has acknowledged that the first firm accepted.
    accepted: BTreeSet<u64>,
}

impl Ledger {
    async fn ask(&mut self, store: &Store, number: u64) {
        self.note(number, insert(store, number).await);
    }

    fn note(&mut self, number: u64, answer: Result<Inquiry, InsertError>) {
        self.asked.insert(number);
        match answer {
            Ok(inquiry) => {
                let before = self.acknowledged.insert(number, inquiry.clone());
                assert!(before.is_none_or(|before| before == inquiry), "{number} is two");
            }
            Err(error) => assert_eq!(error, InsertError::Unavailable(Unavailable), "{number}"),
        }
    }

    /// Work of each kind: single and concurrent inserts, a health check, a repeated request.
    async fn work(&mut self, store: &Store) {
        self.ask(store, 100).await;
        store.check_writable().await;
        let (first, second, third) = tokio::join!(insert(store, 101), insert(store, 102), insert(store, 103));
        for (number, answer) in [(101, first), (102, second), (103, third)] {
            self.note(number, answer);
        }
        self.ask(store, BEFORE.start).await;
        self.accept(store, BEFORE.start + 1).await;
        let claimed = store.lease(Lane::Mail, 2).await.unwrap_or_default();
        for claim in claimed.claims {
            // Unsettled deliveries are tried again, as after a crash.
            let _ = store.settle(&claim, Ok(())).await;
        }
        self.ask(store, 104).await;
    }

    /// Has the first firm accept an inquiry.
    async fn accept(&mut self, store: &Store, number: u64) {
        let id = self.acknowledged[&number].id;
        match store.update(id, Change::Accept(0)).await {
            Ok(_) => drop(self.accepted.insert(number)),
            Err(error) => assert_eq!(error, UpdateError::Unavailable(Unavailable), "{number}"),
        }
    }

    /// Checks that each inquiry has its referral, with the answers of firms.
    async fn check_referrals(&self, store: &Store, what: &str) {
        for number in self.acknowledged.keys() {
            let record = store.record(self.acknowledged[number].id).await.unwrap().unwrap();
            assert_eq!(record.referral.asked.len(), 3, "{what}: {number}");
            assert!(record.referral.deliveries.len() >= 5, "{what}: {number}");
            if self.accepted.contains(number) {
                assert!(record.referral.asked[0].answer.is_accepted(), "{what}: {number}");
            }
        }
    }

    /// Checks that a freshly opened store finds exactly the deliveries that are due.
    async fn check_due(&self, store: &Store, what: &str) {
        for lane in [Lane::Mail, Lane::Webhook] {
            let mut due = BTreeSet::new();
            let mut records = store.records(TimeRange::default()).await.unwrap();
            while let Some(record) = records.next().await.unwrap() {
                let deliveries = record.referral.due_deliveries(lane, Timestamp::MAX);
                due.extend(deliveries.map(|(number, _)| (record.id, number)));
            }
            let claimed = store.lease(lane, usize::MAX).await.unwrap().claims;
            let claimed: BTreeSet<_> = claimed
                .iter()
                .map(|claim| (claim.id.inquiry, claim.id.number))
                .collect();
            assert_eq!(claimed, due, "{what}");
        }
    }

    /// Checks that every acknowledged inquiry exists as acknowledged, and that every other one was requested; none twice, none in
    /// part.
    async fn check(&self, store: &Store, what: &str) {
        let mut found = BTreeSet::new();
        for inquiry in all(store).await {
            let name = inquiry.answers.last_name.as_str();
            let number: u64 = name.strip_prefix("Meier ").unwrap().parse().unwrap();
            let asked = SAMPLES[usize::try_from(number).unwrap()].clone();
            assert_eq!(inquiry, asked.with_id(inquiry.id), "{what}");
            assert!(found.insert(number), "{what}: {number} is there twice");
            assert!(self.asked.contains(&number), "{what}: nobody asked for {number}");
            if let Some(acknowledged) = self.acknowledged.get(&number) {
                assert_eq!(acknowledged, &inquiry, "{what}");
            }
        }
        for number in self.acknowledged.keys() {
            assert!(found.contains(number), "{what}: {number} is lost");
        }
        self.check_referrals(store, what).await;
    }
}

/// Opens a store on a disk; it reopens its file from there after a fault.
pub fn on(disk: &Disk) -> Result<Store, OpenError> {
    let disk = disk.clone();
    // Only its lock is used.
    let dir = directory_in_memory();
    let path = dir.path().to_owned();
    let storage = move || {
        let _kept = &dir;
        Ok(disk.clone())
    };
    let store = Store::open_storage(&path, storage, Arc::new(Timestamp::now));
    let store = store?;
    store.set_policy(Arc::new(policy(FIRMS))).unwrap();
    Ok(store)
}

/// A file with some inquiries, as after a crash: opening it is one of the steps that may fail.
async fn crashed() -> (Ledger, Image) {
    let dir = directory_in_memory();
    let store = Store::open(dir.path()).unwrap();
    store.set_policy(Arc::new(policy(FIRMS))).unwrap();
    let mut ledger = Ledger::default();
    for number in BEFORE {
        ledger.ask(&store, number).await;
    }
    let crashed = fs::read(file(dir.path())).unwrap();
    (ledger, Image::of(&crashed))
}

/// Opens the file after a power cut, as the program does.
async fn check_after_power_cut(left: &Image, ledger: &Ledger, what: &str) {
    let dir = directory_in_memory();
    fs::write(file(dir.path()), left.bytes()).unwrap();
    let store = Store::open(dir.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
    ledger.check(&store, what).await;
    ledger.check_due(&store, what).await;
}

/// Runs a store until the fault, restarts it, repeats unacknowledged requests, and then cuts the power. Returns the number of steps
/// before the restart.
async fn lives(mut ledger: Ledger, file: Image, fault: Fault, seed: u64) -> usize {
    let what = format!("{fault:?} with {SEED}={seed}");
    let disk = Disk::new(&file, fault, seed);
    if let Ok(store) = on(&disk) {
        Box::pin(ledger.work(&store)).await;
        store.close(Duration::from_secs(100)).await;
    }
    let steps = disk.steps();
    disk.mend();

    let store = on(&disk).unwrap_or_else(|error| panic!("{what}: {error}"));
    ledger.check(&store, &what).await;
    for number in NEW {
        ledger.ask(&store, number).await;
    }
    ledger.check(&store, &what).await;
    assert_eq!(ledger.acknowledged.len(), ledger.asked.len(), "{what}");
    check_after_power_cut(&disk.cut(), &ledger, &what).await;
    steps
}

/// Runs a store through a fault until it recovers by itself, and then cuts the power. Returns the number of steps.
async fn recovery(mut ledger: Ledger, file: Image, fault: Fault, seed: u64) -> usize {
    let what = format!("{fault:?} with {SEED}={seed}");
    let disk = Disk::new(&file, Fault::Never, seed);
    let store = on(&disk).unwrap();
    disk.set(fault);
    Box::pin(ledger.work(&store)).await;
    let steps = disk.steps();
    let started = Instant::now();
    while ledger.acknowledged.len() < ledger.asked.len() {
        assert!(started.elapsed() < Duration::from_mins(1), "{what}: no recovery");
        tokio::time::sleep(Duration::from_millis(20)).await;
        for number in NEW {
            ledger.ask(&store, number).await;
        }
    }
    ledger.check(&store, &what).await;
    check_after_power_cut(&disk.cut(), &ledger, &what).await;
    steps
}

/// Runs a test with a fault at each of the steps that it takes without one.
async fn at_every_step<T, F>(test: T, fault: fn(usize) -> Fault)
where
    T: Fn(Ledger, Image, Fault, u64) -> F,
    F: Future<Output = usize> + Send + 'static,
{
    let seed: u64 = std::env::var(SEED).map_or(1, |seed| seed.parse().unwrap());
    let (ledger, file) = crashed().await;
    let steps = test(ledger.clone(), file.clone(), Fault::Never, seed).await;
    let mut runs = JoinSet::new();
    for (step, seed) in (1..=steps).zip(seed..) {
        runs.spawn(test(ledger.clone(), file.clone(), fault(step), seed));
    }
    runs.join_all().await;
    println!("a fault at each of {steps} steps, from seed {seed} on");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_power_fails_at_any_step() {
    Box::pin(at_every_step(lives, Fault::Cut)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_fails_once_at_any_step() {
    Box::pin(at_every_step(lives, Fault::Once)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_fails_for_good_from_any_step_on() {
    Box::pin(at_every_step(lives, Fault::From)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_goes_on_after_a_failure_at_any_step() {
    Box::pin(at_every_step(recovery, Fault::Once)).await;
}
