//! Firms are asked once for outcomes that stay open.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::domain::commission::Outcome;
use crate::domain::inquiry::NewInquiry;
use crate::domain::matching::{Firm, FirmId};
use crate::domain::referral::{Change, HandlingPolicy, Lane, Message, NewReferral};
use crate::store::{Erasure, IdempotencyKey, Store};

use super::simulation::firm;

fn id(text: &str) -> FirmId {
    FirmId::parse(text).unwrap()
}

/// Delivers what is due, and returns the questions for outcomes with their inquiries.
async fn questions(store: &Store) -> Vec<(Uuid, u8)> {
    let mut asked = Vec::new();
    for claim in store.lease(Lane::Mail, 1000).await.unwrap().claims {
        if let Message::FirmOutcome(firm) = claim.delivery.message {
            asked.push((claim.id.inquiry, firm));
        }
        store.settle(&claim, Ok(())).await.unwrap();
    }
    asked.sort_unstable();
    asked
}

#[tokio::test]
async fn a_firm_is_asked_once_for_an_outcome_that_is_open_after_21_days() {
    let dir = tempfile::tempdir().unwrap();
    let begin: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
    let millis = Arc::new(AtomicI64::new(begin.as_millisecond()));
    let put = |time: Timestamp| millis.store(time.as_millisecond(), Ordering::Relaxed);
    let clock = Arc::clone(&millis);
    let clock = Arc::new(move || Timestamp::from_millisecond(clock.load(Ordering::Relaxed)).unwrap());
    let store = Store::open_with_clock(dir.path(), Duration::ZERO, clock).unwrap();
    let firms = ["a", "b"].map(|name| Firm {
        per_week: None,
        ..firm(name)
    });
    let policy = HandlingPolicy {
        firms: firms.into(),
        ..HandlingPolicy::default()
    };
    store.set_policy(Arc::new(policy)).unwrap();
    let mut inquiries = Vec::new();
    for _ in 0..5 {
        let body = serde_json::json!({
            "created_at": begin, "postal_code": "20095", "property_type": "residential",
            "types_of_problems": "nesting", "first_name": "Anna", "last_name": "Meier",
            "email_address": "anna@example.de", "phone_number": "+49 40 1234567",
        });
        let inquiry = NewInquiry::parse(body.to_string().as_bytes(), begin).unwrap();
        let stored = store
            .insert(inquiry, NewReferral::default(), None::<IdempotencyKey>)
            .await;
        let stored = stored.unwrap().into_inquiry().id;
        let first = store.record(stored).await.unwrap().unwrap().referral.asked[0]
            .firm
            .clone();
        store.update(stored, Change::Accept(0)).await.unwrap();
        inquiries.push((stored, first));
    }
    let [
        (open, _),
        (reported, firm),
        (credited, other),
        (erased, _),
        (withdrawn, _),
    ] = inquiries.as_slice()
    else {
        panic!("there are five");
    };
    store.update(*erased, Change::Accept(1)).await.unwrap();
    store
        .note_outcome(*reported, firm.clone(), Outcome::None)
        .await
        .unwrap()
        .unwrap();
    store
        .credit(*credited, other.clone(), "Doppelt".to_owned())
        .await
        .unwrap()
        .unwrap();
    store.update(*withdrawn, Change::Withdraw).await.unwrap();
    store.erase(Erasure::Ids([*erased].into())).await.unwrap();
    assert_eq!(questions(&store).await, []);
    assert_eq!(store.record(*erased).await.unwrap(), None);
    let due = begin + SignedDuration::from_hours(21 * 24);
    put(due - SignedDuration::from_hours(2));
    store.tick().await.unwrap();
    assert_eq!(questions(&store).await, []);
    put(due);
    store.tick().await.unwrap();
    let gone = store.record(*erased).await.unwrap().unwrap();
    assert!(gone.inquiry.is_none() && gone.referral.addition.is_empty());
    let expected = [(*open, 0), (*erased, 0), (*erased, 1), (*withdrawn, 0)];
    assert_eq!(questions(&store).await, expected);
    put(due + SignedDuration::from_hours(24));
    store.tick().await.unwrap();
    assert_eq!(questions(&store).await, []);
    // Of the erased inquiry, only its acceptances are left, and their outcomes can still be reported.
    assert_eq!(store.record(*erased).await.unwrap(), None);
    store
        .note_outcome(*erased, id("a"), Outcome::None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(store.check().await.unwrap().count, 0);
}
