//! Commands take the same memory however many records there are, and so does the server that they ask.

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

/// How many inquiries there are, for comparison and in earnest, each with three subscriptions to the newsletter. Kept as a
/// whole, what the latter have more would take some 15 MiB of inquiries, or 10 of subscriptions.
const FEW: u64 = 2_000;
const MANY: u64 = 12_000;

/// How much more memory the many may take, in KiB: a process with the store open fills its cache of 8 MiB, which the few do
/// not; a command that asks a server has no cache.
const STORE_ROOM: u64 = 12 << 10;
const CLIENT_ROOM: u64 = 2 << 10;
/// The server also remembers who got confirmations in the last 24 hours, some 60 bytes each, and its threads keep what they
/// have freed: between two runs with the same data lie up to 8 MiB.
const SERVER_ROOM: u64 = STORE_ROOM + (12 << 10);

/// Requests to the store at once, so that it commits many together.
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

/// For those that write and read a second file: with this many, all caches are full.
const FULL: u64 = 12_000;
const TWICE: u64 = 24_000;

const BACKUPS: &[&[&str]] = &[
    &["backup", "--output", "the.backup"],
    &["check"],
    &["check", "the.backup"],
];

/// The most memory that something took, in KiB.
struct Peak {
    what: String,
    kib: u64,
    room: u64,
}

#[test]
fn commands_take_the_same_memory_however_many_records_there_are() {
    compare(COMMANDS, FEW, MANY);
}

#[test]
fn backups_take_the_same_memory_however_many_records_there_are() {
    compare(BACKUPS, FULL, TWICE);
}

fn compare(commands: &[&[&str]], fewer: u64, more: u64) {
    // A short run may be seen at its start alone; the largest of three was seen in its midst.
    let few = measured(commands, fewer, 3);
    let many = measured(commands, more, 1);
    let mut grown = Vec::new();
    for (few, many) in few.into_iter().zip(many) {
        let Peak { what, kib, room } = many;
        if kib > few.kib + room {
            grown.push(format!(
                "{what}: {} KiB for {fewer}, {kib} KiB for {more}",
                few.kib
            ));
        }
    }
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}

/// Measures each command without a server and with one, that often, and the server itself.
fn measured(commands: &[&[&str]], count: u64, runs: usize) -> Vec<Peak> {
    let dir = Dir::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(fill(&dir.data(), count));
    if is_postgres() {
        // That takes a fraction of the time in which a database stores them one by one.
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
    // No server helps a command that goes to a database.
    let room = if is_postgres() { STORE_ROOM } else { CLIENT_ROOM };
    peaks.extend(measure("with a server", room));
    peaks.push(Peak {
        what: "the server".to_owned(),
        kib: server.memory("VmHWM:"),
        room: SERVER_ROOM,
    });
    peaks
}

/// Runs a command; returns the most memory that it took.
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
    // The system forgets the figure when the process ends, so it is read again and again.
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

/// Stores inquiries with all their deliveries, and confirmed subscriptions. It does so a year ahead, so that a server tries
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
            for domain in ["example.de", "example.org", "example.com"] {
                let email = format!("anna-{number}@{domain}");
                let key = store.subscription_key(&email);
                assert!(store.subscribe(email).await.unwrap());
                let asked = store.subscription(key).await.unwrap().unwrap().requested_at;
                assert!(store.confirm_subscription(key, asked).await.unwrap());
            }
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
