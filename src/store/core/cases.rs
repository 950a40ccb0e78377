//! Every operation on a transaction in memory, without any engine.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::subscription_record::Wish;
use super::*;
use crate::inquiry::{NewInquiry, Suspicion};
use crate::newsletter::{CONFIRM_WITHIN, Subscription};
use crate::photo::Photo;
use crate::referral::{
    Change, DeliveryCertainty, DeliveryState, HandlingPolicy, Lane, MatchingState, NewReferral, Outcome,
    Referral, Refusal, Secret, Status,
};
use crate::store::error::Damaged;
use crate::store::error::{InsertError, PhotoRefusal, UpdateError};
use crate::store::idempotency_key::IdempotencyKey;

/// An instance, and what its store holds: what one batch has changed, the next one reads.
pub struct World {
    pub rows: Prefetched,
    ids: Ids,
    matching: MatchingState,
    mailboxes_left: usize,
    secret: Secret,
    pub now: Timestamp,
    holder: [u8; 16],
}

impl World {
    pub fn new() -> Self {
        let mut matching = MatchingState::default();
        matching.set_policy(
            HandlingPolicy {
                operator_mailboxes: 1,
                visitor_mail: true,
                ..HandlingPolicy::default()
            }
            .into(),
        );
        Self {
            rows: Prefetched::default(),
            ids: Ids::after(None),
            matching,
            mailboxes_left: MAX_MAILBOXES,
            secret: Secret::new([7; 32]),
            now: "2026-11-08T12:00:00Z".parse().unwrap(),
            holder: [1; 16],
        }
    }

    /// Applies an operation alone; returns what its caller hears, and what is to be saved.
    pub fn apply<O: Operation>(&mut self, operation: &mut O) -> (O::Reply, Changes) {
        let mut transaction = Transaction {
            rows: std::mem::take(&mut self.rows),
            state: WriterState {
                ids: &mut self.ids,
                matching: &mut self.matching,
                mailboxes_left: &mut self.mailboxes_left,
                holder: self.holder,
                secret: &self.secret,
                opened_at: Timestamp::MIN,
            },
            now: self.now,
            changes: Changes::default(),
        };
        let reply = operation.apply(&mut transaction).unwrap();
        let Transaction {
            rows, mut changes, ..
        } = transaction;
        self.rows = rows;
        for row in &mut changes.new {
            let entry = InquiryEntry::read(row.id, Some(&row.value), None);
            let referral = row.referral.clone();
            self.rows
                .inquiries
                .insert(row.id, InquiryEntry { referral, ..entry });
        }
        (reply, changes)
    }

    fn insert(&self, number: u32, key: Option<&[u8]>, suspicion: Option<Suspicion>) -> Insert {
        let body = serde_json::json!({
            "postal_code": "20095", "property_type": "residential", "first_name": "Anna",
            "last_name": format!("Meier {number}"), "email_address": "anna@example.de", "phone_number": "+49 40 1234567",
        });
        let inquiry = NewInquiry::parse(body.to_string().as_bytes(), self.now)
            .unwrap()
            .marked(suspicion);
        let key = key.and_then(IdempotencyKey::parse);
        Insert::new(inquiry, NewReferral::default(), key.as_ref(), &self.secret).unwrap()
    }

    /// Stores an inquiry; returns its id.
    pub fn stored(&mut self, suspicion: Option<Suspicion>) -> Uuid {
        let mut insert = self.insert(0, None, suspicion);
        self.apply(&mut insert).0.unwrap().into_inquiry().id
    }

    pub fn update(&mut self, id: Uuid, change: Change) -> (Result<(), UpdateError>, Changes) {
        let (reply, changes) = self.apply(&mut Update::new(id, change));
        (reply.map(drop), changes)
    }

    pub fn referral(&self, id: Uuid) -> &Referral {
        self.rows.inquiries[&id].referral.as_ref().unwrap()
    }

    /// Has all inquiries found due in a lane, as an engine would.
    fn lease(&mut self, limit: usize) -> (LeasedBatch, Changes) {
        let due = DueRows {
            inquiries: self.rows.inquiries.keys().copied().collect(),
            subscriptions: self.rows.subscriptions.keys().copied().collect(),
            next: Some(Timestamp::MAX),
        };
        self.rows.due.insert(Lane::Mail, due);
        let holds = Holds::default();
        let lane = Lane::Mail;
        self.apply(&mut Lease { lane, limit, holds })
    }

    pub fn wait(&mut self, time: SignedDuration) {
        self.now += time;
    }
}

fn day() -> SignedDuration {
    SignedDuration::from_hours(24)
}

#[test]
fn a_key_gets_what_it_got_first() {
    let mut world = World::new();
    let (first, changes) = world.apply(&mut world.insert(1, Some(b"key"), None));
    let first = first.unwrap().into_inquiry();
    assert_eq!(
        (changes.new.len(), changes.keys.len(), changes.replaced_keys.len()),
        (1, 1, 0)
    );

    let cases: [(&str, u32, bool, Result<bool, InsertError>); 4] = [
        ("the same again", 1, false, Ok(false)),
        ("another request", 2, false, Err(InsertError::KeyReused)),
        ("the same, which was erased since", 1, true, Ok(false)),
        (
            "another request, and the first was erased",
            2,
            true,
            Err(InsertError::KeyReused),
        ),
    ];
    for (what, number, is_erased, expected) in cases {
        if is_erased {
            world
                .rows
                .keys
                .values_mut()
                .for_each(|entry| entry.inquiry = None);
        }
        let (reply, changes) = world.apply(&mut world.insert(number, Some(b"key"), None));
        let is_new = reply
            .as_ref()
            .map(|inserted| matches!(inserted, Inserted::New(_)))
            .map_err(|error| *error);
        assert_eq!(is_new, expected, "{what}");
        assert!(changes.is_empty(), "{what}");
        if let Ok(inserted) = reply {
            assert_eq!(inserted.into_inquiry().id, first.id, "{what}");
        }
    }
    world.wait(SignedDuration::from_millis(i64::try_from(REMEMBERED).unwrap()));
    let (reply, changes) = world.apply(&mut world.insert(1, Some(b"key"), None));
    assert!(matches!(reply, Ok(Inserted::New(inquiry)) if inquiry.id != first.id));
    assert_eq!(changes.replaced_keys.len(), 1, "it has expired");
}

#[test]
fn an_inquiry_keeps_its_id_however_often_it_is_attempted() {
    let mut world = World::new();
    let mut insert = world.insert(1, None, None);
    let first = world.apply(&mut insert).0.unwrap();
    assert_eq!(world.apply(&mut insert).0.unwrap(), first);
}

#[test]
fn a_mailbox_gets_three_confirmations_a_day_and_strangers_none_where_too_many_got_some() {
    let mut world = World::new();
    let sent: Vec<bool> = (0..4)
        .map(|number| {
            !world
                .apply(&mut world.insert(number, None, None))
                .1
                .confirmations
                .is_empty()
        })
        .collect();
    assert_eq!(sent, [true, true, true, false]);
    world.wait(day());
    world.mailboxes_left = 0;
    assert_eq!(
        world
            .apply(&mut world.insert(5, None, None))
            .1
            .confirmations
            .len(),
        1,
        "it is known"
    );
    world.rows.confirmations.clear();
    assert!(
        world
            .apply(&mut world.insert(6, None, None))
            .1
            .confirmations
            .is_empty()
    );
}

#[test]
fn what_cannot_happen_is_refused_and_changes_nothing() {
    let mut world = World::new();
    let (active, damaged) = (world.stored(None), world.stored(None));
    world.rows.inquiries.get_mut(&damaged).unwrap().damaged = Some(Damaged("an inquiry cannot be read"));
    let cases = [
        (Uuid::nil(), Change::Withdraw, Refusal::Unknown),
        (damaged, Change::Withdraw, Refusal::Damaged),
        (active, Change::Release(None), Refusal::NotHeld),
        (active, Change::Accept(0), Refusal::Unknown),
        (active, Change::Retry(Some(99)), Refusal::NotFailed),
    ];
    for (id, change, refusal) in cases {
        let (reply, changes) = world.update(id, change.clone());
        assert_eq!(reply, Err(UpdateError::Refused(refusal)), "{change:?}");
        assert!(changes.is_empty(), "{change:?}");
    }
}

#[test]
fn what_is_withdrawn_is_removed_and_listed_as_erased() {
    let mut world = World::new();
    let id = world.stored(None);
    let (reply, changes) = world.update(id, Change::Withdraw);
    assert_eq!(reply, Ok(()));
    assert!(changes.removed.contains(&id) && changes.erased.contains(&id) && changes.referrals.contains(&id));
    assert!(world.rows.inquiries[&id].inquiry.is_none());
    assert!(matches!(world.referral(id).status, Status::Withdrawn(_)));
    let (_, again) = world.update(id, Change::Withdraw);
    assert!(again.removed.is_empty() && again.erased.is_empty());
}

#[test]
fn what_is_released_begins_at_once_where_a_server_runs() {
    for is_serving in [true, false] {
        let mut world = World::new();
        let id = world.stored(Some(Suspicion::TooQuick));
        world.matching.is_serving = is_serving;
        let (reply, changes) = world.update(id, Change::Release(None));
        assert_eq!(reply, Ok(()));
        assert!(changes.inquiries.contains(&id), "the mark is taken from it");
        assert!(!world.rows.inquiries[&id].inquiry.as_ref().unwrap().suspected);
        assert_eq!(world.referral(id).status == Status::Active, is_serving);
        assert_eq!(changes.confirmations.len(), usize::from(is_serving));
    }
}

#[test]
fn a_delivery_is_one_holders_until_its_lease_runs_out_or_it_is_settled() {
    let mut world = World::new();
    let id = world.stored(None);
    let (first, changes) = world.lease(1);
    assert_eq!((first.claims.len(), first.next), (1, None), "there may be more");
    assert!(changes.are_leases() && changes.leased.contains(&id));
    let (second, _) = world.lease(9);
    assert_eq!((second.claims.len(), second.next), (1, Some(Timestamp::MAX)));
    assert!(world.lease(9).0.claims.is_empty());

    world
        .update(id, Change::Settle(first.claims[0].id.number, Outcome::Delivered))
        .0
        .unwrap();
    let state = world.referral(id).deliveries[usize::from(first.claims[0].id.number)].state;
    assert_eq!(state, DeliveryState::Delivered(world.now));

    // Another instance takes over what the first one has left, and nobody knows how far that came.
    world.wait(SignedDuration::from_mins(1));
    world.holder = [2; 16];
    let (taken, _) = world.lease(9);
    assert_eq!(taken.claims[0].id, second.claims[0].id);
    let outcome = Outcome::Retry {
        at: world.now,
        reason: "refused".to_owned(),
        certainty: DeliveryCertainty::NotTaken,
    };
    world
        .update(id, Change::Settle(taken.claims[0].id.number, outcome))
        .0
        .unwrap();
    let delivery = &world.referral(id).deliveries[usize::from(taken.claims[0].id.number)];
    assert_eq!(delivery.certainty, Some(DeliveryCertainty::MayBeTaken));
}

#[test]
fn what_cannot_be_read_blocks_no_other_delivery() {
    let mut world = World::new();
    let (good, bad) = (world.stored(None), world.stored(None));
    world.rows.inquiries.get_mut(&bad).unwrap().damaged = Some(Damaged("a referral cannot be read"));
    let (claimed, _) = world.lease(9);
    assert!(!claimed.claims.is_empty());
    assert!(claimed.claims.iter().all(|claim| claim.id.inquiry == good));
}

#[test]
fn leases_are_renewed_and_given_back_by_their_holder_alone() {
    let mut world = World::new();
    let id = world.stored(None);
    let held: Vec<Leased> = world.lease(9).0.claims.iter().map(LeasedDelivery::held).collect();
    let until = |world: &World| world.rows.inquiries[&id].leases.of(0).map(|lease| lease.until);
    let before = until(&world);
    world.wait(SignedDuration::from_secs(12));
    let renew = |held: &[Leased], unused: &[Leased]| Renew {
        held: held.to_vec(),
        let_go: LetGo {
            begun: Vec::new(),
            unused: unused.to_vec(),
        },
    };
    world.holder = [2; 16];
    assert!(world.apply(&mut renew(&held, &[])).1.leased.is_empty());
    world.holder = [1; 16];
    assert!(world.apply(&mut renew(&held, &[])).1.leased.contains(&id));
    assert!(until(&world) > before);
    world.apply(&mut renew(&[], &held));
    assert_eq!(until(&world), None);
}

#[test]
fn the_clock_begins_forgets_and_leaves_alone() {
    let mut world = World::new();
    let released = world.stored(Some(Suspicion::TooQuick));
    world.matching.is_serving = false;
    world.update(released, Change::Release(None)).0.unwrap();
    let (gone, key) = (Uuid::nil(), Uuid::from_u128(5));
    let expired = Subscription::requested("anna@example.de".to_owned(), world.now);
    let entry = world.rows.subscriptions.entry(key).or_default();
    entry.subscription = Some(expired);
    world.wait(CONFIRM_WITHIN);
    let due = DueRows {
        inquiries: vec![released, gone],
        subscriptions: vec![key],
        next: None,
    };
    world.rows.due.insert(Lane::Clock, due);
    let (count, changes) = world.apply(&mut Tick);
    assert_eq!(count, 3);
    assert_eq!(world.referral(released).status, Status::Active);
    assert!(changes.not_due.contains(&gone), "nothing belongs to it");
    assert!(changes.subscriptions.contains(&key) && world.rows.subscriptions[&key].subscription.is_none());
}

#[test]
fn a_subscription_is_asked_for_once_a_day_and_confirmed_by_its_own_link() {
    let mut world = World::new();
    let wish = |world: &World| Wish::new("anna@example.de", &world.secret);
    let (key, asked_at) = (wish(&world).key, world.now);
    let request = SubscriptionChange::Request;
    assert!(world.apply(&mut request(wish(&world))).0);
    let (is_begun, changes) = world.apply(&mut request(wish(&world)));
    assert!(!is_begun, "it has got its mail");
    assert!(
        changes.facts.contains_key(Fact::Health.name()),
        "the time that it takes must not tell"
    );

    let confirm = |time| SubscriptionChange::Confirm(key, time);
    assert!(!world.apply(&mut confirm(asked_at - day())).0);
    assert!(world.apply(&mut confirm(asked_at)).0);
    let (is_confirmed, changes) = world.apply(&mut confirm(asked_at));
    assert!(is_confirmed && changes.is_empty(), "a second press");

    let (is_ended, changes) = world.apply(&mut SubscriptionChange::Remove(key));
    assert!(is_ended && changes.erased.contains(&Uuid::from_bytes(key)));
    assert!(!world.apply(&mut SubscriptionChange::Remove(key)).0);
}

#[test]
fn all_that_are_named_are_erased_or_none() {
    let mut world = World::new();
    let (one, withdrawn) = (world.stored(None), world.stored(None));
    world.update(withdrawn, Change::Withdraw).0.unwrap();
    let erase = |ids: &[Uuid], must_exist| Erase {
        ids: ids.iter().copied().collect(),
        must_exist,
    };
    let (reply, changes) = world.apply(&mut erase(&[one, Uuid::nil()], true));
    assert_eq!(reply, Err(Uuid::nil()));
    assert!(changes.is_empty());
    let (reply, changes) = world.apply(&mut erase(&[one, withdrawn, Uuid::nil()], false));
    assert_eq!(reply, Ok(2));
    assert_eq!((changes.removed.len(), changes.erased.len()), (2, 2));
    assert!(world.rows.inquiries[&one].inquiry.is_none());
}

#[test]
fn counts_add_up_and_facts_end() {
    let mut world = World::new();
    let day = world.now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let counts = [("pages".to_owned(), 2)].into();
    let ((), changes) = world.apply(&mut Count { day, counts });
    assert_eq!(changes.counts[&(day, "pages".to_owned())], 2);
    let ((), changes) = world.apply(&mut Note(vec![
        (Fact::Suspended, None),
        (Fact::Backup, Some(world.now)),
    ]));
    assert_eq!(changes.facts[Fact::Suspended.name()], None);
    assert!(changes.facts[Fact::Backup.name()].is_some() && changes.has_due);
}

#[test]
fn photos_are_added_all_or_none_and_go_with_their_inquiry() {
    let mut world = World::new();
    let (one, other) = (world.stored(None), world.stored(Some(Suspicion::TooQuick)));
    let photo = || Photo {
        large: vec![1],
        small: vec![2],
    };
    let add = |inquiry, count| AddPhotos::new(inquiry, (0..count).map(|_| photo()).collect());
    let mut numbers = Vec::new();
    for (what, inquiry, count, expected) in [
        ("three of five", one, 3, Ok(())),
        ("one too many", one, 3, Err(PhotoRefusal::TooMany)),
        ("the other two", one, 2, Ok(())),
        ("a suspected one is like others", other, 5, Ok(())),
        ("none that there is", Uuid::nil(), 1, Err(PhotoRefusal::Gone)),
    ] {
        let (reply, changes) = world.apply(&mut add(inquiry, count));
        assert_eq!(reply, expected, "{what}");
        assert_eq!(changes.photos.len(), expected.map_or(0, |()| count), "{what}");
        assert_eq!(changes.is_empty(), expected.is_err(), "{what}");
        let added = changes.photos.keys().filter(|(id, _)| *id == one);
        numbers.extend(added.map(|(_, number)| *number));
    }
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    let (reply, changes) = world.apply(&mut RemovePhoto((one, 2)));
    assert_eq!((reply, &changes.photos[&(one, 2)]), (Ok(()), &None));
    assert!(world.apply(&mut RemovePhoto((one, 2))).1.is_empty(), "it is gone");
    let (_, changes) = world.apply(&mut add(one, 1));
    assert!(
        changes.photos.contains_key(&(one, 6)),
        "its number is not given again"
    );

    world.update(one, Change::Withdraw).0.unwrap();
    assert_eq!(world.referral(one).photo_numbers(), [0; 0]);
    assert_eq!(world.apply(&mut add(one, 1)).0, Err(PhotoRefusal::Gone));
    assert_eq!(world.apply(&mut RemovePhoto((one, 1))).0, Err(PhotoRefusal::Gone));
}

#[test]
fn the_desk_is_entered_by_a_code_and_what_is_over_is_forgotten() {
    let mut world = World::new();
    let (code, session) = ([1; 16], [2; 16]);
    assert_eq!(world.apply(&mut DeskChange::LogIn { code, session }).0, 0);
    let (_, changes) = world.apply(&mut OfferDeskCode(code));
    assert_eq!(changes.facts.len(), 1, "nothing but a digest and a time");
    assert_eq!(world.apply(&mut DeskChange::LogIn { code, session }).0, 1);
    assert_eq!(
        world
            .apply(&mut DeskChange::LogIn {
                code,
                session: [3; 16]
            })
            .0,
        0,
        "once"
    );
    assert!(world.rows.facts.contains_key(&session_name(session)));
    world.now += SignedDuration::from_hours(12);
    let (_, changes) = world.apply(&mut OfferDeskCode(code));
    assert_eq!(changes.facts[session_name(session).as_str()], None);
    assert_eq!(world.rows.facts.len(), 1);
    assert_eq!(world.apply(&mut DeskChange::EndAll).0, 0);
    assert!(world.rows.facts.is_empty(), "codes, too");
}

#[test]
fn the_desk_is_where_it_was_opened_last() {
    let mut world = World::new();
    let place = |world: &mut World| world.apply(&mut OfferDeskCode([1; 16])).0;
    assert_eq!(place(&mut world), None);
    for address in ["http://127.0.0.1:8090", "https://desk.example.de"] {
        world.apply(&mut DeskChange::Open(Some(address.to_owned())));
        assert_eq!(place(&mut world).as_deref(), Some(address));
    }
    world.apply(&mut DeskChange::EndAll);
    assert_eq!(
        world.rows.facts.len(),
        1,
        "one place alone, which is neither code nor session"
    );
    assert_eq!(world.apply(&mut DeskChange::Open(None)).1.facts.len(), 1);
    assert!(world.rows.facts.is_empty());
}
