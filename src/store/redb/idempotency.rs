//! The tables of idempotency keys: what [`KeyedRequest`] names and recognises.
//!
//! A file that was migrated from schema 1 may hold the former entries in free pages until these are used again, or until
//! the next erasure or compaction.

use jiff::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable, Table};

use super::error::{damaged, logged};
use super::lazy_table::LazyTable;
use super::schema::{INQUIRIES, Id, KEYS, KeyName, RequestTag, millis};
use crate::inquiry::{Inquiry, NewInquiry};
use crate::store::error::InsertError;
use crate::store::keyed_request::{KeyedRequest, REMEMBERED};
use crate::store::record;

/// Expired keys that are forgotten with each batch, beside two for each of its requests: enough that their number falls
/// even under full load, few enough that no inquiry waits for it.
const FORGOTTEN_AT_ONCE: usize = 16;

/// The table of keys, open for writing.
pub type Keys<'t> = Table<'t, &'static KeyName, (&'static RequestTag, &'static Id, u64)>;
/// The table of expiries, open for writing.
pub type Expiries<'t> = Table<'t, (u64, &'static KeyName), ()>;

/// Returns the inquiry of a key that was seen before; `None` for one that is new or expired.
pub fn replay(
    database: &Database,
    request: &KeyedRequest,
    inquiry: &NewInquiry,
    now: Timestamp,
) -> Result<Result<Option<Inquiry>, InsertError>, redb::Error> {
    let transaction = database.begin_read()?;
    let keys = transaction.open_table(KEYS)?;
    let inquiries = transaction.open_table(INQUIRIES)?;
    find(&keys, &inquiries, request, inquiry, now)
}

/// As [`replay`], from open tables. A repeated request whose inquiry was erased is answered as the first one was: it is
/// not stored again, and the browser does not keep trying.
pub fn find(
    keys: &impl ReadableTable<&'static KeyName, (&'static RequestTag, &'static Id, u64)>,
    inquiries: &impl ReadableTable<&'static Id, &'static [u8]>,
    request: &KeyedRequest,
    inquiry: &NewInquiry,
    now: Timestamp,
) -> Result<Result<Option<Inquiry>, InsertError>, redb::Error> {
    let Some(entry) = keys.get(request.name())? else {
        return Ok(Ok(None));
    };
    let (tag, id, expiry) = entry.value();
    if expiry <= millis(now) {
        return Ok(Ok(None));
    }
    let stored = inquiries.get(id)?;
    let is_same = match stored {
        Some(_) => request.has(tag),
        None => request.has_erased(tag),
    };
    if !is_same {
        return Ok(Err(InsertError::KeyReused));
    }
    let found = match stored {
        Some(value) => match record::decode(*id, value.value()) {
            Some(inquiry) => inquiry,
            // Others in the same batch must not suffer from one damaged record.
            None => return Ok(Err(logged(&damaged("an inquiry cannot be read")).into())),
        },
        None => inquiry.clone().with_id(uuid::Uuid::from_bytes(*id)),
    };
    Ok(Ok(Some(found)))
}

/// Remembers a key, in place of what was known of it.
pub fn remember(
    keys: &mut Keys<'_>,
    expiries: &mut Expiries<'_>,
    request: &KeyedRequest,
    id: &Id,
    now: Timestamp,
) -> Result<(), redb::Error> {
    let expiry = millis(now) + REMEMBERED;
    let before = keys
        .insert(request.name(), (&request.tag(), id, expiry))?
        .map(|before| before.value().2);
    if let Some(before) = before {
        expiries.remove((before, request.name()))?;
    }
    expiries.insert((expiry, request.name()), ())?;
    Ok(())
}

/// Forgets some of the expired keys; returns whether there were any.
pub fn forget_expired(
    keys: &mut LazyTable<'_, &'static KeyName, (&'static RequestTag, &'static Id, u64)>,
    expiries: &mut Expiries<'_>,
    requests: usize,
    now: Timestamp,
) -> Result<bool, redb::Error> {
    let end = (millis(now) + 1, &KeyName::default());
    let mut expired = Vec::new();
    for entry in expiries.range(..end)?.take(FORGOTTEN_AT_ONCE + 2 * requests) {
        let (entry, _) = entry?;
        let (expiry, name) = entry.value();
        expired.push((expiry, *name));
    }
    for (expiry, name) in &expired {
        keys.open()?.remove(name)?;
        expiries.remove((*expiry, name))?;
    }
    Ok(!expired.is_empty())
}
