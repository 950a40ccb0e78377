//! The power fails, or the disk does, at every single step of the store's work: what was acknowledged stays, once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::LazyLock;

use tokio::task::JoinSet;

use super::disk::{Disk, Fault};
use super::image::Image;
use super::*;

/// Inquiries in the file from the beginning.
const BEFORE: std::ops::Range<u64> = 0..30;

/// Inquiries asked for while the disk fails.
const NEW: std::ops::Range<u64> = 100..105;

/// Sets the seed of the first step's dice; every other step has the next one.
const SEED: &str = "TAUBENABWEHR_CRASH_SEED";

/// The inquiry of each number; parsing one takes longer than storing it.
static SAMPLES: LazyLock<Vec<NewInquiry>> = LazyLock::new(|| (0..NEW.end).map(sample).collect());

/// Asks for an inquiry, each number always with the same key.
async fn insert(store: &Store, number: u64) -> Result<Inquiry, InsertError> {
    let inquiry = SAMPLES[usize::try_from(number).unwrap()].clone();
    store.insert(inquiry, key(&format!("key-{number}"))).await
}

/// What was asked of a store, and what it answered.
#[derive(Clone, Default)]
struct Account {
    asked: BTreeSet<u64>,
    acknowledged: BTreeMap<u64, Inquiry>,
}

impl Account {
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
            Err(error) => assert_eq!(error, InsertError::Unavailable, "{number}"),
        }
    }

    /// Some work of each kind: alone, several at once, a health check, a repeated request.
    async fn work(&mut self, store: &Store) {
        self.ask(store, 100).await;
        store.check_writable().await;
        let (first, second, third) = tokio::join!(insert(store, 101), insert(store, 102), insert(store, 103));
        for (number, answer) in [(101, first), (102, second), (103, third)] {
            self.note(number, answer);
        }
        self.ask(store, BEFORE.start).await;
        self.ask(store, 104).await;
    }

    /// Checks that everything acknowledged is there as it was answered, and that whatever else is there was asked
    /// for; nothing twice, nothing in part.
    fn check(&self, store: &Store, what: &str) {
        let mut found = BTreeSet::new();
        for inquiry in all(store) {
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
    }
}

/// A store on a disk; what it does after a fault there.
fn on(disk: &Disk) -> Result<Store, OpenError> {
    let open = {
        let disk = disk.clone();
        move || {
            let opened = error::attempt(|| open::on(disk.clone()));
            opened.map_err(|_| OpenError::Locked("the disk".into()))
        }
    };
    let database = open()?;
    let place = Place {
        data_dir: "the disk".into(),
        reopen: Box::new(open),
    };
    Store::with(database, place, Arc::new(Timestamp::now))
}

/// A file with some inquiries, as a crash leaves it: opening it is part of what may fail.
async fn file() -> (Account, Image) {
    let dir = directory_in_memory();
    let store = Store::open(dir.path()).unwrap();
    let mut account = Account::default();
    for number in BEFORE {
        account.ask(&store, number).await;
    }
    let crashed = fs::read(directory::file(dir.path())).unwrap();
    (account, Image::of(&crashed))
}

/// Opens what a power cut left, as the program does.
fn check_after_power_cut(left: &Image, account: &Account, what: &str) {
    let dir = directory_in_memory();
    fs::write(directory::file(dir.path()), left.bytes()).unwrap();
    let store = Store::open(dir.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
    account.check(&store, what);
}

/// A store works until the fault, is started anew, is asked again for what it has not acknowledged, and then the
/// power is cut. Gives the steps until it was started anew.
async fn lives(mut account: Account, file: Image, fault: Fault, seed: u64) -> usize {
    let what = format!("{fault:?} with {SEED}={seed}");
    let disk = Disk::new(&file, fault, seed);
    if let Ok(store) = on(&disk) {
        account.work(&store).await;
        store.close();
    }
    let steps = disk.steps();
    disk.mend();

    let store = on(&disk).unwrap_or_else(|error| panic!("{what}: {error}"));
    account.check(&store, &what);
    for number in NEW {
        account.ask(&store, number).await;
    }
    account.check(&store, &what);
    assert_eq!(account.acknowledged.len(), account.asked.len(), "{what}");
    check_after_power_cut(&disk.cut(), &account, &what);
    steps
}

/// A store that works goes through a fault and goes on by itself; then the power is cut. Gives the steps.
async fn recovery(mut account: Account, file: Image, fault: Fault, seed: u64) -> usize {
    let what = format!("{fault:?} with {SEED}={seed}");
    let disk = Disk::new(&file, Fault::Never, seed);
    let store = on(&disk).unwrap();
    disk.set(fault);
    account.work(&store).await;
    let steps = disk.steps();
    let started = Instant::now();
    while account.acknowledged.len() < account.asked.len() {
        assert!(started.elapsed() < Duration::from_mins(1), "{what}: no recovery");
        tokio::time::sleep(Duration::from_millis(20)).await;
        for number in NEW {
            account.ask(&store, number).await;
        }
    }
    account.check(&store, &what);
    check_after_power_cut(&disk.cut(), &account, &what);
    steps
}

/// Runs a test with a fault at each of the steps that it takes without one.
async fn at_every_step<T, F>(test: T, fault: fn(usize) -> Fault)
where
    T: Fn(Account, Image, Fault, u64) -> F,
    F: Future<Output = usize> + Send + 'static,
{
    let seed: u64 = std::env::var(SEED).map_or(1, |seed| seed.parse().unwrap());
    let (account, file) = file().await;
    let steps = test(account.clone(), file.clone(), Fault::Never, seed).await;
    let mut runs = JoinSet::new();
    for (step, seed) in (1..=steps).zip(seed..) {
        runs.spawn(test(account.clone(), file.clone(), fault(step), seed));
    }
    runs.join_all().await;
    println!("a fault at each of {steps} steps, from seed {seed} on");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_power_fails_at_any_step() {
    at_every_step(lives, Fault::Cut).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_fails_once_at_any_step() {
    at_every_step(lives, Fault::Once).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_fails_for_good_from_any_step_on() {
    at_every_step(lives, Fault::From).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_goes_on_after_a_failure_at_any_step() {
    at_every_step(recovery, Fault::Once).await;
}
