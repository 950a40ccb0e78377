//! The memory of commands does not grow with the number of records, nor does that of the server that they ask.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use taubenabwehr::domain::inquiry::NewInquiry;
use taubenabwehr::domain::referral::{HandlingPolicy, NewReferral};
use taubenabwehr::store::Store;
use tokio::task::JoinSet;

use crate::harness::store::is_postgres;
use crate::harness::{Dir, Setup, command, run, until};
use crate::samples::firm;

/// The numbers of inquiries to compare, each with a newsletter subscription. Loaded as a whole, the difference between the first
/// two would use about 15 MiB for inquiries, or 3 MiB for subscriptions. Commands that write or read a second file are compared
/// with the last two, since the second already fills all caches.
const FEW: u64 = 2_000;
const MANY: u64 = 12_000;
const TWICE: u64 = 24_000;

/// How much more memory the larger number may use, in KiB. A process that opens the store fills its cache of 8 MiB, which the
/// smaller number does not; a command that asks a server has no cache.
const STORE_ROOM: u64 = 12 << 10;
const CLIENT_ROOM: u64 = 2 << 10;
/// The server also remembers the recipients of confirmations in the last 24 hours, with about 60 bytes each, and its threads keep
/// freed memory: runs with the same data differ by up to 8 MiB.
const SERVER_ROOM: u64 = STORE_ROOM + (12 << 10);

/// Concurrent requests to the store, so that each commit contains many.
const AT_ONCE: usize = 500;

const COMMANDS: &[&[&str]] = &[
    &["inquiries", "--json"],
    &["deliveries", "--json"],
    &["firms", "--json"],
    &["person", "anna-7@example.de"],
    &["report", "--output", "report.html"],
    &["export", "--format", "jsonl"],
    &["newsletter", "export"],
];

const BACKUPS: &[&[&str]] = &[
    &["backup", "--output", "the.backup"],
    &["check"],
    &["check", "the.backup"],
];

/// The peak memory of a process, in KiB.
struct Peak {
    what: String,
    kib: u64,
    room: u64,
}

#[test]
fn commands_take_the_same_memory_however_many_records_there_are() {
    // A short run may be sampled only at its start; the largest of three is more reliable.
    let few = measured(COMMANDS, FEW, 3);
    let many = measured(&[BACKUPS, COMMANDS].concat(), MANY, 3);
    let twice = measured(BACKUPS, TWICE, 1);
    let mut grown = Vec::new();
    for (fewer, more) in [(&few, &many), (&many, &twice)] {
        for Peak { what, kib, room } in more {
            let before = fewer.iter().find(|before| before.what == *what);
            if let Some(before) = before
                && *kib > before.kib + room
            {
                grown.push(format!("{what}: {} KiB, then {kib} KiB", before.kib));
            }
        }
    }
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}

/// Measures each command without a server and with one, `runs` times, and then the server itself.
fn measured(commands: &[&[&str]], count: u64, runs: usize) -> Vec<Peak> {
    let dir = Dir::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(fill(&dir.data(), count));
    if is_postgres() {
        // A copy is much faster than storing the records one by one in a database.
        let (from, to) = (dir.directory_url(), dir.store());
        run(dir.path(), &["copy", "--from", &from, "--to", &to]).success();
        std::fs::remove_dir_all(dir.data()).unwrap();
    }
    let measure = |how: &str, room| {
        let runs = if room == CLIENT_ROOM { runs } else { 1 };
        let peaks = commands.iter().map(|args| {
            let kib = (0..runs).map(|_| peak(dir.path(), args)).max().unwrap();
            assert!(kib > 0, "{args:?}");
            Peak {
                what: format!("{} {how}", args.join(" ")),
                kib,
                room,
            }
        });
        peaks.collect::<Vec<_>>()
    };
    let mut peaks = measure("without a server", STORE_ROOM);
    let server = Setup::new().dir(&dir).start();
    // With a database, a command does not ask the server.
    let room = if is_postgres() { STORE_ROOM } else { CLIENT_ROOM };
    peaks.extend(measure("with a server", room));
    peaks.push(Peak {
        what: "the server".to_owned(),
        kib: server.memory("VmHWM:"),
        room: SERVER_ROOM,
    });
    peaks
}

/// Runs a command; returns its peak memory.
fn peak(dir: &Path, args: &[&str]) -> u64 {
    let output = File::create(dir.join("output")).unwrap();
    let mut child = command::command(dir)
        .args(args)
        .stdout(output)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The figure is gone once the process has ended, so it is read repeatedly.
    let ended = until("the command to end", || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let figure = line.map(|line| line.trim_matches(|c: char| !c.is_ascii_digit()).parse());
        peak = figure.map_or(peak, Result::unwrap);
        child.try_wait().unwrap()
    });
    assert!(ended.success(), "{args:?}");
    peak
}

/// Stores inquiries with all their deliveries, and confirmed subscriptions. The clock is a year ahead, so that a server attempts
/// none of the deliveries.
async fn fill(data_dir: &Path, count: u64) {
    let clock = Arc::new(|| Timestamp::now() + SignedDuration::from_hours(365 * 24));
    let store: Store = Store::open_with_clock(data_dir, Duration::ZERO, clock).unwrap();
    let store = Arc::new(store);
    store.set_policy(Arc::new(policy())).unwrap();
    let mut under_way = JoinSet::new();
    for number in 0..count {
        if under_way.len() == AT_ONCE {
            under_way.join_next().await.unwrap().unwrap();
        }
        let store = Arc::clone(&store);
        under_way.spawn(async move {
            let inquiry = inquiry(number);
            store.insert(inquiry, NewReferral::default(), None).await.unwrap();
            let email = format!("anna-{number}@example.de");
            let key = store.subscription_key(&email);
            assert!(store.subscribe(email).await.unwrap());
            let asked = store.subscription(key).await.unwrap().unwrap().requested_at;
            assert!(store.confirm_subscription(key, asked).await.unwrap());
        });
    }
    while let Some(done) = under_way.join_next().await {
        done.unwrap();
    }
    assert!(store.close(Duration::from_mins(1)).await);
}

fn inquiry(number: u64) -> NewInquiry {
    let body = json!({
        "postal_code": "22087",
        "property_type": "residential",
        "types_of_problems": "nesting",
        "first_name": "Anna",
        "last_name": format!("Krause {number}"),
        "email_address": format!("anna-{number}@example.de"),
        "phone_number": "+49 40 1234567",
    });
    NewInquiry::parse(body.to_string().as_bytes(), Timestamp::now()).unwrap()
}

fn policy() -> HandlingPolicy {
    HandlingPolicy {
        firms: ["alster", "bille", "dock"].map(firm).into(),
        operator_mailboxes: 1,
        webhook: true,
        visitor_mail: true,
        ..HandlingPolicy::default()
    }
}
