//! Whose turn it is, over restarts.

use std::sync::Arc;

use taubenabwehr::domain::referral::HandlingPolicy;
use taubenabwehr::store::Store;

use crate::engines::Engine;
use crate::firms::*;
use crate::support::*;

const FIRMS: [&str; 4] = ["nordnetz", "elbtaube", "alsterschutz", "wandsbek"];

fn open(engine: &impl Engine) -> Store {
    let store = engine.open();
    let three_at_once = HandlingPolicy {
        offers: 3,
        ..policy(&FIRMS)
    };
    store.set_policy(Arc::new(three_at_once)).unwrap();
    store
}

/// Stores an inquiry, and returns who was not asked about it.
async fn passed_over(store: &Store, number: u64) -> &'static str {
    let inquiry = store.put(sample(number), None).await.unwrap();
    let record = store.record(inquiry.id).await.unwrap().unwrap();
    let asked: Vec<_> = record
        .referral
        .asked
        .iter()
        .map(|asked| asked.firm.as_str())
        .collect();
    FIRMS.into_iter().find(|firm| !asked.contains(firm)).unwrap()
}

/// Three of four firms are asked each time, so that each is passed over in every fourth inquiry, the last one first. So many
/// asks are made at once that they are kept with their firms several times.
pub async fn turns_go_on_after_restarts_however_many_were_asked(engine: &impl Engine) {
    let mut number = 0;
    for round in 0..6 {
        let store = Arc::new(open(engine));
        for expected in ["wandsbek", "alsterschutz", "elbtaube", "nordnetz"] {
            assert_eq!(passed_over(&store, number).await, expected, "round {round}");
            number += 1;
        }
        let tasks: Vec<_> = (0..1000)
            .map(|_| {
                let store = Arc::clone(&store);
                tokio::spawn(async move { store.put(sample(1), None).await.unwrap() })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    }
    let asks = open(engine).asks().await.unwrap();
    assert_eq!(asks.len(), FIRMS.len());
    let last = asks
        .values()
        .map(taubenabwehr::domain::matching::RequestHistory::last)
        .max();
    assert_eq!(last, Some(3 * (6 * 1004)));
}
