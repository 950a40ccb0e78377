//! Photos: added all or none, by numbers that are given once, and gone with their inquiry.

use taubenabwehr::domain::inquiry::Inquiry;
use taubenabwehr::domain::referral::Change;
use taubenabwehr::domain::referral::PhotoSize;
use taubenabwehr::photo::Photo;
use taubenabwehr::store::{Erasure, PhotoRefusal, Store};
use uuid::Uuid;

use crate::engines::Engine;
use crate::firms::policy;
use crate::referred::*;
use crate::support::*;

/// What stands for a photo: a store looks at no more than its ends.
fn photo(number: u8) -> Photo {
    let jpeg = |size: u8, length: usize| {
        let mut jpeg = vec![number ^ size; length];
        jpeg[..3].copy_from_slice(&[0xff, 0xd8, 0xff]);
        jpeg[length - 2..].copy_from_slice(&[0xff, 0xd9]);
        jpeg
    };
    Photo {
        large: jpeg(0, 300_000),
        small: jpeg(0x40, 9_000),
    }
}

/// The numbers that an inquiry's referral says.
async fn numbers(store: &Store, inquiry: &Inquiry) -> Vec<u16> {
    record(store, inquiry).await.referral.photo_numbers().to_vec()
}

async fn is_there(store: &Store, id: Uuid, number: u16) -> bool {
    let mut found = Vec::new();
    for size in PhotoSize::ALL {
        found.push(store.photo(id, number, size).await.unwrap().is_some());
    }
    assert_eq!(found[0], found[1], "both sizes or none");
    found[0]
}

pub async fn photos_are_added_all_or_none_by_numbers_that_are_given_once(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    {
        let store = store_with(engine, &clock, policy(&[]));
        let (inquiry, other) = (insert(&store, 1).await, insert(&store, 2).await);
        store
            .add_photos(inquiry.id, vec![photo(1), photo(2), photo(3)])
            .await
            .unwrap();
        let refused = store
            .add_photos(inquiry.id, vec![photo(4), photo(5), photo(6)])
            .await;
        assert_eq!(refused, Err(PhotoRefusal::TooMany));
        assert_eq!(numbers(&store, &inquiry).await, [1, 2, 3]);
        store.remove_photo(inquiry.id, 3).await.unwrap();
        store.remove_photo(inquiry.id, 3).await.unwrap();
        store.add_photos(inquiry.id, vec![photo(4)]).await.unwrap();
        store.add_photos(other.id, vec![photo(9)]).await.unwrap();
        assert_eq!(numbers(&store, &inquiry).await, [1, 2, 4]);
        assert!(!is_there(&store, inquiry.id, 3).await);
        let unknown = store.add_photos(Uuid::nil(), vec![photo(1)]).await;
        assert_eq!(unknown, Err(PhotoRefusal::Gone));
    }
    let store = store_with(engine, &clock, policy(&[]));
    let inquiry = insert(&store, 1).await;
    for (number, expected) in [(1, photo(1)), (2, photo(2)), (4, photo(4))] {
        let large = store.photo(inquiry.id, number, PhotoSize::Large).await.unwrap();
        let small = store.photo(inquiry.id, number, PhotoSize::Small).await.unwrap();
        assert!(
            large == Some(expected.large) && small == Some(expected.small),
            "{number}"
        );
    }
    let findings = store.check().await.unwrap();
    assert_eq!((findings.records("photos"), findings.count), (8, 0));
}

pub async fn photos_go_with_their_inquiry(engine: &impl Engine) {
    let clock = FakeClock::at("2026-11-08T12:00:00Z");
    let store = store_with(engine, &clock, policy(&[]));
    let (one, two, three) = (
        insert(&store, 1).await,
        insert(&store, 2).await,
        insert(&store, 3).await,
    );
    for inquiry in [&one, &two, &three] {
        store
            .add_photos(inquiry.id, vec![photo(1), photo(2)])
            .await
            .unwrap();
    }
    store.update(one.id, Change::Withdraw).await.unwrap();
    assert!(!is_there(&store, one.id, 1).await && is_there(&store, two.id, 1).await);
    assert_eq!(numbers(&store, &one).await, [0; 0]);
    assert_eq!(
        store.add_photos(one.id, vec![photo(1)]).await,
        Err(PhotoRefusal::Gone)
    );
    assert_eq!(store.remove_photo(one.id, 1).await, Err(PhotoRefusal::Gone));
    store.erase(Erasure::Ids([two.id].into())).await.unwrap();
    assert!(!is_there(&store, two.id, 2).await && is_there(&store, three.id, 2).await);
    store
        .erase(Erasure::Until("2027-01-01T00:00:00Z".parse().unwrap()))
        .await
        .unwrap();
    assert!(!is_there(&store, three.id, 2).await);
    let findings = store.check().await.unwrap();
    assert_eq!((findings.records("photos"), findings.count), (0, 0));
}
