//! Reads shared by views and transactions.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use uuid::Uuid;

use crate::domain::inquiry::{Inquiry, NewInquiry};
use crate::domain::ledger::{Acceptance, Closing, Month};
use crate::domain::matching::{FirmId, RequestHistory};
use crate::domain::referral::Secret;
use crate::store::InsertError;
use crate::store::entry::{Deliverable, StoredRecord};
use crate::store::facts::DayCounts;
use crate::store::map::{EngineError, EntryKind, Key, Span, View, collect, scan};
use crate::store::values::keyed_request::KeyedRequest;
use crate::store::values::{KeyEntry, count_key, decode_billed, month_key, number, parts_of_count, to_time};

/// The name of the secret that tokens are derived from.
pub const SECRET: &[u8] = b"tokens";

/// Reads the secret that tokens are derived from; `None` if the store is new.
pub fn secret(view: &dyn View) -> Result<Option<Secret>, EngineError> {
    let secret = view.get(EntryKind::Secrets, SECRET)?;
    let read = |secret: Vec<u8>| secret.try_into().map(Secret::new);
    let secret = secret.map(read).transpose();
    secret.map_err(|_| EngineError::Damaged("the secret of the inquiries' pages cannot be read"))
}

/// Reads the keys of a span.
pub fn keys(view: &dyn View, span: Span) -> Result<Vec<Key>, EngineError> {
    collect(view, span, |key, _| Ok(key.to_vec()))
}

/// Reads an inquiry or a subscription; `None` if there is none with this id.
pub fn entry<T: Deliverable>(
    view: &dyn View,
    id: impl AsRef<[u8]>,
) -> Result<Option<StoredRecord<T>>, EngineError> {
    let value = view.get(T::KIND, id.as_ref())?;
    value
        .map(|value| StoredRecord::decode(id.as_ref(), &value))
        .transpose()
}

/// Reads the entry of an idempotency key.
pub fn key(view: &dyn View, request: &KeyedRequest) -> Result<Option<KeyEntry>, EngineError> {
    let value = view.get(EntryKind::Keys, &request.name)?;
    value.map(|value| KeyEntry::decode(&value)).transpose()
}

/// Looks up the reply to a repeated request: the inquiry stored for its key, or `None` if the key is new or has expired. A
/// request whose inquiry was erased gets the original reply: nothing is stored again, and the browser stops retrying.
pub fn replay(
    view: &dyn View,
    known: &KeyEntry,
    request: &KeyedRequest,
    inquiry: &NewInquiry,
    now: u64,
) -> Result<Result<Option<Inquiry>, InsertError>, EngineError> {
    if known.expires_at <= now {
        return Ok(Ok(None));
    }
    if request.tag != known.tag {
        return Ok(Err(InsertError::KeyReused));
    }
    let id = Uuid::from_bytes(known.id);
    let stored = entry(view, id)?.and_then(|entry: StoredRecord| entry.record.inquiry);
    Ok(Ok(Some(stored.unwrap_or_else(|| inquiry.clone().with_id(id)))))
}

/// Reads the history of requests to each firm.
pub fn asks(view: &dyn View) -> Result<HashMap<FirmId, RequestHistory>, EngineError> {
    collect(view, Span::all(EntryKind::Asks), ask)
}

/// Decodes the entry of a firm's requests.
///
/// # Errors
/// When key or value cannot be decoded.
pub fn ask(key: &[u8], value: &[u8]) -> Result<(FirmId, RequestHistory), EngineError> {
    let firm = std::str::from_utf8(key).ok();
    let firm = firm.and_then(|firm| FirmId::parse(firm).ok());
    firm.zip(RequestHistory::from_bytes(value))
        .ok_or(EngineError::Damaged("what a firm was asked cannot be read"))
}

/// Reads all facts.
pub fn facts(view: &dyn View) -> Result<BTreeMap<String, u64>, EngineError> {
    collect(view, Span::all(EntryKind::Facts), |name, value| {
        let name = str::from_utf8(name).map_err(|_| EngineError::Damaged("a fact cannot be read"))?;
        Ok((name.to_owned(), number(value)?))
    })
}

/// Reads a fact; `None` if it is not set.
pub fn fact(view: &dyn View, name: &str) -> Result<Option<u64>, EngineError> {
    view.get(EntryKind::Facts, name.as_bytes())?
        .map(|value| number(&value))
        .transpose()
}

/// Reads when each instance last wrote, by the key of its row.
pub fn writers(view: &dyn View) -> Result<Vec<(Key, u64)>, EngineError> {
    collect(view, Span::all(EntryKind::Writers), |key, row| {
        Ok((key.to_vec(), number(row.get(8..).unwrap_or_default())?))
    })
}

/// Reads the counts of all days from `since` on, in order.
pub fn counts(view: &dyn View, since: Date) -> Result<Vec<(Date, DayCounts)>, EngineError> {
    let mut days = BTreeMap::<Date, DayCounts>::new();
    scan(
        view,
        Span::from(EntryKind::Counts, count_key(since, "")),
        |key, value| {
            let (day, name) = parts_of_count(&key)?;
            days.entry(day)
                .or_default()
                .insert(name.to_owned(), number(&value)?);
            Ok::<_, EngineError>(true)
        },
    )?;
    Ok(days.into_iter().collect())
}

/// Reads the acceptances of an inquiry. Unreadable ones are left out; a check reports them.
pub fn acceptances_of(view: &dyn View, inquiry: Uuid) -> Result<Vec<Acceptance>, EngineError> {
    let span = Span::prefix(EntryKind::Ledger, inquiry.as_bytes());
    let found: Vec<_> = collect(view, span, |_, value| {
        Ok(decode_billed(value, "an acceptance cannot be read").ok())
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// Reads the acceptances that pass `is_meant`.
pub fn acceptances(
    view: &dyn View,
    is_meant: impl Fn(&Acceptance) -> bool,
) -> Result<Vec<Acceptance>, EngineError> {
    let found: Vec<_> = collect(view, Span::all(EntryKind::Ledger), |_, value| {
        let acceptance = decode_billed(value, "an acceptance cannot be read")?;
        Ok(Some(acceptance).filter(&is_meant))
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// Reads the closing of a month; `None` if it is open.
pub fn closing(view: &dyn View, month: Month) -> Result<Option<Closing>, EngineError> {
    let value = view.get(EntryKind::Closings, &month_key(month))?;
    value
        .map(|value| decode_billed(&value, "a closed month cannot be read"))
        .transpose()
}

/// Reads a fact as a time; `None` if it is not set.
pub fn fact_time(view: &dyn View, name: &str) -> Result<Option<jiff::Timestamp>, EngineError> {
    Ok(fact(view, name)?.map(to_time))
}
