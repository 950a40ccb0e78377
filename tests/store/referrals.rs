//! What every engine must do with the ways of inquiries to operator and firms.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::inquiry::{Inquiry, NewInquiry, Suspicion};
use taubenabwehr::referral::{
    Answer, Change, DeliveryState, Dossier, Event, Lane, Message, NewReferral, Outcome, Plan, Refusal, State,
};
use taubenabwehr::store::{Claim, Store, UpdateError};

use crate::engines::Engine;
use crate::firms::*;
use crate::support::*;

fn store_with(engine: &impl Engine, clock: &FakeClock, plan: Plan) -> Store {
    let store = engine.open_with(clock);
    store.follow(Arc::new(plan)).unwrap();
    store
}

async fn insert(store: &Store, number: u64) -> Inquiry {
    store
        .put(sample(number), key(&format!("key-{number}")))
        .await
        .unwrap()
}

async fn dossier(store: &Store, inquiry: &Inquiry) -> Dossier {
    store.dossier(inquiry.id).await.unwrap().unwrap()
}

fn asked(dossier: &Dossier) -> Vec<(&str, &str)> {
    let asked = dossier.referral.asked.iter();
    asked
        .map(|asked| (asked.firm.as_str(), asked.answer.id()))
        .collect()
}

fn waiting(dossier: &Dossier) -> Vec<Message> {
    let waiting = dossier
        .referral
        .deliveries
        .iter()
        .filter(|delivery| delivery.due().is_some());
    waiting.map(|delivery| delivery.message).collect()
}

/// Claims everything that is due.
async fn claim(store: &Store) -> Vec<Claim> {
    let mut claims = Vec::new();
    for lane in [Lane::Mail, Lane::Webhook] {
        claims.extend(store.claim(lane, 1000).await.unwrap().claims);
    }
    claims
}

async fn deliver_all(store: &Store) {
    for claim in claim(store).await {
        store.settle(&claim, Outcome::Delivered).await.unwrap();
    }
}

pub async fn an_inquiry_tells_operator_firms_and_visitor(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a", "b", "c", "d"]));
    let first = insert(&store, 1).await;
    let told = dossier(&store, &first).await;
    assert_eq!(told.inquiry.as_ref(), Some(&first));
    assert_eq!(
        asked(&told),
        [("a", "pending"), ("b", "pending"), ("c", "pending")]
    );
    assert_eq!(
        waiting(&told),
        [
            Message::OperatorNew,
            Message::Webhook(Event::Created),
            Message::FirmRequest(0),
            Message::FirmRequest(1),
            Message::FirmRequest(2),
            Message::VisitorReceived,
        ]
    );
    assert_eq!(told.referral.state(), State::Asked);
    // A repetition tells nobody again.
    assert_eq!(insert(&store, 1).await, first);
    assert_eq!(dossier(&store, &first).await, told);
    drop(store);

    // Whose turn it is survives a restart.
    let store = store_with(engine, &clock, plan(&["a", "b", "c", "d"]));
    assert_eq!(dossier(&store, &first).await, told);
    let second = insert(&store, 2).await;
    assert_eq!(
        asked(&dossier(&store, &second).await),
        [("d", "pending"), ("a", "pending"), ("b", "pending")]
    );
}

pub async fn without_a_plan_nobody_is_told(engine: &impl Engine) {
    let store = engine.open();
    let inquiry = insert(&store, 1).await;
    let told = dossier(&store, &inquiry).await;
    assert_eq!(told.referral.state(), State::Received);
    assert_eq!((asked(&told), waiting(&told)), (vec![], vec![]));
    assert!(claim(&store).await.is_empty());
}

pub async fn answers_ask_the_next_until_nobody_is_left(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let mut plan = plan(&["a", "b", "c"]);
    plan.offers = 1;
    let store = store_with(engine, &clock, plan);
    let inquiry = insert(&store, 1).await;
    let update = async |change| store.update(inquiry.id, change).await;
    assert_eq!(asked(&dossier(&store, &inquiry).await), [("a", "pending")]);
    let declined = update(Change::Decline(0)).await.unwrap();
    assert_eq!(asked(&declined), [("a", "declined"), ("b", "pending")]);
    assert_eq!(
        update(Change::Decline(0)).await.unwrap(),
        declined,
        "a second press"
    );
    assert_eq!(
        update(Change::Accept(0)).await,
        Err(UpdateError::Refused(Refusal::Answered))
    );

    // b says nothing in time, but may still accept while a place is free.
    clock.put("2026-11-09T12:00:00Z");
    assert_eq!(store.tick().await.unwrap(), 1);
    assert_eq!(store.tick().await.unwrap(), 0);
    let silent = dossier(&store, &inquiry).await;
    assert_eq!(
        asked(&silent),
        [("a", "declined"), ("b", "silent"), ("c", "pending")]
    );
    let left = update(Change::Decline(2)).await.unwrap();
    assert_eq!(left.referral.state(), State::Unmatched);
    let told = waiting(&left);
    for message in [
        Message::OperatorUnmatched,
        Message::Webhook(Event::Unmatched),
        Message::VisitorNobody,
    ] {
        assert_eq!(
            told.iter().filter(|told| **told == message).count(),
            1,
            "{message:?}"
        );
    }
    let accepted = update(Change::Accept(1)).await.unwrap();
    assert_eq!(accepted.referral.state(), State::Accepted);
    assert!(waiting(&accepted).contains(&Message::VisitorAccepted(1)));
    assert_eq!(
        update(Change::Accept(1)).await.unwrap(),
        accepted,
        "a second press"
    );
    let accepted_at = Answer::Accepted("2026-11-09T12:00:00Z".parse().unwrap());
    assert_eq!(accepted.referral.asked[1].answer, accepted_at);
}

pub async fn more_than_wanted_cannot_accept(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let mut plan = plan(&["a", "b", "c"]);
    plan.offers = 2;
    let store = store_with(engine, &clock, plan);
    let inquiry = insert(&store, 1).await;
    clock.put("2026-11-09T12:00:00Z");
    store.tick().await.unwrap();
    // a and b were silent, so c was asked; a and b are quicker after all.
    for firm in [0, 1] {
        store.update(inquiry.id, Change::Accept(firm)).await.unwrap();
    }
    let late = store.update(inquiry.id, Change::Accept(2)).await;
    assert_eq!(late, Err(UpdateError::Refused(Refusal::TooLate)));
    let told = dossier(&store, &inquiry).await;
    assert!(
        !waiting(&told).contains(&Message::FirmRequest(2)),
        "nobody is asked in vain"
    );
}

pub async fn it_is_told_that_nobody_is_left_whoever_answers_last(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a", "b", "c"]));
    let orders = [
        [Change::Decline(0), Change::Decline(1), Change::Accept(2)],
        [Change::Accept(0), Change::Decline(1), Change::Decline(2)],
    ];
    for (order, number) in orders.into_iter().zip(1..) {
        let inquiry = insert(&store, number).await;
        let mut told = dossier(&store, &inquiry).await;
        for change in order {
            assert!(
                !waiting(&told).contains(&Message::OperatorUnmatched),
                "{change:?}"
            );
            told = store.update(inquiry.id, change).await.unwrap();
        }
        assert!(waiting(&told).contains(&Message::OperatorUnmatched));
        assert!(!waiting(&told).contains(&Message::VisitorNobody));
        assert_eq!(told.referral.state(), State::Accepted);
    }
}

pub async fn nobody_matches(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let mut plan = plan(&["a"]);
    plan.firms = [elsewhere("a")].into();
    let store = store_with(engine, &clock, plan);
    let told = dossier(&store, &insert(&store, 1).await).await;
    assert_eq!(told.referral.state(), State::Unmatched);
    assert_eq!(
        waiting(&told),
        [
            Message::OperatorNew,
            Message::Webhook(Event::Created),
            Message::OperatorUnmatched,
            Message::Webhook(Event::Unmatched),
            Message::VisitorNobody,
        ]
    );
}

pub async fn a_delivery_is_claimed_once_and_tried_until_it_is_settled(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a"]));
    let inquiry = insert(&store, 1).await;
    let mail = store.claim(Lane::Mail, 2).await.unwrap().claims;
    assert_eq!(mail.len(), 2);
    let rest = claim(&store).await;
    assert_eq!(rest.len(), 2, "the visitor's mail, and the webhook");
    assert!(claim(&store).await.is_empty());

    let later: Timestamp = "2026-11-08T12:00:30Z".parse().unwrap();
    let retry = |reason: &str| Outcome::Retry {
        at: later,
        reason: reason.to_owned(),
    };
    store.settle(&mail[0], retry("refused")).await.unwrap();
    store.settle(&mail[1], Outcome::Delivered).await.unwrap();
    let failed = Outcome::Failed {
        reason: "unknown user".to_owned(),
    };
    store.settle(&rest[0], failed).await.unwrap();
    let found = store.claim(Lane::Mail, 9).await.unwrap();
    assert!(found.claims.is_empty());
    assert_eq!(found.next, Some(later));
    drop(store);

    // What was claimed and not settled is tried again after a crash, under the same id.
    clock.put("2026-11-08T12:00:30Z");
    let store = store_with(engine, &clock, plan(&["a"]));
    let again = claim(&store).await;
    assert!(
        again
            .iter()
            .any(|claim| claim.id == mail[0].id && claim.delivery.attempts == 1)
    );
    assert!(
        again
            .iter()
            .all(|claim| claim.id != mail[1].id && claim.id != rest[0].id)
    );
    assert_eq!(again.len(), 2);

    // An operator's retry begins anew.
    let number = rest[0].id.number;
    let none = store
        .update(inquiry.id, Change::Retry(Some(mail[1].id.number)))
        .await;
    assert_eq!(none, Err(UpdateError::Refused(Refusal::NotFailed)));
    let retried = store.update(inquiry.id, Change::Retry(None)).await.unwrap();
    assert_eq!(retried.referral.due_deliveries(Lane::Mail, later).count(), 2);
    let delivery = &retried.referral.deliveries[usize::from(number)];
    assert_eq!(delivery.state, DeliveryState::Waiting(later));
    assert_eq!(delivery.since, later);
}

pub async fn a_withdrawn_inquiry_is_erased_and_its_readers_are_told(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a", "b", "c"]));
    let inquiry = insert(&store, 1).await;
    // Those that are not settled stay claimed.
    let claims = claim(&store).await;
    for claim in &claims {
        let outcome = match claim.delivery.message {
            // b is never reached, c's mail is on its way.
            Message::FirmRequest(1) => Outcome::Retry {
                at: "2026-11-08T13:00:00Z".parse().unwrap(),
                reason: "refused".to_owned(),
            },
            Message::FirmRequest(2) => continue,
            _ => Outcome::Delivered,
        };
        store.settle(claim, outcome).await.unwrap();
    }
    let withdrawn = store.update(inquiry.id, Change::Withdraw).await.unwrap();
    assert_eq!(withdrawn.inquiry, None);
    assert_eq!(withdrawn.referral.state(), State::Withdrawn);
    assert_eq!(
        waiting(&withdrawn),
        [
            Message::FirmWithdrawn(0),
            Message::FirmWithdrawn(1),
            Message::FirmWithdrawn(2),
            Message::OperatorWithdrawn,
            Message::Webhook(Event::Withdrawn),
        ]
    );
    assert_eq!(
        store.update(inquiry.id, Change::Withdraw).await.unwrap(),
        withdrawn
    );
    let late = store.update(inquiry.id, Change::Accept(0)).await;
    assert_eq!(late, Err(UpdateError::Refused(Refusal::Withdrawn)));
    assert_eq!(all(&store).await, []);
    // The browser's repetition is answered as before, and stores nothing.
    assert_eq!(insert(&store, 1).await.id, inquiry.id);
    assert_eq!(all(&store).await, []);
    drop(claims);
    deliver_all(&store).await;
    clock.put("2026-12-08T11:59:59Z");
    store.tick().await.unwrap();
    assert_eq!(dossier(&store, &inquiry).await.referral.state(), State::Withdrawn);
    clock.put("2026-12-08T12:00:00Z");
    store.tick().await.unwrap();
    assert_eq!(store.dossier(inquiry.id).await.unwrap(), None);
}

pub async fn nobody_hears_of_an_inquiry_that_was_withdrawn_before_anything_was_sent(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a", "b", "c"]));
    let inquiry = insert(&store, 1).await;
    let withdrawn = store.update(inquiry.id, Change::Withdraw).await.unwrap();
    assert_eq!(waiting(&withdrawn), []);
    assert!(claim(&store).await.is_empty());
}

pub async fn an_erasure_tells_the_firms_that_had_accepted(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a", "b"]));
    let (first, second) = (insert(&store, 1).await, insert(&store, 2).await);
    deliver_all(&store).await;
    store.update(first.id, Change::Accept(1)).await.unwrap();
    assert_eq!(store.erase(ids(&[&first, &second])).await.unwrap(), 2);
    assert_eq!(all(&store).await, []);
    assert_eq!(store.dossier(second.id).await.unwrap(), None);
    let erased = dossier(&store, &first).await;
    assert_eq!(erased.referral.state(), State::Erased);
    assert_eq!(waiting(&erased), [Message::FirmErased(1)]);
    deliver_all(&store).await;
    assert_eq!(
        store.dossier(first.id).await.unwrap(),
        None,
        "nothing of it is needed"
    );
}

pub async fn a_suspected_inquiry_waits_for_the_operator(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a"]));
    let suspected: NewInquiry = sample(1).marked(Some(Suspicion::TrapFilled));
    let inquiry = store.put(suspected, None).await.unwrap();
    assert_eq!(dossier(&store, &inquiry).await.referral.state(), State::Suspected);
    assert!(claim(&store).await.is_empty());
    store.update(inquiry.id, Change::Release).await.unwrap();
    let again = store.update(inquiry.id, Change::Release).await;
    assert_eq!(again, Err(UpdateError::Refused(Refusal::NotHeld)));
    store.tick().await.unwrap();
    let released = dossier(&store, &inquiry).await;
    assert_eq!(asked(&released), [("a", "pending")]);
    assert!(!released.inquiry.as_ref().unwrap().suspected);
    assert_eq!(claim(&store).await.len(), 4);
}

pub async fn an_address_gets_three_confirmations_a_day(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a"]));
    let confirms = async |number| {
        let inquiry = insert(&store, number).await;
        waiting(&dossier(&store, &inquiry).await).contains(&Message::VisitorReceived)
    };
    for (number, expected) in [(1, true), (2, true), (3, true), (4, false)] {
        assert_eq!(confirms(number).await, expected, "{number}");
    }
    clock.put("2026-11-09T11:59:59Z");
    assert!(!confirms(5).await);
    clock.put("2026-11-09T12:00:00Z");
    assert!(confirms(6).await);
}

pub async fn additions_reach_firms_that_were_asked_before(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, plan(&["a", "b"]));
    let new = NewReferral {
        consent: Some(1),
        addition: "Sonstiges: Marder".to_owned(),
    };
    let inserted = store.insert(sample(1), new, None).await.unwrap();
    let inquiry = inserted.into_inquiry();
    let add = async |text: &str| store.update(inquiry.id, Change::Add(text.to_owned())).await;
    assert_eq!(
        dossier(&store, &inquiry).await.referral.addition,
        "Sonstiges: Marder"
    );
    // The mails that wait will have it.
    let added = add("Hof").await.unwrap();
    assert_eq!(added.referral.addition, "Hof");
    let updates = |dossier: &Dossier| {
        let all = waiting(dossier);
        all.iter()
            .filter(|message| matches!(message, Message::FirmAddition(_)))
            .count()
    };
    assert_eq!(updates(&added), 0);
    deliver_all(&store).await;
    assert_eq!(updates(&add("Hof, 3. Stock").await.unwrap()), 2);
    assert_eq!(
        updates(&add("Hof, 4. Stock").await.unwrap()),
        2,
        "one mail has the latest"
    );
    let long = add(&"ü".repeat(2001)).await;
    assert_eq!(long, Err(UpdateError::Refused(Refusal::TooLong)));
    for round in 0..9 {
        deliver_all(&store).await;
        add(&format!("Fassung {round}")).await.unwrap();
    }
    let told = dossier(&store, &inquiry).await;
    let mails = told.referral.deliveries.iter();
    let to_a = mails
        .filter(|delivery| delivery.message == Message::FirmAddition(0))
        .count();
    assert_eq!(to_a, 3, "a mailbox is not filled");
}

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
    assert!(store.confirm_subscription(key).await.unwrap());
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
    clock.put("2026-11-23T12:00:00Z");
    assert!(!store.confirm_subscription(key).await.unwrap());
    store.tick().await.unwrap();
    assert_eq!(store.subscription(key).await.unwrap(), None);
    assert!(claim(&store).await.is_empty());
}

pub async fn counts_add_up_by_day(engine: &impl Engine) {
    let store = engine.open();
    let day = jiff::civil::date(2026, 11, 8);
    let counts = |pairs: &[(&str, u64)]| {
        pairs
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    };
    store
        .count(day, counts(&[("page:/", 2), ("step:0", 1)]))
        .await
        .unwrap();
    store.count(day, counts(&[("page:/", 3)])).await.unwrap();
    store
        .count(day.tomorrow().unwrap(), counts(&[("page:/", 1)]))
        .await
        .unwrap();
    drop(store);
    let store = engine.open();
    let all = store.counts(day).await.unwrap();
    assert_eq!(all[0], (day, counts(&[("page:/", 5), ("step:0", 1)])));
    assert_eq!(all.len(), 2);
    assert_eq!(store.counts(day.tomorrow().unwrap()).await.unwrap().len(), 1);
}

pub async fn retention_goes_by_when_an_inquiry_was_received(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-09T12:00:00Z");
    let store = store_with(engine, &clock, Plan::default());
    // Made a day before it was received.
    let old = insert(&store, 1).await;
    clock.put("2026-11-10T12:00:00Z");
    let new = insert(&store, 2).await;
    let received: Timestamp = "2026-11-09T12:00:00Z".parse().unwrap();
    let erase = async |before| {
        store
            .erase(taubenabwehr::store::Erasure::ReceivedBefore(before))
            .await
            .unwrap()
    };
    assert_eq!(erase(received).await, 0);
    assert_eq!(erase(received + SignedDuration::from_millis(1)).await, 1);
    assert_eq!(all(&store).await, [new]);
    assert_eq!(store.dossier(old.id).await.unwrap(), None);
}
