//! The operator's actions on firms, on both engines: asking manually, pausing, matching again.

use std::sync::Arc;

use taubenabwehr::domain::matching::{Firm, FirmId, Pause};
use taubenabwehr::domain::referral::{Change, Message, Pausing, Refusal};
use taubenabwehr::outbox::firm_changes::{pass_on, rematch};
use taubenabwehr::store::UpdateError;

use crate::engines::Engine;
use crate::firms::{elsewhere, policy};
use crate::referred::{asked, claim, insert, record, store_with, waiting};
use crate::samples::firm;
use crate::support::*;

const NOON: &str = "2026-11-08T12:00:00Z";

fn id(text: &str) -> FirmId {
    FirmId::parse(text).unwrap()
}

fn paused(firm: Firm) -> Firm {
    Firm { paused: true, ..firm }
}

pub async fn a_firm_is_asked_by_hand_but_not_twice(engine: &impl Engine) {
    let clock = FakeClock::at(NOON);
    let mut one = policy(&["a"]);
    one.firms = vec![firm("a"), elsewhere("far")].into();
    let store = store_with(engine, &clock, one);
    let inquiry = insert(&store, 1).await;
    store.update(inquiry.id, Change::Decline(0)).await.unwrap();
    assert_eq!(record(&store, &inquiry).await.referral.state().id(), "unmatched");
    store.pause(id("far"), Pause::default()).await.unwrap();
    store.update(inquiry.id, Change::Ask(id("far"))).await.unwrap();
    let found = record(&store, &inquiry).await;
    assert_eq!(asked(&found), [("a", "declined"), ("far", "pending")]);
    assert_eq!(found.referral.state().id(), "asked");
    assert!(waiting(&found).contains(&Message::FirmRequest(1)));
    assert!(
        store.asks().await.unwrap().contains_key(&id("far")),
        "it counts for its turn"
    );
    // The regular check only passes on requests that are older than the pause.
    assert_eq!(pass_on(&store, &id("far"), Pausing::Goes).await, Ok(0));
    assert_eq!(asked(&record(&store, &inquiry).await)[1].1, "pending");
    for (firm, refusal) in [
        ("far", Refusal::AskedBefore),
        ("a", Refusal::AskedBefore),
        ("nobody", Refusal::UnknownFirm),
    ] {
        let refused = store.update(inquiry.id, Change::Ask(id(firm))).await;
        assert_eq!(refused.map(drop), Err(UpdateError::Refused(refusal)), "{firm}");
    }
    // The firm was passed over, and may be asked once more.
    clock.put("2026-11-09T12:00:01Z");
    while store.tick().await.unwrap() > 0 {}
    assert_eq!(asked(&record(&store, &inquiry).await)[1].1, "silent");
    store.update(inquiry.id, Change::Ask(id("far"))).await.unwrap();
    assert_eq!(
        asked(&record(&store, &inquiry).await),
        [("a", "declined"), ("far", "pending")]
    );
    // The operator pauses the firm once more.
    assert_eq!(pass_on(&store, &id("far"), Pausing::Begins).await, Ok(1));
    assert_eq!(asked(&record(&store, &inquiry).await)[1].1, "silent");
    store.resume(id("far")).await.unwrap();
    store.update(inquiry.id, Change::Ask(id("far"))).await.unwrap();
    assert_eq!(pass_on(&store, &id("far"), Pausing::Goes).await, Ok(1));
}

pub async fn a_refusal_names_what_stands_in_the_way(engine: &impl Engine) {
    let ids: Vec<String> = (0..=256).map(|number| format!("f{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let store = store_with(engine, &FakeClock::at(NOON), policy(&ids));
    let inquiry = insert(&store, 1).await;
    let change = async |change: Change| store.update(inquiry.id, change).await.map(drop);
    let refused = |refusal| Err(UpdateError::Refused(refusal));
    // Three are asked already.
    for firm in &ids[3..256] {
        assert_eq!(change(Change::Ask(id(firm))).await, Ok(()), "{firm}");
    }
    assert_eq!(
        change(Change::Ask(id(ids[256]))).await,
        refused(Refusal::TooManyAsked)
    );
    store.set_policy(Arc::new(policy(&ids[1..]))).unwrap();
    assert_eq!(change(Change::Accept(0)).await, refused(Refusal::UnknownFirm));
    for firm in 1..=3 {
        assert_eq!(change(Change::Accept(firm)).await, Ok(()), "{firm}");
    }
    assert_eq!(change(Change::Accept(4)).await, refused(Refusal::TooLate));
}

pub async fn what_a_paused_firm_was_being_sent_reopens_only_what_was_asked_despite_the_pause(
    engine: &impl Engine,
) {
    let clock = FakeClock::at(NOON);
    let mut one = policy(&["a", "b"]);
    one.offers = 1;
    let store = store_with(engine, &clock, one.clone());
    let inquiry = insert(&store, 1).await;
    let under_way = claim(&store).await;
    one.firms = vec![paused(firm("a")), firm("b")].into();
    store.set_policy(Arc::new(one.clone())).unwrap();
    assert_eq!(pass_on(&store, &id("a"), Pausing::Goes).await, Ok(1));
    for claim in under_way {
        store.settle(&claim, Ok(())).await.unwrap();
    }
    let answers = [("a", "silent"), ("b", "pending")];
    assert_eq!(asked(&record(&store, &inquiry).await), answers);

    // Its mail arrives after the deadline, which only starts then.
    store.update(inquiry.id, Change::Decline(1)).await.unwrap();
    store.update(inquiry.id, Change::Ask(id("a"))).await.unwrap();
    let under_way = claim(&store).await;
    clock.put("2026-11-09T12:00:01Z");
    while store.tick().await.unwrap() > 0 {}
    assert_eq!(asked(&record(&store, &inquiry).await)[0].1, "silent");
    for claim in under_way {
        store.settle(&claim, Ok(())).await.unwrap();
    }
    assert_eq!(asked(&record(&store, &inquiry).await)[0].1, "pending");
}

pub async fn inquiries_of_a_week_are_matched_again(engine: &impl Engine) {
    let clock = FakeClock::at(NOON);
    let mut none = policy(&[]);
    none.firms = vec![elsewhere("far")].into();
    let store = store_with(engine, &clock, none);
    let old = insert(&store, 1).await;
    clock.put("2026-11-15T12:00:01Z");
    let new = insert(&store, 2).await;
    rematch(&store).await.unwrap();
    assert_eq!(record(&store, &new).await.referral.state().id(), "unmatched");
    let deliveries = record(&store, &new).await.referral.deliveries.len();
    drop(store);

    let store = store_with(engine, &clock, policy(&["a"]));
    rematch(&store).await.unwrap();
    rematch(&store).await.unwrap();
    let found = record(&store, &new).await;
    assert_eq!(asked(&found), [("a", "pending")]);
    assert_eq!(found.referral.state().id(), "asked");
    assert_eq!(
        found.referral.deliveries.len(),
        deliveries + 1,
        "only the firm is told"
    );
    assert!(asked(&record(&store, &old).await).is_empty(), "it is too old");
}
