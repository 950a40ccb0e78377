//! Composite keys, and the encoding of values: numbers in binary, billing data as JSON, everything else as a version byte followed
//! by CBOR.

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
use crate::store::values::ids::Id;
use crate::store::values::keyed_request::RequestTag;

/// The first byte of values in CBOR.
const VERSION: u8 = 1;

/// The usual size of an inquiry, so that encoding one allocates once.
const USUAL_LENGTH: usize = 384;

/// Parses an id that is a key, or a part of one.
///
/// # Errors
/// When it is not 16 bytes long.
pub fn id(bytes: &[u8]) -> Result<Id, EngineError> {
    bytes
        .try_into()
        .map_err(|_| EngineError::Damaged("an id cannot be read"))
}

/// Parses a number.
///
/// # Errors
/// When it is not 8 bytes long.
pub fn number(bytes: &[u8]) -> Result<u64, EngineError> {
    let number = bytes.try_into().map(u64::from_be_bytes);
    number.map_err(|_| EngineError::Damaged("a number cannot be read"))
}

/// Converts a time to milliseconds since 1970; 0 before that.
pub fn millis(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or(0)
}

/// Converts milliseconds since 1970 to a time; `None` beyond the calendar.
pub fn from_millis(millis: u64) -> Option<Timestamp> {
    Timestamp::from_millisecond(i64::try_from(millis).ok()?).ok()
}

/// Converts milliseconds since 1970 to a time; the latest possible if beyond the calendar.
pub fn to_time(millis: u64) -> Timestamp {
    from_millis(millis).unwrap_or(Timestamp::MAX)
}

/// The key of an index entry.
pub fn due_key(lane: u8, at: u64, id: &Id) -> Key {
    [&[lane], time_key(at, id).as_slice()].concat()
}

/// Parses the time and the id of an index entry.
///
/// # Errors
/// When it is not such a key.
pub fn parts_of_due(key: &[u8]) -> Result<(u64, Id), EngineError> {
    parts_of_time_key(key.get(1..).unwrap_or_default(), "what is due cannot be read")
}

/// The key of an entry by time: of an idempotency key's expiry, or of a mailbox's confirmations.
pub fn time_key(at: u64, id: &Id) -> Key {
    [at.to_be_bytes().as_slice(), id].concat()
}

/// Parses the time and the mailbox of an entry of confirmations.
///
/// # Errors
/// When it is not such a key.
pub fn parts_of_confirmation(key: &[u8]) -> Result<(u64, Id), EngineError> {
    parts_of_time_key(key, "what was sent to addresses cannot be read")
}

fn parts_of_time_key(key: &[u8], damaged: &'static str) -> Result<(u64, Id), EngineError> {
    let (at, id_of) = key.split_at_checked(8).ok_or(EngineError::Damaged(damaged))?;
    Ok((number(at)?, id(id_of)?))
}

/// The key of a photo in a size; without a size, the common prefix of all its sizes.
pub fn photo_key(inquiry: Uuid, number: u16, size: Option<u8>) -> Key {
    let mut key = inquiry.as_bytes().to_vec();
    key.extend(number.to_be_bytes());
    key.extend(size);
    key
}

/// The key of an acceptance.
pub fn acceptance_key(inquiry: Uuid, firm: &FirmId) -> Key {
    [inquiry.as_bytes(), firm.as_str().as_bytes()].concat()
}

/// The key of a count of a day.
pub fn count_key(day: Date, name: &str) -> Key {
    [day_number(day).to_be_bytes().as_slice(), name.as_bytes()].concat()
}

/// Parses the day and the name of a count.
///
/// # Errors
/// When it is not such a key.
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

/// Days since 1970; 0 before that.
pub fn day_number(day: Date) -> u32 {
    let days = day.duration_since(EPOCH).as_hours() / 24;
    u32::try_from(days).unwrap_or_default()
}

/// The key of a closed month.
pub fn month_key(month: Month) -> Key {
    month.number().to_be_bytes().to_vec()
}

/// The entry of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct KeyEntry {
    /// Identifies the request.
    #[cbor(n(0), with = "minicbor::bytes")]
    pub tag: RequestTag,
    /// The id of its inquiry.
    #[cbor(n(1), with = "minicbor::bytes")]
    pub id: Id,
    /// When it expires, in milliseconds since 1970.
    #[n(2)]
    pub expires_at: u64,
}

impl KeyEntry {
    /// Decodes the stored value.
    ///
    /// # Errors
    /// When it cannot be decoded.
    pub fn decode(value: &[u8]) -> Result<Self, EngineError> {
        decode(value, 0).ok_or(EngineError::Damaged("an idempotency key cannot be read"))
    }
}

/// Encodes a value whose times are relative to an epoch.
pub fn encode(value: impl Encode<i64>, mut epoch: i64) -> Value {
    let mut bytes = Vec::with_capacity(USUAL_LENGTH);
    bytes.push(VERSION);
    // Writing to memory cannot fail.
    let _ = minicbor::encode_with(value, &mut bytes, &mut epoch);
    bytes
}

/// Decodes the result of [`encode`]; `None` if the value is anything else.
pub fn decode<'b, T: Decode<'b, i64>>(value: &'b [u8], mut epoch: i64) -> Option<T> {
    let (&VERSION, cbor) = value.split_first()? else {
        return None;
    };
    minicbor::decode_with(cbor, &mut epoch).ok()
}

/// Encodes an entry of the ledger as JSON, so that database queries can show its figures.
pub fn encode_billed(value: &impl Serialize) -> Value {
    // These values are always representable as JSON.
    serde_json::to_vec(value).unwrap_or_default()
}

/// Decodes the result of [`encode_billed`].
///
/// # Errors
/// When the value is anything else; `damaged` is the message.
pub fn decode_billed<T: DeserializeOwned>(value: &[u8], damaged: &'static str) -> Result<T, EngineError> {
    serde_json::from_slice(value).map_err(|_| EngineError::Damaged(damaged))
}
