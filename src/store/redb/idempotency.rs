//! What is remembered of idempotency keys: for seven days, who asked what gets the answer again.

use jiff::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable, Table};

use super::schema::{INQUIRIES, Id, KEYS};
use super::{IdempotencyKey, InsertError, open, record};
use crate::inquiry::{Fingerprint, Inquiry, NewInquiry};

/// How long a key is remembered, in milliseconds: seven days (contract, "HTTP").
pub const REMEMBERED: u64 = 7 * 24 * 60 * 60 * 1000;

/// How many bytes of a fingerprint outlive an inquiry that was erased: enough to tell another request from the same one
/// with next to no doubt, too little to recognise a person by.
const KEPT_OF_FINGERPRINT: usize = 2;

/// Expired keys forgotten with each write, beside two for each inquiry of the batch: enough that their number
/// falls even under full load, few enough that no inquiry waits for it.
const FORGOTTEN_AT_ONCE: usize = 16;

pub type Keys<'t> = Table<'t, &'static [u8], (&'static [u8; 32], &'static Id, u64)>;
pub type Expiries<'t> = Table<'t, (u64, &'static [u8]), ()>;

/// The answer for a key that was seen before; `None` for one that is new or expired.
pub fn replay(
    database: &Database,
    key: &IdempotencyKey,
    asked: &NewInquiry,
    now: Timestamp,
) -> Result<Result<Option<Inquiry>, InsertError>, redb::Error> {
    let transaction = database.begin_read()?;
    let keys = transaction.open_table(KEYS)?;
    let inquiries = transaction.open_table(INQUIRIES)?;
    known(&keys, &inquiries, (key, &asked.fingerprint()), asked, now)
}

/// As [`replay`], from open tables. Who repeats a request whose inquiry was erased hears that it was stored, which it
/// was: neither is the erased one stored again, nor does the browser keep trying.
pub fn known(
    keys: &impl ReadableTable<&'static [u8], (&'static [u8; 32], &'static Id, u64)>,
    inquiries: &impl ReadableTable<&'static Id, &'static [u8]>,
    (key, fingerprint): (&IdempotencyKey, &Fingerprint),
    asked: &NewInquiry,
    now: Timestamp,
) -> Result<Result<Option<Inquiry>, InsertError>, redb::Error> {
    let Some(entry) = keys.get(key.as_bytes())? else {
        return Ok(Ok(None));
    };
    let (before, id, expiry) = entry.value();
    if expiry <= millis(now) {
        return Ok(Ok(None));
    }
    let Some(value) = inquiries.get(id)? else {
        let same = *before == cut(fingerprint);
        let answer = asked.clone().with_id(uuid::Uuid::from_bytes(*id));
        return Ok(if same {
            Ok(Some(answer))
        } else {
            Err(InsertError::KeyReused)
        });
    };
    if before != fingerprint {
        return Ok(Err(InsertError::KeyReused));
    }
    let inquiry = record::decode(*id, value.value());
    Ok(Ok(Some(
        inquiry.ok_or_else(|| open::damaged("an inquiry cannot be read"))?,
    )))
}

/// Remembers a key, in place of what was known of it.
pub fn remember(
    keys: &mut Keys<'_>,
    expiries: &mut Expiries<'_>,
    key: &IdempotencyKey,
    (fingerprint, id): (&Fingerprint, &Id),
    now: Timestamp,
) -> Result<(), redb::Error> {
    let key = key.as_bytes();
    let expiry = millis(now) + REMEMBERED;
    let before = keys
        .insert(key, (fingerprint, id, expiry))?
        .map(|before| before.value().2);
    if let Some(before) = before {
        expiries.remove((before, key))?;
    }
    expiries.insert((expiry, key), ())?;
    Ok(())
}

/// Forgets some of the keys that are expired; true when there was one.
pub fn forget_expired(
    keys: &mut Keys<'_>,
    expiries: &mut Expiries<'_>,
    inserted: usize,
    now: Timestamp,
) -> Result<bool, redb::Error> {
    // Keys are never empty, so this is behind all of the time before.
    let end = (millis(now) + 1, [].as_slice());
    let mut expired = Vec::new();
    for entry in expiries.range(..end)?.take(FORGOTTEN_AT_ONCE + 2 * inserted) {
        let (entry, ()) = entry.map(|(entry, unit)| (entry, unit.value()))?;
        let (expiry, key) = entry.value();
        expired.push((expiry, key.to_vec()));
    }
    for (expiry, key) in &expired {
        keys.remove(key.as_slice())?;
        expiries.remove((*expiry, key.as_slice()))?;
    }
    Ok(!expired.is_empty())
}

/// Copies the keys that are not expired to another file, which already has its inquiries; of those whose inquiry is
/// not there only what serves to know the same request again.
pub fn copy(
    old: &impl ReadableTable<&'static [u8], (&'static [u8; 32], &'static Id, u64)>,
    (keys, expiries): (&mut Keys<'_>, &mut Expiries<'_>),
    inquiries: &impl ReadableTable<&'static Id, &'static [u8]>,
    now: Timestamp,
) -> Result<(), redb::Error> {
    for entry in old.iter()? {
        let (key, entry) = entry?;
        let (fingerprint, id, expiry) = entry.value();
        if expiry <= millis(now) {
            continue;
        }
        if inquiries.get(id)?.is_some() {
            keys.insert(key.value(), (fingerprint, id, expiry))?;
        } else {
            keys.insert(key.value(), (&cut(fingerprint), id, expiry))?;
        }
        expiries.insert((expiry, key.value()), ())?;
    }
    Ok(())
}

/// What is kept of a fingerprint when its inquiry is erased.
fn cut(fingerprint: &Fingerprint) -> Fingerprint {
    let mut kept = *fingerprint;
    kept.iter_mut()
        .skip(KEPT_OF_FINGERPRINT)
        .for_each(|byte| *byte = 0);
    kept
}

/// Milliseconds since 1970; 0 before.
pub fn millis(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or(0)
}

#[cfg(test)]
pub use tests_only::count;

#[cfg(test)]
mod tests_only {
    use redb::ReadableTableMetadata;

    use super::*;
    use crate::store::schema::EXPIRIES;

    /// How many keys and expiries the file holds.
    pub fn count(database: &Database) -> (u64, u64) {
        let transaction = database.begin_read().unwrap();
        let keys = transaction.open_table(KEYS).unwrap().len().unwrap();
        (keys, transaction.open_table(EXPIRIES).unwrap().len().unwrap())
    }
}
