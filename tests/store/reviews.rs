//! What visitors say of firms: every change is heard of before its caller goes on, is there after a restart, and goes with the inquiry.

use std::collections::BTreeSet;

use taubenabwehr::domain::inquiry::Inquiry;
use taubenabwehr::domain::matching::FirmId;
use taubenabwehr::domain::referral::{Change, Refusal, Review, Verdict};
use taubenabwehr::store::{Erasure, Store, UpdateError};

use crate::engines::Engine;
use crate::firms::policy;
use crate::referred::*;
use crate::support::*;

fn firm() -> FirmId {
    FirmId::parse("a").unwrap()
}

pub fn review(text: &str) -> Change {
    Change::Review(firm(), Some(Review::parse("4", text, "Anna M.", true).unwrap()))
}

pub fn publish() -> Change {
    Change::Judge(firm(), Verdict::Publish, None)
}

/// Stores an inquiry that the firm accepts.
pub async fn accepted(store: &Store, number: u64) -> Inquiry {
    let inquiry = insert(store, number).await;
    store.update(inquiry.id, Change::Accept(0)).await.unwrap();
    inquiry
}

/// The texts of all reviews, each with whether it is published.
async fn texts(store: &Store) -> Vec<(String, bool)> {
    let found = store.reviews().await.unwrap().into_iter();
    found
        .map(|found| (found.review.text.clone(), found.review.is_published()))
        .collect()
}

/// Makes a change, of which the store must have heard when it is made.
async fn change(store: &Store, inquiry: &Inquiry, change: Change) {
    let before = store.review_changes().count();
    store.update(inquiry.id, change).await.unwrap();
    assert!(store.review_changes().count() > before);
}

pub async fn reviews_are_listed_and_heard_of(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b"]));
    let first = accepted(&store, 1).await;
    let second = accepted(&store, 2).await;
    // None was written, so there was no change, and nothing need be searched.
    assert_eq!(store.review_changes().count(), 0);
    assert_eq!(store.facts().await.unwrap().reviews_changed_at, None);
    assert_eq!(texts(&store).await, []);

    // What is not published is no news for the pages.
    store.update(first.id, review("eins")).await.unwrap();
    assert_eq!(store.review_changes().count(), 0);
    assert_eq!(store.facts().await.unwrap().reviews_changed_at, None);
    assert_eq!(texts(&store).await, [("eins".to_owned(), false)]);
    clock.put("2026-11-08T13:00:00Z");
    store.update(second.id, review("zwei")).await.unwrap();
    change(&store, &second, publish()).await;
    assert_eq!(store.facts().await.unwrap().reviews_changed_at, Some(store.now()));
    let listed = [("eins".to_owned(), false), ("zwei".to_owned(), true)];
    assert_eq!(texts(&store).await, listed);
    // What changes nothing is not heard of.
    let before = store.review_changes().count();
    store.update(second.id, publish()).await.unwrap();
    store.update(second.id, review("zwei")).await.unwrap();
    let declined = Change::Judge(FirmId::parse("b").unwrap(), Verdict::Publish, None);
    let refused = store.update(second.id, declined).await;
    assert_eq!(refused, Err(UpdateError::Refused(Refusal::NotAccepted)));
    assert_eq!(store.review_changes().count(), before);

    drop(store);
    let store = store_with(engine, &clock, policy(&["a", "b"]));
    assert_eq!(texts(&store).await, listed);
    assert_eq!(store.facts().await.unwrap().reviews_changed_at, Some(store.now()));
}

pub async fn reviews_go_with_their_inquiry(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a"]));
    for number in 1..=4 {
        let inquiry = accepted(&store, number).await;
        store.update(inquiry.id, review("gut")).await.unwrap();
        change(&store, &inquiry, publish()).await;
        let before = store.review_changes().count();
        match number {
            1 => drop(store.update(inquiry.id, Change::Withdraw).await.unwrap()),
            2 => {
                let ids = BTreeSet::from([inquiry.id]);
                assert_eq!(store.erase(Erasure::Ids(ids)).await.unwrap(), 1);
            }
            3 => {
                let received = Erasure::ReceivedBefore(store.now() + jiff::SignedDuration::from_secs(1));
                assert_eq!(store.erase(received).await.unwrap(), 1);
            }
            _ => drop(
                store
                    .update(inquiry.id, Change::Review(firm(), None))
                    .await
                    .unwrap(),
            ),
        }
        assert!(store.review_changes().count() > before, "{number}");
        assert_eq!(texts(&store).await, [], "{number}");
    }
}
