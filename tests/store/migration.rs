//! Files of earlier versions (`tests/fixtures`) become today's, wherever the power fails.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use taubenabwehr::commission::{self, Terms};
use taubenabwehr::inquiry::NewInquiry;
use taubenabwehr::referral::{HandlingPolicy, Lane, Message, NewReferral, Outcome};
use taubenabwehr::store::redb::Redb;
use taubenabwehr::store::{Facts, InsertError, Inserted, Store};

use crate::disk::{Disk, Fault};
use crate::firms::policy;
use crate::image::Image;
use crate::support::*;

/// When the fixture's inquiries were stored.
const STORED_AT: &str = "2026-11-22T02:19:42.000Z";

fn schema_1() -> Vec<u8> {
    unpacked(include_bytes!("../fixtures/schema-1.redb.gz"))
}

fn schema_3() -> Vec<u8> {
    unpacked(include_bytes!("../fixtures/schema-3.redb.gz"))
}

fn schema_4() -> Vec<u8> {
    unpacked(include_bytes!("../fixtures/schema-4.redb.gz"))
}

fn schema_5() -> Vec<u8> {
    unpacked(include_bytes!("../fixtures/schema-5.redb.gz"))
}

fn schema_6() -> Vec<u8> {
    unpacked(include_bytes!("../fixtures/schema-6.redb.gz"))
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed)
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

/// One of the fixture's inquiries, as its visitor sent it.
fn sent(number: usize) -> NewInquiry {
    let (postal_code, property_type) = [
        ("20095", "residential"),
        ("21073", "commercial"),
        ("22999", "industrial"),
        ("20099", "residential"),
        ("20144", "residential"),
    ][number - 1];
    let body = serde_json::json!({
        "created_at": STORED_AT,
        "postal_code": postal_code,
        "property_type": property_type,
        "types_of_problems": "nesting,other",
        "problem_locations": "roof",
        "first_name": "Anna",
        "last_name": format!("Meier {number}"),
        "email_address": "anna@example.de",
        "phone_number": "+49 40 1234567",
    });
    NewInquiry::parse(
        body.to_string().as_bytes(),
        "2026-11-22T02:19:43Z".parse().unwrap(),
    )
    .unwrap()
}

/// Checks that a store holds what the fixture does.
async fn check(store: &Store, what: &str) {
    let stored = all(store).await;
    let names: Vec<&str> = stored
        .iter()
        .map(|inquiry| inquiry.answers.last_name.as_str())
        .collect();
    assert_eq!(names, ["Meier 1", "Meier 2", "Meier 3", "Meier 5"], "{what}");
    for (inquiry, number) in stored.iter().zip([1, 2, 3, 5]) {
        assert_eq!(&inquiry.answers, sent(number).answers(), "{what}");
        assert_eq!(inquiry.created_at.to_string(), "2026-11-22T02:19:42Z", "{what}");
        assert_eq!(inquiry.suspected, number == 3, "{what}");
    }
    // Keys are known as before, of the erased fourth one, too.
    for number in 1..=4 {
        let again = store
            .insert(
                sent(number),
                NewReferral::default(),
                key(&format!("key-{number}")),
            )
            .await;
        let Ok(Inserted::Replayed(inquiry)) = again else {
            panic!("{what}: {number} gave {again:?}");
        };
        if number < 4 {
            assert_eq!(inquiry, stored[number - 1], "{what}");
        }
        let other = store
            .insert(sent(5), NewReferral::default(), key(&format!("key-{number}")))
            .await;
        assert_eq!(other, Err(InsertError::KeyReused), "{what}");
    }
    assert_eq!(all(store).await, stored, "{what}");
}

fn soon_after() -> FakeClock {
    FakeClock::at("2026-11-22T03:00:00Z")
}

/// Opens the bytes of a file as the program does.
async fn check_file(bytes: &[u8], what: &str) {
    let dir = directory_in_memory();
    fs::write(file(dir.path()), bytes).unwrap();
    for _ in 0..2 {
        let store = Redb::open_with_clock(dir.path(), Duration::ZERO, soon_after().clock());
        check(&store.unwrap(), what).await;
    }
}

#[tokio::test]
async fn a_file_of_schema_1_is_migrated() {
    check_file(&schema_1(), "schema 1").await;
}

#[tokio::test]
async fn in_a_file_of_schema_3_the_firms_keep_their_turns() {
    let dir = directory_in_memory();
    fs::write(file(dir.path()), schema_3()).unwrap();
    let clock = FakeClock::at("2026-11-22T08:36:00Z");
    for number in 6..9 {
        let store: Store = Redb::open_with_clock(dir.path(), Duration::ZERO, clock.clock()).unwrap();
        let two = HandlingPolicy {
            offers: 2,
            ..policy(&["nordnetz", "elbtaube", "alsterschutz"])
        };
        store.set_policy(Arc::new(two)).unwrap();
        let inserted = store
            .insert(sample(number), NewReferral::default(), None)
            .await
            .unwrap();
        let Inserted::New(inquiry) = inserted else {
            panic!("{inserted:?}");
        };
        let record = store.record(inquiry.id).await.unwrap().unwrap();
        let asked: Vec<_> = record
            .referral
            .asked
            .iter()
            .map(|asked| asked.firm.as_str())
            .collect();
        let expected = [
            ["elbtaube", "alsterschutz"],
            ["nordnetz", "elbtaube"],
            ["alsterschutz", "nordnetz"],
        ];
        assert_eq!(asked, expected[usize::try_from(number).unwrap() - 6]);
    }
}

#[tokio::test]
async fn in_a_file_of_schema_4_what_waits_is_sent_and_confirmations_count() {
    let dir = directory_in_memory();
    fs::write(file(dir.path()), schema_4()).unwrap();
    // Half a minute after the tries that failed, when all of them are due again.
    let clock = FakeClock::at("2026-11-22T13:07:02Z");
    let store: Store = Redb::open_with_clock(dir.path(), Duration::ZERO, clock.clock()).unwrap();
    let claimed = store.lease(Lane::Mail, 100).await.unwrap();
    // Two firms each, and four confirmations: three of one address, one of another.
    assert_eq!(claimed.claims.len(), 14);
    for claim in &claimed.claims {
        store.settle(claim, Outcome::Delivered).await.unwrap();
    }
    drop(claimed);
    assert_eq!(store.lease(Lane::Mail, 100).await.unwrap().claims.len(), 0);

    let with_mail = HandlingPolicy {
        visitor_mail: true,
        ..policy(&["nordnetz"])
    };
    store.set_policy(Arc::new(with_mail)).unwrap();
    let confirms = async |number| {
        // All samples have the address of the fixture's first three.
        let inserted = store.insert(sample(number), NewReferral::default(), None).await;
        let record = store.record(inserted.unwrap().into_inquiry().id).await;
        let deliveries = record.unwrap().unwrap().referral.deliveries;
        deliveries
            .iter()
            .any(|delivery| delivery.message == Message::VisitorReceived)
    };
    assert!(!confirms(6).await);
    clock.put("2026-11-23T13:06:02Z");
    assert!(confirms(7).await);
}

#[tokio::test]
async fn in_a_file_of_schema_5_everything_waits_as_before() {
    let dir = directory_in_memory();
    fs::write(file(dir.path()), schema_5()).unwrap();
    // When all that failed once is due again.
    let clock = FakeClock::at("2026-11-22T13:50:00Z");
    let store: Store = Redb::open_with_clock(dir.path(), Duration::ZERO, clock.clock()).unwrap();
    assert_eq!(all(&store).await.len(), 4);
    assert_eq!(store.lease(Lane::Mail, 100).await.unwrap().claims.len(), 15);
    assert_eq!(store.facts().await.unwrap(), Facts::default());
    assert_eq!(store.check().await.unwrap().count, 0);
}

#[tokio::test]
async fn acceptances_of_a_file_of_schema_6_are_in_the_ledger() {
    let dir = directory_in_memory();
    fs::write(file(dir.path()), schema_6()).unwrap();
    let clock = FakeClock::at("2026-11-24T12:00:00Z");
    for _ in 0..2 {
        let store: Store = Redb::open_with_clock(dir.path(), Duration::ZERO, clock.clock()).unwrap();
        let (closing, acceptances) = store.ledger("2026-11".parse().unwrap()).await.unwrap();
        assert_eq!(closing, None);
        let found: Vec<_> = acceptances
            .iter()
            .map(|acceptance| {
                assert_eq!(acceptance.terms, Terms::default());
                assert_eq!(acceptance.outcome, commission::Outcome::Open);
                (
                    acceptance.reference(),
                    acceptance.firm.as_str(),
                    acceptance.name.as_str(),
                )
            })
            .collect();
        let expected = [
            ("16f4b36ed451", "nordnetz"),
            // Withdrawn.
            ("68490a35dc1c", "elbtaube"),
            ("68490a35dc1c", "nordnetz"),
            // Erased; the firm is still to be told.
            ("f8ceb443bfd1", "nordnetz"),
        ];
        assert_eq!(
            found,
            expected.map(|(reference, firm)| (reference.to_owned(), firm, firm))
        );
        assert_eq!(store.check().await.unwrap().count, 0);
    }
}

#[tokio::test]
async fn in_a_file_of_schema_6_everything_waits_as_before_and_nobody_is_paused() {
    let dir = directory_in_memory();
    fs::write(
        file(dir.path()),
        unpacked(include_bytes!("../fixtures/schema-6-waiting.redb.gz")),
    )
    .unwrap();
    let clock = FakeClock::at("2026-11-24T11:45:00Z");
    let store: Store = Redb::open_with_clock(dir.path(), Duration::ZERO, clock.clock()).unwrap();
    assert_eq!(all(&store).await.len(), 3);
    assert_eq!(store.lease(Lane::Mail, 100).await.unwrap().claims.len(), 8);
    assert_eq!(store.facts().await.unwrap(), Facts::default());
    assert_eq!(store.check().await.unwrap().count, 0);
}

#[tokio::test]
async fn what_was_erased_under_schema_1_is_forgotten_after_seven_days() {
    let dir = directory_in_memory();
    fs::write(file(dir.path()), schema_1()).unwrap();
    let clock = FakeClock::at("2026-11-29T02:19:44Z");
    let store: Store = Redb::open_with_clock(dir.path(), Duration::ZERO, clock.clock()).unwrap();
    let again = store
        .insert(sent(4), NewReferral::default(), key("key-4"))
        .await
        .unwrap();
    assert!(matches!(again, Inserted::New(_)));
}

#[tokio::test]
async fn a_damaged_file_of_schema_1_is_left_as_it_is() {
    let whole = schema_1();
    for page in 1..whole.len() / 4096 {
        let dir = directory_in_memory();
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0xff);
        fs::write(file(dir.path()), &bytes).unwrap();
        if Store::open(dir.path()).is_err() {
            assert!(fs::read(file(dir.path())).unwrap() == bytes, "page {page}");
        }
    }
}

#[tokio::test]
async fn the_power_or_the_disk_fails_at_any_step_of_a_migration() {
    let image = Image::of(&schema_1());
    let migrate = |fault, seed| {
        let disk = Disk::new(&image, fault, seed);
        let storage = {
            let disk = disk.clone();
            move || Ok(disk.clone())
        };
        let opened = Redb::open_storage(Path::new("the disk"), storage, Arc::new(Timestamp::now));
        let is_open = opened.is_ok();
        drop(opened);
        (disk, is_open)
    };
    let (disk, is_open) = migrate(Fault::Never, 1);
    assert!(is_open);
    let steps = disk.steps();
    for (step, seed) in (1..=steps).zip(1..) {
        for fault in [Fault::Cut(step), Fault::Once(step), Fault::From(step)] {
            let (disk, _) = migrate(fault, seed);
            check_file(&disk.cut().bytes(), &format!("{fault:?} with seed {seed}")).await;
        }
    }
    println!("a fault of each kind at each of {steps} steps of a migration");
}
