//! Two instances behind haproxy: an update without a pause, and one that is killed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::SEVERAL;
use super::example::Cluster;
use crate::harness::inquiry::post;
use crate::harness::{Request, http, left_out_on_redb, record, until};

#[test]
fn a_rolling_restart_refuses_nobody() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
    let Some(cluster) = Cluster::start(2, "") else {
        return;
    };
    let before = cluster.processes();
    let is_over = AtomicBool::new(false);
    let stored: usize = thread::scope(|scope| {
        let clients: Vec<_> = (0..6)
            .map(|client| {
                let (is_over, address) = (&is_over, cluster.address);
                scope.spawn(move || {
                    let mut stored = 0;
                    while !is_over.load(Ordering::SeqCst) || stored == 0 {
                        // Without a key, so that nothing is sent twice, and each on a connection of its own.
                        let sent = http::once(address, &post(&record(&format!("Meier {client}"))));
                        assert_eq!(sent.status, 201, "{}", sent.text());
                        stored += 1;
                        assert_eq!(http::once(address, &Request::get("/fragebogen")).status, 200);
                    }
                    stored
                })
            })
            .collect();
        cluster.restart();
        is_over.store(true, Ordering::SeqCst);
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    for (now, before) in cluster.processes().iter().zip(&before) {
        assert_ne!(now, before);
    }
    assert_eq!(cluster.stored().len(), stored);
}

#[test]
fn a_killed_instance_is_left_out_and_comes_back() {
    if left_out_on_redb(SEVERAL) {
        return;
    }
    let Some(cluster) = Cluster::start(2, "") else {
        return;
    };
    let before = cluster.kill(1);
    for number in 0..40 {
        let request = post(&record("Krause")).header("Idempotency-Key", &format!("killed-{number}"));
        let sent = http::once(cluster.address, &request);
        assert_eq!(sent.status, 201, "{}", sent.text());
        assert_eq!(http::once(cluster.address, &Request::get("/")).status, 200);
    }
    until("it is started again", || {
        (cluster.process_of(1) != before).then_some(())
    });
    assert_eq!(cluster.stored().len(), 40);
}
