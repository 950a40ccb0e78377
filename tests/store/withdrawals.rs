//! Withdrawals: who is notified, and what is left.

use taubenabwehr::domain::inquiry::Inquiry;
use taubenabwehr::domain::referral::{Change, DeliveryCertainty, Event, Message, Refusal, State};
use taubenabwehr::store::{Store, UpdateError};

use crate::engines::Engine;
use crate::firms::*;
use crate::referred::*;
use crate::support::*;

pub async fn a_withdrawn_inquiry_is_erased_and_its_readers_are_told(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b", "c"]));
    let inquiry = insert(&store, 1).await;
    // Unsettled deliveries stay claimed.
    let claims = claim(&store).await;
    for claim in &claims {
        let outcome = match claim.delivery.message {
            // b may have it, c's mail is being sent.
            Message::FirmRequest(1) => Err(failure(
                DeliveryCertainty::MayBeTaken,
                Some("2026-11-08T13:00:00Z"),
            )),
            Message::FirmRequest(2) => continue,
            _ => Ok(()),
        };
        store.settle(claim, outcome).await.unwrap();
    }
    let withdrawn = store.update(inquiry.id, Change::Withdraw).await.unwrap();
    assert_eq!(withdrawn.inquiry, None);
    assert_eq!(withdrawn.referral.state(), State::Withdrawn);
    assert_eq!(
        waiting(&withdrawn),
        [
            Message::FirmWithdrawn(0),
            Message::FirmWithdrawn(1),
            Message::FirmWithdrawn(2),
            Message::OperatorWithdrawn(0),
            Message::Webhook(Event::Withdrawn),
        ]
    );
    assert_eq!(
        store.update(inquiry.id, Change::Withdraw).await.unwrap(),
        withdrawn
    );
    let late = store.update(inquiry.id, Change::Accept(0)).await;
    assert_eq!(late, Err(UpdateError::Refused(Refusal::Withdrawn)));
    assert_eq!(all(&store).await, []);
    // The browser's repetition gets the same reply, and stores nothing.
    assert_eq!(insert(&store, 1).await.id, inquiry.id);
    assert_eq!(all(&store).await, []);
    drop(claims);
    deliver_all(&store).await;
    clock.put("2026-12-08T11:59:59Z");
    store.tick().await.unwrap();
    assert_eq!(record(&store, &inquiry).await.referral.state(), State::Withdrawn);
    clock.put("2026-12-08T12:00:00Z");
    store.tick().await.unwrap();
    assert_eq!(store.record(inquiry.id).await.unwrap(), None);
}

pub async fn nobody_hears_of_an_inquiry_that_was_withdrawn_before_anything_was_sent(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b", "c"]));
    let inquiry = insert(&store, 1).await;
    let withdrawn = store.update(inquiry.id, Change::Withdraw).await.unwrap();
    assert_eq!(waiting(&withdrawn), []);
    assert!(claim(&store).await.is_empty());
}

/// Settles all due deliveries, but fails the mails to firms, each with its own certainty.
async fn fail_firms(store: &Store, reaches: [DeliveryCertainty; 3]) {
    settle_all(store, |message| match message {
        Message::FirmRequest(firm) => Err(failure(reaches[usize::from(firm)], Some("2026-11-08T13:00:00Z"))),
        _ => Ok(()),
    })
    .await;
}

/// Withdraws an inquiry; returns the firms that are notified.
async fn told_firms(store: &Store, inquiry: &Inquiry) -> Vec<u8> {
    let withdrawn = store.update(inquiry.id, Change::Withdraw).await.unwrap();
    let told = waiting(&withdrawn).into_iter();
    told.filter_map(|message| match message {
        Message::FirmWithdrawn(firm) => Some(firm),
        _ => None,
    })
    .collect()
}

pub async fn only_firms_that_may_have_the_inquiry_are_told(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b", "c"]));
    let inquiry = insert(&store, 1).await;
    fail_firms(
        &store,
        [
            DeliveryCertainty::NotTaken,
            DeliveryCertainty::MayBeTaken,
            DeliveryCertainty::NotTaken,
        ],
    )
    .await;
    // A later attempt that gets less far changes nothing, nor does a restart in between.
    drop(store);
    clock.put("2026-11-08T12:30:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b", "c"]));
    clock.put("2026-11-08T13:00:00Z");
    fail_firms(&store, [DeliveryCertainty::NotTaken; 3]).await;
    assert_eq!(told_firms(&store, &inquiry).await, [1]);
}

pub async fn a_firm_whose_mail_was_under_way_in_a_crash_is_told(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    for is_tried_again in [false, true] {
        let number = u64::from(is_tried_again);
        let inquiry = {
            let store = store_with(engine, &clock, policy(&["a", "b", "c"]));
            let inquiry = insert(&store, number).await;
            // The process ends before anything is settled.
            drop(claim(&store).await);
            inquiry
        };
        clock.put(&format!("2026-11-08T12:0{}:01Z", number + 1));
        let store = store_with(engine, &clock, policy(&["a", "b", "c"]));
        if is_tried_again {
            fail_firms(&store, [DeliveryCertainty::NotTaken; 3]).await;
        }
        assert_eq!(told_firms(&store, &inquiry).await.len(), 3, "{is_tried_again}");
    }
}
