//! Servers that refuse, hang or drop connections.

use std::collections::BTreeMap;

use taubenabwehr::domain::referral::{Answer, Change, Delivery};
use taubenabwehr::site::templates::german_time;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn greylisting_is_waited_out() {
    let site = Site::new();
    site.mail
        .next(Step::Rcpt, Behaviour::Answer("451 4.7.1 greylisted"), MAILS);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    assert!(site.mail.mails().is_empty());
    site.pass(SignedDuration::from_secs(20));
    running.settled(&site, &inquiry).await;
    assert!(site.mail.mails().is_empty(), "half a minute is not over");
    site.pass(SignedDuration::from_secs(20));
    let mails = site.mails(MAILS).await;
    assert_eq!(message_ids(&mails).len(), MAILS);
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_failed_together_is_not_tried_again_together() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Drop);
    let running = site.start();
    // The clock stands still, so that all fail at the same moment.
    let mut again = BTreeMap::<_, usize>::new();
    for number in 0..20 {
        let inquiry = running.insert(&site, number).await;
        let record = running.settled(&site, &inquiry).await;
        let deliveries = record.referral.deliveries.iter();
        let mails = deliveries.filter(|delivery| delivery.message.lane() == Lane::Mail);
        for due in mails.filter_map(Delivery::due) {
            *again.entry(due).or_default() += 1;
        }
    }
    let count: usize = again.values().sum();
    assert_eq!(count, 20 * MAILS);
    assert!(again.values().all(|at_once| *at_once < count / 4), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_may_have_arrived_comes_again_with_its_id() {
    let site = Site::new();
    site.mail.next(Step::Content, Behaviour::KeepAndDrop, 1);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    running.settled(&site, &inquiry).await;
    assert_eq!(site.mail.mails().len(), MAILS);
    site.pass(SignedDuration::from_secs(40));
    let mails = site.mails(MAILS + 1).await;
    assert_eq!(message_ids(&mails).len(), MAILS);
    assert!(are_delivered(&running.settled(&site, &inquiry).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recipient_that_does_not_exist_is_given_up_at_once() {
    let site = Site::new();
    site.mail
        .next(Step::Rcpt, Behaviour::Answer("550 5.1.1 nobody here"), MAILS);
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    // Firms whose mail is refused are passed over at once, and the next one is asked. Which mail is the last refused one varies.
    site.mails(1).await;
    let record = running.settled(&site, &inquiry).await;
    let last = record.referral.asked.last().map(|asked| asked.firm.as_str());
    assert_eq!(last, Some("ost"), "{:?}", record.referral.asked);
    let failed = record
        .referral
        .deliveries
        .iter()
        .filter(|delivery| matches!(delivery.state, DeliveryState::Failed(_)));
    for delivery in failed {
        assert_eq!(
            delivery.reason.as_deref(),
            Some("the mail server refused the recipient: 550 5.1.1")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_of_the_sender_is_no_answer_of_a_firm() {
    for (step, refusal) in [
        (Step::Mail, "553 no such sender"),
        (Step::Rcpt, "550 5.7.1 sender address rejected"),
    ] {
        let site = Site::new();
        site.mail.always(step, Behaviour::Answer(refusal));
        let running = site.start();
        let inquiry = running.insert(&site, 1).await;
        // Longer than the deadline for an answer.
        let record = running.after_hours(&site, &inquiry, 30).await;
        let asked = &record.referral.asked;
        assert_eq!(asked.len(), 3, "{refusal}: {asked:?}");
        let are_waiting = asked.iter().all(|asked| asked.answer == Answer::Pending);
        assert!(
            are_waiting && !record.referral.is_unmatched,
            "{refusal}: {asked:?}"
        );
        let is_given_up = |delivery: &Delivery| matches!(delivery.state, DeliveryState::Failed(_));
        assert!(!record.referral.deliveries.iter().any(is_given_up), "{refusal}");

        site.mail.recover();
        site.pass(SignedDuration::from_hours(7));
        let mails = site.mails(MAILS).await;
        assert_eq!(mails.len(), MAILS, "{refusal}");
        let record = running.settled(&site, &inquiry).await;
        let whole = site.now() + SignedDuration::from_hours(24);
        for asked in &record.referral.asked {
            assert_eq!((asked.answer, asked.until), (Answer::Pending, whole), "{refusal}");
        }
        let until = german_time(whole).replace('\u{a0}', " ");
        let to_firms: Vec<_> = mails
            .iter()
            .filter(|mail| mail.to.starts_with("auftrag@"))
            .collect();
        assert_eq!(to_firms.len(), 3, "{refusal}");
        for mail in to_firms {
            let message = mail_parser::MessageParser::new().parse(&mail.content).unwrap();
            let text = message.body_text(0).unwrap();
            assert!(text.contains(&until), "{refusal}: {text}");
        }
        // From then on, their deadline runs as for any other firm.
        site.pass(SignedDuration::from_hours(25));
        let mails = site.mails(MAILS + 1).await;
        assert!(recipients(&mails).contains("auftrag@ost.example"), "{refusal}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_firm_that_was_passed_over_untold_has_its_time_once_it_is_told() {
    let site = Site::new();
    site.mail
        .always(Step::Mail, Behaviour::Answer("553 no such sender"));
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    let record = running.after_hours(&site, &inquiry, 80).await;
    assert_eq!(record.referral.asked[0].answer, Answer::Silent);
    site.mail.recover();
    let number = record
        .referral
        .deliveries
        .iter()
        .position(|delivery| delivery.message == Message::FirmRequest(0));
    let retry = Change::Retry(Some(u16::try_from(number.unwrap()).unwrap()));
    running.store.update(inquiry.id, retry).await.unwrap();
    until(async || {
        let record = running.record(&inquiry).await;
        record.referral.asked[0].answer == Answer::Pending
    })
    .await;
    let record = running.record(&inquiry).await;
    let whole = site.now() + SignedDuration::from_hours(24);
    assert_eq!(record.referral.asked[0].until, whole);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_server_that_hangs_holds_nothing_else_up() {
    let site = Site::new();
    site.mail.always(Step::Greeting, Behaviour::Hang);
    let running = site.start();
    let first = running.insert(&site, 0).await;
    let begun = Instant::now();
    for number in 1..100 {
        running.insert(&site, number).await;
    }
    assert!(begun.elapsed() < TIMEOUT, "{:?}", begun.elapsed());
    site.webhook.wait_for(100);
    assert!(site.mail.mails().is_empty());
    // Shutdown does not wait for the mail server either, and loses nothing.
    assert!(running.stop().await);
    site.mail.recover();
    let running = site.start();
    let mails = site.mails(100 * MAILS).await;
    assert_eq!(message_ids(&mails).len(), 100 * MAILS);
    assert!(are_delivered(&running.settled(&site, &first).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_is_gone_is_given_up_and_mail_goes_on() {
    let site = Site::new();
    site.webhook
        .answer(Some("HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n"));
    let running = site.start();
    let inquiry = running.insert(&site, 1).await;
    site.mails(MAILS).await;
    let record = running.settled(&site, &inquiry).await;
    let call = record
        .referral
        .deliveries
        .iter()
        .find(|delivery| delivery.message.lane() == Lane::Webhook)
        .unwrap();
    assert!(matches!(call.state, DeliveryState::Failed(_)), "{call:?}");
    assert_eq!(site.webhook.calls().len(), 1);
}
