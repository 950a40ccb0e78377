//! Keys of several parts, and the values that are no more than numbers.

pub mod acceptance_record;
pub mod confirmation;
pub mod fact;
pub mod holds;
pub mod ids;
pub mod keyed_request;
pub mod leases;
pub mod record;
pub mod referral_record;
pub mod subscription_record;

use jiff::Timestamp;
use jiff::civil::Date;
use minicbor::{Decode, Encode};
use uuid::Uuid;

use super::map::{EngineError, Key, Value};
use crate::domain::commission::Percent;
use crate::domain::ledger::{Closing, Month};
use crate::domain::matching::FirmId;
use crate::store::time::{from_millis, millis};
use crate::store::values::ids::Id;
use crate::store::values::keyed_request::{KeyName, RequestTag};

/// The first byte of values in CBOR.
const VERSION: u8 = 1;

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

/// Returns a time of the store; the latest there is if it is beyond the calendar.
pub fn to_time(millis: u64) -> Timestamp {
    from_millis(millis).unwrap_or(Timestamp::MAX)
}

/// Returns the key of an entry of the index.
pub fn due_key(lane: u8, at: u64, id: &Id) -> Key {
    [[lane].as_slice(), &at.to_be_bytes(), id].concat()
}

/// Returns the key by which an idempotency key is forgotten.
pub fn expiry_key(at: u64, name: &KeyName) -> Key {
    [at.to_be_bytes().as_slice(), name].concat()
}

/// Returns the key of confirmations that a mailbox was sent at a time.
pub fn confirmation_key(at: u64, mailbox: &Id) -> Key {
    [at.to_be_bytes().as_slice(), mailbox].concat()
}

/// Returns the parts of that key.
///
/// # Errors
/// When it is none.
pub fn parts_of_confirmation(key: &[u8]) -> Result<(u64, Id), EngineError> {
    let damaged = EngineError::Damaged("what was sent to addresses cannot be read");
    let (at, mailbox) = key.split_at_checked(8).ok_or(damaged)?;
    Ok((number(at)?, id(mailbox)?))
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
    /// Returns the value that is stored.
    pub fn encode(&self) -> Value {
        encode(self)
    }

    /// Reads it.
    ///
    /// # Errors
    /// When it is not what was written.
    pub fn decode(value: &[u8]) -> Result<Self, EngineError> {
        decode(value).ok_or(EngineError::Damaged("an idempotency key cannot be read"))
    }
}

#[derive(Encode, Decode)]
struct StoredClosing {
    #[n(0)]
    at: u64,
    #[n(1)]
    vat: u32,
}

/// Returns the value of a closed month.
pub fn encode_closing(closing: &Closing) -> Value {
    encode(&StoredClosing {
        at: millis(closing.at),
        vat: closing.vat.parts(),
    })
}

/// Returns what key and value say of a closed month.
///
/// # Errors
/// When they are not what was written.
pub fn decode_closing(key: &[u8], value: &[u8]) -> Result<Closing, EngineError> {
    let read = || {
        let stored: StoredClosing = decode(value)?;
        Some(Closing {
            month: Month::from_number(u32::from_be_bytes(key.try_into().ok()?))?,
            at: from_millis(stored.at)?,
            vat: Percent::from_parts(stored.vat),
        })
    };
    read().ok_or(EngineError::Damaged("a closed month cannot be read"))
}

fn encode(value: &impl Encode<()>) -> Value {
    let mut bytes = vec![VERSION];
    // Memory takes every byte.
    let _ = minicbor::encode(value, &mut bytes);
    bytes
}

fn decode<'b, T: Decode<'b, ()>>(value: &'b [u8]) -> Option<T> {
    let (&VERSION, cbor) = value.split_first()? else {
        return None;
    };
    minicbor::decode(cbor).ok()
}
