//! Deliveries of a killed instance: another instance takes over, and no two attempt the same delivery at once.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use super::SEVERAL;
use crate::harness::inquiry::post;
use crate::harness::{Server, Setup, leave_out_on_redb, record};
use crate::sinks::WebhookSink;

/// The time limit for taking over (`docs/behaviour.md`, "Two stores").
const TAKEOVER: Duration = Duration::from_mins(1);

fn setup(webhook: &WebhookSink) -> Setup {
    let setup = Setup::new();
    setup
        .dir
        .write("webhook-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    let config = format!(
        "[notify]\nwebhook = 'http://{}/hook'\nwebhook_secret_file = 'webhook-secret'\n",
        webhook.address
    );
    setup.config(config)
}

/// The number of calls for each webhook id.
fn counts(webhook: &WebhookSink) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for call in webhook.calls() {
        *counts.entry(call.headers["webhook-id"].clone()).or_default() += 1;
    }
    counts
}

#[test]
fn what_a_killed_instance_was_trying_is_taken_over_within_a_minute() {
    leave_out_on_redb!(SEVERAL);
    let webhook = WebhookSink::start();
    webhook.answer(None);
    let setup = setup(&webhook);
    let one = setup.start();
    assert_eq!(one.post(&record("Kranichfeld")).status, 201);
    webhook.wait_for(1);
    // The other instance finds the delivery leased.
    let other = setup.start();
    let _setup = one.kill();
    webhook.answer(Some("HTTP/1.1 204 No Content\r\n\r\n"));
    let killed = Instant::now();
    while webhook.calls().len() < 2 {
        assert!(killed.elapsed() < TAKEOVER, "nobody has taken over");
        thread::sleep(Duration::from_millis(50));
    }
    let calls = counts(&webhook);
    assert_eq!(
        calls.values().collect::<Vec<_>>(),
        [&2],
        "the same one: {calls:?}"
    );
    drop(other);
}

#[test]
fn no_two_instances_try_the_same_at_once() {
    leave_out_on_redb!(SEVERAL);
    let webhook = WebhookSink::start();
    let setup = setup(&webhook);
    let instances: Vec<Server> = (0..4).map(|_| setup.start()).collect();
    for number in 0..80 {
        let server = &instances[number % instances.len()];
        assert_eq!(server.send(&post(&record("Kranichfeld"))).status, 201);
    }
    webhook.wait_for(80);
    for server in instances {
        assert_eq!(server.terminate().code, Some(0));
    }
    let calls = counts(&webhook);
    assert_eq!(calls.len(), 80);
    assert!(calls.values().all(|&count| count == 1), "{calls:?}");
}
