//! Subscriptions to the newsletter.

use taubenabwehr::referral::{Outcome, Plan, Reach};

use crate::engines::Engine;
use crate::referred::*;
use crate::support::*;

pub async fn subscriptions_count_once_they_are_confirmed(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, Plan::default());
    let address = "Anna@Example.de";
    let key = store.subscription_key("anna@example.de");
    assert!(store.subscribe(address.to_owned()).await.unwrap());
    assert_eq!(store.subscription_key(address), key);
    let claims = claim(&store).await;
    assert_eq!(claims.len(), 1);
    store.settle(&claims[0], Outcome::Delivered).await.unwrap();
    assert!(!store.subscription(key).await.unwrap().unwrap().is_confirmed());
    let asked = store.subscription(key).await.unwrap().unwrap().requested_at;
    assert!(store.confirm_subscription(key, asked).await.unwrap());
    assert!(
        !store.subscribe(address.to_owned()).await.unwrap(),
        "there is nothing to confirm"
    );
    clock.put("2026-11-20T12:00:00Z");
    store.tick().await.unwrap();
    assert!(store.subscription(key).await.unwrap().unwrap().is_confirmed());
    let mut all = store.subscriptions().await.unwrap();
    assert!(all.next().await.unwrap().is_some_and(|one| one.is_confirmed()));
    assert_eq!(all.next().await.unwrap(), None);
    assert!(store.unsubscribe(key).await.unwrap());
    assert!(!store.unsubscribe(key).await.unwrap());
    assert_eq!(store.subscription(key).await.unwrap(), None);

    // One that is never confirmed is forgotten.
    assert!(store.subscribe(address.to_owned()).await.unwrap());
    let asked = store.subscription(key).await.unwrap().unwrap().requested_at;
    clock.put("2026-11-23T12:00:00Z");
    assert!(!store.confirm_subscription(key, asked).await.unwrap());
    store.tick().await.unwrap();
    assert_eq!(store.subscription(key).await.unwrap(), None);
    assert!(claim(&store).await.is_empty());
}

pub async fn a_failed_mail_is_tried_again_at_the_operators_wish(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, Plan::default());
    assert!(store.subscribe("anna@example.de".to_owned()).await.unwrap());
    let claims = claim(&store).await;
    let id = claims[0].id;
    assert!(!store.retry_subscription(id).await.unwrap(), "it is due");
    let failed = Outcome::Failed {
        reason: "no".to_owned(),
        reach: Reach::NotTaken,
    };
    store.settle(&claims[0], failed).await.unwrap();
    drop(claims);
    assert!(claim(&store).await.is_empty());
    let mut other = id;
    other.number ^= 1;
    assert!(!store.retry_subscription(other).await.unwrap());
    assert!(store.retry_subscription(id).await.unwrap());
    assert_eq!(claim(&store).await[0].id, id);
}
