//! Referral of inquiries to operator and firms, on every engine.

use taubenabwehr::domain::inquiry::{Correction, NewInquiry, Suspicion};
use taubenabwehr::domain::matching::PostalPrefix;
use taubenabwehr::domain::referral::{
    Answer, Change, DeliveryCertainty, Event, InquiryRecord, Message, NewReferral, Refusal, State,
};
use taubenabwehr::store::UpdateError;

use crate::engines::Engine;
use crate::firms::*;
use crate::referred::*;
use crate::support::*;

pub async fn an_inquiry_tells_operator_firms_and_visitor(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b", "c", "d"]));
    let first = insert(&store, 1).await;
    let told = record(&store, &first).await;
    assert_eq!(told.inquiry.as_ref(), Some(&first));
    assert_eq!(
        asked(&told),
        [("a", "pending"), ("b", "pending"), ("c", "pending")]
    );
    assert_eq!(
        waiting(&told),
        [
            Message::OperatorNew(0),
            Message::Webhook(Event::Created),
            Message::FirmRequest(0),
            Message::FirmRequest(1),
            Message::FirmRequest(2),
            Message::VisitorReceived,
        ]
    );
    assert_eq!(told.referral.state(), State::Asked);
    // A repeated request notifies nobody again.
    assert_eq!(insert(&store, 1).await, first);
    assert_eq!(record(&store, &first).await, told);
    drop(store);

    // The rotation of firms survives a restart.
    let store = store_with(engine, &clock, policy(&["a", "b", "c", "d"]));
    assert_eq!(record(&store, &first).await, told);
    let second = insert(&store, 2).await;
    assert_eq!(
        asked(&record(&store, &second).await),
        [("d", "pending"), ("a", "pending"), ("b", "pending")]
    );
}

pub async fn answers_ask_the_next_until_nobody_is_left(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let mut policy = policy(&["a", "b", "c"]);
    policy.offers = 1;
    let store = store_with(engine, &clock, policy);
    let inquiry = insert(&store, 1).await;
    let update = async |change| store.update(inquiry.id, change).await;
    assert_eq!(asked(&record(&store, &inquiry).await), [("a", "pending")]);
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

    // b does not answer in time, but may still accept while a place is free.
    clock.put("2026-11-09T12:00:00Z");
    assert_eq!(store.tick().await.unwrap(), 1);
    assert_eq!(store.tick().await.unwrap(), 0);
    let silent = record(&store, &inquiry).await;
    assert_eq!(
        asked(&silent),
        [("a", "declined"), ("b", "silent"), ("c", "pending")]
    );
    let left = update(Change::Decline(2)).await.unwrap();
    assert_eq!(left.referral.state(), State::Unmatched);
    let told = waiting(&left);
    for message in [
        Message::OperatorUnmatched(0),
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
    let mut policy = policy(&["a", "b", "c"]);
    policy.offers = 2;
    let store = store_with(engine, &clock, policy);
    let inquiry = insert(&store, 1).await;
    clock.put("2026-11-09T12:00:00Z");
    store.tick().await.unwrap();
    // a and b were silent, so c was asked; a and b answer before it.
    for firm in [0, 1] {
        store.update(inquiry.id, Change::Accept(firm)).await.unwrap();
    }
    let late = store.update(inquiry.id, Change::Accept(2)).await;
    assert_eq!(late, Err(UpdateError::Refused(Refusal::TooLate)));
    let told = record(&store, &inquiry).await;
    assert!(
        !waiting(&told).contains(&Message::FirmRequest(2)),
        "nobody is asked in vain"
    );
}

pub async fn it_is_told_that_nobody_is_left_only_where_nobody_has_accepted(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b"]));
    // Every order in which two firms accept, decline or stay silent, with one place always free.
    let (accept, decline): (Answering, Answering) = (Change::Accept, Change::Decline);
    let answers = [Some(accept), Some(decline), None];
    let orders = [[0, 1], [1, 0]];
    let mut days = 8..;
    for (one, other) in answers
        .iter()
        .flat_map(|one| answers.iter().map(move |other| (one, other)))
    {
        for order in orders {
            let day = days.next().unwrap();
            clock.put(&format!("2026-11-{day:02}T12:00:00Z"));
            let inquiry = insert(&store, day).await;
            for (answer, firm) in [one, other].into_iter().zip(order) {
                if let Some(answer) = answer {
                    store.update(inquiry.id, answer(firm)).await.unwrap();
                }
            }
            clock.put(&format!("2026-11-{:02}T12:00:00Z", day + 1));
            store.tick().await.unwrap();
            let told = record(&store, &inquiry).await;
            let is_nobodys = told.referral.accepted() == 0;
            let state = if is_nobodys {
                State::Unmatched
            } else {
                State::Accepted
            };
            assert_eq!(told.referral.state(), state, "{:?}", asked(&told));
            for message in [Message::OperatorUnmatched(0), Message::Webhook(Event::Unmatched)] {
                let count = waiting(&told).iter().filter(|told| **told == message).count();
                assert_eq!(count, usize::from(is_nobodys), "{message:?}: {:?}", asked(&told));
            }
        }
    }
}

pub async fn nobody_matches(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let mut policy = policy(&["a"]);
    policy.firms = [elsewhere("a")].into();
    let store = store_with(engine, &clock, policy);
    let told = record(&store, &insert(&store, 1).await).await;
    assert_eq!(told.referral.state(), State::Unmatched);
    assert_eq!(
        waiting(&told),
        [
            Message::OperatorNew(0),
            Message::Webhook(Event::Created),
            Message::OperatorUnmatched(0),
            Message::Webhook(Event::Unmatched),
            Message::VisitorNobody,
        ]
    );
}

pub async fn a_suspected_inquiry_waits_for_the_operator(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a"]));
    let suspected: NewInquiry = sample(1).marked(Some(Suspicion::TrapFilled));
    let inquiry = store.put(suspected, None).await.unwrap();
    assert_eq!(record(&store, &inquiry).await.referral.state(), State::Suspected);
    // Only the operator is notified.
    for claim in claim(&store).await {
        assert_eq!(claim.delivery.message, Message::OperatorSuspected(0));
        store.settle(&claim, Ok(())).await.unwrap();
    }
    store.update(inquiry.id, Change::Release(None)).await.unwrap();
    let again = store.update(inquiry.id, Change::Release(None)).await;
    assert_eq!(again, Err(UpdateError::Refused(Refusal::NotHeld)));
    store.tick().await.unwrap();
    let released = record(&store, &inquiry).await;
    assert_eq!(asked(&released), [("a", "pending")]);
    assert!(!released.inquiry.as_ref().unwrap().suspected);
    assert_eq!(claim(&store).await.len(), 4);
}

pub async fn who_gets_no_confirmation_does_not_hear_that_nobody_is_left(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    // No firm exists from the start, or the only one declines.
    let cases = [
        (elsewhere("a"), None, 1..=5),
        (firm("a"), Some(Change::Decline(0)), 6..=10),
    ];
    for (only, answer, numbers) in cases {
        let mut policy = policy(&["a"]);
        policy.firms = [only].into();
        let store = store_with(engine, &clock, policy);
        let mut hears = Vec::new();
        for number in numbers {
            let inquiry = insert(&store, number).await;
            if let Some(answer) = &answer {
                store.update(inquiry.id, answer.clone()).await.unwrap();
            }
            let told = record(&store, &inquiry).await;
            assert_eq!(told.referral.state(), State::Unmatched);
            hears.push(waiting(&told).contains(&Message::VisitorNobody));
            // The operator is notified each time.
            assert!(waiting(&told).contains(&Message::OperatorUnmatched(0)));
        }
        assert_eq!(hears, [true, true, true, false, false], "{answer:?}");
        clock.put("2026-11-10T12:00:00Z");
    }
}

pub async fn additions_reach_firms_that_were_asked_before(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b"]));
    let new = NewReferral {
        consent: Some(1),
        addition: "Sonstiges: Marder".to_owned(),
        is_held_told: false,
    };
    let inserted = store.insert(sample(1), new, None).await.unwrap();
    let inquiry = inserted.into_inquiry();
    let add = async |text: &str| store.update(inquiry.id, Change::Add(text.to_owned())).await;
    assert_eq!(
        record(&store, &inquiry).await.referral.addition,
        "Sonstiges: Marder"
    );
    // The waiting mails will include it.
    let added = add("Hof").await.unwrap();
    assert_eq!(added.referral.addition, "Hof");
    let updates = |record: &InquiryRecord| {
        let all = waiting(record);
        all.iter()
            .filter(|message| matches!(message, Message::FirmAddition(_)))
            .count()
    };
    assert_eq!(updates(&added), 0);
    // Mails being sent were written without it.
    let under_way = claim(&store).await;
    assert_eq!(updates(&add("Hof, 2. Stock").await.unwrap()), 2);
    for claim in under_way {
        store.settle(&claim, Ok(())).await.unwrap();
    }
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
    let told = record(&store, &inquiry).await;
    let mails = told.referral.deliveries.iter();
    let to_a = mails
        .filter(|delivery| delivery.message == Message::FirmAddition(0))
        .count();
    assert_eq!(to_a, 3, "a mailbox is not filled");
}

pub async fn without_firms_nobody_is_missing(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&[]));
    let told = record(&store, &insert(&store, 1).await).await;
    assert_eq!(told.referral.state(), State::Received);
    assert_eq!(
        waiting(&told),
        [
            Message::OperatorNew(0),
            Message::Webhook(Event::Created),
            Message::VisitorReceived
        ]
    );
}

pub async fn additions_reach_nobody_who_is_out(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let mut policy = policy(&["a", "b", "c", "d"]);
    policy.offers = 2;
    let store = store_with(engine, &clock, policy);
    let inquiry = insert(&store, 1).await;
    let update = async |change| store.update(inquiry.id, change).await.unwrap();
    let added = |record: &InquiryRecord| -> Vec<u8> {
        let all = waiting(record).into_iter();
        all.filter_map(|message| match message {
            Message::FirmAddition(firm) => Some(firm),
            _ => None,
        })
        .collect()
    };
    deliver_all(&store).await;
    assert_eq!(added(&update(Change::Add("Hof".to_owned())).await), [0, 1]);
    // a and b do not answer in time, so c and d are asked: mails waiting for a and b are not sent.
    clock.put("2026-11-09T12:00:00Z");
    store.tick().await.unwrap();
    assert_eq!(added(&record(&store, &inquiry).await), [0; 0]);
    deliver_all(&store).await;
    assert_eq!(added(&update(Change::Add("Hof, links".to_owned())).await), [2, 3]);
    // b accepts late, and so does c: all places are taken, and d gets no more mails.
    update(Change::Accept(1)).await;
    assert_eq!(added(&update(Change::Accept(2)).await), [2]);
    assert_eq!(
        added(&update(Change::Add("Hof, rechts".to_owned())).await),
        [2, 1]
    );
}

pub async fn whoever_got_anything_hears_of_the_withdrawal(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&["a", "b", "c"]));
    let inquiry = insert(&store, 1).await;
    // a's mail is not sent, but a answers, having got the link another way. b's mail fails, and b gets an addition.
    settle_all(&store, |message| match message {
        Message::FirmRequest(_) => Err(failure(DeliveryCertainty::NotTaken, Some("2026-11-08T23:00:00Z"))),
        _ => Ok(()),
    })
    .await;
    store.update(inquiry.id, Change::Accept(0)).await.unwrap();
    let add = store
        .update(inquiry.id, Change::Add("Hof".to_owned()))
        .await
        .unwrap();
    settle_all(&store, |message| match message {
        Message::FirmAddition(2) => Err(failure(DeliveryCertainty::NotTaken, None)),
        _ => Ok(()),
    })
    .await;
    assert!(waiting(&add).contains(&Message::FirmAddition(1)));
    let withdrawn = store.update(inquiry.id, Change::Withdraw).await.unwrap();
    let told: Vec<_> = waiting(&withdrawn)
        .into_iter()
        .filter(|message| matches!(message, Message::FirmWithdrawn(_)))
        .collect();
    assert_eq!(told, [Message::FirmWithdrawn(0), Message::FirmWithdrawn(1)]);
}

/// Creates the answer of the firm with a number.
type Answering = fn(u8) -> Change;

pub async fn corrections_tell_firms_that_accepted_and_fill_free_places(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let mut policy = policy(&["a", "b"]);
    let mut firms = policy.firms.to_vec();
    firms[1].postal_codes = vec![PostalPrefix::parse("21").unwrap()];
    policy.firms = firms.into();
    let store = store_with(engine, &clock, policy);
    let inquiry = insert(&store, 1).await;
    let correct = async |field: &'static str, text: &'static str| {
        let correction = Correction::parse(|name| (name == field).then_some(text)).unwrap();
        store.update(inquiry.id, Change::Correct(correction, None)).await
    };
    let mails = |record: &InquiryRecord| {
        let all = record.referral.deliveries.iter();
        all.filter(|delivery| delivery.message == Message::FirmCorrected(0))
            .count()
    };
    let told = record(&store, &inquiry).await;
    assert_eq!(asked(&told), [("a", "pending")]);
    let named = correct("last_name", "Schmidt").await.unwrap();
    assert_eq!(
        (mails(&named), asked(&named).len()),
        (0, 1),
        "nobody has the name"
    );
    store.update(inquiry.id, Change::Accept(0)).await.unwrap();
    correct("first_name", "Annika").await.unwrap();
    assert_eq!(
        mails(&record(&store, &inquiry).await),
        0,
        "the waiting mail has it"
    );
    deliver_all(&store).await;
    let moved = correct("postal_code", "21073").await.unwrap();
    assert_eq!(asked(&moved), [("a", "accepted"), ("b", "pending")]);
    assert_eq!(mails(&moved), 1);
    let same = correct("postal_code", "21073").await.unwrap();
    assert_eq!(same, moved, "nothing has changed");
    for _ in 0..20 {
        deliver_all(&store).await;
        correct("phone_number", "040 7654321").await.unwrap();
        correct("phone_number", "040 7654322").await.unwrap();
    }
    let told = record(&store, &inquiry).await;
    assert_eq!(mails(&told), 10, "a mailbox is not filled");
    let answers = told.inquiry.unwrap().answers;
    assert_eq!(
        [answers.first_name.as_str(), answers.phone_number.as_str()],
        ["Annika", "040 7654322"]
    );
    let corrected = told.referral.casework.unwrap().corrected;
    assert_eq!((corrected.len(), &*corrected[0].field), (43, "last_name"));
    store.update(inquiry.id, Change::Withdraw).await.unwrap();
    assert_eq!(record(&store, &inquiry).await.referral.casework, None);
    let refused = correct("first_name", "Anna").await;
    assert_eq!(refused, Err(UpdateError::Refused(Refusal::Withdrawn)));
}
