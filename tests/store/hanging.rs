//! PostgreSQL alone: an instance that hangs in the midst of a transaction, whose locks the server gives back soon.

use std::time::Duration;

use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::store::EraseError;
use tokio::time::timeout;

use crate::engines::{Engine, PostgresEngine};
use crate::support::*;
use crate::way::{HANGING, open};

/// Within which others go on: less than the half minute after which an erasure leaves its connection by itself.
const SOON: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_does_not_wait_long_for_the_connection_that_hangs_with_it() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (store, way) = open(&engine, &clock).await;
    let day = jiff::civil::date(2026, 11, 8);
    way.lose(HANGING);
    // Well before the caller is told that the store is unavailable.
    store.count(day, [("page:/".to_owned(), 1)].into()).await.unwrap();
    assert!(way.is_lost());
    assert_eq!(store.counts(day).await.unwrap()[0].1["page:/"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_that_hangs_does_not_keep_others_from_its_inquiries() {
    let Some(engine) = PostgresEngine::new() else {
        return;
    };
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let (hanging, way) = open(&engine, &clock).await;
    let inserted = hanging.insert(sample(1), NewReferral::default(), None).await;
    let inquiry = inserted.unwrap().into_inquiry();
    way.lose(HANGING);
    let its = ids(&[&inquiry]);
    let erasing = tokio::spawn(async move { hanging.erase(its).await });
    while !way.is_lost() {
        tokio::task::yield_now().await;
    }
    let other = engine.open_with(&clock);
    let by_other = timeout(SOON, other.erase(ids(&[&inquiry]))).await.unwrap();
    if !matches!(by_other, Ok(1)) {
        // The first one noticed its lost connection and was quicker on another.
        assert!(matches!(by_other, Err(EraseError::Unknown(_))), "{by_other:?}");
        assert!(matches!(erasing.await.unwrap(), Ok(1)));
    }
}
