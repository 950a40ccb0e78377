//! Claiming and settling deliveries.

use jiff::Timestamp;
use taubenabwehr::domain::referral::{
    Change, DeliveryCertainty, DeliveryState, Lane, Outcome, Refusal, Round,
};
use taubenabwehr::store::UpdateError;

use crate::engines::Engine;
use crate::firms::*;
use crate::referred::*;
use crate::support::*;

pub async fn a_delivery_is_claimed_once_and_tried_until_it_is_settled(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a"]));
    let inquiry = insert(&store, 1).await;
    let mail = store.lease(Lane::Mail, 2).await.unwrap().claims;
    assert_eq!(mail.len(), 2);
    let rest = claim(&store).await;
    assert_eq!(rest.len(), 2, "the visitor's mail, and the webhook");
    assert!(claim(&store).await.is_empty());

    let later: Timestamp = "2026-11-08T12:00:30Z".parse().unwrap();
    let retry = |reason: &str| Outcome::Retry {
        at: later,
        reason: reason.to_owned(),
        certainty: DeliveryCertainty::NotTaken,
    };
    store.settle(&mail[0], retry("refused")).await.unwrap();
    store.settle(&mail[1], Outcome::Delivered).await.unwrap();
    let failed = Outcome::Failed {
        reason: "unknown user".to_owned(),
        certainty: DeliveryCertainty::NotTaken,
    };
    store.settle(&rest[0], failed).await.unwrap();
    let found = store.lease(Lane::Mail, 9).await.unwrap();
    assert!(found.claims.is_empty());
    assert_eq!(found.next, Some(later));
    drop(store);

    // What was claimed and not settled is tried again after a crash, under the same id.
    clock.put("2026-11-08T12:00:30Z");
    let store = store_with(engine, &clock, policy(&["a"]));
    let again = claim(&store).await;
    assert!(
        again
            .iter()
            .any(|claim| claim.id == mail[0].id && claim.delivery.attempts == 1)
    );
    assert!(
        again
            .iter()
            .all(|claim| claim.id != mail[1].id && claim.id != rest[0].id)
    );
    assert_eq!(again.len(), 2);

    // An operator's retry begins anew.
    let number = rest[0].id.number;
    let none = store
        .update(inquiry.id, Change::Retry(Some(mail[1].id.number)))
        .await;
    assert_eq!(none, Err(UpdateError::Refused(Refusal::NotFailed)));
    let retried = store.update(inquiry.id, Change::Retry(None)).await.unwrap();
    assert_eq!(retried.referral.due_deliveries(Lane::Mail, later).count(), 2);
    let delivery = &retried.referral.deliveries[usize::from(number)];
    assert_eq!(delivery.state, DeliveryState::Waiting(later));
    let anew = Round {
        since: later,
        attempts: 0,
    };
    assert_eq!(delivery.round, Some(anew));
    // What it tells of has happened when it has happened.
    assert_eq!(delivery.since, "2026-11-08T12:00:00Z".parse().unwrap());
}

pub async fn what_is_being_tried_is_not_tried_twice(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a"]));
    let inquiry = insert(&store, 1).await;
    let mut claims = claim(&store).await;
    let retry = async || store.update(inquiry.id, Change::Retry(None)).await;
    let refused = Err(UpdateError::Refused(Refusal::NotFailed));
    assert_eq!(retry().await, refused);
    let later = Outcome::Retry {
        at: "2026-11-08T18:00:00Z".parse().unwrap(),
        reason: "no answer".to_owned(),
        certainty: DeliveryCertainty::NotTaken,
    };
    let first = claims.remove(0);
    store.settle(&first, later).await.unwrap();
    let id = first.id;
    drop(first);
    assert!(claim(&store).await.is_empty());
    retry().await.unwrap();
    assert_eq!(retry().await, refused);
    let again: Vec<_> = claim(&store).await.iter().map(|claim| claim.id).collect();
    assert_eq!(again, [id]);
}
