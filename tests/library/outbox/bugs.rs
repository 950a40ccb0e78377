//! Panics inside the outbox itself.

use super::*;

/// Far below the minute for which a panic used to block everything else.
const SOON: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn a_try_that_panics_counts_and_holds_up_nothing_else() {
    let site = Site::new();
    site.bugs.in_tries.store(2, Ordering::SeqCst);
    let running = site.start();
    let begun = Instant::now();
    let inquiry = running.insert(&site, 1).await;
    let record = running.settled(&site, &inquiry).await;
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    let waiting: Vec<_> = record
        .referral
        .deliveries
        .iter()
        .filter(|delivery| !matches!(delivery.state, DeliveryState::Delivered(_)))
        .collect();
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    assert_eq!(waiting[0].attempts, 1);
    let reason = waiting[0].reason.as_deref().unwrap();
    assert!(reason.contains("internal error"), "{reason}");
    site.pass(SignedDuration::from_secs(40));
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_that_panics_begins_again() {
    let site = Site::new();
    let running = site.start();
    running.insert(&site, 1).await;
    site.mails(MAILS).await;
    site.bugs.in_the_loop.store(2, Ordering::SeqCst);
    until(async || site.bugs.in_the_loop.load(Ordering::SeqCst) == 0).await;
    let inquiry = running.insert(&site, 2).await;
    site.mails(2 * MAILS).await;
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}
