//! What is remembered of idempotency keys: for seven days a repeated request gets the first one's inquiry.
//!
//! Neither the key nor a fingerprint of the request is in the file. One half of the key's digest names the key, the
//! other half is mixed into the tag of its request. So the tag recognises a request with certainty, but only together
//! with the key, which is random and which only the visitor's browser has: after an erasure nobody can find out from
//! the file whether some person's data was in it. The key of a form without JavaScript follows from its fields, the hour and
//! the store's secret: whoever has the file and guesses all of them together could, until the key is forgotten. A file that was migrated from schema 1 may hold the former entries in
//! free pages until these are used again, or until the next erasure or compaction.

use jiff::Timestamp;
use redb::{Database, ReadableDatabase, ReadableTable, Table};
use sha2::{Digest, Sha256};

use super::error::{damaged, logged};
use super::lazy_table::LazyTable;
use super::record;
use super::schema::{INQUIRIES, Id, KEYS, KeyName, RequestTag, millis};
use crate::inquiry::{Fingerprint, Inquiry, NewInquiry};
use crate::store::error::InsertError;
use crate::store::idempotency_key::IdempotencyKey;

/// How long a key is remembered, in milliseconds: seven days (contract, "HTTP").
pub const REMEMBERED: u64 = 7 * 24 * 60 * 60 * 1000;

/// How many bytes of a fingerprint schema 1 kept of an erased inquiry's request. Those entries were migrated as they
/// were.
const KEPT_BY_SCHEMA_1: usize = 2;

/// Expired keys that are forgotten with each batch, beside two for each of its requests: enough that their number falls
/// even under full load, few enough that no inquiry waits for it.
const FORGOTTEN_AT_ONCE: usize = 16;

/// The table of keys, open for writing.
pub type Keys<'t> = Table<'t, &'static KeyName, (&'static RequestTag, &'static Id, u64)>;
/// The table of expiries, open for writing.
pub type Expiries<'t> = Table<'t, (u64, &'static KeyName), ()>;

/// A request with a key.
pub struct KeyedRequest {
    name: KeyName,
    secret: [u8; 16],
    fingerprint: Fingerprint,
    /// Computed when the request is prepared, by the calling thread, so that the one writer has less to do.
    tag: RequestTag,
}

impl KeyedRequest {
    /// Prepares a visitor's request.
    pub fn new(key: &IdempotencyKey, inquiry: &NewInquiry) -> Self {
        Self::of_fingerprint(key.as_bytes(), inquiry.fingerprint())
    }

    /// Prepares a request of which only the fingerprint is known.
    pub fn of_fingerprint(key: &[u8], fingerprint: Fingerprint) -> Self {
        let (mut name, mut secret) = (KeyName::default(), [0; 16]);
        let digest = Sha256::digest(key);
        let (first, second) = digest.split_at(name.len());
        name.copy_from_slice(first);
        secret.copy_from_slice(second);
        let mut request = Self {
            name,
            secret,
            fingerprint,
            tag: RequestTag::default(),
        };
        request.tag = request.tag_of(&fingerprint);
        request
    }

    /// Returns what stands for the key. 16 bytes: for two keys to have the same, somebody must try 2^64 of them, and
    /// then only harms their own requests.
    pub fn name(&self) -> &KeyName {
        &self.name
    }

    /// Returns what recognises the request. 16 bytes: the chance that another request with the same key has the same
    /// tag is one in 2^128.
    pub fn tag(&self) -> RequestTag {
        self.tag
    }

    fn tag_of(&self, fingerprint: &Fingerprint) -> RequestTag {
        let digest = Sha256::new()
            .chain_update(self.secret)
            .chain_update(fingerprint)
            .finalize();
        let mut tag = RequestTag::default();
        tag.iter_mut().zip(digest).for_each(|(byte, from)| *byte = from);
        tag
    }

    /// Returns whether a tag is that of this request.
    fn has(&self, tag: &RequestTag) -> bool {
        *tag == self.tag()
    }

    /// As [`Self::has`], for an erased inquiry: it may have been erased under schema 1.
    fn has_erased(&self, tag: &RequestTag) -> bool {
        let mut kept = self.fingerprint;
        kept.iter_mut().skip(KEPT_BY_SCHEMA_1).for_each(|byte| *byte = 0);
        self.has(tag) || *tag == self.tag_of(&kept)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_request_is_taken_for_the_first_one() {
        let fingerprint = [7; 32];
        let request = KeyedRequest::of_fingerprint(b"key", fingerprint);
        let tag = request.tag();
        assert!(request.has(&tag) && request.has_erased(&tag));
        // Two bytes in common were enough once.
        for byte in 0..fingerprint.len() {
            let mut other = fingerprint;
            other[byte] ^= 1;
            let other = KeyedRequest::of_fingerprint(b"key", other);
            assert!(!other.has(&tag) && !other.has_erased(&tag), "{byte}");
        }
        assert!(!KeyedRequest::of_fingerprint(b"other", fingerprint).has_erased(&tag));
    }

    #[test]
    fn an_erasure_of_schema_1_is_still_recognised() {
        let mut cut = [0; 32];
        cut[..KEPT_BY_SCHEMA_1].copy_from_slice(&[7; KEPT_BY_SCHEMA_1]);
        let tag = KeyedRequest::of_fingerprint(b"key", cut).tag();
        let request = KeyedRequest::of_fingerprint(b"key", [7; 32]);
        assert!(request.has_erased(&tag) && !request.has(&tag));
        assert!(!KeyedRequest::of_fingerprint(b"key", [8; 32]).has_erased(&tag));
    }
}
