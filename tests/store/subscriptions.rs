//! Subscriptions to the newsletter.

use taubenabwehr::domain::referral::{DeliveryCertainty, HandlingPolicy, Message, NewReferral, Outcome};

use crate::engines::Engine;
use crate::firms::policy;
use crate::referred::*;
use crate::support::*;

pub async fn subscriptions_count_once_they_are_confirmed(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, HandlingPolicy::default());
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

    // The next one is not confirmed by an older mail.
    assert!(store.subscribe(address.to_owned()).await.unwrap());
    let later = store.subscription(key).await.unwrap().unwrap().requested_at;
    assert_ne!(later, asked);
    assert!(!store.confirm_subscription(key, asked).await.unwrap());
    assert!(!store.subscription(key).await.unwrap().unwrap().is_confirmed());
    assert!(store.confirm_subscription(key, later).await.unwrap());
    assert!(store.subscription(key).await.unwrap().unwrap().is_confirmed());
}

pub async fn a_mailbox_gets_one_mail_of_the_newsletter_a_day(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a"]));
    assert!(store.subscribe("anna@example.de".to_owned()).await.unwrap());
    for spelling in [
        "anna@example.de",
        "\"Anna\"@ex\u{ad}ample.de",
        "anna+x@example.de",
    ] {
        assert!(!store.subscribe(spelling.to_owned()).await.unwrap(), "{spelling}");
    }
    // It keeps no confirmation of an inquiry from her, nor do those keep it from her.
    let confirms = async |number| {
        let inquiry = sample_of("ANNA@example.de", "2026-11-08T12:00:00Z", number);
        let inserted = store.insert(inquiry, NewReferral::default(), None).await.unwrap();
        let inquiry = inserted.into_inquiry();
        waiting(&record(&store, &inquiry).await).contains(&Message::VisitorReceived)
    };
    for (number, expected) in [(1, true), (2, true), (3, true), (4, false)] {
        assert_eq!(confirms(number).await, expected, "{number}");
    }
    clock.put("2026-11-09T11:59:59Z");
    assert!(!store.subscribe("anna@example.de".to_owned()).await.unwrap());
    clock.put("2026-11-09T12:00:00Z");
    assert!(store.subscribe("anna@example.de".to_owned()).await.unwrap());
    // Once she has confirmed it, no spelling asks her again.
    let key = store.subscription_key("anna@example.de");
    let asked = store.subscription(key).await.unwrap().unwrap().requested_at;
    assert!(store.confirm_subscription(key, asked).await.unwrap());
    clock.put("2026-11-20T12:00:00Z");
    assert!(!store.subscribe("anna@ex\u{ad}ample.de".to_owned()).await.unwrap());
}

pub async fn a_failed_mail_is_tried_again_at_the_operators_wish(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, HandlingPolicy::default());
    assert!(store.subscribe("anna@example.de".to_owned()).await.unwrap());
    let claims = claim(&store).await;
    let id = claims[0].id;
    assert!(!store.retry_subscription(id).await.unwrap(), "it is due");
    let failed = Outcome::Failed {
        reason: "no".to_owned(),
        certainty: DeliveryCertainty::NotTaken,
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
