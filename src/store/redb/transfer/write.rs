//! Writing rows into a new file.

use redb::{Table, WriteTransaction};

use crate::referral::Due;
use crate::store::erased_list::Erased;
use crate::store::redb::due_index::DueIndex;
use crate::store::redb::idempotency::{Expiries, Keys};
use crate::store::redb::lazy_table::LazyTable;
use crate::store::redb::referrals::{self, Referrals};
use crate::store::redb::schema::{
    self, ASKS, CONFIRMATION_LOG, COUNTS, EXPIRIES, INQUIRIES, Id, KEYS, META, REFERRALS, SECRETS,
    SUBSCRIPTIONS,
};
use crate::store::redb::subscriptions;
use crate::store::transfer::Row;

/// The tables of a new file, open for writing.
pub struct Tables<'t> {
    file: &'t WriteTransaction,
    inquiries: Table<'t, &'static Id, &'static [u8]>,
    referrals: Referrals<'t>,
    subscriptions: subscriptions::Subscriptions<'t>,
    keys: Keys<'t>,
    expiries: Expiries<'t>,
    due: DueIndex<'t>,
    confirmations: LazyTable<'t, u64, &'static [u8]>,
    /// What was sent at the last time that was seen: an entry lists all addresses of one time.
    sent: (u64, Vec<Id>),
    /// What is listed beside the file.
    pub erased: Erased,
}

impl<'t> Tables<'t> {
    /// Opens the tables of a file.
    pub fn open(file: &'t WriteTransaction) -> Result<Self, redb::Error> {
        Ok(Self {
            file,
            inquiries: file.open_table(INQUIRIES)?,
            referrals: file.open_table(REFERRALS)?,
            subscriptions: file.open_table(SUBSCRIPTIONS)?,
            keys: file.open_table(KEYS)?,
            expiries: file.open_table(EXPIRIES)?,
            due: DueIndex::new(file),
            confirmations: LazyTable::new(file, CONFIRMATION_LOG),
            sent: (0, Vec::new()),
            erased: Erased::new(),
        })
    }

    /// Writes a row.
    pub fn write(&mut self, row: Row) -> Result<(), redb::Error> {
        match row {
            Row::Secret { name, value } => {
                self.file
                    .open_table(SECRETS)?
                    .insert(name.as_str(), value.as_slice())?;
            }
            Row::Fact { name, value } => {
                self.file.open_table(META)?.insert(name.as_str(), value)?;
            }
            Row::Inquiry { id, value } => {
                self.inquiries.insert(&id, value.as_slice())?;
            }
            Row::Referral { id, value } => {
                let referral = referrals::decode(&id, &value)?;
                referrals::write(&mut self.referrals, &mut self.due, &id, &referral, Due::default())?;
            }
            Row::Key {
                name,
                tag,
                id,
                expires_at,
            } => {
                self.keys.insert(&name, (&tag, &id, expires_at))?;
                self.expiries.insert((expires_at, &name), ())?;
            }
            Row::Asks { firm, value } => {
                self.file
                    .open_table(ASKS)?
                    .insert(firm.as_str(), value.as_slice())?;
            }
            Row::Confirmation { at, address } => {
                if at != self.sent.0 {
                    self.write_sent()?;
                    self.sent.0 = at;
                }
                self.sent.1.push(address);
            }
            Row::Count { day, name, count } => {
                self.file
                    .open_table(COUNTS)?
                    .insert((day, name.as_str()), count)?;
            }
            Row::Subscription { key, value } => {
                let subscription = subscriptions::decode(&value)?;
                let (table, due) = (&mut self.subscriptions, &mut self.due);
                subscriptions::write(table, due, &key, Some(&subscription), Due::default())?;
            }
            Row::Erased { id, at } => {
                let at = schema::from_millis(at).unwrap_or_default();
                self.erased.insert(uuid::Uuid::from_bytes(id), at);
            }
        }
        Ok(())
    }

    /// Writes what was gathered; returns what belongs beside the file.
    pub fn finish(mut self) -> Result<Erased, redb::Error> {
        self.write_sent()?;
        self.due.write()?;
        Ok(self.erased)
    }

    fn write_sent(&mut self) -> Result<(), redb::Error> {
        let (at, addresses) = std::mem::take(&mut self.sent);
        if !addresses.is_empty() {
            let log = self.confirmations.open()?;
            log.insert(at, addresses.as_flattened())?;
        }
        Ok(())
    }
}
