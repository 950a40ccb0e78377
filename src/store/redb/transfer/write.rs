//! Writing rows into a new file.

use redb::WriteTransaction;

use crate::store::core::{referral_record, subscription_record};
use crate::store::erased_list::Erased;
use crate::store::redb::lazy_table::LazyTable;
use crate::store::redb::open_tables::OpenTables;
use crate::store::redb::schema::{self, ASKS, CLOSINGS, CONFIRMATION_LOG, COUNTS, Id, LEDGER, SECRETS};
use crate::store::transfer::Row;

/// Writes rows into the tables of a new file.
pub struct RowWriter<'t> {
    file: &'t WriteTransaction,
    tables: OpenTables<'t>,
    confirmations: LazyTable<'t, u64, &'static [u8]>,
    ledger: LazyTable<'t, (&'static Id, &'static str), &'static [u8]>,
    /// What was sent at the last time that was seen: an entry lists all addresses of one time.
    sent: (u64, Vec<Id>),
    /// What is listed beside the file.
    pub erased: Erased,
}

impl<'t> RowWriter<'t> {
    /// Prepares the tables of a file.
    pub fn new(file: &'t WriteTransaction) -> Self {
        Self {
            file,
            tables: OpenTables::new(file),
            confirmations: LazyTable::new(file, CONFIRMATION_LOG),
            ledger: LazyTable::new(file, LEDGER),
            sent: (0, Vec::new()),
            erased: Erased::new(),
        }
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
                self.tables.put_fact(&name, Some(value))?;
            }
            Row::Inquiry { id, value } => {
                self.tables.put_inquiry(&id, &value)?;
            }
            Row::Referral { id, value } => {
                let referral = referral_record::decode(&id, &value)?;
                self.tables.put_referral(&id, Some(&referral))?;
            }
            Row::Key {
                name,
                tag,
                id,
                expires_at,
            } => {
                self.tables.put_key(&name, &tag, &id, expires_at)?;
            }
            Row::RequestHistory { firm, value } => {
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
                let subscription = subscription_record::decode(&value)?;
                self.tables.put_subscription(&key, Some(&subscription))?;
            }
            Row::Acceptance { id, firm, value } => {
                self.ledger
                    .open()?
                    .insert((&id, firm.as_str()), value.as_slice())?;
            }
            Row::Closing { month, at, vat } => {
                self.file.open_table(CLOSINGS)?.insert(month, (at, vat))?;
            }
            Row::Photo {
                id,
                number,
                size,
                jpeg,
            } => {
                self.tables.put_photo(&id, number, size, &jpeg)?;
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
        self.tables.finish()?;
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
