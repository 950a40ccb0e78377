//! How long the inbox takes when it is full. Run it on the executable that is shipped: `cargo test --release --test api -- desk::speed --ignored`.

use std::time::{Duration, Instant};

use super::AtDesk;
use crate::harness::referral::{config, open, stop};
use crate::harness::{Setup, record};
use taubenabwehr::domain::inquiry::NewInquiry;
use taubenabwehr::domain::referral::NewReferral;

/// Inquiries in the inbox.
const COUNT: usize = 10_000;

/// How long a page may take: less than anybody notices. Without optimisation everything takes some ten times as long.
const TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 50 });

fn filled() -> Setup {
    let setup = stop(super::setup(&config(&["nord"])).start());
    let store = open(&setup.dir);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for first in (0..COUNT).step_by(500) {
            let inserts = (first..first + 500).map(|number| {
                let json = record(&format!("Nummer {number}")).to_string();
                let inquiry = NewInquiry::parse(json.as_bytes(), jiff::Timestamp::now()).unwrap();
                store.insert(inquiry, NewReferral::default(), None)
            });
            for inserted in futures_util::future::join_all(inserts).await {
                inserted.unwrap();
            }
        }
        assert!(store.close(Duration::from_secs(30)).await);
    });
    setup
}

#[test]
#[ignore = "a measurement"]
fn ten_thousand_inquiries_make_nobody_wait() {
    let desk = AtDesk::of(filled().start());
    for path in [
        "/posteingang",
        "/posteingang?search=nummer+17",
        "/posteingang?search=niemand",
        "/posteingang?state=accepted",
    ] {
        let mut times: Vec<Duration> = (0..21)
            .map(|_| {
                let begun = Instant::now();
                desk.page(path);
                begun.elapsed()
            })
            .collect();
        times.sort();
        println!("{path}: median {:?}, longest {:?}", times[10], times[20]);
        assert!(times[10] < TIME, "{path}: {:?}", times[10]);
    }
}
