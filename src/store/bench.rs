//! Figures, printed: `cargo test --release store::bench -- --ignored --nocapture --test-threads 1`

use std::sync::Arc;
use std::time::Instant;

use super::tests::sample;
use super::*;

fn rss() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = |name: &str| {
        status
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or("")
            .to_owned()
    };
    format!("{} {}", line("VmRSS"), line("VmHWM"))
}

async fn insert_many(store: &Arc<Store>, waiters: u64, each: u64, keyed: bool) {
    let tasks: Vec<_> = (0..waiters)
        .map(|waiter| {
            let store = Arc::clone(store);
            tokio::spawn(async move {
                for n in 0..each {
                    let key = keyed.then(|| {
                        let hash = (waiter * each + n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                        IdempotencyKey::parse(format!("{hash:016x}-{waiter}-{n}").as_bytes()).unwrap()
                    });
                    store.insert(sample(n), key).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints figures"]
async fn inserts_a_second() {
    let target = std::env::var("BENCH_DIR").map_or_else(|_| std::env::temp_dir(), Into::into);
    for keyed in [false, true] {
        let dir = tempfile::tempdir_in(&target).unwrap();
        let store = Arc::new(Store::open(dir.path()).unwrap());
        for (waiters, each) in [(1, 2000), (64, 10_000), (256, 2000), (64, 3000)] {
            let started = Instant::now();
            insert_many(&store, waiters, each, keyed).await;
            let seconds = started.elapsed().as_secs_f64();
            #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
            let rate = (waiters * each) as f64 / seconds;
            println!("keyed {keyed}, {waiters} waiters: {rate:.0} inserts/s, {}", rss());
        }
        let records = store.snapshot().unwrap().len().unwrap();
        let length = std::fs::metadata(directory::file(dir.path())).unwrap().len();
        println!("{records} records, {} bytes each in the file", length / records);
    }
}
