//! PostgreSQL alone: connections that are lost around COMMIT, with an unknown outcome.

use std::sync::Arc;

use taubenabwehr::domain::referral::{DeliveryCertainty, Lane, NewReferral, Outcome};
use taubenabwehr::store::{Erasure, Inserted};

use crate::engines::{Engine, PostgresEngine};
use crate::firms::policy;
use crate::support::*;
use crate::way::{LATE, LOST_BEFORE, LOST_BEHIND, NOTHING, open};

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_has_acknowledged_happens_once() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (store, way) = open(&engine, &clock).await;
    store.set_policy(Arc::new(policy(&["a", "b", "c", "d"]))).unwrap();
    let day = jiff::civil::date(2026, 11, 8);
    let mut number = 0;
    for fate in [LOST_BEFORE, LOST_BEHIND, LOST_BEHIND] {
        number += 1;
        way.lose(fate);
        let one = [("page:/".to_owned(), 1)].into();
        store.count(day, one).await.unwrap();
        assert!(way.is_lost());
        assert_eq!(store.counts(day).await.unwrap()[0].1["page:/"], number);

        way.lose(fate);
        // Without a key nothing else would tell a second one from the first.
        let inserted = store
            .insert(sample(number), NewReferral::default(), None)
            .await
            .unwrap();
        let Inserted::New(inquiry) = inserted else {
            panic!("it was stored once");
        };
        assert!(way.is_lost());
        let stored = all(&store).await;
        assert_eq!(stored.len(), usize::try_from(number).unwrap());
        assert_eq!(stored.last(), Some(&inquiry));

        way.lose(fate);
        let claims = store.lease(Lane::Mail, 100).await.unwrap().claims;
        assert!(way.is_lost());
        assert!(claims.len() > 1, "{}", claims.len());
        for (index, claim) in claims.iter().enumerate() {
            let retry = Outcome::Retry {
                at: "2026-11-09T12:00:00Z".parse().unwrap(),
                reason: "no".to_owned(),
                certainty: DeliveryCertainty::NotTaken,
            };
            way.lose(if index == 0 { fate } else { NOTHING });
            store.settle(claim, retry).await.unwrap();
            assert!(way.is_lost());
            let record = store.record(claim.id.inquiry).await.unwrap().unwrap();
            let delivery = &record.referral.deliveries[usize::from(claim.id.number)];
            assert_eq!(delivery.attempts, 1);
        }
    }
    let asked: u64 = store
        .asks()
        .await
        .unwrap()
        .values()
        .map(taubenabwehr::domain::matching::RequestHistory::last)
        .max()
        .unwrap();
    assert_eq!(asked % number, 0, "each inquiry has asked as many firms");
    drop(store);
    assert_eq!(all(&engine.open()).await.len(), usize::try_from(number).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_was_repeated_does_not_happen_late() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (store, way) = open(&engine, &clock).await;
    let day = jiff::civil::date(2026, 11, 8);
    way.lose(LATE);
    // Adding once more is nothing that a key or an id would show.
    store.count(day, [("page:/".to_owned(), 1)].into()).await.unwrap();
    assert!(way.is_lost());
    while !way.has_late_ended() {
        tokio::task::yield_now().await;
    }
    assert_eq!(store.counts(day).await.unwrap()[0].1["page:/"], 1);
    store.count(day, [("page:/".to_owned(), 1)].into()).await.unwrap();
    assert_eq!(store.counts(day).await.unwrap()[0].1["page:/"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inquiry_that_is_stored_by_one_statement_is_stored_once() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (store, way) = open(&engine, &clock).await;
    let mut stored = Vec::new();
    for (number, fate) in (0..).zip([LOST_BEFORE, LOST_BEHIND, LATE]) {
        way.lose(fate);
        // No mail is due for it, and it has no key.
        stored.push(store.put(sample(number), None).await.unwrap());
        assert!(way.is_lost());
        while fate == LATE && !way.has_late_ended() {
            tokio::task::yield_now().await;
        }
        assert_eq!(all(&store).await, stored);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_that_nobody_has_acknowledged_is_found_done() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (store, way) = open(&engine, &clock).await;
    for fate in [LOST_BEFORE, LOST_BEHIND] {
        let mut ids = Vec::new();
        for number in 0..3 {
            let inserted = store.insert(sample(number), NewReferral::default(), None).await;
            ids.push(inserted.unwrap().into_inquiry().id);
        }
        way.lose(fate);
        let named = Erasure::Ids([ids[0]].into());
        assert_eq!(store.erase(named).await.unwrap(), 1);
        assert!(way.is_lost());
        way.lose(fate);
        let all_others = Erasure::ReceivedBefore("2026-11-09T12:00:00Z".parse().unwrap());
        assert_eq!(store.erase(all_others).await.unwrap(), 2);
        assert!(way.is_lost());
        assert_eq!(all(&store).await.len(), 0);
    }
}
