//! Effects of the passage of time.

use std::cell::Cell;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_server_that_is_away_for_a_day_costs_nothing() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    site.webhook.wait_for(1);
    // Longer than the deadline for an answer.
    let record = running.after_hours(&site, &inquiry, 30).await;
    let waiting = record
        .referral
        .deliveries
        .iter()
        .filter(|delivery| delivery.due().is_some());
    assert_eq!(waiting.clone().count(), MAILS);
    for delivery in waiting {
        assert!((5..20).contains(&delivery.attempts), "{delivery:?}");
        assert!(delivery.reason.is_some());
    }
    site.mail.recover();
    site.pass(SignedDuration::from_hours(7));
    let mails = site.mails(MAILS).await;
    running.settled(&site, &inquiry).await;
    let found = site.mail.mails();
    assert_eq!(message_ids(&found).len(), found.len(), "nothing twice: {mails:?}");
    // The deadline of the first three firms starts with their mails, so no fourth firm is asked.
    assert!(!recipients(&found).contains("auftrag@ost.example"));
    assert_eq!(site.webhook.calls().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_three_days_a_delivery_has_failed() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    let record = running.after_hours(&site, &inquiry, 80).await;
    let operator = &record.referral.deliveries[0];
    assert_eq!(operator.message, Message::OperatorNew(0));
    assert!(matches!(operator.state, DeliveryState::Failed(_)), "{operator:?}");
    site.mail.recover();
    site.pass(SignedDuration::from_hours(24));
    running.settled(&site, &inquiry).await;
    let id = format!("<{}-0@www.example.de>", inquiry.id);
    assert!(!message_ids(&site.mails(1).await).contains(&id));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_clock_demands_is_done() {
    let site = Site::new();
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    site.mails(MAILS).await;
    running.settled(&site, &inquiry).await;
    // After a day without an answer from the three firms, the fourth one is asked.
    site.pass(SignedDuration::from_hours(25));
    let mails = site.mails(MAILS + 1).await;
    assert!(recipients(&mails).contains("auftrag@ost.example"));
    // A retention limit from a new configuration is enforced in time.
    site.configure(|handling| handling.retention.inquiries_days = 30.try_into().ok());
    site.pass(SignedDuration::from_hours(28 * 24));
    let later = running.insert(&site, 2).await;
    assert!(running.store.record(inquiry.id).await.unwrap().is_some());
    site.pass(SignedDuration::from_hours(2 * 24));
    running.store.believe_clock().await.unwrap();
    until(async || running.store.record(inquiry.id).await.unwrap().is_none()).await;
    assert!(running.record(&later).await.inquiry.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_should_be_gone_is_not_sent_after_a_start() {
    let site = Site::new();
    site.configure(|handling| handling.retention.inquiries_days = 30.try_into().ok());
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    assert!(running.stop().await);
    site.pass(SignedDuration::from_hours(31 * 24));
    site.mail.recover();
    let running = site.start();
    // The clock is not trusted yet.
    judged(&site, &running).await;
    running.store.believe_clock().await.unwrap();
    until(async || running.store.record(inquiry.id).await.unwrap().is_none()).await;
    assert!(site.mail.mails().is_empty(), "{:?}", site.mail.mails());
    // New inquiries are sent as usual.
    running.insert(&site, 2).await;
    let mails = site.mails(MAILS).await;
    assert!(!recipients(&mails).contains("gross-1@example.de"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_that_was_off_for_four_days_loses_nothing() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    assert!(running.stop().await);
    site.pass(SignedDuration::from_hours(100));
    // The mail server is down for longer than this machine.
    let running = site.start();
    let record = running.settled(&site, &inquiry).await;
    let operator = &record.referral.deliveries[0];
    assert_eq!(operator.message, Message::OperatorNew(0));
    assert!(operator.due().is_some(), "{operator:?}");
    site.mail.recover();
    site.pass(SignedDuration::from_secs(40));
    let id = format!("<{}-0@www.example.de>", inquiry.id);
    until(async || message_ids(&site.mail.mails()).contains(&id)).await;
}

/// The store's assessment of the clock, once the outbox has read it.
async fn judged(site: &Site, running: &Running) -> Reckoning {
    let judged = Cell::new(Reckoning::default());
    until(async || {
        let clock = running.store.facts().await.unwrap().clock;
        judged.set(clock);
        [clock.known, clock.doubted_since].contains(&Some(site.now()))
    })
    .await;
    judged.get()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_leaps_erases_nothing() {
    let days = |days: i64| SignedDuration::from_hours(days * 24);
    for leap in [40, 400, 4000] {
        let site = Site::new();
        site.configure(|handling| handling.retention.inquiries_days = 30.try_into().ok());
        let running = site.start();
        let first = running.insert(&site, 1).await;
        assert!(!judged(&site, &running).await.may_be_ahead());

        // The clock leaps while the server runs, and again while it is stopped.
        site.pass(days(leap));
        assert!(judged(&site, &running).await.may_be_ahead(), "{leap}");
        running.insert(&site, 2).await;
        assert!(running.stop().await);
        site.pass(days(leap));
        let running = site.start();
        assert!(judged(&site, &running).await.may_be_ahead(), "{leap}");
        assert!(running.record(&first).await.inquiry.is_some(), "{leap}");

        // The clock is corrected, via a time that is much too early.
        site.pass(-days(3 * leap));
        assert!(!judged(&site, &running).await.may_be_ahead(), "{leap}");
        site.pass(days(leap) + SignedDuration::from_hours(1));
        assert!(!judged(&site, &running).await.may_be_ahead(), "{leap}");
        let later = running.insert(&site, 3).await;
        assert!(running.stop().await);

        // An inquiry from after the correction is eventually erased.
        site.pass(days(8));
        let running = site.start();
        assert!(
            judged(&site, &running).await.may_be_ahead(),
            "it was off for a week"
        );
        site.pass(days(7));
        assert!(!judged(&site, &running).await.may_be_ahead());
        for _ in 0..23 {
            site.pass(SignedDuration::from_hours(23));
            judged(&site, &running).await;
        }
        until(async || running.store.record(later.id).await.unwrap().is_none()).await;
        assert!(running.stop().await);
    }
}

/// How often an idle outbox reads the clock, and how many steps of the store each read may cause: for both lanes, and for what is
/// due by the clock.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const STEPS_A_LOOK: u32 = 10;

#[tokio::test(flavor = "multi_thread")]
async fn pauses_are_as_long_wherever_the_clock_of_the_machine_is() {
    for hours in [-1, 1] {
        let mut site = Site::new();
        site.look_every = LOOK_EVERY;
        let machine = Timestamp::now().duration_since(site.now());
        site.pass(machine + SignedDuration::from_hours(hours));
        site.mail.always(Step::Greeting, Behaviour::Drop);
        let running = site.start();
        let inquiry = running.insert(&site, 1).await;
        let record = running.settled(&site, &inquiry).await;
        for delivery in &record.referral.deliveries {
            assert!(delivery.attempts <= 1, "{hours}: {delivery:?}");
        }
        let activity = running.store.activity();
        let (begun, before) = (Instant::now(), activity.steps());
        let looks = 4;
        until(async || activity.steps() - before >= u64::from(looks * STEPS_A_LOOK)).await;
        assert!(
            begun.elapsed() >= LOOK_EVERY * looks,
            "{hours}: {:?}",
            begun.elapsed()
        );
    }
}
