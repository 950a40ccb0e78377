//! Fuzz target: stored records, intact and damaged.

use taubenabwehr::domain::inquiry::{Inquiry, NewInquiry};
use taubenabwehr::store::values::{decode, encode};

use crate::harness::{self as fuzz, record};

/// The time that stored times are relative to.
const EPOCH: i64 = 1_800_000_000_000;

/// Asserts that decoding an encoded inquiry yields the same inquiry.
pub fn assert_round_trip(inquiry: &NewInquiry) {
    let inquiry = inquiry.clone().with_id(uuid::Uuid::nil());
    let value = encode(&inquiry, EPOCH);
    assert_eq!(decode(&value, EPOCH), Some(inquiry));
    // A truncated record must never decode.
    for length in 0..value.len() {
        assert_eq!(decode::<Inquiry>(&value[..length], EPOCH), None);
    }
}

#[test]
fn values() {
    fuzz::values("record-values", 300, &record::valid(), |inquiry| {
        assert_round_trip(&inquiry);
    });
}

/// Bytes of CBOR: heads of each kind, wrong lengths, and the version.
const TOKENS: &[&str] = &[
    "\x01",
    "\x02",
    "\0",
    "\x18",
    "\x19",
    "\x1b",
    "\x20",
    "\x3b\0\0\0\0",
    "\x40",
    "\x5b",
    "\x5f",
    "\x60",
    "\x61",
    "\x7b\x7f",
    "\x7f",
    "aa",
    "bb",
];

#[test]
fn bytes() {
    fuzz::bytes("record", 3000, TOKENS, check);
}

/// Checks that every decoded record can be exported. Otherwise, one damaged record would make commands fail.
pub fn check(bytes: &[u8]) {
    let Some(inquiry) = decode::<Inquiry>(bytes, EPOCH) else {
        return;
    };
    let row = inquiry.row();
    let text = |column: &str| row[column].as_str().unwrap();
    assert!((20_000..=22_999).contains(&text("postal_code").parse::<u32>().unwrap()));
    let created_at = text("created_at");
    assert!(created_at.ends_with('Z'), "{created_at}");
    let line = serde_json::to_string(&row).unwrap();
    let read: serde_json::Value = serde_json::from_str(&line).unwrap();
    for (column, cell) in &row {
        assert_eq!(read[column], *cell);
    }
}
