//! Measures the store: `cargo bench --bench store -- WHAT`. Files are created in `$BENCH_DIR`, or in the system's temporary
//! directory.
//!
//! - `inserts`: inquiries stored per second, and memory usage
//! - `referrals`: compares plain inserts with inserts with mail, webhook and three firms, and with two thousand firms of which
//!   three are asked; nothing is sent. The next argument is the number of inquiries already in the files
//! - `fill`: stores a million inquiries in `$BENCH_DIR/million`, then exits as if killed
//! - `reopen`: the time to open that file

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a benchmark ends where anything fails"
)]

#[path = "../tests/samples/inquiries.rs"]
mod inquiries;
#[path = "../tests/samples/mod.rs"]
mod samples;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use taubenabwehr::domain::referral::{HandlingPolicy, NewReferral};
use taubenabwehr::store::{FILE_NAME, IdempotencyKey, Store, TimeRange};
use tokio::runtime::Builder;

use inquiries::sample;

fn main() {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    // Cargo appends `--bench` to the arguments.
    match std::env::args().nth(1).as_deref() {
        Some("inserts") => runtime.block_on(inserts()),
        Some("referrals") => runtime.block_on(referrals()),
        Some("fill") => runtime.block_on(fill()),
        Some("reopen") => runtime.block_on(reopen()),
        _ => eprintln!("usage: cargo bench --bench store -- inserts|referrals [N]|fill|reopen"),
    }
}

/// Duration of each measurement.
const MEASURED: Duration = Duration::from_secs(4);

fn target() -> PathBuf {
    std::env::var_os("BENCH_DIR").map_or_else(std::env::temp_dir, Into::into)
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let lines = status
        .lines()
        .filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"));
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Inserts inquiries until a time or up to a number per waiter; returns how many were inserted.
async fn insert(store: &Arc<Store>, waiters: u64, keyed: bool, until: Instant, each: u64) -> u64 {
    let inserted: Vec<_> = (0..waiters)
        .map(|waiter| {
            let store = Arc::clone(store);
            tokio::spawn(async move {
                let mut count = 0;
                while count < each && Instant::now() < until {
                    // Like a browser's key: random, and 36 characters long.
                    let key = keyed.then(|| {
                        let random = uuid::Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 0, 0));
                        let mixed = random.as_u128().rotate_left(64);
                        let text = uuid::Uuid::from_u128(mixed).to_string();
                        IdempotencyKey::parse(text.as_bytes()).unwrap()
                    });
                    store
                        .insert(sample(waiter), NewReferral::default(), key)
                        .await
                        .unwrap();
                    count += 1;
                }
                count
            })
        })
        .collect();
    let mut count = 0;
    for inserted in inserted {
        count += inserted.await.unwrap();
    }
    count
}

/// Number of stored inquiries.
async fn stored(store: &Store) -> u64 {
    let mut records = store.records(TimeRange::default()).await.unwrap();
    let mut count = 0;
    while records.next().await.unwrap().is_some() {
        count += 1;
    }
    count
}

async fn inserts() {
    for keyed in [false, true] {
        let dir = tempfile::tempdir_in(target()).unwrap();
        let store = Arc::new(Store::open(dir.path()).unwrap());
        for waiters in [1, 64, 256] {
            let started = Instant::now();
            let count = insert(&store, waiters, keyed, started + MEASURED, u64::MAX).await;
            let rate = u128::from(count) * 1000 / started.elapsed().as_millis();
            println!("keyed {keyed}, {waiters} waiters: {rate} inserts/s, {}", memory());
        }
        let records = stored(&store).await;
        let length = std::fs::metadata(dir.path().join(FILE_NAME)).unwrap().len();
        println!("{records} records of {} bytes in the file", length / records);
    }
}

/// Numbers of firms that all match: as few as are asked, and as many as the largest town of a single operator may have.
const FIRMS: [usize; 2] = [3, 2000];

/// Number of rounds, in which the sides alternate, since the speed of a busy machine varies.
const ROUNDS: usize = 5;

fn policy(firms: usize) -> HandlingPolicy {
    let firm = |number: usize| samples::firm(&format!("firm-{number}"));
    HandlingPolicy {
        firms: (0..firms).map(firm).collect(),
        operator_mailboxes: 1,
        webhook: true,
        visitor_mail: true,
        ..HandlingPolicy::default()
    }
}

async fn referrals() {
    let filled: u64 = std::env::args()
        .nth(2)
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let open = || {
        let dir = tempfile::tempdir_in(target()).unwrap();
        let store = Arc::new(Store::open(dir.path()).unwrap());
        (dir, store)
    };
    let mut sides = vec![("without", open())];
    for firms in FIRMS {
        let (dir, store) = open();
        store.set_policy(Arc::new(policy(firms))).unwrap();
        sides.push((if firms == 3 { "3 firms" } else { "2000 firms" }, (dir, store)));
    }
    let late = Instant::now() + Duration::from_hours(1);
    for (_, (_, store)) in &sides {
        insert(store, 250, true, late, filled / 250).await;
    }
    for waiters in [1, 64, 256] {
        let mut rates = vec![Vec::new(); sides.len()];
        for _ in 0..ROUNDS {
            for ((_, (_, store)), rates) in sides.iter().zip(&mut rates) {
                let started = Instant::now();
                let count = insert(store, waiters, true, started + MEASURED / 4, u64::MAX).await;
                rates.push(u128::from(count) * 1000 / started.elapsed().as_millis());
            }
        }
        let rates: Vec<_> = rates.into_iter().map(median).collect();
        for ((name, _), rate) in sides.iter().zip(&rates) {
            println!(
                "{waiters} waiters, {name}: {rate} inserts/s, {} %",
                rate * 100 / rates[0]
            );
        }
        println!("{}", memory());
    }
    for (name, (dir, store)) in sides {
        let records = stored(&store).await;
        let length = std::fs::metadata(dir.path().join(FILE_NAME)).unwrap().len();
        println!(
            "{name}: {records} records of {} bytes in the file",
            length / records
        );
    }
}

fn median(mut rates: Vec<u128>) -> u128 {
    rates.sort_unstable();
    rates[rates.len() / 2]
}

async fn fill() {
    let dir = target().join("million");
    let _ = std::fs::remove_dir_all(&dir);
    let store = Arc::new(Store::open(&dir).unwrap());
    let late = Instant::now() + Duration::from_hours(1);
    insert(&store, 250, false, late, 4000).await;
    println!("filled, {}", memory());
    // Exit without running destructors.
    std::process::exit(0);
}

async fn reopen() {
    let dir = target().join("million");
    for what in ["after the crash", "after a clean end"] {
        let started = Instant::now();
        let store = Store::open(&dir).unwrap();
        let opened = started.elapsed();
        println!(
            "{what}: {opened:?} for {} records, {}",
            stored(&store).await,
            memory()
        );
    }
}
