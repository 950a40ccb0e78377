//! Damaged files: never a panic, never a wrong inquiry.

use std::fs;

use std::sync::Arc;
use std::time::Duration;

use taubenabwehr::store::{OpenError, Store, TimeRange};

use crate::rng::Rng;
use crate::support::*;

/// The bytes of a file with some inquiries: after a clean close, and after a crash.
async fn files() -> [Vec<u8>; 2] {
    let dir = directory_in_memory();
    let store = Arc::new(Store::open(dir.path()).unwrap());
    fill(&store, 0..2000).await;
    let crashed = fs::read(file(dir.path())).unwrap();
    store.close(Duration::from_secs(100)).await;
    [fs::read(file(dir.path())).unwrap(), crashed]
}

/// Opens bytes as a store; returns the number of inquiries after checking that none is wrong.
async fn try_open(bytes: &[u8], what: &str) -> Option<usize> {
    let dir = directory_in_memory();
    let path = file(dir.path());
    fs::write(&path, bytes).unwrap();
    match Store::open(dir.path()) {
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains('\n'), "{what}: {text}");
            assert!(
                matches!(
                    error,
                    OpenError::Corrupt { .. } | OpenError::Foreign(_) | OpenError::Unusable { .. }
                ),
                "{what}: {text}"
            );
            None
        }
        Ok(store) => {
            // Damage inside may only show now: as an error, not as a panic.
            let mut count = 0;
            if let Ok(mut inquiries) = store.records(TimeRange::default()).await {
                while let Ok(Some(record)) = inquiries.next().await {
                    let Some(inquiry) = record.inquiry else { continue };
                    assert_eq!(inquiry.answers.first_name.as_str().chars().count(), 4, "{what}");
                    count += 1;
                }
            }
            Some(count)
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_cut_short_is_refused() {
    for bytes in files().await {
        let cuts = (1..16).map(|part| bytes.len() * part / 16);
        let mut lengths: Vec<usize> = cuts.flat_map(|cut| [cut, cut / 4096 * 4096, cut + 1]).collect();
        lengths.extend([
            1,
            8,
            9,
            320,
            4095,
            4096,
            4097,
            bytes.len() - 4096,
            bytes.len() - 1,
        ]);
        for length in lengths {
            // A file after a crash may end in unused pages, and is complete without them.
            let found = try_open(&bytes[..length], &format!("cut to {length}")).await;
            assert!(matches!(found, None | Some(2000)), "cut to {length}: {found:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn overwritten_bytes_never_do_harm() {
    let mut rng = Rng::new(2);
    for bytes in files().await {
        for round in 0..150 {
            let mut damaged = bytes.clone();
            let what = match round % 3 {
                0 => {
                    let at = 9 + rng.below(311);
                    damaged[at] ^= u8::try_from(1 + rng.below(255)).unwrap();
                    format!("byte {at} of the header")
                }
                1 => {
                    let page = 1 + rng.below(bytes.len() / 4096 - 1);
                    for byte in &mut damaged[page * 4096..(page + 1) * 4096] {
                        *byte = u8::try_from(rng.below(256)).unwrap();
                    }
                    format!("page {page}")
                }
                _ => {
                    let (from, to) = (
                        1 + rng.below(bytes.len() / 4096 - 1),
                        1 + rng.below(bytes.len() / 4096 - 1),
                    );
                    damaged.copy_within(from * 4096..(from + 1) * 4096, to * 4096);
                    format!("page {to} is a copy of page {from}")
                }
            };
            try_open(&damaged, &what).await;
        }
    }
}
