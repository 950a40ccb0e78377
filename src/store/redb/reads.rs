//! Reading single records, and everything that is known of inquiries in order.

use std::collections::BTreeMap;
use std::iter::Peekable;

use jiff::civil::Date;
use redb::{AccessGuard, ReadOnlyTable, ReadTransaction, ReadableTable, StorageError};
use uuid::Uuid;

use super::error::damaged;
use super::schema::{
    self, CLOSINGS, COUNTS, INQUIRIES, Id, KEYS, KeyName, LEDGER, META, REFERRALS, RequestTag, from_millis,
};
use crate::commission::Percent;
use crate::inquiry::Inquiry;
use crate::ledger::{Acceptance, Closing, Month};
use crate::newsletter::Subscription;
use crate::referral::{InquiryRecord, Lane};
use crate::store::core::{Fact, InquiryEntry, KeyEntry, PAUSE_PREFIX, pauses};
use crate::store::core::{acceptance_record, record, subscription_record};
use crate::store::error::Damaged;
use crate::store::facts::DayCounts;
use crate::store::facts::Facts;
use crate::store::reckoning::Reckoning;

/// Returns the number of a lane in the index, for referrals. Numbers are part of the file format: never give one a new meaning.
pub fn lane_of_referrals(lane: Lane) -> u8 {
    match lane {
        Lane::Clock => 0,
        Lane::Mail => 1,
        Lane::Webhook => 2,
    }
}

/// As [`lane_of_referrals`], for subscriptions.
pub fn lane_of_subscriptions(lane: Lane) -> u8 {
    3 + lane_of_referrals(lane)
}

/// Reads what is known of a key; `None` if that is nothing.
pub fn key(
    keys: &impl ReadableTable<&'static KeyName, (&'static RequestTag, &'static Id, u64)>,
    inquiries: &impl ReadableTable<&'static Id, &'static [u8]>,
    name: &KeyName,
) -> Result<Option<KeyEntry>, redb::Error> {
    let Some(found) = keys.get(name)? else {
        return Ok(None);
    };
    let (tag, id, expires_at) = found.value();
    let read = |value: &[u8]| -> Result<Inquiry, Damaged> {
        record::decode(*id, value).ok_or(Damaged("an inquiry cannot be read"))
    };
    Ok(Some(KeyEntry {
        tag: *tag,
        id: Uuid::from_bytes(*id),
        expires_at: schema::from_millis(expires_at).unwrap_or_default(),
        inquiry: inquiries.get(id)?.map(|value| read(value.value())),
    }))
}

/// As [`key`], of a transaction.
pub fn key_of(file: &ReadTransaction, name: &KeyName) -> Result<Option<KeyEntry>, redb::Error> {
    key(&file.open_table(KEYS)?, &file.open_table(INQUIRIES)?, name)
}

/// Reads what is known of an inquiry.
pub fn inquiry(
    inquiries: &impl ReadableTable<&'static Id, &'static [u8]>,
    referrals: &impl ReadableTable<&'static Id, &'static [u8]>,
    id: Uuid,
) -> Result<InquiryEntry, redb::Error> {
    let (inquiry, referral) = (inquiries.get(id.as_bytes())?, referrals.get(id.as_bytes())?);
    let inquiry = inquiry.as_ref().map(AccessGuard::value);
    let referral = referral.as_ref().map(AccessGuard::value);
    Ok(InquiryEntry::read(id, inquiry, referral))
}

/// As [`inquiry`], of a transaction.
pub fn record_of(file: &ReadTransaction, id: Uuid) -> Result<Option<InquiryRecord>, redb::Error> {
    let entry = inquiry(&file.open_table(INQUIRIES)?, &file.open_table(REFERRALS)?, id)?;
    Ok(entry.record(id)?)
}

/// Reads a subscription; `None` if there is none.
pub fn subscription(
    subscriptions: &impl ReadableTable<&'static Id, &'static [u8]>,
    key: &Id,
) -> Result<Option<Subscription>, redb::Error> {
    let found = subscriptions.get(key)?;
    Ok(found
        .map(|value| subscription_record::decode(value.value()))
        .transpose()?)
}

/// Reads what the ledger has of an inquiry. What cannot be read is left out; a check finds it.
pub fn acceptances(
    ledger: &impl ReadableTable<(&'static Id, &'static str), &'static [u8]>,
    inquiry: Uuid,
) -> Result<Vec<Acceptance>, redb::Error> {
    let mut found = Vec::new();
    for entry in ledger.range((inquiry.as_bytes(), "")..)? {
        let (key, value) = entry?;
        let (id, firm) = key.value();
        if id != inquiry.as_bytes() {
            break;
        }
        found.extend(acceptance_record::decode(inquiry, firm, value.value()));
    }
    Ok(found)
}

/// As [`acceptances`], of a transaction.
pub fn acceptances_of(file: &ReadTransaction, inquiry: Uuid) -> Result<Vec<Acceptance>, redb::Error> {
    acceptances(&file.open_table(LEDGER)?, inquiry)
}

/// Reads the acceptances of a month.
pub fn acceptances_in(file: &ReadTransaction, month: Month) -> Result<Vec<Acceptance>, redb::Error> {
    let mut found = Vec::new();
    for entry in file.open_table(LEDGER)?.iter()? {
        let (key, value) = entry?;
        let (id, firm) = key.value();
        let acceptance = acceptance_record::decode(Uuid::from_bytes(*id), firm, value.value())?;
        if Month::of(acceptance.at) == month {
            found.push(acceptance);
        }
    }
    Ok(found)
}

/// Reads which months are closed.
pub fn closings(
    closings: &impl ReadableTable<u32, (u64, u32)>,
) -> Result<BTreeMap<Month, Closing>, redb::Error> {
    let mut found = BTreeMap::new();
    for entry in closings.iter()? {
        let (month, value) = entry?;
        let closing = closing(month.value(), value.value())?;
        found.insert(closing.month, closing);
    }
    Ok(found)
}

/// As [`closings`], of a transaction.
pub fn closings_of(file: &ReadTransaction) -> Result<BTreeMap<Month, Closing>, redb::Error> {
    closings(&file.open_table(CLOSINGS)?)
}

/// Returns what an entry of closed months says.
fn closing(month: u32, (at, vat): (u64, u32)) -> Result<Closing, redb::Error> {
    let closing = Month::from_number(month).zip(from_millis(at));
    let (month, at) = closing.ok_or_else(|| damaged("a closed month cannot be read"))?;
    let vat = Percent::from_parts(vat);
    Ok(Closing { month, at, vat })
}

/// Returns the counts of all days from one on, in order.
pub fn counts(file: &ReadTransaction, since: Date) -> Result<Vec<(Date, DayCounts)>, redb::Error> {
    let mut days: Vec<(Date, DayCounts)> = Vec::new();
    for entry in file.open_table(COUNTS)?.range((schema::day(since), "")..)? {
        let (key, count) = entry?;
        let (day, name) = key.value();
        let Ok(day) = Date::constant(1970, 1, 1).checked_add(jiff::Span::new().days(i64::from(day))) else {
            continue;
        };
        if days.last().is_none_or(|(last, _)| *last != day) {
            days.push((day, DayCounts::new()));
        }
        if let Some((_, counts)) = days.last_mut() {
            counts.insert(name.to_owned(), count.value());
        }
    }
    Ok(days)
}

/// Returns what the file says of its backups and of the time.
pub fn facts(file: &ReadTransaction) -> Result<Facts, redb::Error> {
    let time = |fact: Fact| schema::time(file, fact.name());
    let meta = file.open_table(META)?;
    let mut noted = Vec::new();
    for entry in meta.range(PAUSE_PREFIX..)? {
        let (name, value) = entry?;
        noted.push((name.value().to_owned(), value.value()));
    }
    Ok(Facts {
        paused: pauses(noted.iter().map(|(name, value)| (name.as_str(), *value))),
        backed_up_at: time(Fact::Backup)?,
        held_since: time(Fact::Suspended)?,
        reviews_changed_at: time(Fact::Reviews)?,
        reviews_written_at: time(Fact::ReviewsWritten)?,
        clock: Reckoning {
            known: time(Fact::Clock)?,
            doubted_since: time(Fact::ClockDoubted)?,
        },
    })
}

/// Two tables by id, to be read side by side.
pub struct Tables {
    inquiries: ReadOnlyTable<&'static Id, &'static [u8]>,
    referrals: ReadOnlyTable<&'static Id, &'static [u8]>,
}

impl Tables {
    /// Opens what a transaction shows.
    pub fn open(file: &ReadTransaction) -> Result<Self, redb::Error> {
        Ok(Self {
            inquiries: file.open_table(INQUIRIES)?,
            referrals: file.open_table(REFERRALS)?,
        })
    }

    /// Returns the table of inquiries.
    pub fn inquiries(&self) -> &ReadOnlyTable<&'static Id, &'static [u8]> {
        &self.inquiries
    }

    /// Calls `each` for all that is known from one id on, in order, until it returns `false`.
    pub fn walk(&self, first: &Id, each: impl FnMut(InquiryRecord) -> bool) -> Result<(), redb::Error> {
        let inquiries = self.inquiries.range::<&Id>(first..)?;
        let referrals = self.referrals.range::<&Id>(first..)?;
        merge(inquiries, referrals, Ord::min, each)
    }

    /// As [`Self::walk`], backwards, for all that is known before one id; `None` begins with the last.
    pub fn walk_back(
        &self,
        before: Option<Id>,
        each: impl FnMut(InquiryRecord) -> bool,
    ) -> Result<(), redb::Error> {
        // No id is that high: each names its version.
        let before = before.unwrap_or([u8::MAX; 16]);
        let inquiries = self.inquiries.range::<&Id>(..&before)?.rev();
        let referrals = self.referrals.range::<&Id>(..&before)?.rev();
        merge(inquiries, referrals, Ord::max, each)
    }
}

/// Calls `each` for what two tables have, whose entries come in the same order, until it returns `false`. `next` says which of two ids
/// comes first.
fn merge(
    inquiries: impl Iterator<Item = Entry>,
    referrals: impl Iterator<Item = Entry>,
    next: fn(Id, Id) -> Id,
    mut each: impl FnMut(InquiryRecord) -> bool,
) -> Result<(), redb::Error> {
    let mut inquiries = inquiries.peekable();
    let mut referrals = referrals.peekable();
    loop {
        let keys = [key_of_next(&mut inquiries)?, key_of_next(&mut referrals)?];
        let Some(key) = keys.into_iter().flatten().reduce(next) else {
            return Ok(());
        };
        let is_next = |entry: &Entry| entry.as_ref().is_ok_and(|(id, _)| *id.value() == key);
        let inquiry = inquiries.next_if(is_next).transpose()?;
        let referral = referrals.next_if(is_next).transpose()?;
        let id = Uuid::from_bytes(key);
        let entry = InquiryEntry::read(
            id,
            inquiry.as_ref().map(|(_, value)| value.value()),
            referral.as_ref().map(|(_, value)| value.value()),
        );
        if entry.record(id)?.is_some_and(|record| !each(record)) {
            return Ok(());
        }
    }
}

type Entry = Result<
    (
        AccessGuard<'static, &'static Id>,
        AccessGuard<'static, &'static [u8]>,
    ),
    StorageError,
>;

/// Returns the key of the entry that is next.
fn key_of_next(entries: &mut Peekable<impl Iterator<Item = Entry>>) -> Result<Option<Id>, StorageError> {
    match entries.next_if(Result::is_err) {
        Some(error) => error.map(|_| None),
        None => Ok(entries
            .peek()
            .and_then(|entry| Some(*entry.as_ref().ok()?.0.value()))),
    }
}
