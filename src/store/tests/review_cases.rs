//! Test cases for every event in the life of a review.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::cases::{Left, World};
use crate::domain::matching::FirmId;
use crate::domain::referral::{Answer, Asked, Change, InquiryRecord, Refusal, Review, ReviewState, Verdict};
use crate::store::entry::StoredRecord;
use crate::store::map::EntryKind;
use crate::store::tx::{Traces, Tx};
use crate::store::{UpdateError, facts};

const FIRM: &str = "a";

/// Whether anything has changed.
type Outcome = Result<bool, UpdateError>;

/// A named way for an inquiry to end.
type End = (&'static str, fn(&mut World, Uuid) -> Left);

fn firm(id: &str) -> FirmId {
    FirmId::parse(id).unwrap()
}

fn says(stars: &str, text: &str, has_consent: bool) -> Change {
    let new = Review::parse(stars, text, "Anna M.", has_consent).unwrap();
    Change::Review(firm(FIRM), Some(new))
}

fn take_back() -> Change {
    Change::Review(firm(FIRM), None)
}

fn judge(verdict: Verdict) -> Change {
    Change::Judge(firm(FIRM), verdict, None)
}

/// An inquiry that one firm has accepted and another declined.
fn accepted(world: &mut World) -> Uuid {
    let id = world.stored(None);
    let now = world.now;
    let asked = |id, answer| Asked {
        firm: firm(id),
        at: now,
        until: now,
        answer,
        reminder: None,
        name: None,
        review: None,
        despite_pause: None,
        passed_on_by_pause: None,
    };
    world.change_entry(id, |entry| {
        entry.record.referral.asked = vec![
            asked(FIRM, Answer::Accepted(now)),
            asked("b", Answer::Declined(now)),
        ];
    });
    id
}

fn review(world: &World, id: Uuid) -> Option<Review> {
    world.referral(id).asked[0].review.clone()
}

fn state(world: &World, id: Uuid) -> Option<&'static str> {
    review(world, id).map(|review| review.state.id())
}

#[test]
fn a_review_waits_until_it_is_judged_and_after_every_change() {
    let refused = |refusal| Err(UpdateError::Refused(refusal));
    let (good, silent) = (says("5", "Gut.", true), says("5", "Gut.", false));
    let steps: [(&str, Change, Outcome, Option<&str>); 15] = [
        (
            "nothing to publish",
            judge(Verdict::Publish),
            refused(Refusal::NoReview),
            None,
        ),
        ("nothing to take back", take_back(), Ok(false), None),
        ("without consent", silent, Ok(true), Some("waiting")),
        (
            "not without",
            judge(Verdict::Publish),
            refused(Refusal::NoConsent),
            Some("waiting"),
        ),
        ("consent", good.clone(), Ok(true), Some("waiting")),
        ("published", judge(Verdict::Publish), Ok(true), Some("published")),
        ("twice", judge(Verdict::Publish), Ok(false), Some("published")),
        ("said again", good.clone(), Ok(false), Some("published")),
        (
            "changed",
            says("1", "Doch nicht.", true),
            Ok(true),
            Some("waiting"),
        ),
        ("published", judge(Verdict::Publish), Ok(true), Some("published")),
        ("taken off", judge(Verdict::Reject), Ok(true), Some("rejected")),
        ("twice", judge(Verdict::Reject), Ok(false), Some("rejected")),
        ("after all", judge(Verdict::Publish), Ok(true), Some("published")),
        (
            "no consent any more",
            says("1", "Doch nicht.", false),
            Ok(true),
            Some("waiting"),
        ),
        ("taken back", take_back(), Ok(true), None),
    ];
    let mut world = World::new();
    let id = accepted(&mut world);
    for (name, change, outcome, after) in steps {
        world.wait(SignedDuration::from_secs(1));
        let is_taken_back = change == take_back();
        let is_published = |world: &World| review(world, id).is_some_and(|review| review.is_published());
        let was_published = is_published(&world);
        let (reply, changes) = world.update(id, &change);
        let is_written = changes.puts(EntryKind::Facts, facts::REVIEWS_WRITTEN);
        assert_eq!(reply.map(|()| is_written), outcome, "{name}");
        // Only changes that a page shows lead to rebuilding it.
        let is_concerned = is_written && (was_published || is_published(&world));
        assert_eq!(changes.effects.touches_reviews, is_concerned, "{name}");
        assert_eq!(
            changes.effects.traces == Some(Traces::OfErased),
            is_taken_back && outcome == Ok(true),
            "{name}"
        );
        assert_eq!(state(&world, id), after, "{name}");
        let is_shown = review(&world, id).is_some_and(|review| review.is_published());
        assert_eq!(is_shown, after == Some("published"), "{name}");
    }
}

#[test]
fn only_who_had_an_inquiry_accepted_can_judge_the_firm() {
    let mut world = World::new();
    let id = accepted(&mut world);
    for other in ["b", "c"] {
        let new = Review::parse("5", "", "Anna M.", true).unwrap();
        let change = Change::Review(firm(other), Some(new));
        let refused = Err(UpdateError::Refused(Refusal::NotAccepted));
        assert_eq!(world.update(id, &change).0, refused, "{other}");
    }
    let (reply, _) = world.update(Uuid::from_u128(7), &says("5", "", true));
    assert_eq!(reply, Err(UpdateError::Refused(Refusal::Unknown)));
}

#[test]
fn a_review_goes_with_its_inquiry() {
    let ends: [End; 2] = [
        ("withdrawn", |world, id| world.update(id, &Change::Withdraw).1),
        ("erased", |world, id| {
            world.apply(&mut |tx: &mut Tx<'_>| tx.erase(&[id].into(), true)).1
        }),
    ];
    for (name, end) in ends {
        let mut world = World::new();
        let id = accepted(&mut world);
        world.update(id, &says("5", "Gut.", true)).0.unwrap();
        world.update(id, &judge(Verdict::Publish)).0.unwrap();
        assert!(end(&mut world, id).effects.touches_reviews, "{name}");
        let left = world.entry(id);
        assert!(
            left.is_none_or(|entry| entry.record.referral.reviews().next().is_none()),
            "{name}"
        );
        // Without a published review, no page has to be rebuilt.
        for is_reviewed in [false, true] {
            let id = accepted(&mut world);
            if is_reviewed {
                world.update(id, &says("5", "Gut.", true)).0.unwrap();
            }
            assert!(!end(&mut world, id).effects.touches_reviews, "{name}");
        }
    }
    let mut world = World::new();
    let id = accepted(&mut world);
    world.update(id, &Change::Withdraw).0.unwrap();
    for change in [says("5", "", true), judge(Verdict::Publish)] {
        let (reply, _) = world.update(id, &change);
        assert_eq!(reply, Err(UpdateError::Refused(Refusal::Withdrawn)));
    }
}

#[test]
fn a_stored_review_is_read_as_it_was_written() {
    let mut world = World::new();
    let id = accepted(&mut world);
    for stars in ["1", "2", "3", "4", "5"] {
        for verdict in [None, Some(Verdict::Publish), Some(Verdict::Reject)] {
            world.update(id, &take_back()).0.unwrap();
            world.update(id, &says(stars, "Zeile\nZeile", true)).0.unwrap();
            if let Some(verdict) = verdict {
                world.update(id, &judge(verdict)).0.unwrap();
            }
            let entry = world.entry(id).unwrap();
            let value = entry.encode();
            let read = StoredRecord::decode(id.as_bytes(), &value).unwrap();
            assert_eq!(read, entry);
            for length in 0..value.len() {
                assert!(StoredRecord::<InquiryRecord>::decode(id.as_bytes(), &value[..length]).is_err());
            }
        }
    }
    let published = review(&world, id).unwrap().state;
    assert!(matches!(published, ReviewState::Rejected(at) if at > Timestamp::UNIX_EPOCH));
}
