//! Keys of several parts, and how values are kept: as a number, as JSON what is billed, and all else as a version byte, then CBOR.

pub mod holds;
pub mod ids;
pub mod keyed_request;
pub mod leases;

use jiff::Timestamp;
use jiff::civil::Date;
use minicbor::{Decode, Encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::map::{EngineError, Key, Value};
use crate::domain::ledger::Month;
use crate::domain::matching::FirmId;
use crate::domain::referral::millis::Since;
use crate::store::values::ids::Id;
use crate::store::values::keyed_request::RequestTag;

/// The first byte of values in CBOR.
const VERSION: u8 = 1;

/// Room for a usual inquiry, so that encoding one allocates once.
const USUAL_LENGTH: usize = 384;

/// Returns an id that is a key, or a part of one.
///
/// # Errors
/// When it is none.
pub fn id(bytes: &[u8]) -> Result<Id, EngineError> {
    bytes
        .try_into()
        .map_err(|_| EngineError::Damaged("an id cannot be read"))
}

/// Returns a number.
///
/// # Errors
/// When it is none.
pub fn number(bytes: &[u8]) -> Result<u64, EngineError> {
    let number = bytes.try_into().map(u64::from_be_bytes);
    number.map_err(|_| EngineError::Damaged("a number cannot be read"))
}

/// Returns a time in milliseconds since 1970; 0 before.
pub fn millis(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or(0)
}

/// Returns the time that a number of milliseconds since 1970 stands for.
pub fn from_millis(millis: u64) -> Option<Timestamp> {
    Timestamp::from_millisecond(i64::try_from(millis).ok()?).ok()
}

/// Returns a time of the store; the latest there is if it is beyond the calendar.
pub fn to_time(millis: u64) -> Timestamp {
    from_millis(millis).unwrap_or(Timestamp::MAX)
}

/// Returns the key of an entry of the index.
pub fn due_key(lane: u8, at: u64, id: &Id) -> Key {
    [&[lane], time_key(at, id).as_slice()].concat()
}

/// Returns what that key says behind its lane: the time, and the inquiry or subscription.
///
/// # Errors
/// When it is none.
pub fn parts_of_due(key: &[u8]) -> Result<(u64, Id), EngineError> {
    parts_of_time_key(key.get(1..).unwrap_or_default(), "what is due cannot be read")
}

/// Returns the key of what expires or was sent at a time: an idempotency key, or confirmations of a mailbox.
pub fn time_key(at: u64, id: &Id) -> Key {
    [at.to_be_bytes().as_slice(), id].concat()
}

/// Returns the parts of the key of confirmations: the time, and the mailbox.
///
/// # Errors
/// When it is none.
pub fn parts_of_confirmation(key: &[u8]) -> Result<(u64, Id), EngineError> {
    parts_of_time_key(key, "what was sent to addresses cannot be read")
}

fn parts_of_time_key(key: &[u8], damaged: &'static str) -> Result<(u64, Id), EngineError> {
    let (at, id_of) = key.split_at_checked(8).ok_or(EngineError::Damaged(damaged))?;
    Ok((number(at)?, id(id_of)?))
}

/// Returns the key of a photo in a size; without a size, how the keys of all begin.
pub fn photo_key(inquiry: Uuid, number: u16, size: Option<u8>) -> Key {
    let mut key = inquiry.as_bytes().to_vec();
    key.extend(number.to_be_bytes());
    key.extend(size);
    key
}

/// Returns the key of an acceptance.
pub fn acceptance_key(inquiry: Uuid, firm: &FirmId) -> Key {
    [inquiry.as_bytes(), firm.as_str().as_bytes()].concat()
}

/// Returns the key of the count of a day.
pub fn count_key(day: Date, name: &str) -> Key {
    [day_number(day).to_be_bytes().as_slice(), name.as_bytes()].concat()
}

/// Returns the day and the name of a count.
///
/// # Errors
/// When the key is none.
pub fn parts_of_count(key: &[u8]) -> Result<(Date, &str), EngineError> {
    let read = || {
        let (day, name) = key.split_first_chunk()?;
        let days = jiff::Span::new().try_days(u32::from_be_bytes(*day)).ok()?;
        let day = EPOCH.checked_add(days).ok()?;
        Some((day, std::str::from_utf8(name).ok()?))
    };
    read().ok_or(EngineError::Damaged("a count cannot be read"))
}

const EPOCH: Date = Date::constant(1970, 1, 1);

/// Returns the days since 1970; 0 before.
pub fn day_number(day: Date) -> u32 {
    let days = day.duration_since(EPOCH).as_hours() / 24;
    u32::try_from(days).unwrap_or_default()
}

/// Returns the key of a closed month.
pub fn month_key(month: Month) -> Key {
    month.number().to_be_bytes().to_vec()
}

/// What is remembered of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct KeyEntry {
    /// What recognises the request.
    #[cbor(n(0), with = "minicbor::bytes")]
    pub tag: RequestTag,
    /// The id of its inquiry.
    #[cbor(n(1), with = "minicbor::bytes")]
    pub id: Id,
    /// When it may be forgotten, in milliseconds since 1970.
    #[n(2)]
    pub expires_at: u64,
}

impl KeyEntry {
    /// Reads the value that is stored.
    ///
    /// # Errors
    /// When it is not what was written.
    pub fn decode(value: &[u8]) -> Result<Self, EngineError> {
        decode(value, Since(0)).ok_or(EngineError::Damaged("an idempotency key cannot be read"))
    }
}

/// Encodes a value whose times are relative to an epoch.
pub fn encode(value: impl Encode<Since>, mut epoch: Since) -> Value {
    let mut bytes = Vec::with_capacity(USUAL_LENGTH);
    bytes.push(VERSION);
    // Memory takes every byte.
    let _ = minicbor::encode_with(value, &mut bytes, &mut epoch);
    bytes
}

/// Reads what [`encode`] has written; `None` if it is anything else.
pub fn decode<'b, T: Decode<'b, Since>>(value: &'b [u8], mut epoch: Since) -> Option<T> {
    let (&VERSION, cbor) = value.split_first()? else {
        return None;
    };
    minicbor::decode_with(cbor, &mut epoch).ok()
}

/// Encodes what the ledger has: figures are written as people write them, so that a query of the database shows them.
pub fn encode_billed(value: &impl Serialize) -> Value {
    // These values have nothing that JSON has not.
    serde_json::to_vec(value).unwrap_or_default()
}

/// Reads what [`encode_billed`] has written.
///
/// # Errors
/// When it is anything else, as `damaged` says.
pub fn decode_billed<T: DeserializeOwned>(value: &[u8], damaged: &'static str) -> Result<T, EngineError> {
    serde_json::from_slice(value).map_err(|_| EngineError::Damaged(damaged))
}
