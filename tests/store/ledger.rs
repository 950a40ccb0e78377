//! The ledger: an acceptance adds to it, nothing takes from it, and a month that is closed stays as it is.

use std::sync::Arc;

use taubenabwehr::domain::commission::{Euro, Outcome, Percent, Terms};
use taubenabwehr::domain::inquiry::Inquiry;
use taubenabwehr::domain::ledger::{Acceptance, ClosingRefusal, Month, OutcomeRefusal};
use taubenabwehr::domain::matching::{Firm, FirmId};
use taubenabwehr::domain::referral::{Change, HandlingPolicy, Refusal};
use taubenabwehr::store::{Erasure, Store, UpdateError};

use crate::engines::Engine;
use crate::firms::{firm, policy};
use crate::referred::*;
use crate::support::*;

fn month(text: &str) -> Month {
    text.parse().unwrap()
}

fn id(text: &str) -> FirmId {
    FirmId::parse(text).unwrap()
}

fn terms(cents: u64) -> Terms {
    Terms {
        per_acceptance: Euro::from_cents(cents),
        per_order: Euro::ZERO,
        share: Percent::parse("8").unwrap(),
    }
}

/// A plan with these firms, at this price.
fn priced(firms: &[&str], cents: u64) -> HandlingPolicy {
    let priced = |id: &&str| Firm {
        commission: Some(terms(cents)),
        ..firm(id)
    };
    HandlingPolicy {
        firms: firms.iter().map(priced).collect(),
        ..policy(firms)
    }
}

/// What the ledger has of an inquiry.
async fn of(store: &Store, inquiry: &Inquiry) -> Vec<Acceptance> {
    let found = store.acceptances(inquiry.id).await.unwrap();
    found.into_iter().map(|(acceptance, _)| acceptance).collect()
}

async fn note(store: &Store, inquiry: &Inquiry, firm: &str, outcome: Outcome) -> Result<(), OutcomeRefusal> {
    store.note_outcome(inquiry.id, id(firm), outcome).await.unwrap()
}

pub async fn nobody_accepts_at_a_price_that_was_not_read(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, priced(&["a", "b"], 2_500));
    let inquiry = insert(&store, 1).await;
    // The configuration is read again between the page and the answer.
    store.set_policy(Arc::new(priced(&["a", "b"], 9_900))).unwrap();
    for read in [None, Some(terms(2_500))] {
        let refused = store.update(inquiry.id, Change::AcceptAt(0, read)).await;
        assert_eq!(
            refused.map(drop),
            Err(UpdateError::Refused(Refusal::OtherPrice)),
            "{read:?}"
        );
        assert_eq!(of(&store, &inquiry).await, []);
    }
    for _ in 0..2 {
        let accept = Change::AcceptAt(0, Some(terms(9_900)));
        store.update(inquiry.id, accept).await.unwrap();
        let found = of(&store, &inquiry).await;
        assert_eq!((found.len(), found[0].terms), (1, terms(9_900)));
        // A second press of the button.
        store.set_policy(Arc::new(policy(&["a", "b"]))).unwrap();
    }
}

pub async fn an_acceptance_is_in_the_ledger_at_its_price_once(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00.123Z");
    let store = store_with(engine, &clock, priced(&["a", "b"], 2_500));
    let inquiry = insert(&store, 1).await;
    assert_eq!(of(&store, &inquiry).await, []);
    clock.put("2026-11-08T13:00:00.456Z");
    store.update(inquiry.id, Change::Decline(1)).await.unwrap();
    for _ in 0..2 {
        store.update(inquiry.id, Change::Accept(0)).await.unwrap();
        // A second press of the button, at another price, changes nothing.
        store.set_policy(Arc::new(priced(&["a", "b"], 9_900))).unwrap();
        clock.put("2026-11-08T14:00:00Z");
    }
    let expected = Acceptance {
        inquiry: inquiry.id,
        firm: id("a"),
        name: "Firma a".to_owned(),
        at: "2026-11-08T13:00:00.456Z".parse().unwrap(),
        terms: terms(2_500),
        outcome: Outcome::Open,
    };
    assert_eq!(of(&store, &inquiry).await, std::slice::from_ref(&expected));
    drop(store);
    // The firm leaves; after a restart, too, its acceptance has its name and price.
    let store = store_with(engine, &clock, policy(&["b"]));
    let (closing, acceptances) = store.ledger(month("2026-11")).await.unwrap();
    assert_eq!((closing, acceptances), (None, vec![expected]));
    assert_eq!(store.ledger(month("2026-10")).await.unwrap().1, []);
    assert_eq!(store.check().await.unwrap().count, 0);
}

pub async fn nothing_takes_from_the_ledger(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, priced(&["a"], 2_500));
    let mut inquiries = Vec::new();
    for number in 0..4 {
        let inquiry = insert(&store, number).await;
        store.update(inquiry.id, Change::Accept(0)).await.unwrap();
        inquiries.push(inquiry);
    }
    let before = store.ledger(month("2026-11")).await.unwrap().1.len();
    assert_eq!(before, 4);
    store.update(inquiries[0].id, Change::Withdraw).await.unwrap();
    store.erase(ids(&[&inquiries[0], &inquiries[1]])).await.unwrap();
    assert_eq!(
        store
            .erase(Erasure::Until("2026-11-09T00:00:00Z".parse().unwrap()))
            .await
            .unwrap(),
        2
    );
    assert_eq!(all(&store).await, []);
    for inquiry in &inquiries {
        // The firm can report the outcome all the same.
        let order = Outcome::Order(Euro::from_cents(123_450));
        assert_eq!(note(&store, inquiry, "a", order).await, Ok(()));
        assert_eq!(of(&store, inquiry).await[0].outcome, order);
    }
    deliver_all(&store).await;
    clock.put("2027-01-08T12:00:00Z");
    store.tick().await.unwrap();
    drop(store);
    let store = engine.open_with(&clock);
    let (_, acceptances) = store.ledger(month("2026-11")).await.unwrap();
    assert_eq!(acceptances.len(), 4);
    assert!(
        acceptances
            .iter()
            .all(|acceptance| acceptance.commission().cents() == 2_500 + 9_876)
    );
}

pub async fn an_outcome_is_noted_for_ninety_days(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, priced(&["a", "b"], 0));
    let inquiry = insert(&store, 1).await;
    store.update(inquiry.id, Change::Accept(0)).await.unwrap();
    assert_eq!(
        note(&store, &inquiry, "b", Outcome::None).await,
        Err(OutcomeRefusal::Unknown)
    );
    let order = Outcome::Order(Euro::ZERO);
    clock.put("2027-02-06T11:59:59.999Z");
    for outcome in [Outcome::None, order, Outcome::Open, order] {
        assert_eq!(note(&store, &inquiry, "a", outcome).await, Ok(()));
    }
    clock.put("2027-02-06T12:00:00Z");
    assert_eq!(
        note(&store, &inquiry, "a", Outcome::None).await,
        Err(OutcomeRefusal::TooLate)
    );
    assert_eq!(of(&store, &inquiry).await[0].outcome, order);
}

pub async fn a_closed_month_stays_as_it_is(engine: &impl Engine) {
    let (vat, other) = (Percent::USUAL_VAT, Percent::parse("7").unwrap());
    let clock = FakeClock::at("2026-10-31T22:59:59.999Z");
    let store = store_with(engine, &clock, priced(&["a", "b"], 2_500));
    let inquiry = insert(&store, 1).await;
    store.update(inquiry.id, Change::Accept(0)).await.unwrap();
    let october = month("2026-10");
    let refused = store.close_month(october, vat).await.unwrap();
    assert_eq!(refused, Err(ClosingRefusal::NotOver(october)));
    // Midnight in Hamburg, which has no summer time any more.
    clock.put("2026-10-31T23:00:00Z");
    store.update(inquiry.id, Change::Accept(1)).await.unwrap();
    assert_eq!(store.close_month(october, vat).await.unwrap(), Ok(()));
    let (closing, acceptances) = store.ledger(october).await.unwrap();
    let closing = closing.unwrap();
    assert_eq!((closing.month, closing.vat), (october, vat));
    assert_eq!(acceptances.len(), 1);
    assert_eq!(
        note(&store, &inquiry, "a", Outcome::None).await,
        Err(OutcomeRefusal::Closed)
    );
    assert_eq!(note(&store, &inquiry, "b", Outcome::None).await, Ok(()));
    // A second time changes nothing.
    clock.put("2026-11-05T12:00:00Z");
    assert_eq!(store.close_month(october, other).await.unwrap(), Ok(()));
    assert_eq!(
        store.ledger(october).await.unwrap(),
        (Some(closing), acceptances.clone())
    );
    // Nor does a clock that was set back: what is accepted then belongs to the first month that is open.
    clock.put("2026-10-20T12:00:00Z");
    let late = insert(&store, 2).await;
    store.update(late.id, Change::Accept(0)).await.unwrap();
    assert_eq!(store.ledger(october).await.unwrap().1, acceptances);
    assert_eq!(store.ledger(month("2026-11")).await.unwrap().1.len(), 2);
    drop(store);
    let store = engine.open_with(&clock);
    assert_eq!(store.ledger(october).await.unwrap(), (Some(closing), acceptances));
    assert_eq!(store.check().await.unwrap().count, 0);
}
