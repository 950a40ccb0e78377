//! The tables of a file, open for writing: how records and their indexes are kept together.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use jiff::Timestamp;
use jiff::civil::Date;
use redb::{ReadableTable, WriteTransaction};
use uuid::Uuid;

use super::due_index::DueIndex;
use super::lazy_table::LazyTable;
use super::reads::{self, lane_of_referrals, lane_of_subscriptions};
use super::schema::{
    self, CLOSINGS, COUNTS, EXPIRIES, INQUIRIES, Id, KEYS, KeyName, LEDGER, META, PHOTOS, REFERRALS,
    RequestTag, SUBSCRIPTIONS, millis,
};
use crate::ledger::{Acceptance, Closing};
use crate::newsletter::Subscription;
use crate::photo::PhotoSize;
use crate::referral::{Due, Lane, Referral};
use crate::store::core::{
    CLOCK_AT_ONCE, Changes, Fact, Holds, InquiryEntry, KeyEntry, Leases, Prefetched, ReadSet,
    SubscriptionEntry, first_since,
};
use crate::store::core::{acceptance_record, record};
use crate::store::core::{referral_record, subscription_record};

/// Expired keys that are forgotten with each batch, beside two for each of its requests: enough that their number falls
/// even under full load, few enough that no inquiry waits for it.
const FORGOTTEN_AT_ONCE: usize = 16;

/// How many entries of the index are looked at for a lane: more than may be tried at once, since those stay in it until they
/// are settled.
const LOOKED_AT: usize = 256;

/// How many more inquiries than deliveries are read: those that cannot be read stay due.
const SPARE: usize = 32;

/// The tables of a file.
pub struct OpenTables<'t> {
    inquiries: LazyTable<'t, &'static Id, &'static [u8]>,
    keys: LazyTable<'t, &'static KeyName, (&'static RequestTag, &'static Id, u64)>,
    expiries: LazyTable<'t, (u64, &'static KeyName), ()>,
    meta: LazyTable<'t, &'static str, u64>,
    referrals: LazyTable<'t, &'static Id, &'static [u8]>,
    due: DueIndex<'t>,
    counts: LazyTable<'t, (u32, &'static str), u64>,
    subscriptions: LazyTable<'t, &'static Id, &'static [u8]>,
    ledger: LazyTable<'t, (&'static Id, &'static str), &'static [u8]>,
    closings: LazyTable<'t, u32, (u64, u32)>,
    photos: LazyTable<'t, (&'static Id, u16, u8), &'static [u8]>,
    /// The time at which the index has each inquiry that was read because the clock brings something for it.
    overdue: HashMap<Uuid, u64>,
}

impl<'t> OpenTables<'t> {
    /// Prepares the tables. Each is opened when it is first used.
    pub fn new(file: &'t WriteTransaction) -> Self {
        Self {
            inquiries: LazyTable::new(file, INQUIRIES),
            keys: LazyTable::new(file, KEYS),
            expiries: LazyTable::new(file, EXPIRIES),
            meta: LazyTable::new(file, META),
            referrals: LazyTable::new(file, REFERRALS),
            due: DueIndex::new(file),
            counts: LazyTable::new(file, COUNTS),
            subscriptions: LazyTable::new(file, SUBSCRIPTIONS),
            ledger: LazyTable::new(file, LEDGER),
            closings: LazyTable::new(file, CLOSINGS),
            photos: LazyTable::new(file, PHOTOS),
            overdue: HashMap::new(),
        }
    }

    /// Reads what a batch needs.
    pub fn load(
        &mut self,
        reads: &ReadSet,
        now: Timestamp,
        holds: &Holds,
    ) -> Result<Prefetched, redb::Error> {
        let mut rows = Prefetched::default();
        for name in &reads.keys {
            if let Some(entry) = reads::key(self.keys.open()?, self.inquiries.open()?, name)? {
                rows.keys.insert(*name, entry);
            }
        }
        for id in &reads.inquiries {
            self.load_inquiry(*id, holds, &mut rows)?;
        }
        for key in &reads.subscriptions {
            self.load_subscription(*key, holds, &mut rows)?;
        }
        for id in &reads.acceptances {
            for acceptance in reads::acceptances(self.ledger.open()?, *id)? {
                rows.acceptances
                    .insert((*id, acceptance.firm.clone()), acceptance);
            }
        }
        if reads.closings {
            rows.closings = reads::closings(self.closings.open()?)?;
        }
        if reads.turns {
            rows.facts = reads::noted(self.meta.open()?)?;
        }
        for (lane, limit) in &reads.due {
            self.load_due(*lane, *limit, now, holds, &mut rows)?;
        }
        Ok(rows)
    }

    fn load_inquiry(&mut self, id: Uuid, holds: &Holds, rows: &mut Prefetched) -> Result<(), redb::Error> {
        if rows.inquiries.contains_key(&id) {
            return Ok(());
        }
        let entry = reads::inquiry(self.inquiries.open()?, self.referrals.open()?, id)?;
        let leases = Leases::of_process(holds.of_inquiry(id));
        rows.inquiries.insert(id, InquiryEntry { leases, ..entry });
        Ok(())
    }

    fn load_subscription(
        &mut self,
        key: Uuid,
        holds: &Holds,
        rows: &mut Prefetched,
    ) -> Result<(), redb::Error> {
        let entry = SubscriptionEntry {
            subscription: reads::subscription(self.subscriptions.open()?, key.as_bytes())?,
            leases: Leases::of_process(holds.has_subscription(key).then_some(0)),
        };
        rows.subscriptions.entry(key).or_insert(entry);
        Ok(())
    }

    fn load_due(
        &mut self,
        lane: Lane,
        limit: usize,
        now: Timestamp,
        holds: &Holds,
        rows: &mut Prefetched,
    ) -> Result<(), redb::Error> {
        let (mut due, mut free) = (rows.due.remove(&lane).unwrap_or_default(), 0);
        for (at, id) in self.due(lane, now)? {
            let id = Uuid::from_bytes(id);
            if lane == Lane::Clock {
                self.overdue.insert(id, at);
            }
            free += usize::from(holds.of_inquiry(id).is_empty());
            self.load_inquiry(id, holds, rows)?;
            due.inquiries.push(id);
            if free >= limit.saturating_add(SPARE) {
                break;
            }
        }
        let limit = if lane == Lane::Clock {
            CLOCK_AT_ONCE
        } else {
            LOOKED_AT
        };
        for (_, key) in self.due.until(lane_of_subscriptions(lane), millis(now), limit)? {
            let key = Uuid::from_bytes(key);
            self.load_subscription(key, holds, rows)?;
            due.subscriptions.push(key);
        }
        let mut next = Vec::new();
        for number in [lane_of_referrals(lane), lane_of_subscriptions(lane)] {
            next.extend(self.due.next_after(number, millis(now))?);
        }
        due.next = next.into_iter().min().and_then(schema::from_millis);
        rows.due.insert(lane, due);
        Ok(())
    }

    /// Returns the inquiries for which something is due in a lane. In a store that was restored, the clock brings nothing for those
    /// that were there before until the operator says so: the lost store may have gone on with them.
    fn due(&mut self, lane: Lane, now: Timestamp) -> Result<Vec<(u64, Id)>, redb::Error> {
        let number = lane_of_referrals(lane);
        if lane != Lane::Clock {
            return self.due.until(number, millis(now), LOOKED_AT);
        }
        let held = self
            .meta
            .open()?
            .get(Fact::Suspended.name())?
            .map(|held| held.value());
        let Some(restored_at) = held else {
            return self.due.until(number, millis(now), CLOCK_AT_ONCE);
        };
        let mut overdue = self.due.until(number, millis(now), usize::MAX)?;
        let first = first_since(restored_at);
        overdue.retain(|(_, id)| *id >= first);
        overdue.truncate(CLOCK_AT_ONCE);
        Ok(overdue)
    }

    /// Forgets some of the expired keys; returns whether there were any. `requests` is how many are in the batch.
    pub fn forget_expired(&mut self, requests: usize, now: Timestamp) -> Result<bool, redb::Error> {
        let end = (millis(now) + 1, &KeyName::default());
        let mut expired = Vec::new();
        let expiries = self.expiries.open()?;
        for entry in expiries.range(..end)?.take(FORGOTTEN_AT_ONCE + 2 * requests) {
            let (entry, ()) = (entry?.0, ());
            let (expiry, name) = entry.value();
            expired.push((expiry, *name));
        }
        for (expiry, name) in &expired {
            self.keys.open()?.remove(name)?;
            self.expiries.open()?.remove((*expiry, name))?;
        }
        Ok(!expired.is_empty())
    }

    /// Saves what a batch has changed.
    pub fn save(&mut self, changes: &Changes, rows: &Prefetched) -> Result<(), redb::Error> {
        for row in &changes.new {
            let id = row.id.as_bytes();
            self.put_inquiry(id, &row.value)?;
            if let Some(referral) = &row.referral {
                self.put_referral(id, Some(referral))?;
            }
        }
        for name in &changes.keys {
            if let Some(KeyEntry {
                tag, id, expires_at, ..
            }) = rows.keys.get(name)
            {
                self.put_key(name, tag, id.as_bytes(), millis(*expires_at))?;
            }
        }
        for id in &changes.inquiries {
            if let Some(inquiry) = rows.inquiries.get(id).and_then(|entry| entry.inquiry.as_ref()) {
                self.put_inquiry(id.as_bytes(), &record::encode_stored(inquiry)?)?;
            }
        }
        for id in &changes.removed {
            self.inquiries.open()?.remove(id.as_bytes())?;
        }
        for id in &changes.referrals {
            let referral = rows.inquiries.get(id).and_then(|entry| entry.referral.as_ref());
            self.put_referral(id.as_bytes(), referral)?;
        }
        for id in &changes.not_due {
            if let Some(at) = self.overdue.get(id) {
                self.due
                    .remove(lane_of_referrals(Lane::Clock), *at, id.as_bytes())?;
            }
        }
        for key in &changes.subscriptions {
            let entry = rows.subscriptions.get(key);
            self.put_subscription(
                key.as_bytes(),
                entry.and_then(|entry| entry.subscription.as_ref()),
            )?;
        }
        for key in &changes.acceptances {
            if let Some(acceptance) = rows.acceptances.get(key) {
                self.put_acceptance(acceptance)?;
            }
        }
        for month in &changes.closings {
            if let Some(closing) = rows.closings.get(month) {
                self.put_closing(closing)?;
            }
        }
        for ((inquiry, number), photo) in &changes.photos {
            let id = inquiry.as_bytes();
            match photo {
                Some(photo) => PhotoSize::ALL
                    .iter()
                    .try_for_each(|size| self.put_photo(id, *number, size.number(), size.of(photo)))?,
                None => self.remove_photos(id, *number..=*number)?,
            }
        }
        // Also those that were added in the same batch.
        for id in &changes.removed {
            self.remove_photos(id.as_bytes(), 0..=u16::MAX)?;
        }
        for ((day, name), count) in &changes.counts {
            self.add_count(*day, name, *count)?;
        }
        for (name, value) in &changes.facts {
            self.put_fact(name, *value)?;
        }
        self.finish()
    }

    /// Writes what was gathered.
    pub fn finish(&mut self) -> Result<(), redb::Error> {
        self.due.write()
    }

    /// Stores an inquiry.
    pub fn put_inquiry(&mut self, id: &Id, value: &[u8]) -> Result<(), redb::Error> {
        self.inquiries.open()?.insert(id, value)?;
        Ok(())
    }

    /// Remembers a key, in place of what was known of it.
    pub fn put_key(
        &mut self,
        name: &KeyName,
        tag: &RequestTag,
        id: &Id,
        expires_at: u64,
    ) -> Result<(), redb::Error> {
        let before = self.keys.open()?.insert(name, (tag, id, expires_at))?;
        let before = before.map(|before| before.value().2);
        let expiries = self.expiries.open()?;
        if let Some(before) = before {
            expiries.remove((before, name))?;
        }
        expiries.insert((expires_at, name), ())?;
        Ok(())
    }

    /// Stores a referral and when it is due next; `None` removes it.
    pub fn put_referral(&mut self, id: &Id, referral: Option<&Referral>) -> Result<(), redb::Error> {
        let table = self.referrals.open()?;
        let before = match referral {
            Some(referral) => table.insert(id, referral_record::encode(id, referral)?.as_slice())?,
            None => table.remove(id)?,
        };
        let due = |referral: &Referral| referral.due();
        let before = before.and_then(|before| referral_record::decode(id, before.value()).ok());
        let before = before.as_ref().map(due).unwrap_or_default();
        self.move_due(
            id,
            before,
            referral.map(due).unwrap_or_default(),
            lane_of_referrals,
        )
    }

    /// Stores a subscription and when it is due next; `None` removes it.
    pub fn put_subscription(
        &mut self,
        key: &Id,
        subscription: Option<&Subscription>,
    ) -> Result<(), redb::Error> {
        let table = self.subscriptions.open()?;
        let before = match subscription {
            Some(subscription) => table.insert(key, subscription_record::encode(subscription)?.as_slice())?,
            None => table.remove(key)?,
        };
        let before = before.and_then(|before| subscription_record::decode(before.value()).ok());
        let before = before.as_ref().map(Subscription::due).unwrap_or_default();
        let after = subscription.map(Subscription::due).unwrap_or_default();
        self.move_due(key, before, after, lane_of_subscriptions)
    }

    /// Stores an entry of the ledger.
    pub fn put_acceptance(&mut self, acceptance: &Acceptance) -> Result<(), redb::Error> {
        let key = (acceptance.inquiry.as_bytes(), acceptance.firm.as_str());
        let value = acceptance_record::encode(acceptance)?;
        self.ledger.open()?.insert(key, value.as_slice())?;
        Ok(())
    }

    /// Stores that a month is closed.
    pub fn put_closing(&mut self, closing: &Closing) -> Result<(), redb::Error> {
        let value = (millis(closing.at), closing.vat.parts());
        self.closings.open()?.insert(closing.month.number(), value)?;
        Ok(())
    }

    /// Stores a photo in one of its sizes.
    pub fn put_photo(&mut self, id: &Id, number: u16, size: u8, jpeg: &[u8]) -> Result<(), redb::Error> {
        self.photos.open()?.insert((id, number, size), jpeg)?;
        Ok(())
    }

    fn remove_photos(&mut self, id: &Id, numbers: RangeInclusive<u16>) -> Result<(), redb::Error> {
        let keys = (id, *numbers.start(), 0)..=(id, *numbers.end(), u8::MAX);
        self.photos.open()?.retain_in(keys, |_, _| false)?;
        Ok(())
    }

    fn move_due(
        &mut self,
        id: &Id,
        before: Due,
        after: Due,
        number: fn(Lane) -> u8,
    ) -> Result<(), redb::Error> {
        for lane in Lane::ALL {
            if before.of(lane) == after.of(lane) {
                continue;
            }
            if let Some(due) = before.of(lane) {
                self.due.remove(number(lane), millis(due), id)?;
            }
            if let Some(due) = after.of(lane) {
                self.due.add(number(lane), millis(due), id)?;
            }
        }
        Ok(())
    }

    /// Adds to the counts of a day.
    pub fn add_count(&mut self, day: Date, name: &str, count: u64) -> Result<(), redb::Error> {
        let key = (schema::day(day), name);
        let counts = self.counts.open()?;
        let before = counts.get(key)?.map_or(0, |count| count.value());
        counts.insert(key, before.saturating_add(count))?;
        Ok(())
    }

    /// Notes a fact; `None` removes it.
    pub fn put_fact(&mut self, name: &str, value: Option<u64>) -> Result<(), redb::Error> {
        let facts = self.meta.open()?;
        match value {
            Some(value) => facts.insert(name, value)?,
            None => facts.remove(name)?,
        };
        Ok(())
    }
}
