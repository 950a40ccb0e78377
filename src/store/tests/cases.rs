//! Tests of every operation on the in-memory engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::memory::{MemoryDisk, MemoryEngine};
use crate::domain::inquiry::{NewInquiry, Suspicion};
use crate::domain::newsletter::CONFIRM_WITHIN;
use crate::domain::referral::{
    Change, DeliveryCertainty, DeliveryState, Failure, HandlingPolicy, InquiryRecord, Lane, NewReferral,
    PhotoSize, Referral, Refusal, Secret, Status,
};
use crate::photo::Photo;
use crate::store::entry::StoredRecord;
use crate::store::map::{Changes, Engine, EngineError, EntryKind, Span, View, scan};
use crate::store::operations::desk::{SESSION, SESSION_TIME, entry_name};
use crate::store::operations::insert::Insert;
use crate::store::operations::subscribe::Wish;
use crate::store::operations::*;
use crate::store::tx::{Effects, Traces, Tx, WriterCache};
use crate::store::values::holds::{Holds, Leased};
use crate::store::values::keyed_request::{IdempotencyKey, REMEMBERED};
use crate::store::values::{millis, photo_key};
use crate::store::{EraseError, InsertError, PhotoRefusal, UpdateError, facts, reads};

/// A process with its store: each operation sees the changes of earlier ones.
pub struct World {
    pub disk: Arc<MemoryDisk>,
    engine: MemoryEngine,
    cache: WriterCache,
    pub now: Timestamp,
    holder: [u8; 16],
}

/// The result of an operation.
pub struct Left {
    pub changes: Changes,
    pub effects: Effects,
}

impl Left {
    /// The number of changed entries of a kind.
    pub fn count(&self, kind: EntryKind) -> usize {
        self.changes.0.get(&kind).map_or(0, BTreeMap::len)
    }

    /// Whether an entry was put.
    pub fn puts(&self, kind: EntryKind, key: impl AsRef<[u8]>) -> bool {
        self.changes
            .0
            .get(&kind)
            .is_some_and(|changed| matches!(changed.get(key.as_ref()), Some(Some(_))))
    }

    /// Whether an entry was removed.
    pub fn removes(&self, kind: EntryKind, key: impl AsRef<[u8]>) -> bool {
        self.changes
            .0
            .get(&kind)
            .is_some_and(|changed| matches!(changed.get(key.as_ref()), Some(None)))
    }
}

impl World {
    pub fn new() -> Self {
        let disk = Arc::default();
        let mut world = Self {
            engine: MemoryEngine::alone(&disk),
            disk,
            cache: WriterCache::default(),
            now: "2026-11-08T12:00:00Z".parse().unwrap(),
            holder: [1; 16],
        };
        let policy = HandlingPolicy {
            operator_mailboxes: 1,
            visitor_mail: true,
            ..HandlingPolicy::default()
        };
        world.cache.matching.set_policy(policy.into());
        world.cache.load(&*world.view(), world.now, false).unwrap();
        world.apply(&mut |_: &mut Tx<'_>| Ok(()));
        world
    }

    pub fn view(&self) -> Box<dyn View + Send> {
        self.engine.view(true).unwrap()
    }

    /// Applies an operation in its own batch; returns its reply and what was committed.
    pub fn apply<R>(
        &mut self,
        operation: &mut impl FnMut(&mut Tx<'_>) -> Result<R, EngineError>,
    ) -> (R, Left) {
        self.disk.set_now(millis(self.now));
        let turn = self.engine.turn(&[]).unwrap();
        let mut tx = Tx::new(&*turn, &mut self.cache, self.holder);
        tx.prepare().unwrap();
        let (prepared, _) = tx.finish(0, true).unwrap();
        turn.commit(prepared).unwrap();
        let turn = self.engine.turn(&[]).unwrap();
        let mut tx = Tx::new(&*turn, &mut self.cache, self.holder);
        let reply = operation(&mut tx).unwrap();
        tx.keep();
        let (mut changes, effects) = tx.finish(1, true).unwrap();
        turn.commit(changes.clone()).unwrap();
        changes.0.retain(|_, changed| !changed.is_empty());
        self.index_follows_from_entries();
        (reply, Left { changes, effects })
    }

    fn index_follows_from_entries(&self) {
        let view = self.view();
        let mut expected = Vec::new();
        scan(&*view, Span::all(EntryKind::Inquiries), |key, value| {
            let due = StoredRecord::<InquiryRecord>::decode(&key, &value)?.due();
            let lanes = Lane::ALL.map(|lane| due.get(&lane).copied()).into_iter();
            expected.extend(
                lanes
                    .zip(0..)
                    .filter_map(|(at, lane): (_, u8)| Some((lane, millis(at?), key.clone()))),
            );
            Ok::<_, EngineError>(true)
        })
        .unwrap_or_default();
        let keys = reads::keys(&*view, Span::all(EntryKind::Due)).unwrap();
        for (lane, at, id) in expected {
            let key = [[lane].as_slice(), &at.to_be_bytes(), &id].concat();
            assert!(keys.contains(&key), "{lane} {at}");
        }
    }

    pub fn secret(&self) -> Secret {
        self.cache.secret.clone().unwrap()
    }

    fn insert(
        &self,
        number: u32,
        key: Option<&[u8]>,
        suspicion: Option<Suspicion>,
    ) -> impl FnMut(&mut Tx<'_>) -> Result<Result<Inserted, InsertError>, EngineError> + use<> {
        let body = serde_json::json!({
            "postal_code": "20095", "property_type": "residential", "first_name": "Anna",
            "last_name": format!("Meier {number}"), "email_address": "anna@example.de", "phone_number": "+49 40 1234567",
        });
        let inquiry = NewInquiry::parse(body.to_string().as_bytes(), self.now)
            .unwrap()
            .marked(suspicion);
        let key = key.and_then(IdempotencyKey::parse);
        let mut insert = Insert::new(inquiry, NewReferral::default(), key.as_ref(), &self.secret());
        move |tx: &mut Tx<'_>| insert.apply(tx)
    }

    /// Stores an inquiry; returns its id.
    pub fn stored(&mut self, suspicion: Option<Suspicion>) -> Uuid {
        let mut insert = self.insert(0, None, suspicion);
        self.apply(&mut insert).0.unwrap().into_inquiry().id
    }

    pub fn update(&mut self, id: Uuid, change: &Change) -> (Result<(), UpdateError>, Left) {
        let (reply, left) = self.apply(&mut |tx: &mut Tx<'_>| tx.update(id, change));
        (reply.map(drop).map_err(UpdateError::Refused), left)
    }

    pub fn entry(&self, id: Uuid) -> Option<StoredRecord> {
        reads::entry(&*self.view(), id).unwrap()
    }

    pub fn referral(&self, id: Uuid) -> Referral {
        self.entry(id).unwrap().record.referral
    }

    /// Changes an entry without the checks of an operation.
    pub fn change_entry(&mut self, id: Uuid, change: impl FnOnce(&mut StoredRecord)) {
        let mut entry = self.entry(id).unwrap();
        change(&mut entry);
        self.apply(&mut move |tx: &mut Tx<'_>| {
            tx.save(&entry);
            Ok(())
        });
    }

    fn damage(&self, id: Uuid) {
        self.disk
            .damage(EntryKind::Inquiries, id.as_bytes(), Some(b"damaged".to_vec()));
    }

    fn facts(&self) -> Vec<String> {
        let mut facts = reads::facts(&*self.view()).unwrap();
        facts.remove("schema");
        facts.into_keys().collect()
    }

    fn lease(&mut self, limit: usize) -> (LeasedBatch, Left) {
        let holds = Holds::default();
        let lane = Lane::Mail;
        self.apply(&mut move |tx: &mut Tx<'_>| tx.lease(lane, limit, &holds))
    }

    fn tick(&mut self) -> (usize, Left) {
        self.apply(&mut |tx: &mut Tx<'_>| tx.tick(64))
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
        (
            changes.count(EntryKind::Inquiries),
            changes.count(EntryKind::Keys)
        ),
        (1, 1)
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
            world.disk.damage(EntryKind::Inquiries, first.id.as_bytes(), None);
        }
        let (reply, changes) = world.apply(&mut world.insert(number, Some(b"key"), None));
        let is_new = reply
            .as_ref()
            .map(|inserted| matches!(inserted, Inserted::New(_)))
            .map_err(|error| *error);
        assert_eq!(is_new, expected, "{what}");
        assert!(changes.changes.is_empty(), "{what}");
        if let Ok(inserted) = reply {
            assert_eq!(inserted.into_inquiry().id, first.id, "{what}");
        }
    }
    world.wait(SignedDuration::from_millis(i64::try_from(REMEMBERED).unwrap()));
    let (reply, _) = world.apply(&mut world.insert(1, Some(b"key"), None));
    assert!(matches!(reply, Ok(Inserted::New(inquiry)) if inquiry.id != first.id));
    let expiries = reads::keys(&*world.view(), Span::all(EntryKind::Expiries)).unwrap();
    assert_eq!(expiries.len(), 1, "it has expired");
}

#[test]
fn an_inquiry_keeps_its_id_however_often_it_is_attempted() {
    let mut world = World::new();
    let mut insert = world.insert(1, None, None);
    let first = world.apply(&mut insert).0.unwrap();
    assert_eq!(world.apply(&mut insert).0.unwrap(), first);
}

#[test]
fn a_mailbox_gets_three_confirmations_a_day() {
    let mut world = World::new();
    let sent = |world: &mut World| {
        let mut insert = world.insert(0, None, None);
        world.apply(&mut insert).1.count(EntryKind::Confirmations) > 0
    };
    assert_eq!([0; 4].map(|_| sent(&mut world)), [true, true, true, false]);
    // Reloading the cache does not change the answer.
    world.cache.load(&*world.view(), world.now, false).unwrap();
    assert!(!sent(&mut world));
    world.wait(day());
    assert!(sent(&mut world));
}

#[test]
fn what_cannot_happen_is_refused_and_changes_nothing() {
    let mut world = World::new();
    let (active, damaged) = (world.stored(None), world.stored(None));
    world.damage(damaged);
    let cases = [
        (Uuid::nil(), Change::Withdraw, Refusal::Unknown),
        (damaged, Change::Withdraw, Refusal::Damaged),
        (active, Change::Release(None), Refusal::NotHeld),
        (active, Change::Accept(0), Refusal::Unknown),
        (active, Change::Retry(Some(99)), Refusal::NotFailed),
    ];
    for (id, change, refusal) in cases {
        let (reply, changes) = world.update(id, &change);
        assert_eq!(reply, Err(UpdateError::Refused(refusal)), "{change:?}");
        assert!(changes.changes.is_empty(), "{change:?}");
    }
}

#[test]
fn what_is_withdrawn_is_removed_and_listed_as_erased() {
    let mut world = World::new();
    let id = world.stored(None);
    let (reply, changes) = world.update(id, &Change::Withdraw);
    assert_eq!(reply, Ok(()));
    assert!(changes.puts(EntryKind::Erased, id) && changes.effects.traces == Some(Traces::OfErased));
    assert!(world.entry(id).unwrap().record.inquiry.is_none());
    assert!(matches!(world.referral(id).status, Status::Withdrawn(_)));
    let (_, again) = world.update(id, &Change::Withdraw);
    assert_eq!((again.count(EntryKind::Erased), again.effects.traces), (0, None));
}

#[test]
fn what_is_released_begins_at_once_where_a_server_runs() {
    for is_serving in [true, false] {
        let mut world = World::new();
        let id = world.stored(Some(Suspicion::TooQuick(400)));
        world.cache.matching.is_serving = is_serving;
        let (reply, changes) = world.update(id, &Change::Release(None));
        assert_eq!(reply, Ok(()));
        assert!(!world.entry(id).unwrap().record.inquiry.unwrap().suspected);
        assert_eq!(world.referral(id).status == Status::Active, is_serving);
        assert_eq!(changes.count(EntryKind::Confirmations), usize::from(is_serving));
    }
}

#[test]
fn a_delivery_is_one_holders_until_its_lease_runs_out_or_it_is_settled() {
    let mut world = World::new();
    let id = world.stored(None);
    let (first, changes) = world.lease(1);
    assert_eq!((first.claims.len(), first.next), (1, None), "there may be more");
    assert!(changes.puts(EntryKind::Inquiries, id));
    let (second, _) = world.lease(9);
    assert_eq!(second.claims.len(), 1);
    assert_eq!(
        second.next,
        Some(world.now + SignedDuration::from_secs(40)),
        "when the leases end"
    );
    assert!(world.lease(9).0.claims.is_empty());

    world
        .update(id, &Change::Settle(first.claims[0].id.number, Ok(())))
        .0
        .unwrap();
    let state = world.referral(id).deliveries[usize::from(first.claims[0].id.number)].state;
    assert_eq!(state, DeliveryState::Delivered(world.now));

    // Another instance takes over the deliveries of the first one, without knowing their progress.
    world.wait(SignedDuration::from_mins(1));
    world.holder = [2; 16];
    let (taken, _) = world.lease(9);
    assert_eq!(taken.claims[0].id, second.claims[0].id);
    let outcome = Err(Failure {
        reason: "refused".to_owned(),
        certainty: DeliveryCertainty::NotTaken,
        retry_at: Some(world.now),
        refused: None,
    });
    world
        .update(id, &Change::Settle(taken.claims[0].id.number, outcome))
        .0
        .unwrap();
    let delivery = &world.referral(id).deliveries[usize::from(taken.claims[0].id.number)];
    assert_eq!(delivery.certainty, Some(DeliveryCertainty::MayBeTaken));
}

#[test]
fn what_cannot_be_read_blocks_no_other_delivery() {
    let mut world = World::new();
    let (good, bad) = (world.stored(None), world.stored(None));
    world.damage(bad);
    let (claimed, _) = world.lease(9);
    assert!(!claimed.claims.is_empty());
    assert!(claimed.claims.iter().all(|claim| claim.id.inquiry == good));
}

#[test]
fn leases_are_renewed_and_given_back_by_their_holder_alone() {
    let mut world = World::new();
    let id = world.stored(None);
    let claims = world.lease(9).0.claims;
    let held: Vec<Leased> = claims.iter().map(|claim| claim.hold.held).collect();
    let until = |world: &World| world.entry(id).unwrap().leases.of(0).map(|lease| lease.until);
    let before = until(&world);
    world.wait(SignedDuration::from_secs(12));
    let renew = |held: &[Leased], unused: &[Leased]| {
        let held = held.to_vec();
        let let_go = unused.iter().map(|unused| (*unused, false)).collect();
        move |tx: &mut Tx<'_>| tx.renew(&held, &let_go)
    };
    world.holder = [2; 16];
    assert!(world.apply(&mut renew(&held, &[])).1.changes.is_empty());
    world.holder = [1; 16];
    assert!(
        world
            .apply(&mut renew(&held, &[]))
            .1
            .puts(EntryKind::Inquiries, id)
    );
    assert!(until(&world) > before);
    world.apply(&mut renew(&[], &held));
    assert_eq!(until(&world), None);
}

#[test]
fn the_clock_begins_forgets_and_leaves_alone() {
    let mut world = World::new();
    let released = world.stored(Some(Suspicion::TooQuick(400)));
    world.cache.matching.is_serving = false;
    world.update(released, &Change::Release(None)).0.unwrap();
    let gone = world.stored(Some(Suspicion::TooQuick(400)));
    world.update(gone, &Change::Release(None)).0.unwrap();
    world.disk.damage(EntryKind::Inquiries, gone.as_bytes(), None);
    let wish = Wish::new("anna@example.de", &world.secret());
    let key = wish.key;
    assert!(
        world
            .apply(&mut |tx: &mut Tx<'_>| tx.request_subscription(&wish))
            .0
    );
    world.wait(CONFIRM_WITHIN);
    let (count, changes) = world.tick();
    assert_eq!(count, 3);
    assert_eq!(world.referral(released).status, Status::Active);
    assert!(changes.removes(EntryKind::Subscriptions, key));
    assert_eq!(world.tick().0, 0, "nothing belongs to what is gone");
}

#[test]
fn a_subscription_is_asked_for_once_a_day_and_confirmed_by_its_own_link() {
    let mut world = World::new();
    let wish = |world: &World| Wish::new("anna@example.de", &world.secret());
    let (key, asked_at) = (wish(&world).key, world.now);
    let request = |wish: Wish| move |tx: &mut Tx<'_>| tx.request_subscription(&wish);
    assert!(world.apply(&mut request(wish(&world))).0);
    let (is_begun, changes) = world.apply(&mut request(wish(&world)));
    assert!(!is_begun, "it has got its mail");
    assert!(
        changes.puts(EntryKind::Facts, facts::HEALTH),
        "the time that it takes must not tell"
    );

    let confirm = |time| move |tx: &mut Tx<'_>| tx.confirm_subscription(key, time);
    assert!(!world.apply(&mut confirm(asked_at - day())).0);
    assert!(world.apply(&mut confirm(asked_at)).0);
    let (is_confirmed, changes) = world.apply(&mut confirm(asked_at));
    assert!(is_confirmed && changes.changes.is_empty(), "a second press");

    let remove = |tx: &mut Tx<'_>| tx.remove_subscription(key);
    let (is_ended, changes) = world.apply(&mut { remove });
    assert!(is_ended && changes.puts(EntryKind::Erased, key));
    assert!(!world.apply(&mut { remove }).0);
}

#[test]
fn all_that_are_named_are_erased_or_none() {
    let mut world = World::new();
    let (one, withdrawn) = (world.stored(None), world.stored(None));
    world.update(withdrawn, &Change::Withdraw).0.unwrap();
    let erase = |ids: &[Uuid], must_exist| {
        let ids = ids.iter().copied().collect();
        move |tx: &mut Tx<'_>| tx.erase(&ids, must_exist)
    };
    let (reply, changes) = world.apply(&mut erase(&[one, Uuid::nil()], true));
    assert!(matches!(reply, Err(EraseError::Unknown(id)) if id.is_nil()));
    assert_eq!(
        (
            changes.count(EntryKind::Inquiries),
            changes.count(EntryKind::Erased)
        ),
        (0, 0)
    );
    let (reply, changes) = world.apply(&mut erase(&[one, withdrawn, Uuid::nil()], false));
    assert_eq!(reply.unwrap(), 2);
    assert_eq!(changes.count(EntryKind::Erased), 2);
    assert!(
        world
            .entry(one)
            .is_none_or(|entry| entry.record.inquiry.is_none())
    );
    let damaged = world.stored(None);
    world.damage(damaged);
    assert_eq!(
        world.apply(&mut erase(&[damaged], true)).0.unwrap(),
        1,
        "what cannot be read can be erased"
    );
}

#[test]
fn counts_add_up_and_facts_end() {
    let mut world = World::new();
    let day = world.now.to_zoned(jiff::tz::TimeZone::UTC).date();
    for expected in [2, 4] {
        let counts = [("pages".to_owned(), 2)].into();
        world.apply(&mut move |tx: &mut Tx<'_>| tx.count_up(day, &counts));
        let counted = reads::counts(&*world.view(), day).unwrap();
        assert_eq!(counted, [(day, [("pages".to_owned(), expected)].into())]);
    }
    let facts = vec![(facts::SUSPENDED, None), (facts::BACKUP, Some(world.now))];
    let ((), changes) = world.apply(&mut move |tx: &mut Tx<'_>| {
        tx.note_facts(&facts);
        Ok(())
    });
    assert!(changes.removes(EntryKind::Facts, facts::SUSPENDED));
    assert!(changes.puts(EntryKind::Facts, facts::BACKUP) && changes.effects.has_due);
}

#[test]
fn photos_are_added_all_or_none_and_go_with_their_inquiry() {
    let mut world = World::new();
    let (one, other) = (world.stored(None), world.stored(Some(Suspicion::TooQuick(400))));
    let photo = || Photo {
        large: vec![1],
        small: vec![2],
    };
    let add = |inquiry, count| {
        let photos: Vec<Photo> = (0..count).map(|_| photo()).collect();
        move |tx: &mut Tx<'_>| tx.add_photos(inquiry, &photos)
    };
    let remove = |inquiry, number| move |tx: &mut Tx<'_>| tx.remove_photo(inquiry, number);
    for (what, inquiry, count, expected) in [
        ("three of five", one, 3, Ok(())),
        ("one too many", one, 3, Err(PhotoRefusal::TooMany)),
        ("the other two", one, 2, Ok(())),
        ("a suspected one is like others", other, 5, Ok(())),
        ("none that there is", Uuid::nil(), 1, Err(PhotoRefusal::Gone)),
    ] {
        let (reply, changes) = world.apply(&mut add(inquiry, count));
        assert_eq!(reply, expected, "{what}");
        assert_eq!(
            changes.count(EntryKind::Photos),
            expected.map_or(0, |()| 2 * count),
            "{what}"
        );
        assert_eq!(changes.changes.is_empty(), expected.is_err(), "{what}");
    }
    assert_eq!(world.referral(one).photo_numbers(), [1, 2, 3, 4, 5]);
    let (reply, changes) = world.apply(&mut remove(one, 2));
    assert_eq!((reply, changes.effects.traces), (Ok(()), Some(Traces::OfPhotos)));
    assert_eq!(changes.count(EntryKind::Photos), 2);
    assert!(
        world.apply(&mut remove(one, 2)).1.changes.is_empty(),
        "it is gone"
    );
    let (_, changes) = world.apply(&mut add(one, 1));
    let is_sixth = changes.puts(
        EntryKind::Photos,
        photo_key(one, 6, Some(PhotoSize::Large.number())),
    );
    assert!(is_sixth, "its number is not given again");

    world.update(one, &Change::Withdraw).0.unwrap();
    let left = Span::prefix(EntryKind::Photos, one.as_bytes());
    assert!(reads::keys(&*world.view(), left).unwrap().is_empty());
    assert_eq!(world.referral(one).photo_numbers(), [0; 0]);
    assert_eq!(world.apply(&mut add(one, 1)).0, Err(PhotoRefusal::Gone));
    assert_eq!(world.apply(&mut remove(one, 1)).0, Err(PhotoRefusal::Gone));
}

#[test]
fn the_desk_is_entered_by_a_code_and_what_is_over_is_forgotten() {
    let mut world = World::new();
    let (code, session) = ([1; 16], [2; 16]);
    let log_in = |world: &mut World, session| {
        let begin = move |tx: &mut Tx<'_>| tx.begin_desk_session(code, session, SESSION_TIME);
        world.apply(&mut { begin }).0
    };
    let mut offer = move |tx: &mut Tx<'_>| tx.offer_desk_code(code);
    assert!(!log_in(&mut world, session));
    let (_, changes) = world.apply(&mut offer);
    assert_eq!(
        changes.count(EntryKind::Facts),
        1,
        "nothing but a digest and a time"
    );
    assert!(log_in(&mut world, session));
    assert!(!log_in(&mut world, [3; 16]), "once");
    assert!(world.facts().contains(&entry_name(SESSION, session)));
    world.now += SignedDuration::from_hours(12);
    let (_, changes) = world.apply(&mut offer);
    assert!(changes.removes(EntryKind::Facts, entry_name(SESSION, session)));
    assert_eq!(world.facts().len(), 1);
    let mut end_all = |tx: &mut Tx<'_>| tx.forget_entries(|_, _| true);
    assert_eq!(world.apply(&mut end_all).0, 0);
    assert!(world.facts().is_empty(), "codes, too");
}

#[test]
fn the_desk_is_where_it_was_opened_last() {
    let mut world = World::new();
    let place = |world: &mut World| world.apply(&mut |tx: &mut Tx<'_>| tx.offer_desk_code([1; 16])).0;
    assert_eq!(place(&mut world), None);
    for address in ["http://127.0.0.1:8090", "https://desk.example.de"] {
        world.apply(&mut move |tx: &mut Tx<'_>| tx.note_desk(Some(address)));
        assert_eq!(place(&mut world).as_deref(), Some(address));
    }
    world.apply(&mut |tx: &mut Tx<'_>| tx.forget_entries(|_, _| true));
    assert_eq!(
        world.facts().len(),
        1,
        "one place alone, which is neither code nor session"
    );
    let ((), changes) = world.apply(&mut |tx: &mut Tx<'_>| tx.note_desk(None));
    assert_eq!(changes.count(EntryKind::Facts), 1);
    assert!(world.facts().is_empty());
}

#[test]
fn where_nobody_else_can_be_alive_what_was_begun_before_is_tried_again_at_once() {
    let mut world = World::new();
    world.stored(None);
    assert_eq!(world.lease(9).0.claims.len(), 2);
    world.holder = [2; 16];
    assert!(world.lease(9).0.claims.is_empty());
    world.apply(&mut |tx: &mut Tx<'_>| tx.take_over());
    assert_eq!(world.lease(9).0.claims.len(), 2);
}
