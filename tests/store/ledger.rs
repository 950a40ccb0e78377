//! The ledger over time: outcomes, credits, and the months in which they are billed.

use taubenabwehr::domain::commission::{Euro, Outcome, Percent};
use taubenabwehr::domain::inquiry::Inquiry;
use taubenabwehr::domain::ledger::{Acceptance, LedgerRefusal, Month};
use taubenabwehr::domain::matching::FirmId;
use taubenabwehr::domain::referral::Change;
use taubenabwehr::store::Store;

use crate::engines::Engine;
use crate::firms::policy;
use crate::referred::*;
use crate::support::*;

fn month(text: &str) -> Month {
    text.parse().unwrap()
}

fn id(text: &str) -> FirmId {
    FirmId::parse(text).unwrap()
}

/// The acceptances of an inquiry in the ledger.
async fn of(store: &Store, inquiry: &Inquiry) -> Vec<Acceptance> {
    store.acceptances(inquiry.id).await.unwrap()
}

async fn note(store: &Store, inquiry: &Inquiry, firm: &str, outcome: Outcome) -> Result<(), LedgerRefusal> {
    store.note_outcome(inquiry.id, id(firm), outcome).await.unwrap()
}

pub async fn an_outcome_is_noted_for_ninety_days(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b"]));
    let inquiry = insert(&store, 1).await;
    store.update(inquiry.id, Change::Accept(0)).await.unwrap();
    assert_eq!(
        note(&store, &inquiry, "b", Outcome::None).await,
        Err(LedgerRefusal::NotAccepted)
    );
    let order = Outcome::Order(Euro::ZERO);
    clock.put("2027-02-06T11:59:59.999Z");
    for outcome in [Outcome::None, order, Outcome::Open, order] {
        assert_eq!(note(&store, &inquiry, "a", outcome).await, Ok(()));
    }
    clock.put("2027-02-06T12:00:00Z");
    assert_eq!(
        note(&store, &inquiry, "a", Outcome::None).await,
        Err(LedgerRefusal::TooLate)
    );
    assert_eq!(of(&store, &inquiry).await[0].outcome, order);
}

pub async fn a_closed_month_stays_as_it_is(engine: &impl Engine) {
    let (vat, other) = (Percent::USUAL_VAT, Percent::parse("7").unwrap());
    let clock = FakeClock::at("2026-10-31T22:59:59.999Z");
    let store = store_with(engine, &clock, policy(&["a", "b"]));
    let inquiry = insert(&store, 1).await;
    store.update(inquiry.id, Change::Accept(0)).await.unwrap();
    let october = month("2026-10");
    let refused = store.close_month(october, vat).await.unwrap();
    assert_eq!(refused, Err(LedgerRefusal::NotOver(october)));
    // Midnight in Hamburg, which is back on standard time.
    clock.put("2026-10-31T23:00:00Z");
    store.update(inquiry.id, Change::Accept(1)).await.unwrap();
    assert_eq!(store.close_month(october, vat).await.unwrap(), Ok(()));
    let (closing, acceptances) = store.ledger(october).await.unwrap();
    let closing = closing.unwrap();
    assert_eq!((closing.month, closing.vat), (october, vat));
    assert_eq!(acceptances.len(), 1);
    assert_eq!(note(&store, &inquiry, "b", Outcome::None).await, Ok(()));
    // Closing a month again changes nothing.
    clock.put("2026-11-05T12:00:00Z");
    assert_eq!(store.close_month(october, other).await.unwrap(), Ok(()));
    assert_eq!(
        store.ledger(october).await.unwrap(),
        (Some(closing), acceptances.clone())
    );
    // Nor does a clock that was set back: an acceptance then belongs to the first open month.
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
